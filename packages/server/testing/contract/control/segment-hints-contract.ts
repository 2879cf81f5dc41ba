/** Contract of spans that come apart from their segment and tell what it is: its figures end the same in either order. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { max } from '#limits/limits.ts'
import type { SegmentHint, SegmentSeen } from '#ports/requests.ts'
import { aRequestsBatch } from '../../builders/control-batch.ts'
import { aHint, aSegment } from '../../builders/requests.ts'
import { DAY, NOW } from '../../builders/times.ts'
import { openForEachTest } from './each-test.ts'
import { type ControlFactory, removeAllAged } from './stores.ts'

export function segmentHintsContract(open: ControlFactory): void {
  describe('Spans that tell of their segment', () => {
    const { stores, world, clock, nextSeq } = openForEachTest(open)

    const route = '/orders/export'
    const seen = (change: Parameters<typeof aSegment>[0] = {}): SegmentSeen =>
      aSegment({ projectId: world.shop, route, isOpen: true, durationMs: 80.4, ...change })
    const hint = (change: Parameters<typeof aHint>[0] = {}): SegmentHint =>
      aHint({ projectId: world.shop, ...change })
    const send = (part: Parameters<typeof aRequestsBatch>[1]) =>
      stores.write.applyBatch(aRequestsBatch(nextSeq(), part))
    const figures = async () => {
      const query = { projects: null, startMs: NOW - DAY, endMs: NOW + DAY }
      const routes = await stores.read.routes(world.scope, query)
      return routes.map(({ kind, count, failed, aborted }) => [kind, count, failed, aborted]).sort()
    }
    /** The same figures, whichever comes first, together, and twice. */
    async function inAnyOrder(segment: SegmentSeen, told: SegmentHint): Promise<unknown> {
      const named = (name: string) => {
        const { traceId, segmentId } = seen({ name })
        return [
          { ...segment, traceId, segmentId },
          { ...told, traceId, segmentId },
        ] as const
      }
      const [afterwards, before, together] = [named('after'), named('before'), named('together')]
      for (const _ of [1, 2]) {
        await send({ segments: [afterwards[0]] })
        await send({ hints: [afterwards[1]] })
        await send({ hints: [before[1]] })
        await send({ segments: [before[0]] })
        await send({ segments: [together[0]], hints: [together[1]] })
      }
      return figures()
    }

    it('make a document that a browser asked for the route handler that answered', async () => {
      const failed = seen({ end: 'failed' })
      assert.deepEqual(await inAnyOrder(failed, hint({ work: 'thrown' })), [['route-handler', 3, 3, 0]])
    })

    it('leave the others of the route and hour as they are', async () => {
      await send({ segments: [seen({ name: 'page', durationMs: 900 }), seen({ end: 'failed' })] })
      await send({ hints: [hint()] })
      const query = { projects: null, startMs: NOW - DAY, endMs: NOW + DAY }
      const of = (kind: SegmentSeen['kind']) => stores.read.requestFigures(world.scope, { ...query, kind })
      const [page, handler] = [await of('document'), await of('route-handler')]
      assert.deepEqual([page.count, page.failed, page.totalMs, page.failedP95Ms], [1, 0, 900, null])
      assert.deepEqual([handler.count, handler.failed, handler.totalMs], [1, 1, 80.4])
      for (const [{ p50Ms }, ms] of [
        [page, 900],
        [handler, 80.4],
        [{ p50Ms: handler.failedP95Ms }, 80.4],
      ] as const)
        assert.ok(Math.abs((p50Ms ?? 0) - ms) <= ms / 100, `${p50Ms}`)
    })

    it('make a request that rendered a document', async () => {
      const plain = seen({ kind: 'route-handler' })
      assert.deepEqual(await inAnyOrder(plain, hint({ kind: 'document' })), [['document', 3, 0, 0]])
    })

    it('end a request whose client went away as aborted, and not as failed', async () => {
      const failed = seen({ end: 'failed' })
      assert.deepEqual(await inAnyOrder(failed, hint({ work: 'aborted' })), [['route-handler', 3, 0, 3]])
    })

    it('say how a request was answered, and which action it ran', async () => {
      const told = hint({ kind: 'action', httpStatus: 500, action: 'drown' })
      assert.deepEqual(await inAnyOrder(seen({ kind: 'route-handler' }), told), [['action', 3, 3, 0]])
      const query = { projects: null, startMs: NOW - DAY, endMs: NOW + DAY }
      const actions = await stores.read.actions(world.scope, query)
      assert.deepEqual(
        actions.map(({ action, count, failed }) => [action, count, failed]),
        [['drown', 3, 3]],
      )
      const counted = await stores.read.countedAs(world.scope, [seen({ name: 'before' })])
      assert.deepEqual(
        counted.map(({ action }) => action),
        ['drown'],
      )
    })

    it('name an action that its request knows without a name', async () => {
      const named = hint({ kind: null, action: 'drown' })
      assert.deepEqual(await inAnyOrder(seen({ kind: 'action' }), named), [['action', 3, 0, 0]])
      const query = { projects: null, startMs: NOW - DAY, endMs: NOW + DAY }
      const actions = await stores.read.actions(world.scope, query)
      assert.deepEqual(
        actions.map(({ action, count }) => [action, count]),
        [['drown', 3]],
      )
    })

    it('say together what they say apart, and an action stays one that renders a page', async () => {
      await send({ hints: [hint({ kind: null, work: 'failed' })] })
      await send({ hints: [hint({ kind: 'action', httpStatus: 200 })] })
      await send({ hints: [hint({ kind: 'document', action: 'drown' })] })
      await send({ segments: [seen({ kind: 'route-handler' })] })
      assert.deepEqual(await figures(), [['action', 1, 1, 0]])
      const counted = await stores.read.countedAs(world.scope, [seen()])
      assert.deepEqual(
        counted.map(({ end, action }) => [end, action]),
        [['failed-behind-200', 'drown']],
      )
    })

    it('are told by the segment too, to whom may read it', async () => {
      const [told, plain] = [seen({ end: 'failed' }), seen({ name: 'plain' })]
      const closed = aSegment({ projectId: world.shop, route, name: 'closed' })
      await send({ segments: [told, plain, closed], hints: [hint({ work: 'aborted' })] })
      const asked = [told, plain, closed, seen({ name: 'none' })]
      const counted = await stores.read.countedAs(world.scope, asked)
      assert.deepEqual(
        counted.map(({ segmentId, kind, end }) => [segmentId, kind, end]),
        [
          [told.segmentId, 'route-handler', 'aborted'],
          [plain.segmentId, 'document', 'answered'],
        ],
      )
      assert.equal(counted[0]?.route, route)
      assert.deepEqual(await stores.read.countedAs(world.otherScope, asked), [])
    })

    it('are what a search of traces goes by, in any order, for whom may read it', async () => {
      const [before, after, same] = [seen({ end: 'failed' }), seen({ name: 'b' }), seen({ name: 'c' })]
      await send({ hints: [hint({ work: 'aborted' })] })
      await send({ segments: [before, after, same] })
      await send({ hints: [hint({ name: 'b' })] })
      const range = { projects: null, startMs: NOW - DAY, endMs: NOW + DAY }
      const moved = await stores.read.movedSegments(world.scope, range)
      const place = ({ traceId, atMs }: SegmentSeen) => ({
        ...{ projectId: world.shop, traceHead: traceId.slice(0, 16), atMs: Math.floor(atMs) },
        ...{ saidKind: 'document', kind: 'route-handler', route },
      })
      const byEnd = moved.toSorted((a, b) => (a.end < b.end ? -1 : 1))
      assert.deepEqual(byEnd, [
        { ...place(before), end: 'aborted' },
        { ...place(after), end: 'answered' },
      ])
      const none = [
        stores.read.movedSegments(world.otherScope, range),
        stores.read.movedSegments(world.scope, { ...range, projects: [world.blog] }),
        stores.read.movedSegments(world.scope, { ...range, endMs: NOW - DAY + 1 }),
      ]
      assert.deepEqual(await Promise.all(none), [[], [], []])
    })

    it('leave what asks for data, a prefetch and a browser what they are', async () => {
      for (const kind of ['page-data', 'prefetch', 'browser'] as const) {
        await send({ segments: [seen({ kind, name: kind })] })
        await send({ hints: [hint({ name: kind })] })
      }
      assert.deepEqual(
        (await figures()).map(([kind]) => kind),
        ['browser', 'page-data', 'prefetch'],
      )
    })

    it('change nothing of a segment that says its kind itself, of another project, and after their days', async () => {
      const { isOpen: _, ...closed } = seen()
      await send({ segments: [closed] })
      await send({ hints: [hint()] })
      await send({ hints: [hint({ name: 'b', projectId: world.blog })] })
      await send({ segments: [seen({ name: 'b' })] })
      await send({ hints: [hint({ name: 'c' })] })
      clock.advance((max('countedSpanDays') + 1) * DAY)
      await removeAllAged(stores, clock)
      await send({ segments: [seen({ name: 'c' })] })
      assert.deepEqual(await figures(), [['document', 3, 0, 0]])
    })
  })
}
