import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { aMetricRule } from '#testing/builders/alert-rule.ts'
import { defaultsOf, lowerMinimum, minimumOf, overLonger } from './minimum.ts'
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
