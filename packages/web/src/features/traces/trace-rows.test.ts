import assert from 'node:assert/strict'
import { test } from 'node:test'
import { traceRows } from './trace-rows.ts'

const row = (traceId: string, atMs: number, end: 'answered' | 'failed' | null = 'answered') => ({
  ...{ traceId, atMs, end, error: null },
})

test('a trace is one row, the request that began first, where the list has its first one', () => {
  const rows = traceRows([row('b', 30), row('a', 20), row('b', 10), row('c', 5)])
  assert.deepEqual(
    rows.map(({ traceId, atMs, others }) => [traceId, atMs, others]),
    [
      ['b', 10, 1],
      ['a', 20, 0],
      ['c', 5, 0],
    ],
  )
})

test('what failed in any of its requests is said of the trace', () => {
  const [only] = traceRows([row('a', 20, 'failed'), row('a', 10)])
  assert.deepEqual([only?.atMs, only?.end], [10, 'failed'])
})
