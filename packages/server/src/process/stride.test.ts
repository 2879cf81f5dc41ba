import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seq } from '#base/ids.ts'
import { silentLog } from '#base/log.ts'
import { CATEGORY } from '#kinds/error/fields.ts'
import { onlyOutcome } from '#kinds/item.ts'
import { KINDS } from '#kinds/kinds.ts'
import { max } from '#limits/limits.ts'
import {
  anEnvelope,
  directoryWith,
  envelopeOf,
  eventsOf,
  outcomesOf,
  processed,
  rangeOf,
  storedText,
} from '#testing/builders/records.ts'
import { createProcessor } from './process.ts'
import { ProcessFailure } from './process-failure.ts'

const ENVELOPES_MAX = max('strideEnvelopesMax')

const idOf = (number: number) => number.toString(16).padStart(32, '0')

/** Of every fifth nothing can be stored, every seventh brings two events, a few end their stride. */
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
  const together = processed(records)
  const shown = (batch: typeof together) => eventsOf(batch).map((_, at) => storedText(batch, at))
  const alone = records.map((record) => processed([record]))
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
          return onlyOutcome({ outcome: 'invalid', reason: 'too_deep', category: CATEGORY, quantity: 1 })
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
  assert.throws(() => processor.process(records, rangeOf(records)), failsAt2)
  assert.deepEqual(steps, [
    ...[1, 2, 3].map((number) => `first of ${number}`),
    ...[1, 2, 3].map((number) => `second of ${number}`),
  ])
})
