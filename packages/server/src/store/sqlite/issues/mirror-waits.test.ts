import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, describe, it } from 'node:test'
import { manualClock } from '#base/clock.ts'
import type { ProjectId } from '#base/ids.ts'
import { silentLog as log } from '#base/log.ts'
import { SPAN } from '#kinds/span/fields.ts'
import { max } from '#limits/limits.ts'
import { MIRRORS_JOB } from '#ports/mirrors.ts'
import type { SegmentSeen } from '#ports/requests.ts'
import { anActor } from '#testing/builders/actor.ts'
import { aBatch } from '#testing/builders/control-batch.ts'
import { anEventId } from '#testing/builders/ids.ts'
import { anEvent, type EventShape } from '#testing/builders/stored-event.ts'
import { NOW } from '#testing/builders/times.ts'
import { value } from '#testing/contract/control/stores.ts'
import { FIRST_OWNER } from '#testing/contract/control/world.ts'
import { openNewControl } from '#testing/new-control.ts'

const TRACE = '0123456789abcdef0123456789abcdef'
const [GRACE, WAIT] = [max('mirrorGraceMs'), max('mirrorWaitMs')]
const directory = mkdtempSync(join(tmpdir(), 'errata-mirror-waits-'))
after(() => rmSync(directory, { recursive: true, force: true }))

describe('a mirror whose server answered', () => {
  const clock = manualClock(NOW)
  let files = 0
  let batches = 0
  let project: ProjectId
  let writer: ReturnType<typeof openNewControl>
  beforeEach(async () => {
    writer = openNewControl({ path: join(directory, `${++files}.sqlite`), clock, log })
    project = value(await writer.createFirstOwner(FIRST_OWNER, anActor())).projectId
  })
  const closed = async <T>(found: T): Promise<T> => {
    await writer.close()
    return found
  }

  const requests = (...segments: readonly Partial<SegmentSeen>[]) => {
    const part = {
      ...({ type: 'requests', kind: SPAN, category: SPAN } as const),
      segments: segments.map((change, nth) => ({
        ...{
          projectId: project,
          environment: null,
          release: null,
          route: '/late',
          kind: 'document' as const,
        },
        ...{
          traceId: TRACE,
          segmentId: `${nth}`.repeat(16),
          fragmentId: anEventId(`fragment ${nth}`),
          atMs: NOW,
        },
        ...{ receivedMs: NOW, durationMs: 100, end: 'answered' as const, weight: 1, ...change },
      })),
      ...{ vitals: [], costs: [], actionNames: [], hints: [], stale: [] },
    }
    const accepted = { outcome: 'accepted', reason: null, category: SPAN, quantity: segments.length } as const
    const outcomes = [{ ...accepted, projectId: project, keyId: null, atMs: NOW }]
    return () => writer.applyBatch(aBatch(++batches, [], { parts: [part], outcomes }))
  }
  const event = (change: Partial<EventShape>) => () =>
    writer.applyBatch(
      aBatch(++batches, [anEvent({ projectId: project, traceId: TRACE, handled: false, ...change })]),
    )
  const mirror = (change: Partial<EventShape> = {}) =>
    event({ group: 'mirror', isMirror: true, requestKind: 'browser', route: '/late', ...change })
  const server = event({ group: 'server', requestKind: 'document', route: '/late' })

  /** Milliseconds until it is an issue of its own; `null`: it is a part of the server's. */
  async function waits(...steps: readonly (() => Promise<unknown>)[]): Promise<number | null> {
    for (const step of steps) await step()
    const due = await writer.nextJobMs([MIRRORS_JOB])
    const { nextMs } = await writer.standAlone(NOW)
    return closed(nextMs === null ? null : (due ?? 0) - NOW)
  }

  it('waits no longer than an event beside its request may take, whichever comes first', async () => {
    assert.equal(await waits(requests({}), mirror()), GRACE)
  })

  it('does so where the mirror is first', async () =>
    assert.equal(await waits(mirror(), requests({})), GRACE))

  it('waits where nothing of its request came, or something that renders no page', async () => {
    assert.equal(
      await waits(mirror(), requests({ traceId: 'f'.repeat(32) }, { kind: 'route-handler' })),
      WAIT,
    )
  })

  it('waits where a request of its trace failed', async () => {
    for (const end of ['failed', 'failed-behind-200'] as const) {
      assert.equal(await waits(mirror(), requests({}, { kind: 'action', end })), WAIT)
      writer = openNewControl({ path: join(directory, `${++files}.sqlite`), clock, log })
      project = value(await writer.createFirstOwner(FIRST_OWNER, anActor())).projectId
    }
    await writer.close()
  })

  it('waits where it has a digest: its server knows of the failure', async () => {
    assert.equal(await waits(mirror({ digests: ['77'] }), requests({})), WAIT)
  })

  it('is the server’s all the same when that comes in time, and afterwards', async () => {
    assert.equal(await waits(mirror(), requests({}), server), null)
  })

  it('is not the page’s where only the browser’s own spans came', async () => {
    assert.equal(await waits(mirror(), requests({ kind: 'browser' })), WAIT)
  })

  it('ends its wait although a span of the browser failed', async () => {
    assert.equal(await waits(mirror(), requests({}, { kind: 'browser', end: 'failed' })), GRACE)
  })
})
