/** Consequences of archiving an issue. Nobody is told: it is to be quiet. */
import type { ChosenIssue, IssueChanged } from '#ports/issue-rows.ts'
import type { Actor } from '#ports/scope.ts'
import { type IssueStep, stateBefore } from '../issue-changes.ts'

export function whatFollowsArchiving(issue: ChosenIssue, step: IssueStep, actor: Actor): IssueChanged {
  const { state, kind, detail } = step
  return {
    id: issue.id,
    state,
    note: { kind, atMs: actor.atMs, actor, detail, before: stateBefore(issue) },
    returnsAtMs: state.archivedUntilMs,
    changesEscalation: state.substatus === 'archived_until_escalating',
  }
}
