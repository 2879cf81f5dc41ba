/**
 * Queues notices within the commit's own transaction. Bounded whatever a batch brings: at most `noticesPerHourMax`
 * rows a project and hour, what is beyond them becomes numbers of one summary.
 */
import type { IssueId, ProjectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { HeldBack, NoticeKind } from '#ports/notices.ts'
import type { Connection } from '../connection.ts'
import { quietEcho } from './notice-echoes.ts'
import { noticeSettings } from './notice-rows.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

export interface NewIssue {
  readonly issueId: IssueId
  readonly projectId: ProjectId
  /** Every event of it is the browser's echo of a server failure. */
  readonly isMirror: boolean
}

export interface IssueChanges {
  readonly newIssues: readonly NewIssue[]
  /** Regressed, or back from the archive. */
  readonly returnedIssues: readonly IssueId[]
}

interface Change extends NewIssue {
  readonly kind: Extract<NoticeKind, 'new' | 'regressed' | 'unarchived'>
}

/** Called once a batch, after the issues are written. */
export function queueNotices(db: Connection, nowMs: number, changes: IssueChanges): void {
  const byProject = new Map<ProjectId, Change[]>()
  const add = (change: Change) => {
    const list = byProject.get(change.projectId)
    if (list === undefined) byProject.set(change.projectId, [change])
    else list.push(change)
  }
  for (const issue of changes.newIssues) add({ ...issue, kind: 'new' })
  for (const issue of returned(db, changes.returnedIssues)) add(issue)
  for (const [project, list] of byProject) queueOfProject(db, { project, nowMs }, list)
}

interface Place {
  readonly project: ProjectId
  readonly nowMs: number
}

function queueOfProject(db: Connection, place: Place, changes: readonly Change[]): void {
  const { mail, webhook, quietHours } = noticeSettings(db, place.project)
  if (!mail && webhook === null) return
  const loud = changes.filter(
    ({ kind, issueId }) => kind === 'new' || !holdBack(db, { ...place, issueId, quietHours }),
  )
  const echoes = loud.filter(({ isMirror }) => isMirror)
  const others = loud.filter(({ isMirror }) => !isMirror)
  const beyond = insertWithin(db, place, others)
  const echoesBeyond = insertWithin(db, place, echoes)
  const alone = echoesAlone(db, place, echoesBeyond)
  if (beyond.length + alone.length > 0) addToSummary(db, place, [...beyond, ...alone])
  count(db, place, { reason: 'mirror', count: echoesBeyond.length - alone.length })
  count(db, place, { reason: 'quiet', count: changes.length - loud.length })
}

/** Those that would be told of themselves, as far as is known now: a summary waits for no exception. */
function echoesAlone(db: Connection, { project }: Place, echoes: readonly Change[]): readonly Change[] {
  return echoes.filter(({ issueId }) => quietEcho(db, { issue: issueId, project }) === null)
}

/** Inserts as many as the hour has room for, echoes counted apart. Answers the rest. */
function insertWithin(db: Connection, place: Place, changes: readonly Change[]): readonly Change[] {
  const [first] = changes
  if (first === undefined) return []
  const room = Math.max(0, max('noticesPerHourMax') - queuedLastHour(db, place, first.isMirror))
  const dueMs = first.isMirror ? place.nowMs + max('noticeMirrorWaitMs') : place.nowMs
  const sql = `INSERT INTO notices (project_id, kind, issue_id, issue_number, is_mirror, at_ms, due_ms)
    SELECT :project, :kind, :issue, number, :mirror, :now, :due FROM issues WHERE id = :issue`
  for (const { kind, issueId, isMirror } of changes.slice(0, room)) {
    const { project, nowMs } = place
    db.run(sql, { project, kind, issue: issueId, mirror: isMirror ? 1 : 0, now: nowMs, due: dueMs })
  }
  return changes.slice(room)
}

function queuedLastHour(db: Connection, { project, nowMs }: Place, isMirror: boolean): number {
  // notices_by_project; a clock that was set back leaves notices of the future, which take no room.
  const sql = `SELECT count(*) AS count FROM notices WHERE project_id = ? AND at_ms > ? AND at_ms <= ?
    AND kind IN ('new', 'regressed', 'unarchived') AND is_mirror = ?`
  return db.get<{ count: number }>(sql, [project, nowMs - HOUR_MS, nowMs, isMirror ? 1 : 0])?.count ?? 0
}

/** One summary an hour, a few minutes after what it begins with. */
function addToSummary(db: Connection, place: Place, beyond: readonly Change[]): void {
  const { project, nowMs } = place
  const echoes = beyond.filter(({ isMirror }) => isMirror).length
  const fresh = beyond.filter(({ kind, isMirror }) => kind === 'new' && !isMirror).length
  const params = { fresh, back: beyond.length - fresh - echoes, echoes }
  // notices_by_project
  const newest = db.get<{ id: number; atMs: number; dueMs: number | null }>(
    `SELECT id, at_ms AS atMs, due_ms AS dueMs FROM notices
     WHERE project_id = ? AND at_ms > ? AND at_ms <= ? AND kind = 'summary' ORDER BY at_ms DESC LIMIT 1`,
    [project, nowMs - 2 * HOUR_MS, nowMs],
  )
  if (newest !== undefined && newest.dueMs !== null) {
    const sql = `UPDATE notices SET new_issues = new_issues + :fresh, returned_issues = returned_issues + :back,
      echo_issues = echo_issues + :echoes WHERE id = :id`
    db.run(sql, { ...params, id: newest.id })
  } else {
    const soonMs = nowMs + max('noticeSummaryWaitMs')
    const dueMs = newest === undefined ? soonMs : Math.max(soonMs, newest.atMs + HOUR_MS)
    const sql = `INSERT INTO notices (project_id, kind, is_mirror, at_ms, due_ms, new_issues, returned_issues,
        echo_issues)
      VALUES (:project, 'summary', 0, :now, :due, :fresh, :back, :echoes)`
    db.run(sql, { ...params, project, now: nowMs, due: dueMs })
  }
  count(db, place, { reason: 'summarised', count: beyond.length })
}

/** True, and noted on the notice that was told, when the issue is within its quiet hours. */
function holdBack(
  db: Connection,
  at: Place & { readonly issueId: IssueId; readonly quietHours: number },
): boolean {
  const { issueId, nowMs, quietHours } = at
  if (quietHours === 0) return false
  // notices_by_issue
  const sql = `UPDATE notices SET held_back = held_back + 1 WHERE id = (
    SELECT id FROM notices WHERE issue_id = ? AND at_ms > ? AND at_ms <= ? AND dropped IS NULL
    ORDER BY at_ms DESC, id DESC LIMIT 1)`
  return db.run(sql, [issueId, nowMs - quietHours * HOUR_MS, nowMs]).changes > 0
}

export function count(
  db: Connection,
  { project, nowMs }: Place,
  held: { readonly reason: keyof HeldBack; readonly count: number },
): void {
  if (held.count === 0) return
  const sql = `INSERT INTO notices_held_back (project_id, hour, reason, count) VALUES (?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET count = count + excluded.count`
  db.run(sql, [project, Math.floor(nowMs / HOUR_MS), held.reason, held.count])
}

function returned(db: Connection, ids: readonly IssueId[]): readonly Change[] {
  if (ids.length === 0) return []
  const sql = `SELECT id AS issueId, project_id AS projectId, mirror_count >= event_count AS isMirror,
      substatus = 'regressed' AS isRegressed
    FROM issues WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id`
  type Row = { issueId: IssueId; projectId: ProjectId; isMirror: number; isRegressed: number }
  return db.all<Row>(sql, [JSON.stringify(ids)]).map(({ isRegressed, isMirror, ...issue }) => ({
    ...issue,
    isMirror: isMirror === 1,
    kind: isRegressed === 1 ? 'regressed' : 'unarchived',
  }))
}

/** What has reached its age or number, once a day. */
export function pruneNotices(db: Connection, nowMs: number): void {
  const oldestMs = nowMs - max('noticeDays') * DAY_MS
  // notices_by_age; deliveries follow by their foreign key.
  db.run('DELETE FROM notices WHERE at_ms < ?', [oldestMs])
  const sql = `DELETE FROM notices WHERE id IN (SELECT id FROM (
    SELECT id, row_number() OVER (PARTITION BY project_id ORDER BY at_ms DESC, id DESC) AS place FROM notices)
    WHERE place > ?)`
  db.run(sql, [max('noticesPerProjectMax')])
  db.run('DELETE FROM notices_held_back WHERE hour < ?', [Math.floor(oldestMs / HOUR_MS)])
}
