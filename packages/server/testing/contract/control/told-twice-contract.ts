/** Contract of requests that have two segments: one of them counts, in whatever order they come. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { max } from '#limits/limits.ts'
import type { RequestsQuery, SegmentSeen } from '#ports/requests.ts'
import { aRequestsBatch } from '../../builders/control-batch.ts'
import { aSegment } from '../../builders/requests.ts'
import { DAY, NOW } from '../../builders/times.ts'
import { openForEachTest } from './each-test.ts'
import type { ControlFactory } from './stores.ts'

export function toldTwiceContract(open: ControlFactory): void {
  describe('Requests with two segments', () => {
    const { stores, world, nextSeq } = openForEachTest(open)

    const seen = (change: Parameters<typeof aSegment>[0] = {}) =>
      aSegment({ projectId: world.shop, ...change })
    const send = (segments: readonly SegmentSeen[]) =>
      stores.write.applyBatch(aRequestsBatch(nextSeq(), { segments }))
    const query = { projects: null, startMs: NOW - DAY, endMs: NOW + DAY }
    const routes = async () =>
      (await stores.read.routes(world.scope, query)).map(({ route, count }) => [route, count]).sort()

    const count = async (change: Partial<RequestsQuery> = {}) =>
      (await stores.read.requestFigures(world.scope, { ...query, ...change })).count

    it('leave out the page that a framework shows of a failure, and count it where somebody asked for it', async () => {
      const { traceId } = seen()
      const failed = seen({ route: '/fails', end: 'failed', durationMs: 80 })
      const page = (change: Parameters<typeof aSegment>[0]) =>
        seen({ route: '/_not-found', traceId, atMs: NOW + 81, ...change })
      // Together, in whatever order; then the page alone.
      await send([page({ name: 'b' }), failed])
      await send([page({ name: 'c' })])
      await send([page({ name: 'j', end: 'failed' })])
      assert.deepEqual(await routes(), [['/fails', 1]])
      const far = NOW + 81 + max('failureSlackMs')
      const asked = [
        page({ name: 'd', projectId: world.blog }),
        page({ name: 'e', traceId: seen({ name: 'e' }).traceId }),
        page({ name: 'f', kind: 'page-data' }),
        page({ name: 'g', atMs: far }),
        page({ name: 'h', atMs: NOW - 5 }),
      ]
      await send([...asked, seen({ traceId, name: 'i', atMs: NOW + 200, route: '/other' })])
      assert.equal(await count({ route: '/_not-found' }), asked.length)
      assert.equal(await count({ route: '/other' }), 1)
    })

    const { traceId } = aSegment()
    const outside = (change: Parameters<typeof aSegment>[0] = {}) =>
      seen({
        ...{ traceId, name: 'outer', kind: 'page-data', route: '/shop/beds/7', sandbox: 'outside' },
        ...{ durationMs: 80.4, ...change },
      })
    const inside = (change: Parameters<typeof aSegment>[0] = {}) =>
      seen({
        ...{ traceId, name: 'inner', kind: 'page-data', route: '/beds/[id]', sandbox: 'inside' },
        ...{ atMs: NOW + 6.5, durationMs: 9, ...change },
      })

    it('count a page of an edge sandbox once, under the route that is known inside', async () => {
      await send([inside(), outside()])
      assert.deepEqual(await routes(), [['/beds/[id]', 1]])
      await send([inside()])
      const again = { traceId: seen({ name: 'again' }).traceId }
      await send([inside({ ...again, name: 'again' })])
      await send([outside({ ...again, name: 'again too' })])
      await send([inside({ ...again, name: 'again' }), outside({ ...again, name: 'again too' })])
      assert.deepEqual(await routes(), [['/beds/[id]', 2]])
    })

    it('count halves once whose wrong clocks were corrected by different times on the way', async () => {
      const late = { isClockCorrected: true, atMs: NOW + 600 } as const
      const early = { isClockCorrected: true, atMs: NOW - 600 } as const
      const outer = { isClockCorrected: true } as const
      const { traceId: other } = seen({ name: 'other' })
      await send([outside(outer)])
      await send([inside(late)])
      await send([inside({ ...early, traceId: other })])
      await send([outside({ ...outer, traceId: other })])
      assert.equal(await count(), 2)
      // A page that is asked for again soon, its halves among those of the first.
      const { traceId: again } = seen({ name: 'again' })
      const name = 'second'
      await send([inside({ ...outer, traceId: again })])
      await send([outside({ ...outer, traceId: again })])
      await send([outside({ ...late, traceId: again, name })])
      await send([inside({ ...late, traceId: again, name: 'second inside' })])
      assert.equal(await count(), 4)
      // Of a right clock, and of a wrong one too far away.
      await send([inside({ name: 'right', atMs: NOW + 600 })])
      await send([inside({ ...late, name: 'far', atMs: NOW + 90 + max('failureSlackMs') })])
      assert.equal(await count(), 6)
    })

    it('take the kind from the outer half: inside of a sandbox what a proxy passes on looks like page data', async () => {
      for (const kind of ['document', 'prefetch', 'action'] as const) {
        const { traceId: own } = seen({ name: kind })
        await send([inside({ traceId: own }), outside({ traceId: own, kind })])
        assert.equal(await count({ kind }), 1)
        // In envelopes of their own, in either order, and again.
        const { traceId: first } = seen({ name: `${kind} inside first` })
        await send([inside({ traceId: first })])
        for (const _ of [1, 2]) await send([outside({ traceId: first, kind })])
        const { traceId: last } = seen({ name: `${kind} inside last` })
        await send([outside({ traceId: last, kind })])
        for (const _ of [1, 2]) await send([inside({ traceId: last })])
        assert.equal(await count({ kind }), 3)
      }
      assert.deepEqual(await routes(), [
        ['/beds/[id]', 3],
        ['/beds/[id]', 3],
        ['/beds/[id]', 3],
      ])
    })

    it('take the action of the outer half along, and leave its figures where the route is known', async () => {
      const action = { kind: 'action', action: 'book' } as const
      await send([inside()])
      await send([outside(action)])
      const { traceId: other } = seen({ name: 'other' })
      await send([outside({ ...action, traceId: other })])
      await send([inside({ traceId: other })])
      const actions = await stores.read.actions(world.scope, query)
      assert.deepEqual(
        actions.map((one) => [one.route, one.action, one.count]),
        [['/beds/[id]', 'book', 2]],
      )
      assert.equal(await count({ kind: 'action' }), 2)
    })

    it('are a route handler where its own half says so, whatever a browser asked for', async () => {
      const [outer, inner] = [{ kind: 'document' }, { kind: 'route-handler' }] as const
      await send([outside(outer)])
      await send([inside(inner)])
      const { traceId: other } = seen({ name: 'other' })
      await send([inside({ ...inner, traceId: other })])
      await send([outside({ ...outer, traceId: other })])
      assert.equal(await count({ kind: 'route-handler', route: '/beds/[id]' }), 2)
      assert.equal(await count(), 2)
    })

    it('count what is alone in its trace, time or page', async () => {
      await send([outside()])
      const alone = [
        inside({ name: 'z', traceId: seen({ name: 'z' }).traceId }),
        inside({ name: 'c', atMs: NOW + 90 }),
        inside({ name: 'd', route: '/nurses/[id]' }),
        inside({ name: 'e', projectId: world.blog }),
      ]
      await send(alone)
      assert.equal(await count(), 1 + alone.length)
    })
  })
}
