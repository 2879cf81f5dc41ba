/** Stale clicks through process and commit: each once, wherever the process ends and its journal is replayed. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { seq } from '#base/ids.ts'
import { silentLog } from '#base/log.ts'
import { COMMIT_STEPS, type CommitStep, createCommit } from '#commit/commit.ts'
import { KINDS } from '#kinds/kinds.ts'
import type { SequencedRecord } from '#model/record.ts'
import { createProcessor } from '#process/process.ts'
import { packBatch, unpackBatch } from '#process/transfer.ts'
import { encodeRows } from '#store/duckdb/row-lines.ts'
import { anEnvelope, envelopeOf, rangeOf } from '#testing/builders/records.ts'
import { scopeForTest } from '#testing/builders/scope.ts'
import { aSpan, spanEnvelope } from '#testing/builders/spans.ts'
import { DAY, NOW } from '#testing/builders/times.ts'
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

function recordsOf(world: World): readonly SequencedRecord[] {
  return BODIES.map((body, index) => ({
    ...anEnvelope(body, { ...world.shop, receivedMs: world.clock.now() }),
    seq: seq(index + 1),
  }))
}

async function bring(
  { house }: Opened,
  records: readonly SequencedRecord[],
  onStep: (step: CommitStep) => void = () => undefined,
): Promise<void> {
  const directory = await house.reader.ingestDirectory()
  const processor = createProcessor({ kinds: KINDS, directory, log: silentLog })
  const commit = createCommit({ ...house, encoding: encodeRows, log: silentLog, onStep })
  const applied = await commit.recover()
  const rest = records.filter((record) => record.seq > applied)
  for (let at = 0; at < rest.length; at += 2) {
    const some = rest.slice(at, at + 2)
    const [first, last] = [some[0], some.at(-1)]
    if (first === undefined || last === undefined) return
    const range = { ...rangeOf(some), firstSeq: first.seq, lastSeq: last.seq }
    const batch = processor.process(some, range, { quarantine: new Set() })
    const { message } = packBatch(batch, { kinds: KINDS, encoding: encodeRows })
    await commit.commit(unpackBatch(structuredClone(message), KINDS))
  }
}

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
      const records = recordsOf(world)
      let batches = 0
      const crash = (done: CommitStep) => {
        if (done === step && ++batches === 2) throw new Error('the power failed')
      }
      await assert.rejects(bring(await world.open(), records, crash), /power/)
      const again = await world.open()
      await bring(again, records)
      assert.deepEqual(await clicksOf(again, world), [
        ['', 'shop@2', 1],
        ['shop@1', 'shop@2', 2],
      ])
    })
  }
})
