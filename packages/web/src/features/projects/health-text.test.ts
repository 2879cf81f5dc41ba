import assert from 'node:assert/strict'
import { it } from 'node:test'
import { healthText } from './health-text.ts'

const NOW = 1_800_000_000_000
const HOUR = 3_600_000
const now = { nowMs: NOW, errors: 312, lastEventMs: NOW - 26 * HOUR, isSelf: false }

it('says how a project fares, with the numbers behind it', () => {
  const texts = (health: Parameters<typeof healthText>[0], over: Partial<typeof now> = {}) =>
    Object.values(healthText(health, { ...now, ...over }))
  assert.deepEqual(texts({ state: 'steady' }), ['good', 'OK', null])
  assert.deepEqual(texts({ state: 'steady' }, { errors: 0 }), ['good', 'No errors in 24 h', null])
  assert.deepEqual(texts({ state: 'growing', before: 97 }), [
    ...['warn', '3.2 times the errors of the day before', '97 in the 24 h before'],
  ])
  assert.deepEqual(texts({ state: 'growing', before: 0 }), ['warn', 'Errors after a day without any', null])
  assert.deepEqual(texts({ state: 'silent', longestGapMs: 3 * HOUR }), [
    ...['warn', 'No events for 1 d', 'Longest gap in 28 days: 3 h'],
  ])
  assert.deepEqual(texts({ state: 'capped', sinceMs: NOW - HOUR / 2, notStored: 1 }), [
    ...['warn', 'Capped by spike protection', '1 event not stored in 30 min'],
  ])
  assert.deepEqual(texts({ state: 'limited', notStored: 40 }), [
    'warn',
    '40 items over the rate limit',
    'In 24 h',
  ])
})

it('waits for a first event without alarm, and tells when none can come', () => {
  assert.deepEqual(healthText({ state: 'waiting', hasKey: true }, now), {
    ...{ tone: 'waiting', text: 'Waiting for the first event', note: null },
  })
  assert.match(healthText({ state: 'waiting', hasKey: false }, now).note ?? '', /No active client key/)
  assert.equal(
    healthText({ state: 'waiting', hasKey: true }, { ...now, isSelf: true }).text,
    'No failures so far',
  )
})
