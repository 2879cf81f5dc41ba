import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DAY_MS, HOUR_MS } from '#base/durations.ts'
import { max } from '#limits/limits.ts'
import { hoursOfRange, listTrendRange, trendRange } from './trend-range.ts'

const NOON = Date.UTC(2026, 10, 16, 12)

describe('the trend of a row of a list', () => {
  it('of up to a day is the 24 hours that end with the range', () => {
    assert.deepEqual(listTrendRange(NOON - HOUR_MS, NOON - 1), {
      ...{ startMs: NOON - DAY_MS, stepMs: HOUR_MS, buckets: 24 },
    })
  })

  it('of a day whose hours at both ends count whole is of those hours', () => {
    assert.deepEqual(listTrendRange(NOON - DAY_MS, NOON + 1), {
      ...{ startMs: NOON - DAY_MS, stepMs: HOUR_MS, buckets: 25 },
    })
  })

  it('of longer is whole days that end with the last hour, bounded by what is kept', () => {
    assert.deepEqual(listTrendRange(NOON - 2 * DAY_MS - 1, NOON), {
      ...{ startMs: NOON - 3 * DAY_MS, stepMs: DAY_MS, buckets: 3 },
    })
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
