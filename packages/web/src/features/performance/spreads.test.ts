import assert from 'node:assert/strict'
import { test } from 'node:test'
import { spreadsOf } from './spreads.ts'

const bucket = (step: number, at: number, count: number) => ({
  fromMs: step ** at,
  toMs: step ** (at + 1),
  count,
})

test('a fine and a coarse distribution are compared on one axis, each by its own shares', () => {
  const fine = 10 ** 0.05
  const coarse = 10 ** 0.1
  // The coarse bucket 20 is the fine ones 40 and 41.
  const spread = spreadsOf(
    [bucket(coarse, 20, 10)],
    [bucket(fine, 40, 300), bucket(fine, 41, 100), bucket(fine, 44, 400)],
  )
  assert.deepEqual(spread?.was, [1, 0, 0])
  assert.deepEqual(spread?.now, [0.5, 0, 0.5])
  assert.deepEqual([Math.round(spread?.fromMs ?? 0), Math.round(spread?.toMs ?? 0)], [100, 200])
})

test('without requests on either side there is nothing to compare', () => {
  assert.equal(spreadsOf([], [bucket(2, 3, 1)]), null)
  assert.equal(spreadsOf([bucket(2, 3, 1)], [bucket(2, 4, 0)]), null)
})
