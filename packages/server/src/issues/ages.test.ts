import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DAY_MS, HOUR_MS } from '#base/durations.ts'
import { max } from '#limits/limits.ts'
import { oldestKept } from './ages.ts'

describe('what goes by age', () => {
  it('is as old as its limit says; codes go when they end', () => {
    const NOW = 400 * DAY_MS
    assert.deepEqual(oldestKept(NOW), {
      outcomesMs: NOW - max('outcomeDaysMax') * DAY_MS,
      outcomeMinutesMs: NOW - 2 * HOUR_MS,
      quarantinedMs: NOW - max('quarantineDaysMax') * DAY_MS,
      sessionsCreatedMs: NOW - max('sessionDays') * DAY_MS,
      sessionsSeenMs: NOW - max('sessionIdleDays') * DAY_MS,
      codesEndMs: NOW,
      failedSignInsMs: NOW - max('outcomeDaysMax') * DAY_MS,
    })
  })
})
