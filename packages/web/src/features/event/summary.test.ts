import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { summaryParts } from './summary.ts'

type Told = Parameters<typeof summaryParts>[0]
const NOW = 1_800_000_000_000
const MINUTE = 60_000

function told(issue: object, counts: Partial<Told> = {}): Told {
  const defaults = {
    level: 'error',
    status: 'unresolved',
    eventCount: 2_200,
    users: { count: 612, isExact: true },
    route: '/orders/[id]',
    firstRelease: '2026.11.18-1',
    firstSeenMs: NOW - 3 * 86_400_000,
    lastSeenMs: NOW - 2 * MINUTE,
    statusChangedMs: NOW - 60 * MINUTE,
    resolvedIn: null,
  }
  return {
    issue: { ...defaults, ...issue },
    eventsLastDay: 1_284,
    eventsLastTenMinutes: 37,
    ...counts,
  } as Told // the sentence reads these fields of an issue and no other
}

const sentence = (view: Told) =>
  summaryParts(view, NOW)
    .map(({ text }) => text)
    .join('')

describe('the summary of an issue', () => {
  test('says what fails, how often, for whom, since when, and that it still does', () => {
    assert.equal(
      sentence(told({})),
      'Failed 2,200 times in /orders/[id], 1,284 of them in 24 h. 612 users affected, first seen 3 d ago in 2026.11.18-1. Still happening: 37 in the last 10 min.',
    )
  })

  test('one event is once, and nobody known is left out', () => {
    const view = told(
      { eventCount: 1, users: { count: 0, isExact: true }, route: null, firstRelease: null },
      { eventsLastDay: 1, eventsLastTenMinutes: 0 },
    )
    assert.equal(sentence(view), 'Failed once. First seen 3 d ago. Quiet for 2 min.')
  })

  test('a first and only event does not go on', () => {
    const view = told(
      { eventCount: 1, firstSeenMs: NOW - 5_000 },
      { eventsLastDay: 1, eventsLastTenMinutes: 1 },
    )
    assert.match(sentence(view), /^Failed once in .* 612 users affected, first seen .* in 2026\.11\.18-1\. $/)
    assert.equal(
      summaryParts(view, NOW).some(({ tone }) => tone === 'bad'),
      false,
    )
  })

  test('a sketch of users is marked as such', () => {
    assert.match(sentence(told({ users: { count: 1_890, isExact: false } })), /≈ 1,890 users affected/)
  })

  test('a resolved issue is quiet, whatever came before', () => {
    const view = told({ status: 'resolved', lastSeenMs: NOW - 61 * MINUTE })
    assert.match(sentence(view), /Resolved 1 h ago, no events since\.$/)
    assert.equal(
      summaryParts(view, NOW).some(({ tone }) => tone === 'bad'),
      false,
    )
  })

  test('a release that resolves it is named, and that older ones go on sending it', () => {
    const resolvedIn = { how: 'release', release: 'shop@9.2.0', atMs: 0 }
    assert.match(
      sentence(told({ status: 'resolved', resolvedIn })),
      /Resolved 1 h ago in 9\.2\.0, still seen in older releases\.$/,
    )
    const commit = { how: 'commit', commit: 'a'.repeat(40) }
    assert.match(
      sentence(told({ status: 'resolved', resolvedIn: commit, lastSeenMs: NOW - 61 * MINUTE })),
      /Resolved 1 h ago in commit aaaaaaa, no events since\.$/,
    )
  })

  test('releases are said without their package', () => {
    assert.match(
      sentence(told({ firstRelease: 'shop@1.4.0+1287' })),
      /first seen 3 d ago in 1\.4\.0 \(1287\)\./,
    )
  })

  test('only an error that still happens is red', () => {
    assert.ok(summaryParts(told({}), NOW).some(({ tone }) => tone === 'bad'))
    assert.ok(!summaryParts(told({ level: 'info' }), NOW).some(({ tone }) => tone === 'bad'))
    assert.match(sentence(told({ level: 'info' })), /^Happened/)
  })
})
