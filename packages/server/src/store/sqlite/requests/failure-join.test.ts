import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, beforeEach, describe, it } from 'node:test'
import { manualClock } from '#base/clock.ts'
import { DAY_MS, HOUR_MS } from '#base/durations.ts'
import type { ProjectId } from '#base/ids.ts'
import { silentLog as log } from '#base/log.ts'
import { ERROR, ERROR_CATEGORY } from '#kinds/error/fields.ts'
import { SPAN } from '#kinds/span/fields.ts'
import { max } from '#limits/limits.ts'
import type { ControlBatch } from '#ports/ingest.ts'
import type { FailureSeen, SegmentSeen } from '#ports/requests.ts'
import { anActor } from '#testing/builders/actor.ts'
import { aBatch } from '#testing/builders/control-batch.ts'
import { anEventId } from '#testing/builders/ids.ts'
import { aScope } from '#testing/builders/scope.ts'
import { NOW } from '#testing/builders/times.ts'
import { removeAllAged, value } from '#testing/contract/control/stores.ts'
import { FIRST_OWNER } from '#testing/contract/control/world.ts'
import { openNewControl } from '#testing/new-control.ts'
import { openControlReader } from '../control-reader.ts'

const TRACE = '0123456789abcdef0123456789abcdef'
const directory = mkdtempSync(join(tmpdir(), 'errata-failure-join-'))
after(() => rmSync(directory, { recursive: true, force: true }))

describe('failures joined to requests', () => {
  const clock = manualClock(NOW)
  let path = ''
  let files = 0
  let batches = 0
  let project: ProjectId
  let writer: ReturnType<typeof openNewControl>
  beforeEach(async () => {
    path = join(directory, `${++files}.sqlite`)
    writer = openNewControl({ path, clock, log })
    project = value(await writer.createFirstOwner(FIRST_OWNER, anActor())).projectId
  })

  function segment(change: Partial<SegmentSeen> = {}): SegmentSeen {
    return {
      ...{ projectId: project, environment: null, release: null, route: '/late', kind: 'document' },
      ...{ traceId: TRACE, segmentId: 'a'.repeat(16), fragmentId: anEventId('fragment'), atMs: NOW },
      ...{ receivedMs: NOW, durationMs: 100, end: 'answered', weight: 1, ...change },
    }
  }

  function failure(name: string, change: Partial<FailureSeen> = {}): FailureSeen {
    return {
      ...{ projectId: project, eventId: anEventId(name), traceId: TRACE, route: '/late', kind: 'document' },
      ...{ atMs: NOW + 50, receivedMs: NOW, ...change },
    }
  }

  function batch(segments: readonly SegmentSeen[], failures: readonly FailureSeen[]): ControlBatch {
    const requests = {
      type: 'requests',
      kind: SPAN,
      category: SPAN,
      segments,
      vitals: [],
      costs: [],
      actionNames: [],
      hints: [],
      stale: [],
    } as const
    const groups = {
      type: 'groups',
      kind: ERROR,
      category: ERROR_CATEGORY,
      groups: [],
      failures,
      stale: [],
    } as const
    const accepted = { outcome: 'accepted', reason: null, category: ERROR_CATEGORY, quantity: 0 } as const
    const outcomes = [{ ...accepted, projectId: project, keyId: null, atMs: NOW }]
    return aBatch(++batches, [], { parts: [requests, groups], outcomes })
  }

  async function figures(): Promise<readonly (number | undefined)[]> {
    const reader = openControlReader({ path, clock, log })
    const query = { projects: null, startMs: NOW - 20 * DAY_MS, endMs: NOW + 20 * DAY_MS }
    const [row] = await reader.routes(aScope(project), query)
    const durations = await reader.requestDurations(aScope(project), query)
    await reader.close()
    const apart = durations.reduce((sum, { failed }) => sum + failed, 0)
    assert.equal(apart, row?.failed, 'as many failed durations as failed requests')
    return [row?.count, row?.failed, row?.failedBehind200]
  }

  function rows(): unknown {
    const db = new DatabaseSync(path, { readOnly: true })
    const count = db.prepare('SELECT count(*) AS count FROM request_failures').get()?.count
    db.close()
    return count
  }

  it('are found within one batch, which changes nothing when it comes again', async () => {
    const both = batch([segment()], [failure('one')])
    await writer.applyBatch(both)
    await writer.applyBatch(both)
    assert.deepEqual(await figures(), [1, 1, 1])
    await writer.close()
  })

  it('change the sum of the day when the hours of the request were joined to one', async () => {
    const old = NOW - 6 * DAY_MS - HOUR_MS
    await writer.applyBatch(batch([segment({ atMs: old })], []))
    await writer.applyBatch(batch([], [failure('one', { atMs: old + 20 })]))
    assert.deepEqual(await figures(), [1, 1, 1])
    await writer.close()
  })

  it('move to a nearer request, and the one before is as it was', async () => {
    await writer.applyBatch(batch([segment()], [failure('one', { atMs: NOW + 1_050 })]))
    assert.deepEqual(await figures(), [1, 1, 1])
    const nearer = segment({ segmentId: 'b'.repeat(16), atMs: NOW + 1_000, end: 'failed' })
    await writer.applyBatch(batch([nearer], []))
    assert.deepEqual(await figures(), [2, 1, 0])
    await writer.close()
  })

  it('are of the request beside them that failed by itself, whichever comes first', async () => {
    // As a page asks for the data of its routes: the one that answers begins last.
    const fails = segment({ segmentId: 'b'.repeat(16), atMs: NOW + 1, end: 'failed' })
    const answers = segment({ atMs: NOW + 9, durationMs: 60 })
    const orders = [
      [[answers], [failure('one')], [fails]],
      [[fails], [failure('two')], [answers]],
    ] as const
    for (const [nth, [first, error, last]] of orders.entries()) {
      const traceId = `${nth}`.repeat(32)
      await writer.applyBatch(batch([{ ...first[0], traceId }], []))
      await writer.applyBatch(batch([], [{ ...error[0], traceId }]))
      await writer.applyBatch(batch([{ ...last[0], traceId }], []))
    }
    assert.deepEqual(await figures(), [4, 2, 0])
    await writer.close()
  })

  it('leave a request behind that another of them still holds', async () => {
    await writer.applyBatch(batch([segment()], [failure('one', { atMs: NOW + 1_050 }), failure('two')]))
    const nearer = segment({ segmentId: 'b'.repeat(16), atMs: NOW + 1_000, end: 'failed' })
    await writer.applyBatch(batch([nearer], []))
    assert.deepEqual(await figures(), [2, 2, 1])
    await writer.close()
  })

  it('count once where either half alone of an edge page knows of it, whichever is first', async () => {
    const halves = (name: string, outer: Partial<SegmentSeen>, inner: Partial<SegmentSeen>) => {
      const of = { traceId: name.repeat(32), route: '/late' }
      return {
        outside: segment({ ...of, segmentId: '1'.repeat(16), sandbox: 'outside', ...outer }),
        inside: segment({
          ...of,
          segmentId: '2'.repeat(16),
          sandbox: 'inside',
          atMs: NOW + 5,
          durationMs: 9,
          ...inner,
        }),
      }
    }
    const one = halves('1', {}, { end: 'failed-behind-200' })
    await writer.applyBatch(batch([one.inside, one.outside], []))
    const two = halves('2', { end: 'failed' }, {})
    await writer.applyBatch(batch([two.inside], []))
    await writer.applyBatch(batch([two.outside], []))
    await writer.applyBatch(batch([two.outside, two.inside, one.inside], []))
    assert.deepEqual(await figures(), [2, 2, 2])
    await writer.close()
  })

  it('wait for the first segment of their project without a row', async () => {
    await writer.applyBatch(batch([], [failure('one'), failure('two', { atMs: NOW + 60_000 })]))
    assert.equal(rows(), 0)
    await writer.applyBatch(batch([segment()], []))
    assert.equal(rows(), 2)
    assert.deepEqual(await figures(), [1, 1, 1])
    await writer.applyBatch(batch([], [failure('one'), failure('three')]))
    assert.equal(rows(), 3)
    await writer.close()
  })

  it('wait on when the batch with the first segment is undone', async () => {
    await writer.applyBatch(batch([], [failure('one')]))
    const first = batch([segment()], [])
    const outcomes = first.outcomes.map((outcome) => ({ ...outcome, quantity: 0.5 }))
    await assert.rejects(writer.applyBatch({ ...first, outcomes }))
    assert.equal(rows(), 0)
    await writer.applyBatch(batch([segment()], []))
    assert.deepEqual(await figures(), [1, 1, 1])
    await writer.close()
  })

  it('are forgotten after as many days as requests are', async () => {
    await writer.applyBatch(batch([], [failure('one')]))
    const days = max('countedSpanDays') + 1
    clock.advance(days * DAY_MS)
    await removeAllAged({ write: writer }, clock)
    await writer.applyBatch(batch([segment()], []))
    assert.deepEqual(await figures(), [1, 0, 0])
    await writer.close()
  })

  it('are bounded within a trace', async () => {
    const elsewhere = Array.from({ length: max('failuresPerTraceMax') }, (_, nth) =>
      failure(`other ${nth}`, { route: '/elsewhere' }),
    )
    await writer.applyBatch(batch([segment()], [...elsewhere, failure('one')]))
    assert.deepEqual(await figures(), [1, 0, 0])
    await writer.close()
  })
})
