import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { aMetricRule } from '#testing/builders/alert-rule.ts'
import { defaultsOf, longerWindows, lowerMinimum, minimumOf, overLonger } from './minimum.ts'
import type { WindowValue } from './preview.ts'

const draft = aMetricRule({
  ...{ measure: { of: 'failure-rate', route: '/login', kind: null }, critical: 10, warning: 5, atLeast: 50 },
})
const when = draft.kind === 'metric' ? draft.when : assert.fail('a metric')
/** A route that fails at 71 %, in windows of so many requests. */
const windowsOf = (...volumes: readonly number[]): readonly WindowValue[] =>
  volumes.map((volume) => ({ value: volume === 0 ? null : 71, volume }))

describe('the minimum of a metric rule', () => {
  it('says that it is never reached, what was measured with fewer, and values that would fire', () => {
    const windows = windowsOf(0, 5.5, 4, 6, 0)
    assert.deepEqual(minimumOf(when, windows), { hours: 3, enough: 0, most: 6, worst: 71 })
    assert.deepEqual(lowerMinimum(when, windows, 0), { windowMinutes: 5, atLeast: 2, times: 1 })
    assert.equal(
      overLonger({ ...when, windowMinutes: 60 }, { windows: windowsOf(0, 44), startHour: 0 }),
      null,
    )
    assert.deepEqual(
      overLonger({ ...when, windowMinutes: 60 }, { windows: windowsOf(0, 66, 0), startHour: 0 }),
      { windowMinutes: 60, atLeast: 50, times: 1 },
    )
  })

  it('counts hours with enough, and offers nothing where there is nothing', () => {
    assert.deepEqual(minimumOf(when, windowsOf(60, 10)), { hours: 2, enough: 1, most: 60, worst: 71 })
    assert.equal(minimumOf({ ...when, atLeast: 0 }, windowsOf(60)), null)
    assert.equal(lowerMinimum(when, windowsOf(0, 0.4), 0), null)
  })

  it('is reached with as many as it asks for', () => {
    assert.deepEqual(minimumOf(when, windowsOf(49, 50, 51)), { hours: 3, enough: 2, most: 51, worst: 71 })
    assert.deepEqual(minimumOf(when, windowsOf(50)), { hours: 1, enough: 1, most: 50, worst: null })
    assert.equal(overLonger(when, { windows: windowsOf(49), startHour: 0 }), null)
    assert.equal(overLonger(when, { windows: windowsOf(50), startHour: 0 })?.atLeast, 50)
  })

  it('names the worst of what was measured with fewer, in the direction of the rule', () => {
    const few = [20, 40, 30].map((value) => ({ value, volume: 1 }))
    assert.equal(minimumOf(when, few)?.worst, 40)
    assert.equal(minimumOf({ ...when, direction: 'below' }, few)?.worst, 20)
  })

  it('is offered over longer windows alone, by the middle of what is usual, and never above the most', () => {
    assert.deepEqual(longerWindows({ ...when, windowMinutes: 720 }), [1_440])
    const offered = (...volumes: readonly number[]) => lowerMinimum(when, windowsOf(...volumes), 0)?.atLeast
    assert.deepEqual(
      [offered(1), offered(0.9), offered(4, 100), offered(100, 4), offered(40, 4, 400), offered(400, 404)],
      [1, undefined, 50, 50, 20, 200],
    )
  })

  it('begins with an hour for what is kept by the hour, and is content with 20 requests', () => {
    const sessions = { of: 'crash-free', what: 'sessions' } as const
    assert.equal(defaultsOf(sessions, () => windowsOf(100))?.windowMinutes, 60)
    const filled = (least: number) => defaultsOf(when.measure, (minutes) => windowsOf(minutes * least))
    assert.deepEqual([filled(4)?.windowMinutes, filled(3.9)?.windowMinutes], [5, 10])
  })

  it('begins with the shortest window that a route’s own traffic fills', () => {
    const busy = defaultsOf(when.measure, (minutes) => windowsOf(minutes * 40, minutes * 50, minutes * 60))
    assert.deepEqual(busy, { windowMinutes: 5, atLeast: 100 })
    const slow = defaultsOf(when.measure, (minutes) => windowsOf(minutes, minutes, 0, minutes))
    assert.deepEqual(slow, { windowMinutes: 30, atLeast: 10 })
    const rare = defaultsOf(when.measure, (minutes) => windowsOf(minutes / 500, 0))
    assert.deepEqual(rare, { windowMinutes: 1_440, atLeast: 1 })
    assert.equal(
      defaultsOf(when.measure, () => windowsOf(0, 0)),
      null,
    )
  })
})
