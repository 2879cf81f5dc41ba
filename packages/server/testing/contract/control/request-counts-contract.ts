/** Contract of counts of requests that are read without their durations. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { RequestCounts, RouteCountsQuery } from '#ports/requests.ts'
import { aRequestsBatch } from '../../builders/control-batch.ts'
import { aSegment } from '../../builders/requests.ts'
import { DAY, HOUR, NOW } from '../../builders/times.ts'
import { openForEachTest } from './each-test.ts'
import type { ControlFactory } from './stores.ts'

export function requestCountsContract(open: ControlFactory): void {
  describe('Counts of requests', () => {
    const { stores, world } = openForEachTest(open)

    const query = { projects: null, startMs: NOW - 2 * DAY, endMs: NOW + DAY }
    const seen = (change: Parameters<typeof aSegment>[0]) => aSegment({ projectId: world.shop, ...change })

    it('count without durations what figures say with them', async () => {
      const segments = [
        seen({ end: 'failed' }),
        seen({ name: 'b', end: 'failed-behind-200' }),
        seen({ name: 'c', atMs: NOW - HOUR }),
        seen({ name: 'd', route: '/other', end: 'failed', weight: 2.6 }),
      ]
      await stores.write.applyBatch(aRequestsBatch(1, { segments }))
      const [routes, figures, buckets, series] = await Promise.all([
        stores.read.routeCounts(world.scope, query),
        stores.read.routes(world.scope, query),
        stores.read.requestCounts(world.scope, query, HOUR),
        stores.read.requestSeries(world.scope, query, HOUR),
      ])
      const counts = ({ count, failed, failedBehind200 }: RequestCounts) => [count, failed, failedBehind200]
      const named = (rows: readonly (RequestCounts & { readonly route: string })[]) =>
        rows.map((row) => [row.route, ...counts(row)]).toSorted()
      assert.ok(routes.length > 0 && buckets.some(({ failed }) => failed > 0))
      assert.deepEqual(named(routes), named(figures))
      assert.deepEqual(buckets.map(counts), series.map(counts))
    })

    it('are of routes with as many failures as are asked for, and of those that are named', async () => {
      const failing = (route: string, times: number) =>
        Array.from({ length: times }, (_, at) => seen({ name: `${route} ${at}`, route, end: 'failed' }))
      const segments = [...failing('/four', 4), ...failing('/five', 5), ...failing('/six', 6)]
      await stores.write.applyBatch(aRequestsBatch(1, { segments }))
      const named = async (change: Pick<RouteCountsQuery, 'routes' | 'failedMin'>) =>
        (await stores.read.routeCounts(world.scope, { ...query, ...change })).map(({ route }) => route)
      assert.deepEqual(await named({ failedMin: 5 }), ['/six', '/five'])
      assert.deepEqual(await named({ routes: ['/four', '/none'] }), ['/four'])
      assert.deepEqual(await named({ routes: ['/four', '/six'], failedMin: 5 }), ['/six'])
      assert.deepEqual(await named({ routes: [] }), [])
    })

    it('of kinds are those of each alone, over days and projects', async () => {
      const segments = [
        seen({ kind: 'document', durationMs: 10 }),
        seen({ name: 'b', kind: 'document', durationMs: 90, atMs: NOW - DAY, end: 'failed' }),
        seen({ name: 'c', kind: 'document', durationMs: 50, projectId: world.blog }),
        seen({ name: 'd', kind: 'action', durationMs: 70 }),
      ]
      await stores.write.applyBatch(aRequestsBatch(1, { segments }))
      const kinds = ['action', 'document', 'prefetch'] as const
      const together = await stores.read.figuresOfKinds(world.scope, query, kinds)
      assert.deepEqual(
        together,
        await Promise.all(kinds.map((kind) => stores.read.requestFigures(world.scope, { ...query, kind }))),
      )
      assert.deepEqual(
        together.map(({ count, failed }) => [count, failed]),
        [
          [1, 0],
          [3, 1],
          [0, 0],
        ],
      )
    })
  })
}
