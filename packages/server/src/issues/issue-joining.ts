/** Issues that turn out to be one place, once source maps are there: the older one takes the younger one in. */
import type { ChosenIssue } from '#ports/issue-rows.ts'
import type { Activity, Assignee } from '#ports/issues.ts'
import type { IssueStep } from './issue-changes.ts'
import { mergedDetail } from './issue-merging.ts'
import { UNCONDITIONAL } from './issue-transition.ts'

export interface Joining {
  readonly into: ChosenIssue
  readonly from: ChosenIssue
}

/** By the order in which they began here: an event's own clock may say anything. */
export function joiningOf(one: ChosenIssue, other: ChosenIssue): Joining {
  return one.id < other.id ? { into: one, from: other } : { into: other, from: one }
}

/** The record tells it apart from what a person merged. */
export function joinedDetail(from: ChosenIssue): Activity['detail'] {
  return { ...mergedDetail([from]), by: 'source_maps' }
}

/**
 * Returns the state after joining; `null` if the older issue's stays. An issue resolved before the other was
 * last seen had regressed unnoticed: open work stays open.
 */
export function stateOnceJoined(
  { into, from }: Joining,
  { lastSeenMs, atMs }: { readonly lastSeenMs: number; readonly atMs: number },
): IssueStep | null {
  const cameBack =
    into.status === 'resolved' && from.status === 'unresolved' && lastSeenMs > into.statusChangedMs
  if (!cameBack) return null
  const statusChangedMs = Math.floor(atMs)
  const state = { status: 'unresolved', substatus: 'regressed', ...UNCONDITIONAL, statusChangedMs } as const
  return { state, kind: 'regressed', detail: {} }
}

/** Work that somebody took on stays theirs. */
export function keptAssignee({ into, from }: Joining): Assignee | null {
  const [own, taken] = [into, from].map(({ assigneeId, assigneeTeamId }) =>
    assigneeTeamId === null ? assigneeId : { team: assigneeTeamId },
  )
  return own ?? taken ?? null
}
