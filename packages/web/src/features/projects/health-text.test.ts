import assert from 'node:assert/strict'
import { it } from 'node:test'
import { type HealthNow, healthSummary, healthText } from './health-text.ts'

const NOW = 1_800_000_000_000
const HOUR = 3_600_000
const now = {
  nowMs: NOW,
  errors: 312,
  lastEventMs: NOW - 26 * HOUR,
  isSelf: false,
  regressed: 0,
  sessions: null,
}

it('says how a project fares, with the numbers behind it', () => {
  const texts = (health: Parameters<typeof healthText>[0], over: Partial<HealthNow> = {}) =>
    Object.values(healthText(health, { ...now, ...over }))
  assert.deepEqual(texts({ state: 'steady' }), ['good', 'OK', null])
  assert.deepEqual(texts({ state: 'steady' }, { regressed: 2 }), ['warn', '2 regressed issues', null])
  const crashes = (sessions: number) => texts({ state: 'steady' }, { sessions: { sessions, crashed: 3 } })
  assert.deepEqual(crashes(200), ['warn', '98.50 % crash-free', 'Goal: 99 % of sessions'])
  assert.deepEqual(crashes(90), ['good', 'OK', null])
  assert.deepEqual(texts({ state: 'steady' }, { errors: 0 }), ['good', 'No errors in 24 h', null])
  assert.deepEqual(texts({ state: 'growing', before: 97, release: null }), [
    ...['warn', '3.2 times the errors of the day before', '97 in the 24 h before'],
  ])
  assert.deepEqual(texts({ state: 'growing', before: 0, release: null }), [
    'warn',
    'Errors after a day without any',
    null,
  ])
  assert.deepEqual(texts({ state: 'growing', before: 97, release: '2026.11.20-2' }), [
    ...['warn', 'More errors since 2026.11.20-2', '3.2 times the errors of the day before'],
  ])
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

it('says in one word that nothing is to look at', () => {
  const health = healthText({ state: 'steady' }, now)
  assert.deepEqual(healthSummary([{ name: 'billing', health }]), [{ name: null, says: 'All OK' }])
})

it('names what is to look at, and counts the rest', () => {
  const told = (name: string, health: Parameters<typeof healthText>[0]) => ({
    name,
    health: healthText(health, now),
  })
  assert.deepEqual(
    healthSummary([
      told('storefront', { state: 'growing', before: 97, release: 'shop@2.0' }),
      told('billing', { state: 'steady' }),
      told('kiosk', { state: 'waiting', hasKey: true }),
      told('search', { state: 'silent', longestGapMs: HOUR }),
      told('a', { state: 'limited', notStored: 4 }),
      told('b', { state: 'limited', notStored: 4 }),
    ]),
    [
      { name: 'storefront', says: 'more errors since 2.0' },
      { name: 'search', says: 'no events for 1 d' },
      { name: 'a', says: '4 items over the rate limit' },
      { name: null, says: '1 more project to look at' },
      { name: null, says: '1 OK' },
      { name: null, says: '1 waiting for the first event' },
    ],
  )
})
