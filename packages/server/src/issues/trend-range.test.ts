import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DAY_MS, HOUR_MS } from '#base/durations.ts'
import { max } from '#limits/limits.ts'
import { hoursOfRange, listTrendRange, trendRange } from './trend-range.ts'

const NOON = Date.UTC(2026, 10, 16, 12)

describe('the trend of a row of a list', () => {
  it('of up to a day is of its hours, those at both ends whole', () => {
    const hour = { startMs: NOON - HOUR_MS, fromMs: NOON - HOUR_MS, stepMs: HOUR_MS }
    assert.deepEqual(listTrendRange(NOON - HOUR_MS, NOON - 1), { ...hour, buckets: 1 })
    assert.deepEqual(listTrendRange(NOON - HOUR_MS, NOON + 1), { ...hour, buckets: 2 })
    assert.equal(listTrendRange(NOON, NOON).buckets, 1)
    const day = { startMs: NOON - DAY_MS, fromMs: NOON - DAY_MS, stepMs: HOUR_MS }
    assert.deepEqual(listTrendRange(NOON - DAY_MS, NOON + 1), { ...day, buckets: 25 })
    assert.equal(listTrendRange(NOON - DAY_MS - 1, NOON + 1).stepMs, HOUR_MS)
    assert.equal(listTrendRange(NOON - DAY_MS - 1, NOON + HOUR_MS + 1).stepMs, DAY_MS)
  })

  it('of longer is days that end with the last hour, the first of which holds the hours that are left', () => {
    const days = { stepMs: DAY_MS, buckets: 3 }
    const exact = { startMs: NOON - 3 * DAY_MS, fromMs: NOON - 3 * DAY_MS, ...days }
    assert.deepEqual(listTrendRange(NOON - 3 * DAY_MS, NOON), exact)
    // An hour or two more are of the first bar.
    const fuller = { startMs: NOON + HOUR_MS - 3 * DAY_MS, fromMs: NOON - HOUR_MS - 3 * DAY_MS, ...days }
    assert.deepEqual(listTrendRange(NOON - 3 * DAY_MS - 1, NOON + 1), fuller)
    // Fewer are a bar of their own.
    const part = { startMs: NOON - 3 * DAY_MS, fromMs: NOON - 2 * DAY_MS - 3 * HOUR_MS, ...days }
    assert.deepEqual(listTrendRange(NOON - 2 * DAY_MS - 3 * HOUR_MS, NOON), part)
    assert.equal(listTrendRange(0, NOON).buckets, max('hourBucketsDaysMax'))
  })
})

describe('the trend of an issue', () => {
  it('begins with the hour that holds the start and steps by whole hours', () => {
    const range = trendRange({ startMs: NOON + 5, endMs: NOON + 4 * HOUR_MS, stepMs: 1.6 * HOUR_MS })
    assert.deepEqual(range, { startMs: NOON, stepMs: 2 * HOUR_MS, buckets: 2 })
    assert.equal(trendRange({ startMs: NOON, endMs: NOON, stepMs: 1 }).buckets, 1)
  })

  it('has at most as many points as are allowed', () => {
    const { buckets, stepMs } = trendRange({ startMs: 0, endMs: NOON, stepMs: HOUR_MS })
    assert.ok(buckets <= max('trendBucketsMax') && stepMs > HOUR_MS)
  })
})

describe('a range of time', () => {
  it('counts the hours at both ends whole', () => {
    const hour = NOON / HOUR_MS
    assert.deepEqual(hoursOfRange({ startMs: NOON + 1, endMs: NOON + HOUR_MS + 1 }), {
      ...{ startHour: hour, endHour: hour + 2 },
    })
  })
})
