import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readAddress } from '#parts/address.ts'
import {
  chosenValues,
  facetTerm,
  TRACES,
  tracesQuery,
  withDurations,
  withTagValues,
} from './traces-address.ts'

test('the address of a search keeps what was chosen and leaves out what is usual', () => {
  const address = readAddress(
    TRACES,
    new URLSearchParams('query= kind:action &range=7d&sort=slowest&cursor=x&project=web'),
  )
  assert.deepEqual(
    { ...address },
    {
      query: 'kind:action',
      range: '7d',
      sort: 'slowest',
      cursor: 'x',
      project: 'web',
      chosen: null,
      chart: null,
    },
  )
  const none = { from: null, to: null, chart: null }
  const next = { query: 'kind:action', range: '7d', sort: null, cursor: null, project: 'web', ...none }
  assert.deepEqual(tracesQuery(address, { sort: 'newest' }), next)
  const odd = readAddress(TRACES, new URLSearchParams('range=eternity&sort=up'))
  const nothing = { cursor: null, project: null, chosen: null, chart: null }
  assert.deepEqual(odd, { query: '', range: '24h', sort: 'newest', ...nothing })
})

test('values of a facet are one term of the search, of which any is meant', () => {
  const both = withTagValues(withTagValues('orders', 'request_kind', ['page-data']), 'browser', [
    'Chrome 141',
  ])
  assert.equal(both, 'orders kind:page-data browser:"Chrome 141"')
  assert.deepEqual(chosenValues(both, 'request_kind'), ['page-data'])
  assert.deepEqual(chosenValues(both, 'browser'), ['Chrome 141'])
  assert.deepEqual(chosenValues(both, 'route'), [])
  const more = withTagValues(both, 'browser', ['Chrome 141', 'Safari 19', 'odd "name"'])
  assert.equal(more, 'orders kind:page-data browser:["Chrome 141", "Safari 19", "odd \\"name\\""]')
  assert.deepEqual(chosenValues(more, 'browser'), ['Chrome 141', 'Safari 19', 'odd "name"'])
  assert.equal(withTagValues(more, 'browser', []), 'orders kind:page-data')
  assert.equal(
    withTagValues(more, 'request_kind', ['action', 'document']).includes('kind:[action, document]'),
    true,
  )
  // What is excluded, and a key that ends like it, are no values of it.
  assert.deepEqual(chosenValues('!kind:action subkind:x', 'request_kind'), [])
  assert.equal(facetTerm('waits', 'database'), 'waits:database')
  assert.equal(facetTerm('issue', 'SHOP-4F2'), 'issue:SHOP-4F2')
})

test('a part of a chart takes the place of the range, until another range is chosen', () => {
  const text = 'query=route%3A%2Fcart&from=2026-11-28T22:00:00Z&to=2026-11-28T23:30:00Z&range=7d&chart=heat'
  const address = readAddress(TRACES, new URLSearchParams(text))
  const chosen = { startMs: Date.UTC(2026, 10, 28, 22), endMs: Date.UTC(2026, 10, 28, 23, 30) }
  assert.deepEqual([address.chosen, address.chart], [chosen, 'heat'])
  const kept = tracesQuery(address)
  assert.deepEqual([kept.from, kept.to, kept.range], ['2026-11-28T22:00:00Z', '2026-11-28T23:30:00Z', null])
  const other = tracesQuery(address, { range: '30d' })
  assert.deepEqual([other.from, other.to, other.range], [null, null, '30d'])
})

test('what names no stretch of time chooses nothing', () => {
  for (const text of [
    'from=2026-11-28T22:00:00Z',
    'from=2026-11-28T22:00:00Z&to=2026-11-28T22:00:00Z',
    'from=2026-11-28T23:00:00Z&to=2026-11-28T22:00:00Z',
    'from=2020-01-01T00:00:00Z&to=2026-11-28T22:00:00Z',
    'from=yesterday&to=now',
    'from=2026-13-45T99:00:00Z&to=2026-13-46T99:00:00Z',
    `from=${'9'.repeat(400)}&to=1`,
  ])
    assert.equal(readAddress(TRACES, new URLSearchParams(text)).chosen, null, text)
})

test('bounds of duration take the place of those that a search has', () => {
  const chosen = { low: 99.4, high: 1_333.521_43 }
  assert.equal(
    withDurations('kind:action duration:>300ms', chosen),
    'kind:action duration:>=99.4ms duration:<1333.521ms',
  )
  assert.equal(
    withDurations('duration:>1s duration:<2s route:/a', chosen),
    'route:/a duration:>=99.4ms duration:<1333.521ms',
  )
  assert.equal(withDurations('', { low: 0.2, high: 0.9 }), 'duration:>=0.2ms duration:<0.9ms')
  assert.equal(withDurations('', { low: 0.1, high: 0.133 }), 'duration:>=0ms duration:<0.133ms')
})
