/** Consequences when an issue that was resolved or archived is back, other than by events. */
import type { IssueId } from '#base/ids.ts'
import type { ChosenIssue, IssueChanged } from '#ports/issue-rows.ts'
import type { Actor } from '#ports/scope.ts'
import { type IssueStep, stateBefore, unarchiveByTime } from '../issue-changes.ts'

/** By a person, who changed their mind or says "seen". */
export function whatFollowsReopening(issue: ChosenIssue, step: IssueStep, actor: Actor): IssueChanged {
  const { state, kind, detail } = step
  return {
    id: issue.id,
    state,
    note: { kind, atMs: actor.atMs, actor, detail, before: stateBefore(issue) },
    // Whoever follows an issue is not told that somebody looks at an archived one again.
    ...(kind === 'unresolved' ? { tells: { to: 'followers', mentions: [], by: actor } } : {}),
  }
}

/** By the clock: nobody did it, and no event. */
export function whatFollowsReturningByTime(id: IssueId, nowMs: number): IssueChanged {
  const { state, kind, detail } = unarchiveByTime(nowMs)
  return { id, state, note: { kind, atMs: nowMs, actor: null, detail } }
}
