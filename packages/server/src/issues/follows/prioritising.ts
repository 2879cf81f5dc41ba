/** Consequences of choosing an issue's priority: a record, and nobody is told. */
import type { Priority } from '#model/priority.ts'
import type { ChosenIssue, IssueChanged, IssueChoices } from '#ports/issue-rows.ts'
import type { Actor } from '#ports/scope.ts'
import { choicesOf, prioritise } from '../issue-changes.ts'

export function whatFollowsPrioritising(
  issue: ChosenIssue,
  priority: Priority,
  actor: Actor,
): readonly IssueChanged[] {
  const step = prioritise(issue, priority)
  if (step === null) return []
  const note = { ...step, atMs: actor.atMs, actor, choicesBefore: choicesOf(issue) }
  return [{ id: issue.id, priority: { chosen: priority, setMs: Math.floor(actor.atMs) }, note }]
}

/** Back to what was chosen before, or to the computed one; its own record cannot be taken back. */
export function whatFollowsPrioritisingBack(
  issue: ChosenIssue,
  { priorityChosen: chosen, prioritySetMs: setMs }: IssueChoices,
  actor: Actor,
): readonly IssueChanged[] {
  const step = prioritise(issue, chosen)
  if (step === null) return []
  return [{ id: issue.id, priority: { chosen, setMs }, note: { ...step, atMs: actor.atMs, actor } }]
}
