import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { hashUser } from '#model/user-hash.ts'
import {
  addToSketch,
  emptySketch,
  estimateSketch,
  mergeSketch,
  SKETCH_ERROR,
  type UserSketch,
} from './hyperloglog.ts'

/** Repeatable: a failure of one in ten thousand is a failure of the code, not of the dice. */
const SEED = 20_261_116

function sketchOf(hashes: Iterable<bigint>): UserSketch {
  const sketch = emptySketch()
  for (const hash of hashes) addToSketch(sketch, hash)
  return sketch
}

function people(prefix: number, count: number): bigint[] {
  return Array.from({ length: count }, (_, index) => hashUser(`${prefix}:${index}`))
}

describe('the sketch', () => {
  it('counts nothing as nothing, and one as one', () => {
    assert.equal(estimateSketch(emptySketch()), 0)
    assert.equal(estimateSketch(sketchOf(people(1, 1))), 1)
  })

  it('stays within four standard errors for any number of people', () => {
    const property = fc.property(fc.integer(), fc.integer({ min: 1, max: 20_000 }), (prefix, count) => {
      const off = Math.abs(estimateSketch(sketchOf(people(prefix, count))) - count) / count
      assert.ok(off < 4 * SKETCH_ERROR, `${count} people were off by ${(off * 100).toFixed(2)} %`)
    })
    fc.assert(property, { numRuns: 60, seed: SEED })
  })

  it('is off by about the documented error over many sketches, and by nothing on average', () => {
    const count = 10_000
    const errors = Array.from({ length: 60 }, (_, prefix) => {
      return estimateSketch(sketchOf(people(prefix + 1_000, count))) / count - 1
    })
    const mean = errors.reduce((sum, error) => sum + error, 0) / errors.length
    const deviation = Math.sqrt(errors.reduce((sum, error) => sum + error * error, 0) / errors.length)
    assert.ok(Math.abs(mean) < SKETCH_ERROR / 2, `mean ${mean}`)
    assert.ok(deviation < SKETCH_ERROR * 1.3, `deviation ${deviation}`)
  })

  it('gives the same for a union as for everything added at once, in any order and as often as one likes', () => {
    const hashes = fc.array(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), { maxLength: 300 })
    const property = fc.property(hashes, hashes, (some, others) => {
      const union = sketchOf(some)
      mergeSketch(union, sketchOf(others))
      assert.deepEqual(union, sketchOf([...others, ...some, ...others]))
    })
    fc.assert(property, { seed: SEED })
  })

  it('takes the extreme hashes', () => {
    const sketch = sketchOf([0n, 2n ** 64n - 1n, 1n, 2n ** 63n])
    assert.equal(sketch[0], 53)
    assert.equal(sketch[4_095], 1)
    assert.ok(estimateSketch(sketch) >= 2)
  })
})
