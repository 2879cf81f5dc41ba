import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DAY_MS, HOUR_MS } from '#base/durations.ts'
import { NOW } from '#testing/builders/times.ts'
import { pageStepMs, stepsOfFigures } from './figure-steps.ts'

/** 72 hours before noon, at the beginning of its day. */
const EDGE = NOW - 84 * HOUR_MS

describe('steps of figures', () => {
  it('are hours from the first day on that is kept so, and whole days before', () => {
    const of = (startMs: number, stepMs: number) => {
      const steps = stepsOfFigures(startMs, stepMs, NOW)
      return [(steps.startMs - EDGE) / HOUR_MS, steps.stepMs / HOUR_MS]
    }
    assert.deepEqual(of(EDGE - 1, HOUR_MS), [-24, 24])
    assert.deepEqual(of(EDGE, HOUR_MS), [0, 1])
    assert.deepEqual(of(EDGE + 1, HOUR_MS), [0, 1])
    assert.deepEqual(of(EDGE + 90 * 60_000, 5 * 60_000), [1, 1])
    assert.deepEqual(of(EDGE - 22 * HOUR_MS, 4 * HOUR_MS), [-24, 24])
    assert.equal(of(EDGE - 1, 36 * HOUR_MS)[1], 48)
    assert.equal(of(EDGE - 1, 24 * HOUR_MS)[1], 24)
    assert.equal(of(EDGE - 1, 25 * HOUR_MS)[1], 48)
  })

  it('are those of a page: hours in a range of less than three days, unless it lies further back', () => {
    const of = (startMs: number, hours: number) =>
      pageStepMs({ startMs, endMs: startMs + hours * HOUR_MS }, NOW)
    assert.equal(of(NOW - 71 * HOUR_MS, 71), HOUR_MS)
    assert.equal(of(NOW - 72 * HOUR_MS, 72), DAY_MS)
    assert.equal(of(NOW - 73 * HOUR_MS, 73), DAY_MS)
    assert.equal(of(EDGE - 1, 24), DAY_MS)
    assert.equal(of(EDGE, 24), HOUR_MS)
    assert.equal(of(EDGE + 1, 24), HOUR_MS)
  })
})
