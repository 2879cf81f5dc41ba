import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { durationBuckets } from './durations.ts'
import { addRequestSums, emptyRequestSum } from './sums.ts'

describe('how many took how long', () => {
  const sumOf = (count: number) => {
    const sum = emptyRequestSum()
    for (let at = 0; at < count; at++)
      addRequestSums(sum, {
        end: at % 4 === 0 ? 'failed' : 'answered',
        weight: 1,
        durationMs: at % 2 === 0 ? 50 : 500,
      })
    return sum
  }

  it('comes in buckets without a gap, failed ones apart, and finer where there are many', () => {
    for (const [count, length] of [
      [100, 10],
      [1_000, 20],
    ] as const) {
      const buckets = durationBuckets(sumOf(count))
      assert.equal(buckets.length, length)
      assert.deepEqual(
        buckets.slice(1).map(({ fromMs }) => fromMs),
        buckets.slice(0, -1).map(({ toMs }) => toMs),
      )
      const [first, last] = [buckets[0], buckets.at(-1)]
      assert.deepEqual([first?.count, first?.failed], [count / 2, count / 4])
      assert.deepEqual([last?.count, last?.failed], [count / 2, 0])
    }
  })

  it('counts in each what lies above its one bound and up to the other', () => {
    for (const many of [100, 1_000]) {
      const values = Array.from({ length: many }, (_, at) => 5 + ((at * 7_919) % many) * (900 / many))
      const sum = emptyRequestSum()
      for (const durationMs of values) addRequestSums(sum, { end: 'answered', weight: 1, durationMs })
      for (const { fromMs, toMs, count } of durationBuckets(sum))
        assert.equal(values.filter((ms) => ms > fromMs && ms <= toMs).length, count, `${fromMs} to ${toMs}`)
    }
  })

  it('is nothing of nothing', () => {
    assert.deepEqual(durationBuckets(emptyRequestSum()), [])
  })
})
