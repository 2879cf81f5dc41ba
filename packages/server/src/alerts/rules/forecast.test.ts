import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { max } from '#limits/limits.ts'
import { escalationLimit, forecastSteps } from './forecast.ts'

const LEAST = max('alertEscalationEventsMin')

/** Events of each hour before `hour`. */
function hours(hour: number, length: number, count: (hour: number) => number): ReadonlyMap<number, number> {
  return new Map(Array.from({ length }, (_, index) => [hour - length + index, count(hour - length + index)]))
}

describe('the forecast of an issue', () => {
  it('needs a day of history', () => {
    const known = max('alertForecastHoursMin')
    assert.equal(
      escalationLimit(
        hours(1_000, known - 1, () => 5),
        1_000,
        1_000 - known + 1,
      ),
      null,
    )
    assert.notEqual(
      escalationLimit(
        hours(1_000, known, () => 5),
        1_000,
        1_000 - known,
      ),
      null,
    )
  })

  it('is twice of what is steady', () => {
    assert.equal(
      escalationLimit(
        hours(1_000, 168, () => 50),
        1_000,
        0,
      ),
      100,
    )
  })

  it('never goes below what is worth a word', () => {
    assert.equal(escalationLimit(new Map([[900, 1]]), 1_000, 0), LEAST)
  })

  it('knows the time of day', () => {
    const daily = (hour: number) => (hour % 24 === 9 ? 300 : 2)
    const at = (hour: number) => escalationLimit(hours(hour, 168, daily), hour, 0) ?? 0
    assert.ok(at(24 * 50 + 9) > at(24 * 50 + 20) + 150)
  })

  it('is wider after a week with bursts', () => {
    const calm =
      escalationLimit(
        hours(1_000, 168, () => 10),
        1_000,
        0,
      ) ?? 0
    const bursts =
      escalationLimit(
        hours(1_000, 168, (hour) => (hour % 30 === 0 ? 200 : 4)),
        1_000,
        0,
      ) ?? 0
    assert.ok(bursts > calm)
  })

  it('is added up by the steps of a trend', () => {
    const steady = hours(1_000, 400, () => 50)
    const hour = 3_600_000
    const range = { firstHour: 600, startMs: 990 * hour, endMs: 1_000 * hour, stepMs: 2 * hour }
    assert.deepEqual(forecastSteps(steady, range), [200, 200, 200, 200, 200])
    assert.deepEqual(forecastSteps(steady, { ...range, firstHour: 985 }), [null, null, null, null, null])
  })

  it('counts the hour a week ago, and none before it', () => {
    // Of 20 hours around this time of day one has 168: 2 × 8.4 + 3 × √167.
    assert.equal(escalationLimit(new Map([[1_000 - 168, 168]]), 1_000, 0), 56)
    assert.equal(escalationLimit(new Map([[1_000 - 168, 168]]), 1_000, 1_000 - 167), LEAST)
  })

  it('looks at the past week alone', () => {
    const old = new Map([[1_000 - 169, 1_000_000]])
    assert.equal(escalationLimit(old, 1_000, 0), LEAST)
  })
})
