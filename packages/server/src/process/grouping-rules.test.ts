import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { anEnvelope, envelopeOf, eventsOf, processRecords } from '#testing/builders/records.ts'

const send = (value: string) =>
  anEnvelope(envelopeOf(['event', { exception: { values: [{ type: 'DbError', value }] } }]))

describe('fingerprint rules of a project', () => {
  it('make one group of what they name, with their title, and touch nothing else', () => {
    const sent = () => [send('pool is empty'), send('host has gone'), send('syntax error')]
    const rowsOf = (fingerprintingRules: string) =>
      eventsOf(processRecords(sent(), { fingerprintingRules })).map(({ row }) => row)
    const plain = rowsOf('')
    assert.equal(new Set(plain.map(({ groupHash }) => groupHash)).size, 3)
    const ruled = rowsOf(
      'error.value:"*pool*" -> database title="Database down"\nvalue:"*gone" -> database title="Database down"',
    )
    assert.deepEqual(
      ruled.map(({ title }) => title),
      ['Database down', 'Database down', 'DbError: syntax error'],
    )
    assert.equal(ruled[0]?.groupHash, ruled[1]?.groupHash)
    assert.equal(ruled[2]?.groupHash, plain[2]?.groupHash)
    assert.notEqual(ruled[0]?.groupHash, plain[0]?.groupHash)
  })
})
