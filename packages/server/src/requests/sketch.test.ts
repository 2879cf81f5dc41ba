import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DDSketch } from '@datadog/sketches-js'
import fc from 'fast-check'
import { DurationSketch } from './sketch.ts'

const QUANTILES = [0, 0.5, 0.75, 0.95, 0.99, 1]
const value = fc.oneof(
  fc.constant(0),
  fc.double({ min: 1e-3, max: 1e6, noNaN: true }),
  fc.double({ min: 1e-9, max: 1e12, noNaN: true }),
)
const values = fc.array(value, { minLength: 1, maxLength: 200 })

function sketchOf(of: readonly number[]): DurationSketch {
  const sketch = new DurationSketch()
  for (const one of of) sketch.add(one)
  return sketch
}

function merged(parts: readonly DurationSketch[]): DurationSketch {
  const whole = new DurationSketch()
  for (const part of parts) whole.merge(part.toBytes())
  return whole
}

describe('a sketch', () => {
  it('tells each quantile within 1 % of the value at its rank', () => {
    fc.assert(
      fc.property(values, (of) => {
        const sketch = sketchOf(of)
        const sorted = [...of].sort((a, b) => a - b)
        for (const q of QUANTILES) {
          const exact = sorted[Math.floor(q * (of.length - 1))] ?? Number.NaN
          const told = sketch.quantile(q) ?? Number.NaN
          assert.ok(Math.abs(told - exact) <= exact * 0.010_001, `${q}: ${told} for ${exact}`)
        }
      }),
    )
  })

  it('is what the library makes of the same values, sampled ones too', () => {
    const weighed = fc.array(fc.tuple(value, fc.constantFrom(1, 2, 10, 1.5)), {
      minLength: 1,
      maxLength: 100,
    })
    fc.assert(
      fc.property(weighed, (of) => {
        const [sketch, known] = [new DurationSketch(), new DDSketch({ relativeAccuracy: 0.01 })]
        for (const [one, weight] of of) {
          sketch.add(one, weight)
          known.accept(one, weight)
        }
        assert.equal(sketch.count, known.count)
        for (const q of QUANTILES) assert.equal(sketch.quantile(q), known.getValueAtQuantile(q))
      }),
    )
  })

  it('of parts is that of the whole, in any order, and again from its bytes', () => {
    fc.assert(
      fc.property(fc.array(values, { minLength: 1, maxLength: 6 }), (parts) => {
        const whole = sketchOf(parts.flat())
        const sketches = parts.map(sketchOf)
        for (const joined of [merged(sketches), merged(sketches.toReversed()), merged([whole])]) {
          assert.deepEqual(joined.toBytes(), whole.toBytes())
          assert.deepEqual([...joined.bins()], [...whole.bins()])
          for (const q of QUANTILES) assert.equal(joined.quantile(q), whole.quantile(q))
        }
      }),
    )
  })

  it('are as they were once what was added is removed, and never below nothing', () => {
    fc.assert(
      fc.property(fc.array(values, { maxLength: 6 }), (parts) => {
        const [first = [], ...rest] = parts
        const sketch = sketchOf(parts.flat())
        for (const one of first) sketch.remove(one, 1)
        const kept = merged(rest.map(sketchOf))
        const rounded = (of: DurationSketch) =>
          [...of.bins()].map(({ value, count }) => [value, count.toFixed(2)])
        assert.deepEqual(
          rounded(sketch).filter(([, count]) => count !== '0.00'),
          rounded(kept),
        )
      }),
    )
    const sketch = new DurationSketch()
    sketch.remove(12, 1)
    sketch.add(5)
    sketch.remove(5, 3)
    assert.equal(sketch.count, 0)
  })

  it('of nothing has no quantile, and of bytes that are none of ours ends', () => {
    assert.equal(new DurationSketch().quantile(0.5), null)
    assert.equal(merged([new DurationSketch()]).quantile(0.5), null)
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        const sketch = new DurationSketch()
        sketch.merge(bytes)
        assert.ok(!Number.isNaN(sketch.quantile(0.95) ?? 0))
      }),
    )
  })
})
