/** Queues notices within the commit's own transaction. Bounded whatever a batch brings, see `notices/rules/queueing.ts`. */
import type { IssueId, ProjectId } from '#base/ids.ts'
import { heldBackHour } from '#notices/rules/ages.ts'
import {
  boundsAt,
  CHANGE_KINDS,
  changesByProject,
  isMirror,
  isTold,
  type NewIssue,
  type NoticeChange,
  planNotices,
  quietTime,
  restOf,
  summaryDueMs,
  timeOfSummaries,
} from '#notices/rules/queueing.ts'
import type { HeldBack } from '#ports/notices.ts'
import type { Connection } from '../connection.ts'
import { noticeSettings } from './notice-rows.ts'

export interface IssueChanges {
  readonly newIssues: readonly NewIssue[]
  /** Regressed, or back from the archive. */
  readonly returnedIssues: readonly IssueId[]
}

/** Called once a batch, after the issues are written. */
export function queueNotices(db: Connection, nowMs: number, changes: IssueChanges): void {
  const byProject = changesByProject(changes.newIssues, returned(db, changes.returnedIssues))
  for (const [project, list] of byProject) queueOfProject(db, { project, nowMs }, list)
}

interface Place {
  readonly project: ProjectId
  readonly nowMs: number
}

function queueOfProject(db: Connection, place: Place, changes: readonly NoticeChange[]): void {
  const settings = noticeSettings(db, place.project)
  if (!isTold(settings)) return
  const { nowMs } = place
  const { quietHours } = settings
  const loud = changes.filter((change) => !holdBack(db, change, { nowMs, quietHours }))
  const plan = planNotices(loud, nowMs, loud.length === 0 ? [] : queuedWithin(db, place))
  for (const change of plan.queued) insertNotice(db, place, change)
  addToSummary(db, place, plan.beyond)
  count(db, place, { reason: 'quiet', count: changes.length - loud.length })
}

function insertNotice(
  db: Connection,
  { project, nowMs }: Place,
  { kind, issueId, isMirror: isEcho, dueMs }: NoticeChange & { readonly dueMs: number },
): void {
  const sql = `INSERT INTO notices (project_id, kind, issue_id, issue_number, is_mirror, at_ms, due_ms)
    SELECT :project, :kind, :issue, number, :mirror, :now, :due FROM issues WHERE id = :issue`
  db.run(sql, { project, kind, issue: issueId, mirror: isEcho ? 1 : 0, now: nowMs, due: dueMs })
}

function queuedWithin(db: Connection, { project, nowMs }: Place): readonly number[] {
  // notices_by_project
  const sql = `SELECT count(*) AS count FROM notices WHERE project_id = ? AND at_ms > ? AND at_ms <= ?
    AND kind IN (SELECT value FROM json_each(?))`
  const rows = db.getEach<{ count: number }>(
    sql,
    boundsAt(nowMs).map(({ within: { afterMs, untilMs } }) => [
      ...[project, afterMs, untilMs],
      JSON.stringify(CHANGE_KINDS),
    ]),
  )
  return rows.map((row) => row?.count ?? 0)
}

function addToSummary(db: Connection, place: Place, beyond: readonly NoticeChange[]): void {
  if (beyond.length === 0) return
  const { project, nowMs } = place
  const { newIssues: fresh, returnedIssues: back, echoIssues: echoes } = restOf(beyond)
  const { afterMs, untilMs } = timeOfSummaries(nowMs)
  // notices_by_project
  const before = db.get<{ id: number; atMs: number; dueMs: number | null }>(
    `SELECT id, at_ms AS atMs, due_ms AS dueMs FROM notices
     WHERE project_id = ? AND at_ms > ? AND at_ms <= ? AND kind = 'summary' ORDER BY at_ms DESC LIMIT 1`,
    [project, afterMs, untilMs],
  )
  const dueMs = summaryDueMs(before ?? null, nowMs)
  if (dueMs === null) {
    const sql = `UPDATE notices SET new_issues = new_issues + :fresh, returned_issues = returned_issues + :back,
      echo_issues = echo_issues + :echoes WHERE id = :id`
    db.run(sql, { fresh, back, echoes, id: before?.id ?? null })
  } else {
    const sql = `INSERT INTO notices (project_id, kind, is_mirror, at_ms, due_ms, new_issues, returned_issues,
        echo_issues)
      VALUES (:project, 'summary', 0, :now, :due, :fresh, :back, :echoes)`
    db.run(sql, { fresh, back, echoes, project, now: nowMs, due: dueMs })
  }
  count(db, place, { reason: 'summarised', count: beyond.length })
}

/** True, and noted on the notice that was told, when the issue is within its quiet hours. */
function holdBack(db: Connection, change: NoticeChange, at: Parameters<typeof quietTime>[1]): boolean {
  const quiet = quietTime(change, at)
  if (quiet === null) return false
  // notices_by_issue
  const sql = `UPDATE notices SET held_back = held_back + 1 WHERE id = (
    SELECT id FROM notices WHERE issue_id = ? AND at_ms > ? AND at_ms <= ? AND dropped IS NULL
    ORDER BY at_ms DESC, id DESC LIMIT 1)`
  return db.run(sql, [change.issueId, quiet.afterMs, quiet.untilMs]).changes > 0
}

export function count(
  db: Connection,
  { project, nowMs }: Place,
  held: { readonly reason: keyof HeldBack; readonly count: number },
): void {
  if (held.count === 0) return
  const sql = `INSERT INTO notices_held_back (project_id, hour, reason, count) VALUES (?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET count = count + excluded.count`
  db.run(sql, [project, heldBackHour(nowMs), held.reason, held.count])
}

function returned(db: Connection, ids: readonly IssueId[]): readonly NoticeChange[] {
  if (ids.length === 0) return []
  const sql = `SELECT id AS issueId, project_id AS projectId, mirror_count AS mirrorCount, event_count AS eventCount,
      substatus = 'regressed' AS isRegressed
    FROM issues WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id`
  interface Row extends Omit<NewIssue, 'isMirror'> {
    readonly mirrorCount: number
    readonly eventCount: number
    readonly isRegressed: number
  }
  return db.all<Row>(sql, [JSON.stringify(ids)]).map(({ issueId, projectId, isRegressed, ...counts }) => ({
    ...{ issueId, projectId, isMirror: isMirror(counts) },
    kind: isRegressed === 1 ? 'regressed' : 'unarchived',
  }))
}
