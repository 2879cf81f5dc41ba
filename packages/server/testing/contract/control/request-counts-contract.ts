/** Contract of counts of requests that are read without their durations. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { RequestCounts } from '#ports/requests.ts'
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
  })
}
