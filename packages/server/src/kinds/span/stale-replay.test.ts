/** Stale clicks through process and commit: each once, wherever the process ends and its journal is replayed. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { COMMIT_STEPS, type CommitStep } from '#commit/commit.ts'
import { KINDS } from '#kinds/kinds.ts'
import { envelopeOf } from '#testing/builders/records.ts'
import { scopeForTest } from '#testing/builders/scope.ts'
import { aSpan, spanEnvelope } from '#testing/builders/spans.ts'
import { DAY, NOW } from '#testing/builders/times.ts'
import { bringRecords, recordsOf } from '#testing/worlds/replayed.ts'
import { aWorld, type Opened, type World } from '#testing/worlds/retention.ts'

const ACTION = `40${'cd'.repeat(20)}`
const traceOf = (click: number) => String(click).repeat(32)

/** Builds one stale click, by the browser’s error and by the server’s request. */
const error = (click: number) =>
  envelopeOf([
    'event',
    {
      ...{
        event_id: `${click}`.repeat(32),
        platform: 'javascript',
        release: 'shop@1',
        environment: 'production',
      },
      ...{ timestamp: NOW / 1_000, user: { id: `person ${click}` } },
      contexts: { trace: { trace_id: traceOf(click), span_id: 'b'.repeat(16) } },
      exception: {
        values: [
          { type: 'UnrecognizedActionError', value: `Server Action "${ACTION}" was not found on the server` },
        ],
      },
    },
  ])
const request = (click: number) =>
  spanEnvelope([
    aSpan({
      ...{
        id: 'a',
        isSegment: true,
        segment: 'a',
        op: 'http.server',
        name: 'POST /cart',
        trace: traceOf(click),
      },
      attributes: {
        ...{ 'http.request.method': 'POST', 'http.response.status_code': 404, 'http.route': '/cart' },
        ...{ 'http.request.header.next-action': ACTION, 'sentry.release': 'shop@2' },
        'sentry.environment': 'production',
      },
    }),
  ])

/** Three clicks: browser first, server first, and one that only the server tells of, twice. */
const BODIES = [error(1), request(2), request(1), error(2), request(3), request(3), error(1)]

async function clicksOf({ house }: Opened, { org, shop }: World) {
  const scope = scopeForTest({ orgId: org, projects: [shop.projectId] })
  const sums = await house.reader.staleSums(scope, { projects: null, startMs: NOW - DAY, endMs: NOW + DAY })
  return sums
    .map(({ fromRelease, release, slots }) => [
      fromRelease,
      release,
      slots.reduce((sum, { count }) => sum + count, 0),
    ])
    .sort()
}

describe('stale clicks', () => {
  for (const step of COMMIT_STEPS) {
    it(`count once where the process ends at "${step}" of a batch and its journal is replayed`, async (t) => {
      const world = await aWorld(t, KINDS)
      const records = recordsOf(world, BODIES)
      let batches = 0
      const crash = (done: CommitStep) => {
        if (done === step && ++batches === 2) throw new Error('the power failed')
      }
      await assert.rejects(bringRecords(await world.open(), records, crash), /power/)
      const again = await world.open()
      await bringRecords(again, records)
      assert.deepEqual(await clicksOf(again, world), [
        ['', 'shop@2', 1],
        ['shop@1', 'shop@2', 2],
      ])
    })
  }
})
