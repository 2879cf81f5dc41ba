/** Consequences of a person's change of an issue's state, by what it is now. */
import type { ChosenIssue, IssueChanged } from '#ports/issue-rows.ts'
import type { Actor } from '#ports/scope.ts'
import type { IssueStep } from '../issue-changes.ts'
import { whatFollowsArchiving } from './archiving.ts'
import { whatFollowsReopening } from './reopening.ts'
import { whatFollowsResolving } from './resolving.ts'

/** Changes each issue by a step; those that a step leaves alone are left out. */
export function whatFollowsSteps(
  issues: readonly ChosenIssue[],
  stepOf: (issue: ChosenIssue) => IssueStep | null,
  actor: Actor,
): readonly IssueChanged[] {
  return issues.flatMap((issue) => {
    const step = stepOf(issue)
    return step === null ? [] : [whatFollows(issue, step, actor)]
  })
}

function whatFollows(issue: ChosenIssue, step: IssueStep, actor: Actor): IssueChanged {
  switch (step.state.status) {
    case 'resolved':
      return whatFollowsResolving(issue, step, actor)
    case 'archived':
      return whatFollowsArchiving(issue, step, actor)
    case 'unresolved':
      return whatFollowsReopening(issue, step, actor)
  }
}
