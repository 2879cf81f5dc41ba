import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { barsOf, isSince } from './bars.ts'

const HOUR = 3_600_000

describe('bars of a trend', () => {
  test('24 hours are 24 bars, 14 days are bars of a day where 30 fit', () => {
    const day = barsOf({ startMs: 0, stepMs: HOUR, counts: new Array(24).fill(1) }, 30)
    assert.deepEqual([day.counts.length, day.stepMs], [24, HOUR])
    const days = barsOf({ startMs: 0, stepMs: HOUR, counts: new Array(336).fill(1) }, 30)
    assert.deepEqual([days.counts.length, days.stepMs, days.peak], [28, 12 * HOUR, 12])
  })

  test('the newest bar is whole: a remainder stands at the start', () => {
    const bars = barsOf({ startMs: 0, stepMs: HOUR, counts: [5, 1, 1, 1, 1] }, 3)
    assert.deepEqual(bars.counts, [5, 2, 2])
    assert.equal(bars.startMs, -HOUR)
  })

  test('bars of the time since something are those that end after it', () => {
    const bars = barsOf({ startMs: 0, stepMs: HOUR, counts: [1, 1, 1, 1] }, 2)
    const since = (fromMs: number) => bars.counts.map((_, index) => isSince(bars, index, fromMs))
    assert.deepEqual(since(2 * HOUR), [false, true])
    assert.deepEqual(since(2 * HOUR - 1), [true, true])
    assert.deepEqual(since(-HOUR), [true, true])
    assert.deepEqual(since(4 * HOUR), [false, false])
  })

  test('no count is lost and no bar is too many', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(1_000), { maxLength: 500 }),
        fc.integer({ min: 1, max: 120 }),
        (counts, max) => {
          const bars = barsOf({ startMs: 0, stepMs: HOUR, counts }, max)
          assert.equal(sum(bars.counts), sum(counts))
          assert.ok(bars.counts.length <= max)
          assert.equal(bars.peak, Math.max(0, ...bars.counts))
        },
      ),
    )
  })
})

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
