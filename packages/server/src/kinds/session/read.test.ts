import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { max } from '#limits/limits.ts'
import { hashSession, hashSessionPerson } from '#model/user-hash.ts'
import { anEnvelope, envelopeOf, outcomesOf, processRecords, RECEIVED_MS } from '#testing/builders/records.ts'
import { SESSION } from './fields.ts'

const STARTED = new Date(RECEIVED_MS - 60_000).toISOString()
const ATTRS = { release: 'web@1.4.0', environment: 'production' }
const SID = '97c9a1b3-5b7e-4c3e-9d0e-1f2a3b4c5d6e'

function read(type: string, payload: object) {
  const batch = processRecords([anEnvelope(envelopeOf([type, payload]))])
  const rows = batch.parts.filter(({ kind }) => kind === SESSION).flatMap((part) => part.rows)
  return { rows, outcomes: outcomesOf(batch) }
}

const update = (change: object = {}) =>
  read('session', { sid: SID, started: STARTED, status: 'ok', attrs: ATTRS, ...change })

const statesOf = (row: object | undefined) =>
  Object.entries(row ?? {})
    .filter(([key, value]) => ['errored', 'unhandled', 'abnormal', 'crashed'].includes(key) && value === 1)
    .map(([key]) => key)

describe('an update of a session', () => {
  it('becomes a row without a payload, and hashes beside it', () => {
    const { rows, outcomes } = update({ did: 'U-1', seq: 3, duration: 1.5, errors: 0 })
    const [stored] = rows
    assert.deepEqual(outcomes, [])
    assert.equal(stored?.bytes, 0)
    assert.deepEqual(stored?.own, { session: hashSession(SID), person: hashSessionPerson('u-1') })
    const { seq: _, projectId: __, day: ___, retentionDays: ____, ...row } = stored?.row ?? {}
    assert.deepEqual(row, {
      ...{ receivedMs: RECEIVED_MS, timestampMs: RECEIVED_MS, startedMs: RECEIVED_MS - 60_000 },
      ...{ release: 'web@1.4.0', environment: 'production', sessionId: SID.replaceAll('-', '') },
      ...{ sessions: 1, errored: 0, unhandled: 0, abnormal: 0, crashed: 0 },
      ...{ sequence: 3, durationMs: 1_500, mechanism: null },
    })
  })

  it('lasts the milliseconds that it said, though 0.57 s are a little less in binary', () => {
    const lasted = (duration: unknown) =>
      new Map(Object.entries(update({ duration }).rows[0]?.row ?? {})).get('durationMs')
    for (const [seconds, ms] of [
      [0.57, 570],
      [0.29, 290],
      [1.1, 1_100],
      [0.0004, 0],
      [0.0005, 1],
      [0, 0],
      [-1, 0],
    ])
      assert.equal(lasted(seconds), ms, String(seconds))
    assert.equal(lasted('2'), null)
  })

  const states: readonly (readonly [object, readonly string[]])[] = [
    [{ status: 'ok' }, []],
    [{ status: 'exited' }, []],
    [{ status: 'whatever', errors: 2 }, ['errored']],
    [{ status: 'exited', errors: 1 }, ['errored']],
    [{ status: 'errored' }, ['errored']],
    [{ status: 'unhandled', errors: 1 }, ['unhandled']],
    [{ status: 'abnormal', abnormal_mechanism: 'anr_foreground' }, ['abnormal']],
    [{ status: 'crashed', errors: 1 }, ['crashed']],
    [{ status: 'toString' }, []],
  ]
  for (const [change, state] of states) {
    it(`with ${JSON.stringify(change)} is ${state[0] ?? 'healthy'}`, () => {
      assert.deepEqual(statesOf(update(change).rows[0]?.row), state)
    })
  }

  it('keeps nothing of who sent it but the hash', () => {
    const attrs = { ...ATTRS, ip_address: '203.0.113.7', user_agent: 'Secret/1.0' }
    const { rows } = update({ did: 'ann@example.com', attrs })
    assert.doesNotMatch(JSON.stringify(rows[0]?.row), /ann@|203\.0|Secret/)
  })

  it('keeps no text that may be anything, and tells the session apart all the same', () => {
    const { rows } = update({ sid: 'of ann@example.com', abnormal_mechanism: 'hung at 4111 1111' })
    const [stored] = rows
    assert.doesNotMatch(JSON.stringify(stored?.row), /ann|4111/)
    assert.deepEqual(stored?.own, { session: hashSession('of ann@example.com'), person: null })
  })

  it('names the same session with and without dashes', () => {
    const bare = update({ sid: SID.replaceAll('-', '').toUpperCase() }).rows[0]?.own
    assert.deepEqual(bare, update().rows[0]?.own)
  })

  const day = 86_400_000
  const refused: readonly (readonly [string, object, string])[] = [
    ['no release', { attrs: {} }, 'no_release'],
    ['no attributes', { attrs: null }, 'no_release'],
    ['a release that is none', { attrs: { release: 'latest' } }, 'no_release'],
    ['no start', { started: null }, 'invalid_time'],
    [
      'a start too long ago',
      { started: new Date(RECEIVED_MS - (max('sessionAgeDaysMax') + 1) * day).toISOString() },
      'invalid_time',
    ],
    [
      'a start too far ahead',
      { started: new Date(RECEIVED_MS + max('sessionFutureMsMax') + 1_000).toISOString() },
      'invalid_time',
    ],
  ]
  for (const [name, change, reason] of refused) {
    it(`with ${name} is counted as refused`, () => {
      const { rows, outcomes } = update(change)
      assert.deepEqual([rows.length, outcomes], [0, [`invalid ${reason} session 1`]])
    })
  }

  it('without an environment that can be one has none', () => {
    const [stored] = update({ attrs: { release: '1', environment: 'None' } }).rows
    assert.equal(Reflect.get(stored?.row ?? {}, 'environment'), null)
  })
})

describe('sessions that a server counted', () => {
  const entries = (...aggregates: readonly unknown[]) => read('sessions', { aggregates, attrs: ATTRS })

  it('become a row an entry, each worst state apart', () => {
    const { rows, outcomes } = entries(
      { started: STARTED, exited: 5, errored: 2, crashed: 1, abnormal: 0, did: 'ann' },
      { started: STARTED, exited: 1 },
    )
    assert.deepEqual(outcomes, [])
    assert.deepEqual(
      rows.map(({ own }) => own),
      [
        { session: null, person: hashSessionPerson('ann') },
        { session: null, person: null },
      ],
    )
    const [first] = rows
    assert.deepEqual(
      ['sessions', 'errored', 'crashed', 'abnormal', 'sessionId'].map((key) =>
        Reflect.get(first?.row ?? {}, key),
      ),
      [8, 2, 1, 0, null],
    )
  })

  it('are counted as refused where they cannot be read', () => {
    const { rows, outcomes } = entries(5, { started: 'soon', exited: 1 }, { started: STARTED, exited: -1 })
    assert.deepEqual(
      [rows.length, outcomes.toSorted()],
      [0, ['invalid invalid_time session 1', 'invalid not_an_object session 1']],
    )
    assert.deepEqual(entries({ started: STARTED }).outcomes, ['invalid no_sessions session 1'])
    assert.deepEqual(read('sessions', { attrs: ATTRS }).outcomes, ['invalid not_an_object session 1'])
  })

  it('are counted where they would be far more in memory than in the bytes', () => {
    const aggregates = Array.from({ length: max('jsonValuesMax') / 2 }, () => ({}))
    assert.deepEqual(read('sessions', { aggregates, attrs: ATTRS }), {
      rows: [],
      outcomes: ['invalid too_large session 1'],
    })
  })

  it('are bounded in number and in size', () => {
    const most = max('sessionBucketsMax')
    const many = entries(...Array.from({ length: most + 3 }, () => ({ started: STARTED, exited: 1e12 })))
    assert.deepEqual([many.rows.length, many.outcomes], [most, ['invalid too_large session 3']])
    assert.equal(Reflect.get(many.rows[0]?.row ?? {}, 'sessions'), max('sessionsPerEntryMax'))
  })
})
