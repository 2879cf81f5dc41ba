/** Tests of mail and webhook: how many, and when one that nobody settled is lost. */
import { MINUTE_MS } from '#base/durations.ts'
import { type Refusal, refuse } from '#base/result.ts'
import { max } from '#limits/limits.ts'
import { claimDelivery, type DeliveryProgress } from './deliveries.ts'
import { type PastTime, pastTime } from './past-time.ts'

/** Tests of the project in this time count. */
export function minuteOfTests(nowMs: number): PastTime {
  return pastTime(nowMs, MINUTE_MS)
}

/** Tests of anybody in this time that are not settled are on the way. */
export function timeUnderWay(nowMs: number): PastTime {
  return pastTime(nowMs, max('noticeLeaseMs'))
}

/**
 * Refuses a test message when too many were sent or are under way. `ofMinute`: of the project. `underWay`: of anybody.
 */
export function refuseTest(tests: { readonly ofMinute: number; readonly underWay: number }): Refusal | null {
  if (tests.ofMinute >= max('noticeTestsPerMinute'))
    return refuseTests('Too many tests. Try again in a minute.')
  if (tests.underWay < max('noticeTestsAtOnceMax')) return null
  return refuseTests('Too many tests are on the way. Try again in a minute.')
}

function refuseTests(message: string): Refusal {
  return { ...refuse('too_many_attempts', message), retryAfterSeconds: MINUTE_MS / 1_000 }
}

/** A test goes out at once: it begins claimed. */
export function testBegun(lease: string, nowMs: number): DeliveryProgress {
  return claimDelivery(0, { lease, nowMs, leaseMs: max('noticeLeaseMs') })
}
