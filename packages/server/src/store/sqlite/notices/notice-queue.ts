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
  type NoticePlan,
  planNotices,
  quietTime,
  restOf,
  summaryDueMs,
  timeOfSummaries,
} from '#notices/rules/queueing.ts'
import { type HeldBack, NOTICE_SETTINGS_DEFAULT } from '#ports/notices.ts'
import type { Connection } from '../connection.ts'
import { settingsOfProjects } from './notice-rows.ts'

export interface IssueChanges {
  readonly newIssues: readonly NewIssue[]
  /** Regressed, or back from the archive. */
  readonly returnedIssues: readonly IssueId[]
}

/** Called once a batch, after the issues are written: as many calls for changes of a thousand projects as of one. */
export function queueNotices(db: Connection, nowMs: number, changes: IssueChanges): void {
  const byProject = changesByProject(changes.newIssues, returned(db, changes.returnedIssues))
  if (byProject.size === 0) return
  const settings = settingsOfProjects(db, [...byProject.keys()])
  const told = [...byProject].flatMap(([project, list]) => {
    const { quietHours, ...of } = settings.get(project) ?? NOTICE_SETTINGS_DEFAULT
    return isTold(of) ? [{ project, quietHours, list }] : []
  })
  const held = holdBack(db, told, nowMs)
  const loud = told.map(({ project, list }) => ({ project, list: list.filter((one) => !held.has(one)) }))
  const plans = planAll(
    db,
    loud.filter(({ list }) => list.length > 0),
    nowMs,
  )
  insertNotices(db, plans, nowMs)
  const beyond = plans.filter(({ plan }) => plan.beyond.length > 0)
  addToSummaries(db, beyond, nowMs)
  countHeld(db, nowMs, [
    ...beyond.map(({ project, plan }): HeldOfProject => {
      return { project, reason: 'summarised', count: plan.beyond.length }
    }),
    ...told.map(({ project, list }): HeldOfProject => {
      return { project, reason: 'quiet', count: list.filter((one) => held.has(one)).length }
    }),
  ])
}

interface ChangesOfProject {
  readonly project: ProjectId
  readonly list: readonly NoticeChange[]
}

interface PlannedProject {
  readonly project: ProjectId
  readonly plan: NoticePlan
}

function planAll(
  db: Connection,
  loud: readonly ChangesOfProject[],
  nowMs: number,
): readonly PlannedProject[] {
  const bounds = boundsAt(nowMs)
  // notices_by_project
  const sql = `SELECT count(*) AS count FROM notices WHERE project_id = ? AND at_ms > ? AND at_ms <= ?
    AND kind IN (SELECT value FROM json_each(?))`
  const kinds = JSON.stringify(CHANGE_KINDS)
  const rows = db.getEach<{ count: number }>(
    sql,
    loud.flatMap(({ project }) =>
      bounds.map(({ within: { afterMs, untilMs } }) => [project, afterMs, untilMs, kinds]),
    ),
  )
  const queued = rows.map((row) => row?.count ?? 0)
  return loud.map(({ project, list }, at) => {
    const own = queued.slice(at * bounds.length, (at + 1) * bounds.length)
    return { project, plan: planNotices(list, nowMs, own) }
  })
}

function insertNotices(db: Connection, plans: readonly PlannedProject[], nowMs: number): void {
  const sql = `INSERT INTO notices (project_id, kind, issue_id, issue_number, is_mirror, at_ms, due_ms)
    SELECT ?1, ?2, id, number, ?3, ?4, ?5 FROM issues WHERE id = ?6`
  const rows = plans.flatMap(({ project, plan }) =>
    plan.queued.map(({ kind, issueId, isMirror: isEcho, dueMs }) => {
      return [project, kind, isEcho ? 1 : 0, nowMs, dueMs, issueId]
    }),
  )
  db.runEach(sql, rows)
}

function addToSummaries(db: Connection, planned: readonly PlannedProject[], nowMs: number): void {
  const { afterMs, untilMs } = timeOfSummaries(nowMs)
  // notices_by_project
  const newest = `SELECT id, at_ms AS atMs, due_ms AS dueMs FROM notices
    WHERE project_id = ? AND at_ms > ? AND at_ms <= ? AND kind = 'summary' ORDER BY at_ms DESC LIMIT 1`
  const before = db.getEach<{ id: number; atMs: number; dueMs: number | null }>(
    newest,
    planned.map(({ project }) => [project, afterMs, untilMs]),
  )
  const sums = planned.map(({ project, plan }, at) => {
    const { newIssues: fresh, returnedIssues: back, echoIssues: echoes } = restOf(plan.beyond)
    const known = before[at] ?? null
    return { project, rest: { fresh, back, echoes }, id: known?.id ?? null, due: summaryDueMs(known, nowMs) }
  })
  const add = `UPDATE notices SET new_issues = new_issues + :fresh, returned_issues = returned_issues + :back,
    echo_issues = echo_issues + :echoes WHERE id = :id`
  const begin = `INSERT INTO notices (project_id, kind, is_mirror, at_ms, due_ms, new_issues, returned_issues,
      echo_issues)
    VALUES (:project, 'summary', 0, :now, :due, :fresh, :back, :echoes)`
  const [waiting, begun] = [sums.filter(({ due }) => due === null), sums.filter(({ due }) => due !== null)]
  db.runEach(
    add,
    waiting.map(({ id, rest }) => ({ ...rest, id })),
  )
  db.runEach(
    begin,
    begun.map(({ project, due, rest }) => ({ ...rest, project, due, now: nowMs })),
  )
}

/** Returns changes within the quiet hours of their issues; each is noted on the notice that was told. */
function holdBack(
  db: Connection,
  told: readonly (ChangesOfProject & { readonly quietHours: number })[],
  nowMs: number,
): ReadonlySet<NoticeChange> {
  const asked = told.flatMap(({ list, quietHours }) =>
    list.flatMap((change) => {
      const quiet = quietTime(change, { nowMs, quietHours })
      return quiet === null ? [] : [{ change, quiet }]
    }),
  )
  // notices_by_issue
  const sql = `UPDATE notices SET held_back = held_back + 1 WHERE id = (
    SELECT id FROM notices WHERE issue_id = ? AND at_ms > ? AND at_ms <= ? AND dropped IS NULL
    ORDER BY at_ms DESC, id DESC LIMIT 1)`
  const done = db.runEach(
    sql,
    asked.map(({ change, quiet }) => [change.issueId, quiet.afterMs, quiet.untilMs]),
  )
  return new Set(asked.flatMap(({ change }, at) => ((done[at]?.changes ?? 0) > 0 ? [change] : [])))
}

interface HeldOfProject {
  readonly project: ProjectId
  readonly reason: keyof HeldBack
  readonly count: number
}

/** Counts what was not told one by one. */
export function countHeld(db: Connection, nowMs: number, held: readonly HeldOfProject[]): void {
  const sql = `INSERT INTO notices_held_back (project_id, hour, reason, count) VALUES (?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET count = count + excluded.count`
  const hour = heldBackHour(nowMs)
  db.runEach(
    sql,
    held.flatMap(({ project, reason, count }) => (count === 0 ? [] : [[project, hour, reason, count]])),
  )
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
