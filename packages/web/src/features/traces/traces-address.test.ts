import assert from 'node:assert/strict'
import { test } from 'node:test'
import { logScale, logShare } from './log-scale.ts'
import { chosenValues, facetTerm, readTracesAddress, tracesQuery, withValues } from './traces-address.ts'

test('the address of a search keeps what was chosen and leaves out what is usual', () => {
  const address = readTracesAddress(
    new URLSearchParams('query= kind:action &range=7d&sort=slowest&cursor=x&project=web'),
  )
  assert.deepEqual(address, {
    query: 'kind:action',
    range: '7d',
    sort: 'slowest',
    cursor: 'x',
    project: 'web',
  })
  const next = { query: 'kind:action', range: '7d', sort: null, cursor: null, project: 'web' }
  assert.deepEqual(tracesQuery(address, { sort: 'newest' }), next)
  const odd = readTracesAddress(new URLSearchParams('range=eternity&sort=up'))
  assert.deepEqual(odd, { query: '', range: '24h', sort: 'newest', cursor: null, project: null })
})

test('values of a facet are one term of the search, of which any is meant', () => {
  const both = withValues(withValues('orders', 'request_kind', ['page-data']), 'browser', ['Chrome 141'])
  assert.equal(both, 'orders kind:page-data browser:"Chrome 141"')
  assert.deepEqual(chosenValues(both, 'request_kind'), ['page-data'])
  assert.deepEqual(chosenValues(both, 'browser'), ['Chrome 141'])
  assert.deepEqual(chosenValues(both, 'route'), [])
  const more = withValues(both, 'browser', ['Chrome 141', 'Safari 19', 'odd "name"'])
  assert.equal(more, 'orders kind:page-data browser:["Chrome 141", "Safari 19", "odd \\"name\\""]')
  assert.deepEqual(chosenValues(more, 'browser'), ['Chrome 141', 'Safari 19', 'odd "name"'])
  assert.equal(withValues(more, 'browser', []), 'orders kind:page-data')
  assert.equal(
    withValues(more, 'request_kind', ['action', 'document']).includes('kind:[action, document]'),
    true,
  )
  // What is excluded, and a key that ends like it, are no values of it.
  assert.deepEqual(chosenValues('!kind:action subkind:x', 'request_kind'), [])
  assert.equal(facetTerm('waits', 'database'), 'waits:database')
  assert.equal(facetTerm('issue', 'SHOP-4F2'), 'issue:SHOP-4F2')
})

test('durations lie on a log scale that holds all of them', () => {
  const usual = logScale([30, 400, 2_000])
  assert.deepEqual([usual.leastMs, usual.mostMs], [10, 10_000])
  assert.deepEqual(usual.lines, [10, 100, 1_000, 10_000])
  assert.deepEqual(
    [10, 100, 10_000].map((ms) => Math.round(logShare(usual, ms) * 3)),
    [0, 1, 3],
  )
  const wide = logScale([0.2, 90_000])
  assert.deepEqual([wide.leastMs, wide.mostMs], [1, 100_000])
  assert.deepEqual([logShare(wide, 0), logShare(wide, 1e9)], [0, 1])
})
