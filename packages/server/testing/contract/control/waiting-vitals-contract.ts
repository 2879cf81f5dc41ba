/** Contract of vitals that come apart from their page: they are that page's in whatever order both come. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { max } from '#limits/limits.ts'
import type { SegmentSeen, VitalSeen } from '#ports/requests.ts'
import { aRequestsBatch } from '../../builders/control-batch.ts'
import { aSegment, aVital } from '../../builders/requests.ts'
import { DAY, NOW } from '../../builders/times.ts'
import { openForEachTest } from './each-test.ts'
import { type ControlFactory, removeAllAged } from './stores.ts'

const HOUR = 3_600_000
const UNKNOWN = '(unknown page)'

export function waitingVitalsContract(open: ControlFactory): void {
  describe('Vitals that come apart from their page', () => {
    const { stores, world, clock, nextSeq } = openForEachTest(open)

    const page = (name: string, change: Partial<SegmentSeen> = {}): SegmentSeen =>
      aSegment({ projectId: world.shop, kind: 'browser', route: '/landing', name, ...change })
    const apart = (name: string, change: Partial<VitalSeen> = {}): VitalSeen =>
      aVital({
        ...{ projectId: world.shop, route: UNKNOWN, ofSegment: page(name).segmentId, name },
        ...change,
      })
    const send = (part: Parameters<typeof aRequestsBatch>[1]) =>
      stores.write.applyBatch(aRequestsBatch(nextSeq(), part))
    const range = { projects: null, startMs: NOW - 30 * DAY, endMs: NOW + 30 * DAY }
    const figures = async () => {
      const vitals = await stores.read.vitals(world.scope, range)
      return vitals.map(({ route, vital, count, shares }) => [route, vital, count, shares]).sort()
    }
    const p75 = async (route: string) =>
      (await stores.read.vitals(world.scope, { ...range, route })).find(({ vital }) => vital === 'lcp')
        ?.p75 ?? null

    it('move to it when it comes later, each once, and the others stay', async () => {
      await send({ vitals: [apart('a', { value: 800 }), apart('a', { vital: 'inp', value: 600 })] })
      await send({ vitals: [apart('b', { value: 5_000 })] })
      assert.deepEqual(await figures(), [
        [UNKNOWN, 'inp', 1, [0, 0, 1]],
        [UNKNOWN, 'lcp', 2, [0.5, 0, 0.5]],
      ])
      for (const _ of [1, 2]) {
        await send({ segments: [page('a')] })
        await send({ vitals: [apart('a', { value: 800 })] })
        assert.deepEqual(await figures(), [
          [UNKNOWN, 'lcp', 1, [0, 0, 1]],
          ['/landing', 'inp', 1, [0, 0, 1]],
          ['/landing', 'lcp', 1, [1, 0, 0]],
        ])
      }
      const near = (ms: number | null, expected: number) =>
        assert.ok(ms !== null && Math.abs(ms - expected) <= expected / 100, `${ms}`)
      near(await p75('/landing'), 800)
      near(await p75(UNKNOWN), 5_000)
    })

    it('move by sets, however many one page has', async () => {
      const count = 12_000
      const spanId = (at: number) => at.toString(16).padStart(16, '0')
      const many = Array.from({ length: count }, (_, at) => apart('a', { spanId: spanId(at + 1), value: 90 }))
      await send({ vitals: many })
      assert.deepEqual(await figures(), [[UNKNOWN, 'lcp', count, [1, 0, 0]]])
      await send({ segments: [page('a')] })
      assert.deepEqual(await figures(), [['/landing', 'lcp', count, [1, 0, 0]]])
    })

    it('are the same before, together and after it, in weight too', async () => {
      const weight = 4
      await send({ vitals: [apart('before', { weight })] })
      await send({ segments: [page('before'), page('together')], vitals: [apart('together', { weight })] })
      await send({ segments: [page('after')] })
      await send({ vitals: [apart('after', { weight })] })
      assert.deepEqual(await figures(), [['/landing', 'lcp', 12, [1, 0, 0]]])
    })

    it('move once hours of their day are joined, too', async () => {
      await send({
        vitals: [apart('a', { atMs: NOW - 8 * DAY }), apart('b', { atMs: NOW - 8 * DAY + HOUR })],
      })
      clock.advance(DAY)
      await removeAllAged(stores, clock)
      await send({ segments: [page('a', { receivedMs: clock.now(), atMs: NOW - 8 * DAY })] })
      assert.deepEqual(await figures(), [
        [UNKNOWN, 'lcp', 1, [1, 0, 0]],
        ['/landing', 'lcp', 1, [1, 0, 0]],
      ])
    })

    it('wait for a page of their own project, and for so many days', async () => {
      await send({ vitals: [apart('a')] })
      await send({ segments: [page('a', { projectId: world.blog })] })
      assert.deepEqual(await figures(), [[UNKNOWN, 'lcp', 1, [1, 0, 0]]])
      const days = max('countedSpanDays')
      await send({ vitals: [apart('b')] })
      clock.advance(days * DAY)
      await removeAllAged(stores, clock)
      await send({ segments: [page('a', { receivedMs: clock.now() })] })
      assert.deepEqual(await figures(), [
        [UNKNOWN, 'lcp', 1, [1, 0, 0]],
        ['/landing', 'lcp', 1, [1, 0, 0]],
      ])
      clock.advance(DAY)
      await removeAllAged(stores, clock)
      await send({ segments: [page('b', { receivedMs: clock.now() })] })
      assert.deepEqual((await figures()).at(0), [UNKNOWN, 'lcp', 1, [1, 0, 0]])
    })
  })
}
