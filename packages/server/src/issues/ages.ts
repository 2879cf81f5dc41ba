/** Decides once a day what has reached its age. */
import { DAY_MS, HOUR_MS } from '#base/durations.ts'
import { max } from '#limits/limits.ts'

/** Ages beyond which things are removed; for those with an end, the end. */
export interface OldestKept {
  readonly outcomesMs: number
  /** Counts per minute serve the last hour. */
  readonly outcomeMinutesMs: number
  readonly quarantinedMs: number
  readonly sessionsCreatedMs: number
  readonly sessionsSeenMs: number
  /** End of invitations: for a while their link says that they have expired. */
  readonly invitationsEndMs: number
  /** End of reset links. */
  readonly codesEndMs: number
  /** Age of `FREQUENT_ENTRIES`. */
  readonly frequentEntriesMs: number
  /** Age of all other audit entries. */
  readonly auditMs: number
  readonly flagChangesMs: number
}

/** Audit entries that go sooner than others: nobody has to sign in to cause them, or a program causes them all day. */
export const FREQUENT_ENTRIES: readonly string[] = [
  'session.sign_in_failed',
  'password.reset_emailed',
  'agent.called',
]

export function oldestKept(nowMs: number): OldestKept {
  return {
    outcomesMs: nowMs - max('outcomeDaysMax') * DAY_MS,
    outcomeMinutesMs: nowMs - 2 * HOUR_MS,
    quarantinedMs: nowMs - max('quarantineDaysMax') * DAY_MS,
    sessionsCreatedMs: nowMs - max('sessionDays') * DAY_MS,
    sessionsSeenMs: nowMs - max('sessionIdleDays') * DAY_MS,
    invitationsEndMs: nowMs - max('invitationKnownDays') * DAY_MS,
    codesEndMs: nowMs,
    frequentEntriesMs: nowMs - max('outcomeDaysMax') * DAY_MS,
    auditMs: nowMs - max('auditDays') * DAY_MS,
    flagChangesMs: nowMs - max('flagChangeDays') * DAY_MS,
  }
}
