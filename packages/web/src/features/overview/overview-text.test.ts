import assert from 'node:assert/strict'
import { test } from 'node:test'
import { failedMore, overviewSentence } from './overview-text.ts'

const aRoute = (route: string, count: number, failed: number) => ({
  ...{ projectId: 1, route, kind: 'action' as const, count, failed },
})

const NOTHING = {
  ...{ needsTotal: 0, unassigned: 0, failedIssues: 0 },
  ...{ sessions: null, sent: { total: 1, stored: 1 } },
}

test('a route is told of from five failures and one of a hundred on, where it failed less than half as much before', () => {
  const told = (now: [number, number], before: [number, number] | null) =>
    failedMore([aRoute('/a', ...now)], before === null ? [] : [aRoute('/a', ...before)]).worst.length
  assert.deepEqual([told([100, 4], null), told([100, 5], null), told([100, 6], null)], [0, 1, 1])
  assert.deepEqual([told([1_001, 10], null), told([1_000, 10], null), told([999, 10], null)], [0, 1, 1])
  assert.deepEqual(
    [told([100, 10], [100, 6]), told([100, 10], [100, 5]), told([100, 10], [100, 4])],
    [0, 0, 1],
  )
})

test('the routes with most failures stand first, no more than two, and the others are counted', () => {
  const now = [aRoute('/few', 100, 6), aRoute('/most', 100, 60), aRoute('/many', 100, 30)]
  const { worst, more } = failedMore(now, [])
  assert.deepEqual([worst.map(({ route }) => route), more], [['/most', '/many'], 1])
  assert.equal(failedMore(now.slice(1), []).more, 0)
  assert.equal(failedMore(now, [aRoute('/most', 200, 7)]).worst[0]?.failedBefore, 7)
})

test('the sentence says what failed, and how much needs somebody', () => {
  const requests = { count: 100, failed: 0, worst: [], moreWorst: 0, hasBefore: true }
  const said = (facts: Partial<Parameters<typeof overviewSentence>[0]>) => {
    const none = { requests, ...NOTHING, unread: new Set<string>() }
    const { head, rest, needs, unassigned } = overviewSentence({ ...none, ...facts })
    return `${[head, rest, needs].join(' ').replace(/ +/g, ' ')}${unassigned === '' ? '' : `, ${unassigned}`}.`
  }
  assert.equal(said({}), 'No request failed in the last 24 hours. Nothing needs you.')
  assert.equal(said({ requests: null }), 'Nothing failed in the last 24 hours. Nothing needs you.')
  assert.equal(
    said({ requests: null, failedIssues: 1, needsTotal: 1, unassigned: 1 }),
    'Errors were received; no requests were traced. 1 thing needs you, 1 has no assignee.',
  )
  assert.equal(
    said({ requests: { ...requests, failed: 1 }, needsTotal: 2 }),
    'Failures are as usual. 2 things need you.',
  )
  assert.equal(
    said({ requests: { ...requests, failed: 1, hasBefore: false } }),
    '1 of 100 requests failed. Nothing needs you.',
    'nothing is as usual on the first day',
  )
  assert.equal(
    said({ requests: { ...requests, count: 1, failed: 1, hasBefore: false } }),
    '1 of 1 request failed. Nothing needs you.',
  )
  const { worst } = failedMore([aRoute('/a', 100, 50)], [])
  for (const [moreWorst, hasBefore, rest] of [
    [0, true, 'The rest is as usual. '],
    [0, false, ''],
    [1, true, '1 more route fails like this. '],
    [2, true, '2 more routes fail like this. '],
  ] as const)
    assert.equal(
      said({ requests: { ...requests, failed: 50, worst, moreWorst, hasBefore } }),
      `Some requests fail. ${rest}Nothing needs you.`,
    )
  assert.equal(
    said({ requests: { ...requests, failed: 50, worst }, needsTotal: 3, unassigned: 2 }),
    'Some requests fail. The rest is as usual. 3 things need you, 2 have no assignee.',
  )
  assert.equal(
    said({ requests: null, failedIssues: 1, needsTotal: 3_158, unassigned: 3_157 }),
    'Errors were received; no requests were traced. 3,158 things need you, 3,157 have no assignee.',
  )
})

test('without requests it says which sessions crashed, and whether anything came', () => {
  const said = (facts: Partial<Parameters<typeof overviewSentence>[0]>) =>
    overviewSentence({ requests: null, ...NOTHING, unread: new Set<string>(), ...facts }).head
  const of = (sessions: number, crashed: number) => ({ sessions, crashed })
  assert.equal(said({ sessions: of(10, 1) }), '1 of 10 sessions crashed in the last 24 hours.')
  assert.equal(said({ sessions: of(1, 1) }), '1 of 1 session crashed in the last 24 hours.')
  assert.equal(said({ sessions: of(10, 0) }), 'Nothing failed in the last 24 hours.')
  assert.equal(said({ sent: { total: 0, stored: 0 } }), 'Nothing was received in the last 24 hours.')
  assert.equal(said({ sent: { total: 4, stored: 0 } }), 'Nothing sent in the last 24 hours was stored.')
  assert.equal(said({ sent: { total: 4, stored: 1 } }), 'Nothing failed in the last 24 hours.')
  assert.equal(
    said({ sent: { total: 0, stored: 0 }, sessions: of(1, 0) }),
    'Nothing failed in the last 24 hours.',
  )
  assert.equal(said({ sent: null }), 'Nothing failed in the last 24 hours.')
  assert.equal(
    said({ failedIssues: 1, sessions: of(10, 1) }),
    'Errors were received; no requests were traced.',
  )
})

test('what could not be read is not said to be well', () => {
  const traced = { count: 100, failed: 0, worst: [], moreWorst: 0, hasBefore: true }
  const said = (requests: typeof traced | null, ...unread: readonly string[]) => {
    const facts = { requests, ...NOTHING, unread: new Set(unread) }
    const { head, needs } = overviewSentence(facts)
    return [head, needs]
  }
  assert.deepEqual(said(null), ['Nothing failed in the last 24 hours.', 'Nothing needs you'])
  assert.deepEqual(said(null, 'requests'), ['', 'Nothing needs you'])
  assert.deepEqual(said(null, 'issues'), ['', ''])
  assert.deepEqual(said(null, 'sessions'), ['', 'Nothing needs you'])
  assert.deepEqual(said({ ...traced, count: 0 }, 'issues'), ['', ''])
  assert.deepEqual(said(traced, 'issues'), ['No request failed in the last 24 hours.', ''])
  for (const part of ['alerts', 'skew'])
    assert.deepEqual(said(traced, part), ['No request failed in the last 24 hours.', ''])
})
