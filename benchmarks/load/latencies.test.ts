import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Latencies, latencyOf, medianOf, percentileOf } from './latencies.ts'

describe('latencies', () => {
  it('answers percentiles to one percent', () => {
    const latencies = new Latencies()
    for (let ms = 1; ms <= 10_000; ms++) latencies.add(ms)
    for (const part of [0.5, 0.95, 0.99]) {
      const off = latencies.percentile(part) / (part * 10_000) - 1
      assert.ok(Math.abs(off) <= 0.011, `${part}: off by ${off}`)
    }
    assert.equal(latencies.summary().max, 10_000)
    assert.equal(latencies.summary().count, 10_000)
  })

  it('shows one slow answer in a thousand in the maximum alone', () => {
    const latencies = new Latencies()
    for (let count = 0; count < 999; count++) latencies.add(1)
    latencies.add(5_000)
    assert.ok(latencies.percentile(0.99) < 1.02)
    assert.equal(latencies.percentile(1), 5_000)
  })

  it('is zero without any, and takes what is below or beyond its buckets', () => {
    assert.deepEqual(new Latencies().summary(), { p50: 0, p95: 0, p99: 0, max: 0, count: 0 })
    const latencies = new Latencies()
    latencies.add(0)
    latencies.add(1e12)
    assert.equal(latencies.percentile(1) > 1e6, true)
    assert.ok(latencies.percentile(0.5) < 0.01)
  })
})

describe('a latency to report', () => {
  it('is none without an acknowledgement, not 0 ms', () => {
    const latencies = new Latencies()
    assert.equal(latencyOf(latencies.summary(), 'p99'), null)
    latencies.add(7)
    assert.equal(latencyOf(latencies.summary(), 'p99'), 7)
  })
})

describe('percentiles of a few values', () => {
  it('takes one of the values, whatever their order', () => {
    assert.equal(percentileOf([3, 1, 2], 0.5), 2)
    assert.equal(percentileOf([5, 1, 4, 2, 3], 0.95), 5)
    assert.equal(percentileOf([], 0.5), 0)
  })

  it('takes the middle of an odd number and the mean of the two middle ones of an even', () => {
    assert.equal(medianOf([9, 1, 5]), 5)
    assert.equal(medianOf([4, 1, 2, 9]), 3)
    assert.equal(medianOf([7]), 7)
  })
})
