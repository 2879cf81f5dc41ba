import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addSegment, emptyRequestSum, figuresOf } from './sums.ts'
import { changedP75 } from './worse.ts'

/** `count` requests that took from `ms` on, evenly up to the double. */
function figures(count: number, ms: number, weight = 1) {
  const sum = emptyRequestSum()
  for (let at = 0; at < count; at += 1)
    addSegment(sum, { end: 'answered', weight, durationMs: ms * (1 + at / Math.max(1, count)) })
  return figuresOf(sum)
}

test('p75 has changed where chance does not explain it', () => {
  const change = changedP75(figures(400, 200), figures(400, 100))
  assert.ok(change !== null && Math.abs(change - 1) < 0.05, String(change))
  assert.ok((changedP75(figures(400, 100), figures(400, 200)) ?? 0) < -0.4)
})

test('p75 has not changed by as much as chance makes, nor by less than sketches know', () => {
  assert.equal(changedP75(figures(60, 104), figures(60, 100)), null)
  assert.equal(changedP75(figures(100_000, 101), figures(100_000, 100)), null)
  assert.equal(changedP75(figures(400, 100), figures(400, 100)), null)
})

test('under 30 requests of either nothing is said, whatever they stand for', () => {
  assert.equal(changedP75(figures(29, 900), figures(400, 100)), null)
  assert.equal(changedP75(figures(400, 900), figures(29, 100)), null)
  assert.equal(changedP75(figures(400, 900), null), null)
  // Five that an SDK extrapolates are five that came: their bounds are as wide.
  const few = figures(5, 100, 100)
  const [low = 0, high = 0] = few.p75Bounds ?? []
  assert.ok(low <= 125 && high >= 175, `${low} to ${high}`)
})
