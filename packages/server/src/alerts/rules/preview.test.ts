import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { HOUR_MS } from '#base/durations.ts'
import { max } from '#limits/limits.ts'
import { DurationSketch } from '#requests/sketch.ts'
import { aMetricRule } from '#testing/builders/alert-rule.ts'
import { metricFirings, type PreviewHourSum, spreadDays, sumWindows } from './preview.ts'

const anHour = (given: Partial<PreviewHourSum> = {}): PreviewHourSum => {
  const { count = 0 } = given
  return { count, failed: 0, volume: count, sketch: null, ...given }
}
const failureRate = ({ count, failed }: { readonly count: number; readonly failed: number }) =>
  count === 0 ? null : (100 * failed) / count

describe('the preview of a metric', () => {
  it('measures the hours of a window together, not its worst', () => {
    const hours = [anHour({ count: 90 }), anHour({ count: 10, failed: 10 })]
    assert.deepEqual(
      sumWindows(hours, 120, failureRate).map(({ value }) => value),
      [0, 10],
    )
    assert.deepEqual(
      sumWindows(hours, 60, failureRate).map(({ value }) => value),
      [0, 100],
    )
  })

  it('joins durations of a window', () => {
    const took = (ms: number, count: number) => {
      const sketch = new DurationSketch()
      sketch.add(ms, count)
      return anHour({ count, sketch: sketch.toBytes() })
    }
    const [, both] = sumWindows([took(100, 90), took(1_000, 10)], 120, ({ sketch }) => sketch.quantile(0.5))
    assert.ok(Math.abs((both?.value ?? 0) - 100) < 2, String(both?.value))
  })

  it('takes a share of an hour for a shorter window, also of what the least is compared with', () => {
    const [window] = sumWindows([anHour({ count: 60 })], 5, ({ count }) => count)
    assert.deepEqual(window, { value: 5, volume: 5 })
  })

  it('spreads a day that was joined over its hours, and no hour that is kept', () => {
    const length = 24 + max('requestHoursKept') + 24
    const hours = Array.from({ length }, (_, at) => anHour({ count: at % 24 === 0 ? 48 : 0 }))
    const spread = spreadDays(hours, 24 * 20_000)
    assert.deepEqual(
      spread.slice(0, 48).map(({ count }) => count),
      Array.from({ length: 48 }, () => 2),
    )
    assert.deepEqual(spread.slice(-24), hours.slice(-24))
  })

  it('leaves a day as it is whose hours are there', () => {
    const length = 24 + max('requestHoursKept')
    const hours = Array.from({ length }, (_, at) => anHour({ count: at === 0 ? 10 : at === 5 ? 1 : 0 }))
    assert.deepEqual(spreadDays(hours, 24 * 20_000), hours)
  })

  it('concludes from as much as is asked for, keeps the worst, and ends when it is over', () => {
    const rule = aMetricRule({ warning: 5, critical: 10, atLeast: 4 })
    assert.ok(rule.kind === 'metric')
    const windows = [9, 7, 1, 1].map((value, at) => ({ value, volume: at === 0 ? 4 : 5 }))
    assert.deepEqual(metricFirings(rule.when, windows, 100), [
      { startedMs: 100 * HOUR_MS, endedMs: 102 * HOUR_MS, level: 'warning', extreme: 9, issueId: null },
    ])
  })

  it('fires where windows are beyond a threshold with enough in them', () => {
    const rule = aMetricRule({ warning: 5, critical: 10, atLeast: 4 })
    assert.ok(rule.kind === 'metric')
    const windows = [
      { value: 20, volume: 3 },
      { value: 6, volume: 6 },
      { value: 12, volume: 12 },
      { value: 1, volume: 4 },
    ]
    const firings = metricFirings(rule.when, windows, 100)
    assert.deepEqual(firings, [
      { startedMs: 101 * HOUR_MS, endedMs: 103 * HOUR_MS, level: 'critical', extreme: 12, issueId: null },
    ])
  })
})
