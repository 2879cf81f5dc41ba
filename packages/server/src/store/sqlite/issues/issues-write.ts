/**
 * Writes people's changes of issues. Each operation is one transaction, and each changed issue gets a record
 * of it.
 */

import type { IssueId, ProjectId } from '#base/ids.ts'
import { ok, type Result } from '#base/result.ts'
import {
  archive,
  assigneeBefore,
  assign as assignTo,
  CHOICE_KINDS,
  type ChosenIssue,
  choicesOf,
  type IssueChoices,
  type IssueStep,
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
import { isTold } from '#issues/issue-people.ts'
import { resolutionOf } from '#issues/resolution.ts'
import { refuseReason } from '#issues/unmerging.ts'
import type { Priority } from '#model/priority.ts'
import type { Deletions } from '#ports/deletions.ts'
import type { IssueChange } from '#ports/issue-change.ts'
import {
  type ArchivedUntil,
  type Assignee,
  type IssuesWrite,
  type ResolvedIn,
  type ResolveIn,
  UNARCHIVE_JOB,
  type UndoneChoice,
} from '#ports/issues.ts'
import type { Actor } from '#ports/scope.ts'
import { addPersonsCandidate, raiseAlertsVersion } from '../alerts/alert-rows.ts'
import type { Connection } from '../connection.ts'
import { writeState } from '../ingest/issue-store.ts'
import { scheduleJob } from '../jobs/jobs.ts'
import { tellFollowers } from '../notices/tellings.ts'
import { releasesOfProject, releaseWithCommit } from '../releases/release-rows.ts'
import { lastChange, lastChoice, writeActivity } from '../rows/activity.ts'
import { assigneeName, peopleOfAssignee, projectsOfAssignee, writeAssignee } from '../rows/assignees.ts'
import { follow } from '../rows/issue-marks.ts'
import { queueClosing } from '../rows/tracker-rows.ts'
import { choose } from './chosen-issues.ts'
import { commentsWrite } from './comments.ts'
import { joinGroups } from './group-joining.ts'
import { deleteIssues } from './issue-deletion.ts'
import { mergeIssues } from './issue-merge.ts'
import { issueMarksWrite } from './issue-people.ts'
import { issueSharesWrite } from './issue-shares.ts'
import { keptMerge, undoMerges } from './merge-undo.ts'
import { mirrorsWrite } from './mirrors-write.ts'
import { unmerge } from './unmerge.ts'

export function issuesWrite(db: Connection): IssuesWrite & Pick<Deletions, 'deleteIssues'> {
  return {
    resolve: async (change, actor, within = null) =>
      db.transaction(() => resolveEach(db, { change, within }, actor)),
    unresolve: async (change, actor) =>
      db.transaction(() => changeEach(db, change, (issue) => unresolve(issue, actor.atMs), actor)),
    undo: async (change, actor) =>
      db.transaction(() => changeEach(db, change, (issue) => takeBack(db, issue, actor), actor)),
    undoChoice: async (change, of, actor) =>
      db.transaction(() => undoChoiceOfEach(db, { change, of }, actor)),
    archive: async (change, until, actor) =>
      db.transaction(() => {
        const refused = refuseUntil(until, actor.atMs)
        if (refused !== null) return refused
        const changed = changeEach(db, change, (issue) => archive(issue, until, actor.atMs), actor)
        if (changed.ok) scheduleUnarchive(db, until)
        if (until.escalating === true) raiseAlertsVersion(db)
        return changed
      }),
    unarchiveDue: async (nowMs) => db.transaction(() => unarchiveDue(db, nowMs)),
    assign: async (change, assignee, actor) => db.transaction(() => assign(db, { change, assignee }, actor)),
    prioritise: async (change, priority, actor) =>
      db.transaction(() => prioritiseEach(db, { change, priority }, actor)),
    merge: async (change, into, actor) =>
      db.transaction(() => {
        const chosen = refuseReason(change.reason) ?? choose(db, { ...change, ids: [...change.ids, into] })
        if (!chosen.ok) return chosen
        const of = { chosen: chosen.value, into, reason: change.reason ?? null }
        const keep = keptMerge(db, of, actor)
        const merged = mergeIssues(db, of, { actor, atMs: actor.atMs })
        if (merged.ok) keep()
        return merged
      }),
    ...mirrorsWrite(db),
    ...issueSharesWrite(db),
    unmerge: async (change, actor) => db.transaction(() => unmerge(db, change, actor)),
    undoMerge: async (change, actor) => db.transaction(() => undoMerges(db, change, actor)),
    joinGroups: async (groups, atMs) => db.transaction(() => joinGroups(db, groups, atMs)),
    ...commentsWrite(db),
    ...issueMarksWrite(db),
    deleteIssues: async (change, actor) =>
      db.transaction(() => {
        const chosen = choose(db, change)
        if (!chosen.ok) return chosen
        deleteIssues(db, { change, issues: chosen.value }, actor)
        return ok(chosen.value.map(({ id }) => id))
      }),
  }
}

/** All of them, or none: one whose project does not have the release refuses the change. */
function resolveEach(
  db: Connection,
  { change, within }: { readonly change: IssueChange; readonly within: ResolveIn | null },
  actor: Actor,
): Result<readonly IssueId[]> {
  const chosen = choose(db, change)
  if (!chosen.ok) return chosen
  const resolutions = new Map<ProjectId, ResolvedIn | null>()
  for (const { projectId } of chosen.value) {
    if (resolutions.has(projectId)) continue
    const resolution = resolutionOf(within, {
      releases: () => releasesOfProject(db, projectId),
      withCommit: (commit) => releaseWithCommit(db, projectId, commit),
    })
    if (!resolution.ok) return resolution
    resolutions.set(projectId, resolution.value)
  }
  const step = (issue: ChosenIssue) =>
    resolve(issue, { atMs: actor.atMs, resolvedIn: resolutions.get(issue.projectId) ?? null })
  return changeEach(db, change, step, actor)
}

function takeBack(db: Connection, issue: ChosenIssue, { userId }: Actor): IssueStep | null {
  const step = undo(issue, lastChange(db, issue.id), userId)
  if (step !== null) scheduleUnarchive(db, { atMs: step.state.archivedUntilMs })
  return step
}

function scheduleUnarchive(db: Connection, { atMs }: Pick<ArchivedUntil, 'atMs'>): void {
  if (atMs !== null) scheduleJob(db, { kind: UNARCHIVE_JOB, key: '', dueMs: atMs, ifThere: 'sooner' })
}

/** Errata's own change: nobody did it, and no event. */
function unarchiveDue(db: Connection, nowMs: number): Awaited<ReturnType<IssuesWrite['unarchiveDue']>> {
  // issues_archived_until
  const due = db.all<{ id: IssueId }>('SELECT id FROM issues WHERE archived_until_ms <= ?', [nowMs])
  for (const { id } of due) {
    const { state, kind, detail } = unarchiveByTime(nowMs)
    writeState(db, id, state)
    writeActivity(db, id, { kind, atMs: nowMs, actor: null, detail })
  }
  // issues_archived_until
  const sql = 'SELECT min(archived_until_ms) AS nextMs FROM issues WHERE archived_until_ms IS NOT NULL'
  const next = db.get<{ nextMs: number | null }>(sql)
  return { issues: due.length, nextMs: next?.nextMs ?? null }
}

/** Changes each chosen issue by one step, with its record. Call it inside of a transaction. */
export function changeEach(
  db: Connection,
  change: IssueChange,
  step: (issue: ChosenIssue) => IssueStep | null,
  actor: Actor,
): Result<readonly IssueId[]> {
  const chosen = choose(db, change)
  if (!chosen.ok) return chosen
  const changed: IssueId[] = []
  for (const issue of chosen.value) {
    const next = step(issue)
    if (next === null) continue
    writeState(db, issue.id, next.state)
    const { kind, detail } = next
    const note = { kind, atMs: actor.atMs, actor, detail, before: stateBefore(issue) }
    const activity = writeActivity(db, issue.id, note)
    if (isTold(kind)) tellFollowers(db, issue.id, activity, actor)
    if (kind === 'resolved') {
      addPersonsCandidate(db, issue.id, { moment: 'resolved', atMs: actor.atMs })
      queueClosing(db, issue.id, actor.atMs)
    }
    changed.push(issue.id)
  }
  return ok(changed)
}

function assign(
  db: Connection,
  { change, assignee }: { readonly change: IssueChange; readonly assignee: Assignee | null },
  actor: Actor,
): Result<readonly IssueId[]> {
  const chosen = choose(db, change)
  if (!chosen.ok) return chosen
  if (assignee !== null) {
    const open = new Set(projectsOfAssignee(db, change.orgId, assignee))
    const refusal = refuseAssignee(chosen.value, open)
    if (refusal !== null) return refusal
  }
  const name = assigneeName(db, assignee)
  const changed: IssueId[] = []
  for (const issue of chosen.value) {
    const step = assignTo(issue, { assignee, name })
    if (step === null) continue
    writeAssignee(db, issue.id, assignee)
    const note = { ...step, atMs: actor.atMs, actor, choicesBefore: choicesOf(issue) }
    const activity = writeActivity(db, issue.id, note)
    for (const user of peopleOfAssignee(db, assignee)) follow(db, issue.id, { user, reason: 'assigned' })
    tellFollowers(db, issue.id, activity, actor)
    if (assignee !== null) addPersonsCandidate(db, issue.id, { moment: 'assignment', atMs: actor.atMs })
    changed.push(issue.id)
  }
  return ok(changed)
}

function prioritiseEach(
  db: Connection,
  { change, priority }: { readonly change: IssueChange; readonly priority: Priority },
  actor: Actor,
): Result<readonly IssueId[]> {
  const chosen = choose(db, change)
  if (!chosen.ok) return chosen
  const changed: IssueId[] = []
  for (const issue of chosen.value) {
    const step = prioritise(issue, priority)
    if (step === null) continue
    const sql = 'UPDATE issues SET priority = ?, priority_set_ms = ? WHERE id = ?'
    db.run(sql, [priority, Math.floor(actor.atMs), issue.id])
    writeActivity(db, issue.id, { ...step, atMs: actor.atMs, actor, choicesBefore: choicesOf(issue) })
    changed.push(issue.id)
  }
  return ok(changed)
}

/** Its own record cannot be taken back. */
function undoChoiceOfEach(
  db: Connection,
  { change, of }: { readonly change: IssueChange; readonly of: UndoneChoice },
  actor: Actor,
): Result<readonly IssueId[]> {
  const chosen = choose(db, change)
  if (!chosen.ok) return chosen
  const changed = chosen.value.filter((issue) => {
    const last = lastChoice(db, issue.id, CHOICE_KINDS[of])
    const before = undoChoice(issue, { last, of }, actor.userId)
    if (before === null) return false
    const step = of === 'assignee' ? reassign(db, { change, issue }, before) : reprioritise(db, issue, before)
    if (step === null) return false
    writeActivity(db, issue.id, { ...step, atMs: actor.atMs, actor })
    return true
  })
  return ok(changed.map(({ id }) => id))
}

type Recorded = Pick<IssueStep, 'kind' | 'detail'>

function reassign(
  db: Connection,
  { change, issue }: { readonly change: IssueChange; readonly issue: ChosenIssue },
  before: IssueChoices,
): Recorded | null {
  const assignee = assigneeBefore(before)
  const isOpen = assignee === null || projectsOfAssignee(db, change.orgId, assignee).includes(issue.projectId)
  const step = isOpen ? assignTo(issue, { assignee, name: assigneeName(db, assignee) }) : null
  if (step !== null) writeAssignee(db, issue.id, assignee)
  return step
}

function reprioritise(db: Connection, issue: ChosenIssue, before: IssueChoices): Recorded | null {
  const { priorityChosen, prioritySetMs } = before
  const sql = 'UPDATE issues SET priority = ?, priority_set_ms = ? WHERE id = ?'
  db.run(sql, [priorityChosen, prioritySetMs, issue.id])
  return prioritise(issue, priorityChosen)
}
