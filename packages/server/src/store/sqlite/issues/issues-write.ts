/** What people do to issues. Each operation is one transaction, and each changed issue gets a record of it. */

import type { IssueId, ProjectId, UserId } from '#base/ids.ts'
import { ok, type Result } from '#base/result.ts'
import {
  archive,
  assign as assignTo,
  type ChosenIssue,
  type IssueStep,
  refuseAssignee,
  refuseComment,
  refuseComments,
  refuseUntil,
  resolve,
  stateBefore,
  unarchiveByTime,
  undo,
  unresolve,
} from '#issues/issue-changes.ts'
import { resolutionOf } from '#issues/resolution.ts'
import { refuseReason } from '#issues/unmerging.ts'
import type { Deletions } from '#ports/deletions.ts'
import {
  type ArchivedUntil,
  type IssueChange,
  type IssuesWrite,
  type ResolvedIn,
  type ResolveIn,
  UNARCHIVE_JOB,
} from '#ports/issues.ts'
import type { Actor } from '#ports/scope.ts'
import type { Connection } from '../connection.ts'
import { writeState } from '../ingest/issue-store.ts'
import { scheduleJob } from '../jobs/jobs.ts'
import { releasesOfProject, releaseWithCommit } from '../releases/release-rows.ts'
import { countOf, projectsOpenTo } from '../rows/account-rows.ts'
import { lastChange, writeActivity } from '../rows/activity.ts'
import { choose } from './chosen-issues.ts'
import { joinGroups } from './group-joining.ts'
import { deleteIssues } from './issue-deletion.ts'
import { mergeIssues } from './issue-merge.ts'
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
    archive: async (change, until, actor) =>
      db.transaction(() => {
        const refused = refuseUntil(until, actor.atMs)
        if (refused !== null) return refused
        const changed = changeEach(db, change, (issue) => archive(issue, until, actor.atMs), actor)
        if (changed.ok) scheduleUnarchive(db, until)
        return changed
      }),
    unarchiveDue: async (nowMs) => db.transaction(() => unarchiveDue(db, nowMs)),
    assign: async (change, assignee, actor) => db.transaction(() => assign(db, { change, assignee }, actor)),
    merge: async (change, into, actor) =>
      db.transaction(() => {
        const chosen = refuseReason(change.reason) ?? choose(db, { ...change, ids: [...change.ids, into] })
        if (!chosen.ok) return chosen
        const of = { chosen: chosen.value, into, reason: change.reason ?? null }
        return mergeIssues(db, of, { actor, atMs: actor.atMs })
      }),
    ...mirrorsWrite(db),
    unmerge: async (change, actor) => db.transaction(() => unmerge(db, change, actor)),
    joinGroups: async (groups, atMs) => db.transaction(() => joinGroups(db, groups, atMs)),
    comment: async (change, text, actor) => db.transaction(() => comment(db, { change, text }, actor)),
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

function changeEach(
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
    writeActivity(db, issue.id, { kind, atMs: actor.atMs, actor, detail, before: stateBefore(issue) })
    changed.push(issue.id)
  }
  return ok(changed)
}

function assign(
  db: Connection,
  { change, assignee }: { readonly change: IssueChange; readonly assignee: UserId | null },
  actor: Actor,
): Result<readonly IssueId[]> {
  const chosen = choose(db, change)
  if (!chosen.ok) return chosen
  if (assignee !== null) {
    const open = new Set(projectsOpenTo(db, change.orgId, assignee))
    const refusal = refuseAssignee(chosen.value, open)
    if (refusal !== null) return refusal
  }
  const name = assignee === null ? null : nameOf(db, assignee)
  const changed: IssueId[] = []
  for (const issue of chosen.value) {
    const step = assignTo(issue, { assignee, name })
    if (step === null) continue
    db.run('UPDATE issues SET assignee_id = ? WHERE id = ?', [assignee, issue.id])
    writeActivity(db, issue.id, { ...step, atMs: actor.atMs, actor })
    changed.push(issue.id)
  }
  return ok(changed)
}

function nameOf(db: Connection, user: UserId): string | null {
  const sql = `SELECT iif(name = '', email, name) AS name FROM users WHERE id = ?`
  return db.get<{ name: string }>(sql, [user])?.name ?? null
}

function comment(
  db: Connection,
  { change, text }: { readonly change: IssueChange; readonly text: string },
  actor: Actor,
): Result<readonly IssueId[]> {
  const refusal = refuseComment(text)
  if (refusal !== null) return refusal
  const chosen = choose(db, change)
  if (!chosen.ok) return chosen
  const most = `SELECT coalesce(max(comment_count), 0) AS count FROM issues
    WHERE id IN (SELECT value FROM json_each(?))`
  const tooMany = refuseComments(countOf(db, most, [JSON.stringify(chosen.value.map(({ id }) => id))]))
  if (tooMany !== null) return tooMany
  for (const { id } of chosen.value) {
    writeActivity(db, id, { kind: 'commented', atMs: actor.atMs, actor, detail: { text } })
    db.run('UPDATE issues SET comment_count = comment_count + 1 WHERE id = ?', [id])
  }
  return ok(chosen.value.map(({ id }) => id))
}
