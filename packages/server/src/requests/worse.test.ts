import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addRequestSums, emptyRequestSum, figuresOf } from './sums.ts'
import { canCompare, changedP75, worseThan } from './worse.ts'

/** `count` requests that took from `ms` on, evenly up to the double. */
function figures(count: number, ms: number, weight = 1) {
  const sum = emptyRequestSum()
  for (let at = 0; at < count; at += 1)
    addRequestSums(sum, { end: 'answered', weight, durationMs: ms * (1 + at / Math.max(1, count)) })
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

/** Figures as they are compared, with bounds as narrow as can be. */
function told(
  count: number,
  { failed = 0, p75Ms = 100 }: { readonly failed?: number; readonly p75Ms?: number } = {},
) {
  return { ...figures(1, 1), count, failed, p75Ms, p75Bounds: [p75Ms, p75Ms] as const }
}

test('from 30 requests of both on, something is said', () => {
  const of = (now: number, before: number) => canCompare(told(now), told(before))
  assert.deepEqual([of(29, 30), of(30, 29), of(30, 30)], [false, false, true])
})

test('more fail from the double share on, and from a hundredth more', () => {
  const of = (now: number, before: number) =>
    worseThan(told(1_000, { failed: now }), told(1_000, { failed: before }))
  assert.deepEqual([of(39, 20), of(40, 20), of(41, 20)], [null, 'fails more', 'fails more'])
  assert.deepEqual([of(9, 0), of(10, 0), of(11, 0)], [null, 'fails more', 'fails more'])
})

test('a route is slower from 1.3 times on, and from 20 ms more', () => {
  const of = (now: number, before: number) =>
    worseThan(told(100, { p75Ms: now }), told(100, { p75Ms: before }))
  assert.deepEqual([of(1_299, 1_000), of(1_300, 1_000), of(1_301, 1_000)], [null, 'slower', 'slower'])
  assert.deepEqual([of(39, 20), of(40, 20), of(41, 20)], [null, 'slower', 'slower'])
})

test('p75 has changed from 3 % on, up and down, where the bounds do not touch', () => {
  const of = (now: number) => changedP75(told(100, { p75Ms: now }), told(100, { p75Ms: 64 })) !== null
  assert.deepEqual([65.9, 65.93, 62.1, 62.07].map(of), [false, true, false, true])
  const wide = { ...told(100, { p75Ms: 128 }), p75Bounds: [64, 200] as const }
  assert.equal(changedP75(wide, told(100, { p75Ms: 64 })), null)
})
