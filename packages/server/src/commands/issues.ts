/** Resolving, archiving, assigning, deleting: one issue or many. Each answers the issues that it changed. */
import { MINUTE_MS } from '#base/durations.ts'
import type { IssueId, ProjectId } from '#base/ids.ts'
import { ok, type Refusal, type Result, refuse } from '#base/result.ts'
import { whatFollowsAssigning, whatFollowsAssigningBack } from '#issues/follows/assigning.ts'
import { whatFollowsPrioritising, whatFollowsPrioritisingBack } from '#issues/follows/prioritising.ts'
import { whatFollowsSteps } from '#issues/follows/steps.ts'
import {
  archive,
  assigneeBefore,
  CHOICE_KINDS,
  refuseAssignee,
  refuseUntil,
  resolve,
  undo,
  undoChoice,
  unresolve,
} from '#issues/issue-changes.ts'
import { resolutionOf } from '#issues/resolution.ts'
import type { Priority } from '#model/priority.ts'
import type { Tx } from '#ports/control.ts'
import type { ChosenIssue, IssueChanged } from '#ports/issue-rows.ts'
import type { Assignee, ResolvedIn, ResolveIn, UndoneChoice } from '#ports/issues.ts'
import type { Asking } from './asking.ts'
import { writeAudit } from './audit-entry.ts'
import { type By, preparedCommand } from './command.ts'
import {
  chosenIssues,
  type FoundIssue,
  foundIssues,
  type IssueIds,
  type IssueSelection,
  selecting,
  wakeSenders,
} from './issue-selection.ts'
import type { CommandParts } from './parts.ts'
import { readInput, SCHEMAS } from './schemas.ts'

export type { IssueSelection } from './issue-selection.ts'

/** When an archived issue comes back: with whichever is first. All `null`: never. */
export interface ArchiveRequest {
  /** So many more events. */
  readonly eventsMore: number | null
  readonly usersMore: number | null
  readonly minutes: number | null
  /** It exceeds the forecast of its own past week; with none of the others. */
  readonly escalating?: boolean
}

type Selected = { readonly selection: IssueSelection }

/** Resolves now, or in a release: all of them or none, where the project of one does not have it. */
export const resolveIssues = preparedCommand({
  permission: 'issue.write',
  input: ({ within = null, selection }: Selected & { readonly within?: ResolveIn | null }) =>
    ok({ selection, within }),
  prepare: selecting<Selected & { readonly within: ResolveIn | null }>,
  change: (tx, { ids, within }: IssueIds & { readonly within: ResolveIn | null }, by) =>
    changingChosen(tx, { ids, by }, async (chosen) => {
      const resolutions = await resolutionsOf(tx, chosen, within)
      if (!resolutions.ok) return resolutions
      const { atMs } = by.actor
      const step = (issue: ChosenIssue) =>
        resolve(issue, { atMs, resolvedIn: resolutions.value.get(issue.projectId) ?? null })
      return ok(whatFollowsSteps(chosen, step, by.actor))
    }),
  after: wakeSenders,
})

export const unresolveIssues = preparedCommand({
  permission: 'issue.write',
  input: (selection: IssueSelection) => ok({ selection }),
  prepare: selecting<Selected>,
  change: (tx, { ids }: IssueIds, by) =>
    changingChosen(tx, { ids, by }, (chosen) =>
      ok(whatFollowsSteps(chosen, (issue) => unresolve(issue, by.actor.atMs), by.actor)),
    ),
  after: wakeSenders,
})

/** Takes back what the asking person resolved or archived last; issues that have changed since are left alone. */
export const undoIssues = preparedCommand({
  permission: 'issue.write',
  input: (selection: IssueSelection) => ok({ selection }),
  prepare: selecting<Selected>,
  change: (tx, { ids }: IssueIds, by) =>
    changingChosen(tx, { ids, by }, async (chosen) => {
      const last = await tx.issues.lastChanges(chosen.map(({ id }) => id))
      const step = (issue: ChosenIssue) => undo(issue, last.get(issue.id) ?? null, by.actor.userId)
      return ok(whatFollowsSteps(chosen, step, by.actor))
    }),
  after: wakeSenders,
})

/** The same of whom they assigned, or of the priority. Whoever cannot read the project any more stays away. */
export const undoChoices = preparedCommand({
  permission: 'issue.write',
  input: (undone: Selected & { readonly of: UndoneChoice }) => ok(undone),
  prepare: selecting<Selected & { readonly of: UndoneChoice }>,
  change: (tx, { ids, of }: IssueIds & { readonly of: UndoneChoice }, by) =>
    changingChosen(tx, { ids, by }, async (chosen) => {
      const named = chosen.map(({ id }) => id)
      const last = await tx.issues.lastChoices(named, CHOICE_KINDS[of])
      const changes: IssueChanged[] = []
      for (const issue of chosen) {
        const before = undoChoice(issue, { last: last.get(issue.id) ?? null, of }, by.actor.userId)
        if (before === null) continue
        if (of === 'priority') changes.push(...whatFollowsPrioritisingBack(issue, before, by.actor))
        else changes.push(...(await assignedBack(tx, { issue, assignee: assigneeBefore(before) }, by)))
      }
      return ok(changes)
    }),
  after: wakeSenders,
})

export const archiveIssues = preparedCommand({
  permission: 'issue.write',
  input: ({ selection, until }: Selected & { readonly until: ArchiveRequest }) => {
    const checked = readInput(SCHEMAS.archive, until)
    return checked.ok ? ok({ selection, until: checked.value }) : checked
  },
  prepare: selecting<Selected & { readonly until: ArchiveRequest }>,
  change: async (tx, { ids, until }: IssueIds & { readonly until: ArchiveRequest }, by) => {
    const { atMs } = by.actor
    const { minutes, escalating = false, ...counts } = until
    const untilMs = minutes === null ? null : Math.floor(atMs) + minutes * MINUTE_MS
    const asked = { ...counts, escalating, atMs: untilMs }
    return (
      refuseUntil(asked, atMs) ??
      changingChosen(tx, { ids, by }, (chosen) =>
        ok(whatFollowsSteps(chosen, (issue) => archive(issue, asked, atMs), by.actor)),
      )
    )
  },
  after: wakeSenders,
})

type Assigning = { /** `null` unassigns. */ readonly assignee: Assignee | null }

/** Assigns to a member who can read every one of the projects, or to a team that opens them. */
export const assignIssues = preparedCommand({
  permission: 'issue.write',
  input: (asked: Selected & Assigning) => ok(asked),
  prepare: async (
    parts: Pick<CommandParts, 'issues' | 'queries' | 'accounts'>,
    asking,
    { selection, assignee }: Selected & Assigning,
  ) => {
    const found = await foundIssues(parts, asking, selection)
    if (!found.ok) return found
    const refused =
      assignee === null ? null : await refuseMember(parts, asking, { assignee, found: found.value })
    return refused ?? ok({ assignee, ids: found.value.map(({ id }) => id) })
  },
  change: (tx, { ids, assignee }: IssueIds & Assigning, by) =>
    changingChosen(tx, { ids, by }, async (chosen) => {
      const facts = await tx.issues.assignee(by.scope.orgId, assignee)
      const refused = assignee === null ? null : refuseAssignee(chosen, new Set(facts.projects))
      const given = { ...facts, assignee }
      return refused ?? ok(chosen.flatMap((issue) => whatFollowsAssigning(issue, given, by.actor)))
    }),
  after: wakeSenders,
})

/** It stays what a person chose. */
export const prioritiseIssues = preparedCommand({
  permission: 'issue.write',
  input: (asked: Selected & { readonly priority: Priority }) => ok(asked),
  prepare: selecting<Selected & { readonly priority: Priority }>,
  change: (tx, { ids, priority }: IssueIds & { readonly priority: Priority }, by) =>
    changingChosen(tx, { ids, by }, (chosen) =>
      ok(chosen.flatMap((issue) => whatFollowsPrioritising(issue, priority, by.actor))),
    ),
  after: wakeSenders,
})

/** With their events, which are hidden at once and removed by and by. */
export const deleteIssues = preparedCommand({
  permission: 'issue.delete',
  input: (selection: IssueSelection) => ok({ selection }),
  prepare: async (
    parts: Pick<CommandParts, 'issues' | 'queries' | 'deletion'>,
    asking,
    asked: Selected,
  ): Promise<Result<IssueIds>> => {
    const found = await selecting(parts, asking, asked)
    if (!found.ok || parts.deletion !== undefined) return found
    return refuse('conflict', 'Events can only be deleted while the server is running.')
  },
  change: async (tx, { ids }: IssueIds, by) => {
    const chosen = await chosenIssues(tx, by, ids)
    if (!chosen.ok) return chosen
    const { orgId, projects } = by.scope
    const there = chosen.value.map(({ id }) => id)
    await tx.issues.remove(there, { projects, atMs: by.actor.atMs })
    for (const { id, shortId } of chosen.value)
      await writeAudit(tx, orgId, by.actor, { action: 'issue.deleted', target: shortId, detail: { id } })
    return ok(there)
  },
  hides: () => 'issues',
  after: (parts) => {
    parts.deletion?.onDeleted()
    wakeSenders(parts)
  },
})

/** Chooses the issues that are there yet, decides of them, and saves what follows; answers those that changed. */
async function changingChosen(
  tx: Tx,
  { ids, by }: IssueIds & { readonly by: By },
  decide: (
    chosen: readonly ChosenIssue[],
  ) => Result<readonly IssueChanged[]> | Promise<Result<readonly IssueChanged[]>>,
): Promise<Result<readonly IssueId[]>> {
  const chosen = await chosenIssues(tx, by, ids)
  if (!chosen.ok) return chosen
  const changes = await decide(chosen.value)
  if (!changes.ok) return changes
  await tx.issues.save(changes.value)
  return ok(changes.value.map(({ id }) => id))
}

/** Returns the resolution of each project's issues; `null` for now. */
async function resolutionsOf(
  tx: Tx,
  issues: readonly ChosenIssue[],
  within: ResolveIn | null,
): Promise<Result<ReadonlyMap<ProjectId, ResolvedIn | null>>> {
  const resolutions = new Map<ProjectId, ResolvedIn | null>()
  if (within === null) return ok(resolutions)
  for (const project of new Set(issues.map(({ projectId }) => projectId))) {
    const known =
      within.how === 'commit'
        ? { releases: [], withCommit: await tx.issues.releaseWithCommit(project, within.commit) }
        : { releases: await tx.issues.releases(project), withCommit: null }
    const resolution = resolutionOf(within, known)
    if (!resolution.ok) return resolution
    resolutions.set(project, resolution.value)
  }
  return ok(resolutions)
}

async function assignedBack(
  tx: Tx,
  { issue, assignee }: { readonly issue: ChosenIssue; readonly assignee: Assignee | null },
  { scope, actor }: By,
): Promise<readonly IssueChanged[]> {
  const { name, projects } = await tx.issues.assignee(scope.orgId, assignee)
  const isOpen = assignee === null || projects.includes(issue.projectId)
  return isOpen ? whatFollowsAssigningBack(issue, { assignee, name }, actor) : []
}

/** Only somebody who can open every one of the issues can be made responsible for them. */
async function refuseMember(
  { accounts }: Pick<CommandParts, 'accounts'>,
  { scope }: Asking,
  { assignee, found }: { readonly assignee: Assignee; readonly found: readonly FoundIssue[] },
): Promise<Refusal | null> {
  // A team is one of the organisation, and opens the projects, or the change itself refuses.
  if (typeof assignee === 'object') return null
  const memberships = await accounts.memberships(assignee)
  const membership = memberships.find(({ organisation }) => organisation.id === scope.orgId)
  if (membership === undefined) {
    return refuse('invalid_input', 'Only a member can be assigned.', {
      assignedTo: ['Only a member can be assigned.'],
    })
  }
  const readable = new Set(membership.projects)
  if (found.every(({ projectId }) => readable.has(projectId))) return null
  const message = 'This member cannot read the project of the issue.'
  return refuse('invalid_input', message, { assignedTo: [message] })
}
