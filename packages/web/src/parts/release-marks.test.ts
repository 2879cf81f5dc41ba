import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newestWithin } from './release-marks.server.ts'

const at = (...times: readonly number[]) => times.map((atMs) => ({ atMs }))
const range = { startMs: 100, endMs: 200 }
const said = (...times: readonly number[]) => newestWithin(at(...times), range).map(({ atMs }) => atMs)

test('marks are those of the range, from its beginning to before its end, oldest first', () => {
  assert.deepEqual(said(200, 199, 101, 100, 99), [100, 101, 199])
})

test('twelve are shown, the newest, and those of other times take no place', () => {
  const within = Array.from({ length: 13 }, (_, nth) => 150 - nth)
  const later = Array.from({ length: 20 }, (_, nth) => 300 - nth)
  const newest = within.slice(0, 12).toReversed()
  assert.deepEqual(said(...later, ...within), newest)
  assert.deepEqual(said(...within.slice(0, 12)), newest)
  assert.deepEqual(said(...within.slice(0, 11)), newest.slice(1))
})
