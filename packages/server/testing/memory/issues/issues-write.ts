/** What people do to issues. Each operation is one transaction, and each changed issue gets a record of it. */

import type { IssueId, ProjectId } from '#base/ids.ts'
import { ok, type Result } from '#base/result.ts'
import {
  archive,
  assign,
  assigneeBefore,
  CHOICE_KINDS,
  type ChosenIssue,
  choicesOf,
  type IssueChoices,
  type IssueStep,
  isUnarchiveDue,
  prioritise,
  refuseAssignee,
  refuseUntil,
  resolve,
  stateBefore,
  unarchiveByTime,
  undo,
  undoChoice,
  unresolve,
} from '#issues/issue-changes.ts'
import { mergedDetail, mergingOf, refuseGroups } from '#issues/issue-merging.ts'
import { isTold } from '#issues/issue-people.ts'
import type { IssueState } from '#issues/issue-transition.ts'
import { resolutionOf } from '#issues/resolution.ts'
import { refuseReason } from '#issues/unmerging.ts'
import type { Priority } from '#model/priority.ts'
import type { Deletions } from '#ports/deletions.ts'
import type { IssueChange } from '#ports/issue-change.ts'
import {
  type Assignee,
  type IssuesWrite,
  type ResolvedIn,
  type ResolveIn,
  UNARCHIVE_JOB,
  type UndoneChoice,
} from '#ports/issues.ts'
import type { Actor } from '#ports/scope.ts'
import type { ActivityRow } from '../issue-tables.ts'
import { scheduleJob } from '../jobs/jobs.ts'
import { tellFollowers } from '../notices/tellings.ts'
import { byId } from '../order.ts'
import { releasedAt, releasesOfProject, releaseWithCommit } from '../releases/release-rows.ts'
import { appliedSeq } from '../rows/applied-seq.ts'
import { assigneeName, peopleOfAssignee, projectsOfAssignee, writeAssignee } from '../rows/assignees.ts'
import { writeAudit } from '../rows/audit.ts'
import { deleteIssueRows, writeActivity } from '../rows/issue-rows.ts'
import { groupsOf } from '../rows/issue-view.ts'
import { follow } from '../rows/marks.ts'
import { takeSuggestion } from '../rows/suggestions.ts'
import { queueClosing } from '../rows/tracker-rows.ts'
import type { GroupRow, Tables } from '../tables.ts'
import { choose } from './chosen-issues.ts'
import { joinGroups } from './group-joining.ts'
import { groupingWrite } from './grouping.ts'
import { issuePeopleWrite } from './issue-people.ts'
import { issueSharesWrite } from './issue-shares.ts'
import { keptMerge } from './merge-undo.ts'
import { absorb } from './merging.ts'
import { releaseMirror } from './mirror-folding.ts'
import { mirrorsWrite } from './mirrors-write.ts'

export function issuesWrite(to: Tables): IssuesWrite & Pick<Deletions, 'deleteIssues'> {
  return {
    resolve: async (change, actor, within = null) => resolveEach(to, { change, within }, actor),
    unresolve: async (change, actor) =>
      changeEach(to, change, { actor, step: (issue) => unresolve(issue, actor.atMs) }),
    undo: async (change, actor) =>
      changeEach(to, change, { actor, step: (issue) => takeBack(to, issue, actor) }),
    undoChoice: async (change, of, actor) =>
      to.transaction(() => undoChoiceOfEach(to, { change, of }, actor)),
    archive: async (change, until, actor) =>
      refuseUntil(until, actor.atMs) ??
      changeEach(to, change, {
        actor,
        step: (issue) => archive(issue, until, actor.atMs),
        whenDone: () => scheduleUnarchive(to, until.atMs),
      }),
    unarchiveDue: async (nowMs) => to.transaction(() => unarchiveDue(to, nowMs)),
    assign: async (change, assignee, actor) =>
      to.transaction(() => assignEach(to, { change, assignee }, actor)),
    prioritise: async (change, priority, actor) =>
      to.transaction(() => prioritiseEach(to, { change, priority }, actor)),
    merge: async (change, into, actor) =>
      to.transaction(() => {
        const chosen = refuseReason(change.reason) ?? choose(to, { ...change, ids: [...change.ids, into] })
        if (!chosen.ok) return chosen
        const of = { chosen: chosen.value, into, reason: change.reason ?? null }
        const keep = keptMerge(to, of, actor)
        const merged = mergeIssues(to, of, actor)
        if (merged.ok) keep()
        return merged
      }),
    ...mirrorsWrite(to),
    ...issueSharesWrite(to),
    ...groupingWrite(to),
    joinGroups: async (groups, atMs) => to.transaction(() => joinGroups(to, groups, atMs)),
    ...issuePeopleWrite(to),
    deleteIssues: async (change, actor) =>
      to.transaction(() => {
        const chosen = choose(to, change)
        if (!chosen.ok) return chosen
        for (const issue of chosen.value) deleteIssue(to, { change, issue }, actor)
        return idsOf(chosen.value)
      }),
  }
}

function resolveEach(
  to: Tables,
  { change, within }: { readonly change: IssueChange; readonly within: ResolveIn | null },
  actor: Actor,
): Result<readonly IssueId[]> {
  const chosen = choose(to, change)
  if (!chosen.ok) return chosen
  const resolutions = new Map<ProjectId, ResolvedIn | null>()
  for (const { projectId } of chosen.value) {
    const resolution = resolutionOf(within, {
      releases: () => releasesOfProject(to, projectId).map(releasedAt),
      withCommit: (commit) => releaseWithCommit(to, projectId, commit),
    })
    if (!resolution.ok) return resolution
    resolutions.set(projectId, resolution.value)
  }
  const step = (issue: ChosenIssue) =>
    resolve(issue, { atMs: actor.atMs, resolvedIn: resolutions.get(issue.projectId) ?? null })
  return changeEach(to, change, { actor, step })
}

function takeBack(to: Tables, issue: ChosenIssue, { userId }: Actor): IssueStep | null {
  const changes = to.activities.where(({ issueId }) => issueId === issue.id).sort(byId)
  const last = changes.findLast(({ before }) => before !== null)
  if (last === undefined || last.before === null) return null
  const step = undo(issue, { ...last, before: last.before }, userId)
  if (step !== null) scheduleUnarchive(to, step.state.archivedUntilMs)
  return step
}

function scheduleUnarchive(to: Tables, dueMs: number | null): void {
  if (dueMs !== null) scheduleJob(to, { kind: UNARCHIVE_JOB, key: '', dueMs, ifThere: 'sooner' })
}

function idsOf(issues: readonly ChosenIssue[]): Result<readonly IssueId[]> {
  return ok(issues.map(({ id }) => id))
}

function changeEach(
  to: Tables,
  change: IssueChange,
  {
    actor,
    step,
    whenDone,
  }: {
    readonly actor: Actor
    readonly step: (issue: ChosenIssue) => IssueStep | null
    /** Within the same transaction. */
    readonly whenDone?: () => void
  },
): Result<readonly IssueId[]> {
  return to.transaction(() => {
    const chosen = choose(to, change)
    if (!chosen.ok) return chosen
    const changed = chosen.value.filter((issue) => {
      const next = step(issue)
      if (next !== null)
        takeStep(to, issue.id, { ...next, atMs: actor.atMs, actor, before: stateBefore(issue) })
      return next !== null
    })
    whenDone?.()
    return idsOf(changed)
  })
}

function takeStep(
  to: Tables,
  id: IssueId,
  {
    state,
    ...note
  }: IssueStep & { readonly atMs: number; readonly actor: Actor | null; readonly before?: IssueState },
): void {
  to.issues.change(id, state)
  const activity = writeActivity(to, id, note)
  if (note.actor !== null && isTold(note.kind)) tellFollowers(to, id, activity, note.actor)
  if (note.kind === 'resolved') queueClosing(to, id, note.atMs)
}

function unarchiveDue(to: Tables, nowMs: number): Awaited<ReturnType<IssuesWrite['unarchiveDue']>> {
  const due = to.issues.where((issue) => isUnarchiveDue(issue, nowMs)).sort(byId)
  for (const { id } of due) takeStep(to, id, { ...unarchiveByTime(nowMs), atMs: nowMs, actor: null })
  const waiting = to.issues.all().map(({ archivedUntilMs }) => archivedUntilMs)
  const times = waiting.filter((atMs) => atMs !== null)
  return { issues: due.length, nextMs: times.length === 0 ? null : Math.min(...times) }
}

function assignEach(
  to: Tables,
  { change, assignee }: { readonly change: IssueChange; readonly assignee: Assignee | null },
  actor: Actor,
): Result<readonly IssueId[]> {
  const chosen = choose(to, change)
  if (!chosen.ok) return chosen
  const open = new Set(assignee === null ? [] : projectsOfAssignee(to, change.orgId, assignee))
  const refused = assignee === null ? null : refuseAssignee(chosen.value, open)
  if (refused !== null) return refused
  const name = assigneeName(to, assignee)
  const changed = chosen.value.filter((issue) => {
    const note = assign(issue, { assignee, name })
    if (note === null) return false
    writeAssignee(to, issue.id, assignee)
    const activity = writeActivity(to, issue.id, {
      ...{ ...note, atMs: actor.atMs, actor },
      choicesBefore: choicesOf(issue),
    })
    for (const user of peopleOfAssignee(to, assignee)) follow(to, issue.id, { user, reason: 'assigned' })
    tellFollowers(to, issue.id, activity, actor)
    return true
  })
  return idsOf(changed)
}

function prioritiseEach(
  to: Tables,
  { change, priority }: { readonly change: IssueChange; readonly priority: Priority },
  actor: Actor,
): Result<readonly IssueId[]> {
  const chosen = choose(to, change)
  if (!chosen.ok) return chosen
  const changed = chosen.value.filter((issue) => {
    const note = prioritise(issue, priority)
    if (note === null) return false
    to.issues.change(issue.id, { priorityChosen: priority, prioritySetMs: Math.floor(actor.atMs) })
    writeActivity(to, issue.id, { ...note, atMs: actor.atMs, actor, choicesBefore: choicesOf(issue) })
    return true
  })
  return idsOf(changed)
}

/** Its own record cannot be taken back. */
function undoChoiceOfEach(
  to: Tables,
  { change, of }: { readonly change: IssueChange; readonly of: UndoneChoice },
  actor: Actor,
): Result<readonly IssueId[]> {
  const chosen = choose(to, change)
  if (!chosen.ok) return chosen
  const changed = chosen.value.filter((issue) => {
    const isOfKind = (one: ActivityRow) => one.issueId === issue.id && CHOICE_KINDS[of].includes(one.kind)
    const last = to.activities.where(isOfKind).sort(byId).at(-1)
    const before = undoChoice(
      issue,
      { last: last === undefined ? null : { ...last, before: last.choicesBefore }, of },
      actor.userId,
    )
    const step = before === null ? null : choiceTakenBack(to, { change, issue, before, of })
    if (step !== null) writeActivity(to, issue.id, { ...step, atMs: actor.atMs, actor })
    return step !== null
  })
  return idsOf(changed)
}

function choiceTakenBack(
  to: Tables,
  taken: {
    readonly change: IssueChange
    readonly issue: ChosenIssue
    readonly before: IssueChoices
    readonly of: UndoneChoice
  },
): Pick<IssueStep, 'kind' | 'detail'> | null {
  const { change, issue, before, of } = taken
  const { priorityChosen, prioritySetMs } = before
  if (of === 'priority') {
    to.issues.change(issue.id, { priorityChosen, prioritySetMs })
    return prioritise(issue, priorityChosen)
  }
  const assignee = assigneeBefore(before)
  if (assignee !== null && !projectsOfAssignee(to, change.orgId, assignee).includes(issue.projectId))
    return null
  const step = assign(issue, { assignee, name: assigneeName(to, assignee) })
  if (step !== null) writeAssignee(to, issue.id, assignee)
  return step
}

/** Groups change hands, and every number follows them by itself. */
function mergeIssues(
  to: Tables,
  of: { readonly chosen: readonly ChosenIssue[]; readonly into: IssueId; readonly reason: string | null },
  actor: Actor,
): Result<IssueId> {
  const { chosen, into, reason } = of
  const merging = mergingOf(chosen, into)
  if (!merging.ok) return merging
  const { merged } = merging.value
  if (merged.length === 0) return ok(into)
  const refused = refuseGroups(chosen.flatMap(({ id }) => groupsOf(to, id)).length)
  if (refused !== null) return refused
  for (const { id } of merged) absorb(to, { from: id, into })
  writeActivity(to, into, { kind: 'merged', atMs: actor.atMs, actor, detail: mergedDetail(merged, reason) })
  return ok(into)
}

/** An event that comes later begins a fresh issue: the tombstones reach up to what is applied. */
function deleteIssue(
  to: Tables,
  { change, issue }: { readonly change: IssueChange; readonly issue: ChosenIssue },
  actor: Actor,
): void {
  for (const { id, projectId, foldedInto } of groupsOf(to, issue.id))
    if (foldedInto !== null && !change.projects.includes(projectId)) releaseMirror(to, id, actor.atMs)
  for (const group of groupsOf(to, issue.id)) {
    bury(to, group, actor.atMs)
    takeFromSuggestions(to, group)
  }
  deleteIssueRows(to, issue.id)
  const detail = { id: issue.id }
  writeAudit(to, change.orgId, actor, { action: 'issue.deleted', target: issue.shortId, detail })
}

/** A group that was deleted before has one tombstone, which moves. */
function bury(to: Tables, { projectId, hash }: GroupRow, atMs: number): void {
  to.tombstones.deleteWhere((other) => other.projectId === projectId && other.hash === hash)
  const id = to.tombstones.nextId()
  const upToSeq = appliedSeq(to)
  to.tombstones.put(id, { id, projectId, hash, upToSeq, createdMs: Math.floor(atMs) })
}

/** What only deleted issues said must not be suggested any more. */
function takeFromSuggestions(to: Tables, { projectId, tags }: GroupRow): void {
  for (const [key, { values }] of tags.keys) {
    for (const [value, { count }] of values) takeSuggestion(to, { projectId, key, value, count })
  }
}
