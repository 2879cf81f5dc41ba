import assert from 'node:assert/strict'
import { test } from 'node:test'
import { begunTogether } from './together.ts'

const HOUR = 3_600_000
const row = (name: string, counts: readonly number[]) => ({
  name,
  trend: { startMs: 0, stepMs: HOUR, counts },
})

test('issues that began in the same slot stand together, the newest first, and what went on from before is last', () => {
  const rows = [
    row('old', [1, 2, 1, 0]),
    row('a', [0, 0, 3, 1]),
    row('b', [0, 1, 0, 0]),
    row('c', [0, 0, 1, 0]),
    row('none', [0, 0, 0, 0]),
  ]
  assert.deepEqual(
    begunTogether(rows).map(({ slot, rows: own }) => [slot, own.map(({ row: { name } }) => name)]),
    [
      [2, ['a', 'c']],
      [1, ['b']],
      [null, ['old', 'none']],
    ],
  )
  assert.deepEqual(begunTogether([]), [])
})
