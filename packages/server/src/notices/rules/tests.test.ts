import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { max } from '#limits/limits.ts'
import { minuteOfTests, refuseTest, testBegun, timeUnderWay } from './tests.ts'

const NOW = Date.UTC(2026, 10, 16, 12)

describe('a test of mail or webhook', () => {
  it('is refused beyond those of the minute and those on the way', () => {
    const most = max('noticeTestsPerMinute')
    const atOnce = max('noticeTestsAtOnceMax')
    assert.equal(refuseTest({ ofMinute: most - 1, underWay: atOnce - 1 }), null)
    const refusal = refuseTest({ ofMinute: most, underWay: 0 })
    assert.deepEqual([refusal?.code, refusal?.retryAfterSeconds], ['too_many_attempts', 60])
    assert.match(refuseTest({ ofMinute: 0, underWay: atOnce })?.message ?? '', /on the way/)
  })

  it('is on the way until its lease ends', () => {
    const { state, tries, dueMs } = testBegun('lease', NOW)
    assert.deepEqual([state, tries, dueMs], ['sending', 1, NOW + max('noticeLeaseMs')])
    assert.equal(timeUnderWay(dueMs ?? 0).afterMs, NOW)
  })

  it('counts in its minute, and not when a clock that was set back puts it into the future', () => {
    assert.deepEqual(minuteOfTests(NOW), { afterMs: NOW - 60_000, untilMs: NOW })
  })
})
