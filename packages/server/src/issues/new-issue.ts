/** State that an issue begins with, and the bound on new issues of a project in an hour. */
import type { IssueState } from '#ports/issue-rows.ts'
import type { HourCount } from './issue-sums.ts'
import { UNCONDITIONAL } from './issue-transition.ts'

/**
 * Returns the state in which an issue begins. `firstMs`: of its first event. What waits is a mirror's place until the
 * server's half comes: no issue that counts.
 */
export function newIssueState(firstMs: number, substatus: 'new' | 'waiting' = 'new'): IssueState {
  return { status: 'unresolved', substatus, ...UNCONDITIONAL, statusChangedMs: firstMs }
}

/** Counter of a project's issues. */
export interface IssueCounter {
  /** Number of the newest issue; it only counts up, so that no number names two issues. */
  readonly number: number
  /** Issues that began in the newest hour of receipt; one that comes late counts as of that. */
  readonly begun: HourCount
}

/** With one more that waits: it takes room of the hour, and no number. */
export function withWaiting(counter: IssueCounter, hour: number): IssueCounter {
  return { ...withNewIssue(counter, hour), number: counter.number }
}

/** With one more issue, whose first event was received in `hour`. */
export function withNewIssue({ number, begun }: IssueCounter, hour: number): IssueCounter {
  return {
    number: number + 1,
    begun: hour > begun.hour ? { hour, events: 1 } : { hour: begun.hour, events: begun.events + 1 },
  }
}
