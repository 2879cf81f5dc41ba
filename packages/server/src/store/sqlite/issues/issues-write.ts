/** What people do to issues. Each operation is one transaction, and each changed issue gets a record of it. */

import type { IssueId, ProjectId, UserId } from '#base/ids.ts'
import { ok, type Refusal, type Result, refuse } from '#base/result.ts'
import { max } from '#limits/limits.ts'
import type { Deletions } from '#ports/deletions.ts'
import type {
  Activity,
  ActivityKind,
  ArchivedUntil,
  IssueChange,
  IssueStatus,
  IssueSubstatus,
  IssuesWrite,
} from '#ports/issues.ts'
import type { Actor } from '#ports/scope.ts'
import { projectsOpenTo } from '../accounts/account-rows.ts'
import type { Connection } from '../connection.ts'
import { writeState } from '../ingest/issue-store.ts'
import { type IssueState, NOT_ARCHIVED } from '../ingest/issue-transition.ts'
import { writeActivity } from './activity.ts'
import { deleteIssues } from './issue-deletion.ts'
import { mergeIssues } from './issue-merge.ts'
import { shortId } from './issue-rows.ts'

export interface ChosenIssue extends IssueState {
  readonly id: IssueId
  readonly projectId: ProjectId
  readonly shortId: string
  readonly title: string
  readonly assigneeId: UserId | null
  readonly userCount: number
}

export function issuesWrite(db: Connection): IssuesWrite & Pick<Deletions, 'deleteIssues'> {
  return {
    resolve: async (change, actor) =>
      db.transaction(() => changeEach(db, change, (issue) => resolve(issue, actor), actor)),
    unresolve: async (change, actor) =>
      db.transaction(() => changeEach(db, change, (issue) => unresolve(issue, actor), actor)),
    archive: async (change, until, actor) =>
      db.transaction(
        () =>
          refuseUntil(until, actor) ?? changeEach(db, change, (issue) => archive(issue, until, actor), actor),
      ),
    unarchiveDue: async (nowMs) => unarchiveDue(db, nowMs),
    assign: async (change, assignee, actor) => db.transaction(() => assign(db, { change, assignee }, actor)),
    merge: async (change, into, actor) =>
      db.transaction(() => {
        const chosen = choose(db, { ...change, ids: [...change.ids, into] })
        return chosen.ok ? mergeIssues(db, { chosen: chosen.value, into }, actor) : chosen
      }),
    comment: async (change, text, actor) => db.transaction(() => comment(db, { change, text }, actor)),
    deleteIssues: async (change, actor) =>
      db.transaction(() => {
        const chosen = choose(db, change)
        if (!chosen.ok) return chosen
        deleteIssues(db, { org: change.orgId, issues: chosen.value }, actor)
        return ok(chosen.value.map(({ id }) => id))
      }),
  }
}

interface Step {
  readonly state: IssueState
  readonly kind: ActivityKind
  readonly detail?: Activity['detail']
}

/** `null`: the issue is in that state already. */
function resolve(issue: ChosenIssue, actor: Actor): Step | null {
  if (issue.status === 'resolved') return null
  return { state: stateOf('resolved', null, actor), kind: 'resolved' }
}

/** Brings back what was resolved or archived; of what is new or regressed it says "seen": ongoing. */
function unresolve(issue: ChosenIssue, actor: Actor): Step | null {
  if (issue.status === 'unresolved' && issue.substatus === 'ongoing') return null
  const kind = issue.status === 'archived' ? 'unarchived' : 'unresolved'
  return { state: stateOf('unresolved', 'ongoing', actor), kind }
}

function refuseUntil({ eventsMore, usersMore, atMs }: ArchivedUntil, actor: Actor): Refusal | null {
  const isCount = (value: number | null) => value === null || (Number.isSafeInteger(value) && value >= 1)
  const rule = 'It must be a whole number from 1.'
  const fields = {
    ...(isCount(eventsMore) ? {} : { eventsMore: [rule] }),
    ...(isCount(usersMore) ? {} : { usersMore: [rule] }),
    ...(atMs === null || (Number.isSafeInteger(atMs) && atMs > actor.atMs)
      ? {}
      : { atMs: ['It must be a time to come.'] }),
  }
  if (Object.keys(fields).length === 0) return null
  return refuse(
    'invalid_input',
    'An issue is archived until at least one more event, user or minute.',
    fields,
  )
}

function archive(issue: ChosenIssue, until: ArchivedUntil, actor: Actor): Step | null {
  const { eventsMore, usersMore, atMs } = until
  const isForEver = eventsMore === null && usersMore === null && atMs === null
  if (isForEver && issue.substatus === 'archived_forever') return null
  const state = {
    ...stateOf('archived', isForEver ? 'archived_forever' : 'archived_until', actor),
    archivedEventsLeft: eventsMore,
    archivedUsersAt: usersMore === null ? null : issue.userCount + usersMore,
    archivedUntilMs: atMs,
  }
  const detail = {
    eventsMore,
    ...(usersMore === null ? {} : { usersMore }),
    ...(atMs === null ? {} : { untilMs: atMs }),
  }
  return { state, kind: 'archived', detail }
}

/** Errata's own change: nobody did it, and no event. */
function unarchiveDue(db: Connection, nowMs: number): number {
  // issues_archived_until
  const sql = 'SELECT id FROM issues WHERE archived_until_ms <= ?'
  if (db.get(sql, [nowMs]) === undefined) return 0
  return db.transaction(() => {
    const due = db.all<{ id: IssueId }>(sql, [nowMs])
    for (const { id } of due) {
      writeState(db, id, stateOf('unresolved', 'ongoing', { atMs: nowMs }))
      writeActivity(db, id, { kind: 'unarchived', atMs: nowMs, actor: null, detail: {} })
    }
    return due.length
  })
}

function stateOf(status: IssueStatus, substatus: IssueSubstatus, { atMs }: Pick<Actor, 'atMs'>): IssueState {
  return { status, substatus, ...NOT_ARCHIVED, statusChangedMs: Math.floor(atMs) }
}

function changeEach(
  db: Connection,
  change: IssueChange,
  step: (issue: ChosenIssue) => Step | null,
  actor: Actor,
): Result<readonly IssueId[]> {
  const chosen = choose(db, change)
  if (!chosen.ok) return chosen
  const changed: IssueId[] = []
  for (const issue of chosen.value) {
    const next = step(issue)
    if (next === null) continue
    writeState(db, issue.id, next.state)
    writeActivity(db, issue.id, { kind: next.kind, atMs: actor.atMs, actor, detail: next.detail ?? {} })
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
    if (chosen.value.some(({ projectId }) => !open.has(projectId))) {
      return refuse('invalid_input', 'Whom an issue is assigned to must be able to read its project.', {
        assignee: ['They must be a member who can read the project.'],
      })
    }
  }
  const name = assignee === null ? null : nameOf(db, assignee)
  const changed = chosen.value.filter(({ assigneeId }) => assigneeId !== assignee)
  for (const { id } of changed) {
    db.run('UPDATE issues SET assignee_id = ? WHERE id = ?', [assignee, id])
    const kind = assignee === null ? 'unassigned' : 'assigned'
    writeActivity(db, id, { kind, atMs: actor.atMs, actor, detail: { assignee, name } })
  }
  return ok(changed.map(({ id }) => id))
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
  const most = max('commentCharsMax')
  if (text.trim() === '' || text.length > most) {
    return refuse('invalid_input', 'The comment cannot be kept.', {
      text: [`It must have 1 to ${most} characters.`],
    })
  }
  const chosen = choose(db, change)
  if (!chosen.ok) return chosen
  for (const { id } of chosen.value) {
    writeActivity(db, id, { kind: 'commented', atMs: actor.atMs, actor, detail: { text } })
    db.run('UPDATE issues SET comment_count = comment_count + 1 WHERE id = ?', [id])
  }
  return ok(chosen.value.map(({ id }) => id))
}

/** The named issues that lie in the organisation and its readable projects; others are left alone. */
function choose(db: Connection, { orgId, projects, ids }: IssueChange): Result<readonly ChosenIssue[]> {
  // One more than the bound: merging names the target besides.
  if (ids.length > max('issuesPerChangeMax') + 1) {
    return refuse('invalid_input', `One change names at most ${max('issuesPerChangeMax')} issues.`, {
      ids: [`At most ${max('issuesPerChangeMax')}.`],
    })
  }
  const sql = `SELECT i.id, i.project_id AS projectId, p.slug, i.number, i.title, i.status, i.substatus,
      i.archived_events_left AS archivedEventsLeft, i.archived_users_at AS archivedUsersAt,
      i.archived_until_ms AS archivedUntilMs, i.status_changed_ms AS statusChangedMs,
      i.assignee_id AS assigneeId, i.user_count AS userCount
    FROM issues i JOIN projects p ON p.id = i.project_id
    WHERE i.id IN (SELECT value FROM json_each(:ids)) AND p.org_id = :org
      AND i.project_id IN (SELECT value FROM json_each(:projects))
    ORDER BY i.id`
  const params = { ids: JSON.stringify(ids), org: orgId, projects: JSON.stringify(projects) }
  type Row = Omit<ChosenIssue, 'shortId'> & { readonly slug: string; readonly number: number }
  return ok(
    db.all<Row>(sql, params).map(({ slug, number, ...row }) => ({ ...row, shortId: shortId(slug, number) })),
  )
}
