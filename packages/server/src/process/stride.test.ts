import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import * as zlib from 'node:zlib'
import { OTLP_TRACES, writeEnvelope } from '@errata/protocol'
import { seq } from '#base/ids.ts'
import { silentLog } from '#base/log.ts'
import { ERROR_CATEGORY } from '#kinds/error/fields.ts'
import { accepted, type ItemAnswer, refused, stored } from '#kinds/item.ts'
import { KINDS } from '#kinds/kinds.ts'
import { max } from '#limits/limits.ts'
import {
  anEnvelope,
  blocksOf,
  directoryWith,
  envelopeOf,
  eventsOf,
  journalRange,
  outcomesOf,
  processRecords,
  RECEIVED_MS,
  storedFragments,
  storedText,
} from '#testing/builders/records.ts'
import { createProcessor } from './process.ts'
import { ProcessFailure } from './process-failure.ts'

const ENVELOPES_MAX = max('strideEnvelopesMax')

const OTLP_HEADER = { type: OTLP_TRACES, content_type: 'application/x-protobuf' }

const idOf = (number: number) => number.toString(16).padStart(32, '0')

/** Builds envelopes: every fifth stores nothing, every seventh brings two events, a few end their stride. */
function envelopes(count: number) {
  return Array.from({ length: count }, (_, at) => {
    const number = at + 1
    if (number % 5 === 0) return anEnvelope(number % 2 === 0 ? 'bad' : envelopeOf(['event', '[1]']))
    const padding = number % 37 === 0 ? 'x'.repeat(max('strideBytesMax')) : ''
    const event = { message: `event ${number}`, tags: { token: `secret-${number}` }, extra: { padding } }
    const second =
      number % 7 === 0 ? [['session', {}] as const, ['event', { message: 'second' }] as const] : []
    return anEnvelope(envelopeOf(['event', event], ...second), { eventId: idOf(number) })
  })
}

test('envelopes that are read together come to the same as one after the other, in their order', () => {
  const records = envelopes(2 * ENVELOPES_MAX + 3)
  const together = processRecords(records)
  const shown = (batch: typeof together) => eventsOf(batch).map((_, at) => storedText(batch, at))
  const alone = records.map((record) => processRecords([record]))
  assert.deepEqual(shown(together), alone.flatMap(shown))
  assert.equal(new Set(shown(together)).size, eventsOf(together).length)
  const rows = (batch: typeof together) => eventsOf(batch).map(({ row }) => ({ ...row, seq: 0 }))
  assert.deepEqual(rows(together), alone.flatMap(rows))
  const seqs = eventsOf(together).map(({ row }) => row.seq)
  assert.deepEqual(
    seqs,
    seqs.toSorted((a, b) => a - b),
  )
  assert.deepEqual(outcomesOf(together).toSorted(), [
    `invalid invalid_envelope default ${Math.floor(records.length / 10)}`,
    `invalid no_release session ${Math.floor(records.length / 7) - Math.floor(records.length / 35)}`,
    `invalid not_an_object error ${Math.ceil(Math.floor(records.length / 5) / 2)}`,
  ])
})

const OTLP_PYTHON = readFileSync(new URL('../../../../tests/fixtures/otlp/python-1.45.2.pb', import.meta.url))

const at = RECEIVED_MS / 1_000
const spanOf = (number: number) => ({
  ...{ trace_id: idOf(number), span_id: idOf(number).slice(16), start_timestamp: at - 1 },
  ...{ name: `GET /orders/${number}?token=secret-${number}`, status: 'ok', is_segment: true },
})

/** Builders of one envelope for each wire that spans come by, and one for none. */
const spanEnvelopes: readonly ((number: number) => Uint8Array)[] = [
  (number) => {
    const attributes = { 'sentry.op': { type: 'string', value: 'http.server' } }
    const spans = [spanOf(number), spanOf(number + 1_000)]
    const items = spans.map((span) => ({ ...span, end_timestamp: at, attributes }))
    return envelopeOf(['span', { version: 2, items }, { item_count: items.length }])
  },
  (number) => envelopeOf(['span', { ...spanOf(number), timestamp: at, op: 'ui.webvital.cls' }]),
  (number) => {
    const { trace_id, span_id, name: transaction, start_timestamp } = spanOf(number)
    const contexts = { trace: { trace_id, span_id, op: 'http.server' } }
    return envelopeOf(['transaction', { transaction, contexts, start_timestamp, timestamp: at }])
  },
  (number) => {
    const { trace_id: traceId, span_id: spanId, name } = spanOf(number)
    const times = { startTimeUnixNano: `${RECEIVED_MS - 9}000000`, endTimeUnixNano: `${RECEIVED_MS}000000` }
    const spans = [{ traceId, spanId, name, kind: 2, ...times }]
    return envelopeOf([OTLP_TRACES, { resourceSpans: [{ scopeSpans: [{ spans }] }] }])
  },
  () => writeEnvelope({}, [{ header: OTLP_HEADER, payload: OTLP_PYTHON }]),
  (number) => envelopeOf(['span', number % 4 === 0 ? '{' : {}]),
]

test('spans of every wire that are read together come to the same as one after the other', () => {
  const records = Array.from({ length: ENVELOPES_MAX + 3 }, (_, number) => {
    const make = spanEnvelopes[number % spanEnvelopes.length]
    return anEnvelope(make?.(number + 1) ?? '')
  })
  const together = processRecords(records)
  const alone = records.map((record) => processRecords([record]))
  const shown = (batch: typeof together) =>
    storedFragments(batch).map(({ row, block, offset, bytes }) => {
      const { compressed } = blocksOf(batch)[block] ?? assert.fail('no such block')
      const inflated = zlib.zstdDecompressSync(compressed)
      return [{ ...row, seq: 0 }, inflated.subarray(offset, offset + bytes).toString()]
    })
  assert.deepEqual(shown(together), alone.flatMap(shown))
  assert.equal(new Set(storedFragments(together).map(({ row }) => row.platform)).size, 3)
  assert.doesNotMatch(JSON.stringify(shown(together)), /secret-/)
  assert.deepEqual(outcomesOf(together).toSorted(), [
    'invalid invalid_json span 4',
    'invalid missing_ids span 4',
  ])
})

test('an item that a reader leaves without an answer stops its range, and names its envelope', () => {
  const forgotten: readonly (readonly [name: string, answer: unknown])[] = [
    ['nothing', undefined],
    ['an answer of its own making', { rows: [], outcomes: [], made: [] }],
  ]
  for (const [name, answer] of forgotten) {
    const reads = (steps: 'at once' | 'in steps'): typeof KINDS.readerOf => {
      const given = answer as ItemAnswer // what the types do not let it give
      return () =>
        steps === 'at once' && given !== undefined
          ? () => given
          : function* () {
              yield
              return given
            }
    }
    for (const steps of ['at once', 'in steps'] as const) {
      const kinds = { ...KINDS, readerOf: reads(steps) }
      const processor = createProcessor({ kinds, directory: directoryWith(), log: silentLog })
      const records = [{ ...anEnvelope(envelopeOf(['event', {}])), seq: seq(7) }]
      const failsAt7 = (cause: unknown) => cause instanceof ProcessFailure && cause.seq === 7
      assert.throws(() => processor.process(records, journalRange(records)), failsAt7, `${name}, ${steps}`)
    }
  }
})

test('no answer says nothing of an item that held something', () => {
  assert.throws(() => stored({ rows: [] }), /of which nothing is stored has an outcome/)
  const none = { outcome: 'invalid', reason: 'too_deep', category: ERROR_CATEGORY, quantity: 0 } as const
  assert.equal(refused(none).outcomes[0]?.quantity, 1)
  assert.deepEqual(accepted([]).rows, [])
})

test('steps are done for all of a stride in turn, and a throw names the envelope whose step it was', () => {
  const steps: string[] = []
  const readerOf: typeof KINDS.readerOf = (type) =>
    type === 'event'
      ? function* ({ envelope }) {
          for (const step of ['first', 'second']) {
            steps.push(`${step} of ${envelope.seq}`)
            yield
          }
          if (envelope.seq === 2) throw new TypeError('hunter2')
          return refused({ outcome: 'invalid', reason: 'too_deep', category: ERROR_CATEGORY, quantity: 1 })
        }
      : KINDS.readerOf(type)
  const processor = createProcessor({
    kinds: { ...KINDS, readerOf },
    directory: directoryWith(),
    log: silentLog,
  })
  const records = [1, 2, 3].map((number) => ({
    ...anEnvelope(envelopeOf(['event', {}])),
    seq: seq(number),
  }))
  const failsAt2 = (cause: unknown) => cause instanceof ProcessFailure && cause.seq === 2
  assert.throws(() => processor.process(records, journalRange(records)), failsAt2)
  assert.deepEqual(steps, [
    ...[1, 2, 3].map((number) => `first of ${number}`),
    ...[1, 2, 3].map((number) => `second of ${number}`),
  ])
})
