/** Decides whom issues that a batch began belong to: by the rules of their projects, and as authors of suspect commits. */
import type { IssueId, ProjectId, TeamId, UserId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import { StepBudget } from '#model/step-budget.ts'
import type { GroupDelta } from '#ports/ingest.ts'
import type { IssueChanged } from '#ports/issue-rows.ts'
import type { Assignee } from '#ports/issues.ts'
import type { OwnershipFacts, SuggestedOwner } from '#ports/ownership.ts'
import { whatFollowsOwning } from '../follows/assigning.ts'
import type { SuspectCommit } from '../suspect-commits.ts'
import type { CompiledOwnership } from './compiled.ts'
import { authorOf, factsOfNewIssue, type OwnerDirectory, suggestedOwners } from './owners.ts'

export interface BegunIssue {
  readonly issueId: IssueId
  readonly delta: GroupDelta
}

export interface Suspect {
  readonly commit: SuspectCommit | null
  /** Nobody looked, or not to the end. */
  readonly isCut: boolean
}

/** A project with rules, and its issues that began. */
export interface OwnedProject {
  readonly project: ProjectId
  readonly issues: readonly BegunIssue[]
  readonly rules: CompiledOwnership | null
  readonly isAutoAssigned: boolean
  readonly directory: OwnerDirectory
  readonly mappings: OwnershipFacts['codeMappings']
}

export interface OwnersGiven {
  readonly owners: readonly { readonly issueId: IssueId; readonly owners: readonly SuggestedOwner[] }[]
  readonly follows: readonly IssueChanged[]
  /** Projects whose rules took more steps than a batch may. */
  readonly cuts: readonly { readonly project: ProjectId; readonly issues: number }[]
}

interface PeopleThere {
  /** Suspects of issues whose projects assign to authors. */
  readonly suspects: ReadonlyMap<IssueId, Suspect>
  readonly members: ReadonlyMap<TeamId, readonly UserId[]>
}

/** Issues of one project share a budget of steps, in their order. */
export function ownersOfBegun(
  projects: readonly OwnedProject[],
  { suspects, members }: PeopleThere,
  nowMs: number,
): OwnersGiven {
  const given: OwnersGiven['owners'][number][] = []
  const follows: IssueChanged[] = []
  const cuts: OwnersGiven['cuts'][number][] = []
  for (const { project, issues, rules, isAutoAssigned, directory, mappings } of projects) {
    const within = new StepBudget(max('ownershipBatchStepsMax'))
    let cut = 0
    for (const { issueId, delta } of issues) {
      const facts = factsOfNewIssue(delta, mappings)
      const { owners, isCut } = suggestedOwners(rules, facts, { directory, within })
      given.push({ issueId, owners })
      const suspect = suspects.get(issueId) ?? null
      if (isCut || suspect?.isCut === true) cut++
      const author = authorOf(suspect?.commit ?? null, directory)
      const first = author ?? (isAutoAssigned ? owners[0] : undefined)
      if (first === undefined) continue
      const { owner: assignee, rule } = first
      const people = typeof assignee === 'object' ? (members.get(assignee.team) ?? []) : [assignee]
      follows.push(
        ...whatFollowsOwning(
          issueId,
          { assignee, rule, people, name: assigneeName(assignee, directory) },
          nowMs,
        ),
      )
    }
    if (cut > 0) cuts.push({ project, issues: cut })
  }
  return { owners: given, follows, cuts }
}

/** Returns the assignee's name as a record keeps it. */
function assigneeName(assignee: Assignee, { people, teams }: OwnerDirectory): string | null {
  if (typeof assignee === 'object') {
    const team = teams.find(({ id }) => id === assignee.team)
    return team === undefined ? null : `#${team.slug}`
  }
  const person = people.find(({ userId }) => userId === assignee)
  return person === undefined ? null : person.name || person.email
}
