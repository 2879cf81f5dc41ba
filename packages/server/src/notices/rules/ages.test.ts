import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DAY_MS, HOUR_MS } from '#base/durations.ts'
import { max } from '#limits/limits.ts'
import { heldBackHour, oldestNoticeMs } from './ages.ts'

describe('notices that go', () => {
  it('are older than the limit, and what was held back goes with them by the hour', () => {
    const nowMs = 400 * DAY_MS + HOUR_MS / 2
    const oldestMs = oldestNoticeMs(nowMs)
    assert.equal((nowMs - oldestMs) / DAY_MS, max('noticeDays'))
    assert.equal(heldBackHour(oldestMs), (400 - max('noticeDays')) * 24)
  })
})
