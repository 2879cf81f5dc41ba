import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { max } from '#limits/limits.ts'
import { aStaleClick, aStaleRequest } from '#testing/builders/stale-click.ts'
import { NOW } from '#testing/builders/times.ts'
import { clickOf, firstHalf, nearTimes, newerExample } from './clicks.ts'

const TRACE_MS = max('staleTraceMs')
const REPEAT_MS = max('staleRepeatMs')
const TOGETHER_MS = max('staleTogetherMs')

/** A click of which a server told so long after `NOW`. */
const clickAt = (apartMs: number, change: Parameters<typeof aStaleRequest>[0] = {}) =>
  firstHalf(aStaleRequest({ atMs: NOW + apartMs, ...change }))

describe('the click that a half belongs to', () => {
  const seen = aStaleClick()

  // The nearest is never the first that is looked at, nor always the last.
  for (const apart of [
    [3_000, 1_000],
    [1_000, 3_000],
    [-3_000, 1_000],
    [1_000, -3_000],
    [3_000, -1_000, 2_000],
    [-1_000, 2_000, 3_000],
  ])
    it(`is the nearest in time of those ${apart.map((ms) => `${ms} ms`).join(', ')} apart`, () => {
      const near = apart.map((ms) => clickAt(ms))
      assert.equal(Math.abs((clickOf(seen, near)?.atMs ?? 0) - NOW), 1_000)
    })

  it('is the first of two that are as near', () => {
    const near = [clickAt(1_000, { route: '/first' }), clickAt(-1_000, { route: '/second' })]
    assert.equal(clickOf(seen, near)?.route, '/first')
  })

  it('is the nearest of those that may be it, not of all', () => {
    const near = [clickAt(500, { name: 'of another trace', subject: 'other' }), clickAt(2_000)]
    assert.equal(clickOf(seen, near)?.atMs, NOW + 2_000)
  })

  const within = (apart: number, change: Parameters<typeof aStaleRequest>[0] = {}, by = seen) =>
    [apart - 1, apart, apart + 1].map((ms) => clickOf(by, [clickAt(ms, change)]) !== null)

  it('is of its trace within the time of a trace', () => {
    assert.deepEqual(within(TRACE_MS), [true, true, false])
  })

  it('is told again within the time of a repeat', () => {
    const again = { side: 'browser', source: 'event' } as const
    assert.deepEqual(within(REPEAT_MS, again), [true, true, false])
  })

  it('is told without a trace within the time of what goes together', () => {
    assert.deepEqual(within(TOGETHER_MS, { traceId: null }), [true, true, false])
  })

  it('is looked for as far as halves may be apart', () => {
    assert.deepEqual(nearTimes({ atMs: NOW + 0.5 }), {
      from: NOW - TOGETHER_MS,
      until: NOW + 1 + TOGETHER_MS,
    })
  })

  it('stands as the example of its series when it is as new as the one before, or newer', () => {
    const before = { ...clickAt(0), eventId: null }
    const isTaken = [-1, 0, 1].map((ms) => newerExample(before, clickAt(ms, { sdk: 'new' })).sdk === 'new')
    assert.deepEqual(isTaken, [false, true, true])
  })
})
