/** Consequences of assigning an issue: by a person, by rules of ownership, and where two issues become one. */
import type { IssueId } from '#base/ids.ts'
import type { AssigneeFacts, ChosenIssue, IssueChanged } from '#ports/issue-rows.ts'
import type { Assignee } from '#ports/issues.ts'
import type { Actor } from '#ports/scope.ts'
import { assign, choicesOf } from '../issue-changes.ts'

type Facts = Pick<AssigneeFacts, 'name' | 'people'>

/** By a person; nothing where it is theirs already. `assignee` null: nobody's. */
export function whatFollowsAssigning(
  issue: ChosenIssue,
  { assignee, name, people }: Facts & { readonly assignee: Assignee | null },
  actor: Actor,
): readonly IssueChanged[] {
  const step = assign(issue, { assignee, name })
  if (step === null) return []
  const { atMs } = actor
  return [
    {
      id: issue.id,
      assignee,
      note: { ...step, atMs, actor, choicesBefore: choicesOf(issue) },
      follows: people.map((user) => ({ user, reason: 'assigned' })),
      tells: { to: 'followers', mentions: [], by: actor },
      ...(assignee === null ? {} : { moment: { of: 'assignment', atMs } }),
    },
  ]
}

/** By a rule, or as the author of a suspect commit: those that it is given to find it in their inboxes. */
export function whatFollowsOwning(
  id: IssueId,
  { assignee, name, people, rule }: Facts & { readonly assignee: Assignee; readonly rule: string },
  nowMs: number,
): readonly IssueChanged[] {
  const step = assign({ assigneeId: null, assigneeTeamId: null }, { assignee, name })
  if (step === null) return []
  return [
    {
      id,
      assignee,
      note: { ...step, detail: { ...step.detail, rule }, atMs: Math.floor(nowMs), actor: null },
      follows: people.map((user) => ({ user, reason: 'assigned' })),
      tells: { to: 'people', people },
    },
  ]
}

/** Back to whom it was assigned before; its own record cannot be taken back. */
export function whatFollowsAssigningBack(
  issue: ChosenIssue,
  { assignee, name }: Pick<Facts, 'name'> & { readonly assignee: Assignee | null },
  actor: Actor,
): readonly IssueChanged[] {
  const step = assign(issue, { assignee, name })
  return step === null ? [] : [{ id: issue.id, assignee, note: { ...step, atMs: actor.atMs, actor } }]
}

/** Keeps the assignee of an issue that took in another: work that somebody took on stays theirs. */
export function whatFollowsKeeping(
  issue: ChosenIssue,
  { assignee, name }: Pick<Facts, 'name'> & { readonly assignee: Assignee | null },
  atMs: number,
): readonly IssueChanged[] {
  const step = assign(issue, { assignee, name })
  return step === null ? [] : [{ id: issue.id, assignee, note: { ...step, atMs, actor: null } }]
}
