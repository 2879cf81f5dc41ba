/** Contract of requests that have two segments: one of them counts, in whatever order they come. */
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { manualClock } from '#base/clock.ts'
import { max } from '#limits/limits.ts'
import type { RequestsQuery, SegmentSeen } from '#ports/requests.ts'
import { aRequestsBatch } from '../../builders/control-batch.ts'
import { aSegment } from '../../builders/requests.ts'
import { DAY, NOW } from '../../builders/times.ts'
import type { ControlFactory, ControlStores } from './stores.ts'
import { aWorld, type World } from './world.ts'

export function toldTwiceContract(open: ControlFactory): void {
  describe('Requests with two segments', () => {
    let stores: ControlStores
    let world: World
    let seq: number

    beforeEach(async () => {
      stores = await open(manualClock(NOW))
      world = await aWorld(stores)
      seq = 1
    })
    afterEach(() => stores.close())

    const seen = (change: Parameters<typeof aSegment>[0] = {}) =>
      aSegment({ projectId: world.shop, ...change })
    const send = (segments: readonly SegmentSeen[]) =>
      stores.write.applyBatch(aRequestsBatch(seq++, { segments }))
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

    it('count a page of an edge sandbox once: the outer half of two that come together, else the first', async () => {
      await send([inside(), outside()])
      assert.deepEqual(await routes(), [['/shop/beds/7', 1]])
      await send([inside()])
      const again = { traceId: seen({ name: 'again' }).traceId }
      await send([inside({ ...again, name: 'again' })])
      await send([outside({ ...again, name: 'again too' })])
      await send([inside({ ...again, name: 'again' }), outside({ ...again, name: 'again too' })])
      assert.deepEqual(await routes(), [
        ['/beds/[id]', 1],
        ['/shop/beds/7', 1],
      ])
    })

    it('count what is alone in its trace, time, kind or page', async () => {
      await send([outside()])
      const alone = [
        inside({ name: 'z', traceId: seen({ name: 'z' }).traceId }),
        inside({ name: 'b', kind: 'document' }),
        inside({ name: 'c', atMs: NOW + 90 }),
        inside({ name: 'd', route: '/nurses/[id]' }),
        inside({ name: 'e', projectId: world.blog }),
      ]
      await send(alone)
      assert.equal(await count(), 1 + alone.length)
    })
  })
}
