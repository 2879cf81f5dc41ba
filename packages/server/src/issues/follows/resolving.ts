/**
 * Consequences of resolving an issue, whoever does it: a person by page, API, chat or Slack, or the tracker that it is
 * linked to.
 */
import type { ChosenIssue, IssueChanged } from '#ports/issue-rows.ts'
import type { Actor } from '#ports/scope.ts'
import { type IssueStep, stateBefore } from '../issue-changes.ts'

export function whatFollowsResolving(issue: ChosenIssue, step: IssueStep, actor: Actor): IssueChanged {
  const { state, kind, detail } = step
  const { atMs } = actor
  return {
    id: issue.id,
    state,
    note: { kind, atMs, actor, detail, before: stateBefore(issue) },
    tells: { to: 'followers', mentions: [], by: actor },
    // Pagers that were told of it are told that it is over.
    moment: { of: 'resolved', atMs },
    closesLinksAtMs: atMs,
  }
}
