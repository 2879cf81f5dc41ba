import assert from 'node:assert/strict'
import { it } from 'node:test'
import {
  compareUrgency,
  type HealthNow,
  healthSummary,
  healthText,
  type ProjectFacts,
} from './health-text.ts'

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

const values = ({ tone, text, note }: ReturnType<typeof healthText>) => [tone, text, note]

it('says how a project fares, with the numbers behind it', () => {
  const texts = (health: Parameters<typeof healthText>[0], over: Partial<HealthNow> = {}) =>
    values(healthText(health, { ...now, ...over }))
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
  assert.deepEqual(values(healthText({ state: 'waiting', hasKey: true }, now)), [
    ...['waiting', 'Waiting for the first event', null],
  ])
  assert.match(healthText({ state: 'waiting', hasKey: false }, now).note ?? '', /No active client key/)
  assert.equal(
    healthText({ state: 'waiting', hasKey: true }, { ...now, isSelf: true }).text,
    'No errors so far',
  )
})

const told = (name: string, health: Parameters<typeof healthText>[0], over: Partial<HealthNow> = {}) => ({
  name,
  health: healthText(health, { ...now, ...over }),
})

const said = (...projects: Parameters<typeof healthSummary>[0]) =>
  healthSummary(projects)
    .map(({ name, says, begins }) => `${begins ? '. ' : ', '}${name === null ? '' : `${name} `}${says}`)
    .join('')
    .slice(2)

it('says in one word that nothing is to look at', () => {
  assert.equal(said(told('billing', { state: 'steady' })), 'All OK')
})

it('says in a sentence what is to look at, by name, and counts the rest', () => {
  const crashes = { sessions: { sessions: 200, crashed: 3 } }
  assert.equal(
    said(
      told('storefront', { state: 'growing', before: 97, release: 'shop@2.0' }),
      told('billing', { state: 'steady' }),
      told('kiosk', { state: 'waiting', hasKey: true }),
      told('search', { state: 'silent', longestGapMs: HOUR }),
      told('a', { state: 'limited', notStored: 4 }),
      told('b', { state: 'limited', notStored: 4 }),
    ),
    'storefront has more errors since 2.0, search has sent no events for 1 d, a is over its rate limit, 1 more needs a look. ' +
      '1 is OK, kiosk waits for its first event',
  )
  assert.equal(
    said(
      told('shop', { state: 'steady' }, crashes),
      told('blog', { state: 'steady' }, { regressed: 1 }),
      told('a', { state: 'waiting', hasKey: true }),
      told('b', { state: 'waiting', hasKey: true }),
    ),
    'shop is 98.50 % crash-free, below its goal of 99 %, blog has 1 regressed issue. 2 wait for their first event',
  )
  const growing = (before: number) => said(told('c', { state: 'growing', before, release: null }))
  assert.equal(growing(97), 'c has 3.2 times the errors of the day before')
  assert.equal(growing(0), 'c has errors after a day without any')
  assert.equal(
    said(told('d', { state: 'capped', sinceMs: NOW - HOUR, notStored: 1 })),
    'd is capped by spike protection',
  )
})

it('puts what needs a look first, then what has most errors', () => {
  const row = (name: string, over: Partial<ProjectFacts>): ProjectFacts => ({
    ...{ name, ...now, health: { state: 'steady' }, issues: { regressed: 0 }, ...over },
  })
  const rows = [
    row('self', { isSelf: true, errors: 0 }),
    row('waits', { errors: 0, health: { state: 'waiting', hasKey: true } }),
    row('few 10', { errors: 2 }),
    row('few 2', { errors: 2 }),
    row('many', { errors: 900 }),
    row('silent', { errors: 0, health: { state: 'silent', longestGapMs: HOUR } }),
  ]
  assert.deepEqual(
    rows.sort(compareUrgency(NOW)).map(({ name }) => name),
    ['silent', 'many', 'few 2', 'few 10', 'waits', 'self'],
  )
})
