/** Limits bound something: each stands in one area, and something that runs reads it. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { LIMIT_AREAS, LIMITS } from '../../packages/server/src/limits/limits.ts'
import { sourceFiles } from './sources.ts'

describe('the limits', () => {
  it('stand in one area each', () => {
    const inAreas = Object.values(LIMIT_AREAS).flatMap((area) => Object.keys(area))
    assert.deepEqual(inAreas, Object.keys(LIMITS))
  })

  it('are read by what runs', () => {
    const product = sourceFiles().filter(
      ({ path }) => /^packages\/[^/]+\/src\//.test(path) && !path.includes('.test.'),
    )
    const unread = Object.keys(LIMITS).filter(
      (name) => !product.some(({ text }) => text.includes(`'${name}'`)),
    )
    assert.deepEqual(unread, [])
  })
})
