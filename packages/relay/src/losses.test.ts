import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { readEnvelope, writeEnvelope } from '@errata/protocol'
import { Losses } from './losses.ts'

const DSN = 'https://k@h.example/42'

function envelopeOf(...headers: readonly Record<string, unknown>[]): Uint8Array {
  return writeEnvelope(
    { dsn: DSN },
    headers.map((header) => ({ header, payload: '{"x":"'.padEnd(200, 'y') })),
  )
}

/** Returns the report's entries, `category quantity reason`, in order. */
function reported(losses: Losses): readonly string[] {
  const { report } = losses.take(DSN, 1_000)
  const answer = readEnvelope(report)
  assert.ok(answer.ok)
  assert.deepEqual(answer.envelope.header, { dsn: DSN })
  const [item] = answer.envelope.items
  assert.equal(item?.type, 'client_report')
  const { timestamp, discarded_events: found } = JSON.parse(
    new TextDecoder().decode(report.subarray(item?.start, item?.end)),
  )
  assert.equal(timestamp, 1)
  return found.map((one: Record<string, unknown>) => `${one.category} ${one.quantity} ${one.reason}`).sort()
}

describe('what a relay lost', () => {
  const cases: readonly [name: string, envelope: Uint8Array, expected: readonly string[]][] = [
    [
      'counts each item in its category',
      envelopeOf({ type: 'event' }, { type: 'attachment' }),
      ['attachment_item 1 network_error', 'error 1 network_error'],
    ],
    [
      'counts what a container says it holds',
      envelopeOf({ type: 'span', item_count: 60 }),
      ['span 60 network_error'],
    ],
    [
      'does not count reports of losses',
      envelopeOf({ type: 'client_report' }, { type: 'session' }),
      ['session 1 network_error'],
    ],
    [
      'counts the first item of one that is cut off',
      envelopeOf({ type: 'replay_event' }).subarray(0, 120),
      ['replay 1 network_error'],
    ],
    [
      'counts one that is compressed as an error',
      gzipSync(envelopeOf({ type: 'session' })),
      ['error 1 network_error'],
    ],
    [
      'counts one without items as an error, when it is cut off there',
      envelopeOf({ type: 'event' }).subarray(0, 20),
      ['error 1 network_error'],
    ],
  ]
  for (const [name, envelope, expected] of cases) {
    it(name, () => {
      const losses = new Losses()
      losses.add(envelope, 'network_error')
      assert.deepEqual(reported(losses), expected)
    })
  }

  it('is summed by category and reason, and told once', () => {
    const losses = new Losses()
    for (let at = 0; at < 3; at++) losses.add(envelopeOf({ type: 'event' }), 'queue_overflow')
    losses.add(envelopeOf({ type: 'event' }), 'network_error')
    assert.deepEqual(reported(losses), ['error 1 network_error', 'error 3 queue_overflow'])
    assert.ok(losses.isEmpty)
  })

  it('is kept where the report does not arrive', () => {
    const losses = new Losses()
    losses.add(envelopeOf({ type: 'event' }), 'queue_overflow')
    const { restore } = losses.take(DSN, 1_000)
    losses.add(envelopeOf({ type: 'event' }), 'queue_overflow')
    restore()
    assert.deepEqual(reported(losses), ['error 2 queue_overflow'])
  })
})
