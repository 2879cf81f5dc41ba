/** Notices of preset rules as evaluating them reads and writes them, by sets. It decides nothing. */
import type { PresetStore, ReturnKind, SummaryBefore } from '#alerts/rules/alert-store.ts'
import type { IssueId } from '#base/ids.ts'
import { CHANGE_KINDS } from '#notices/rules/queueing.ts'
import type { NoticeRest } from '#ports/notices.ts'
import type { Connection } from '../connection.ts'
import { countHeld } from '../notices/held-back.ts'
import { settingsOfProjects } from '../notices/notice-rows.ts'
import type { Statements } from '../statements.ts'

export function presetRows(db: Connection): Omit<Statements<PresetStore>, 'openNotices'> {
  return { ...presetReads(db), ...summaries(db), ...presetWrites(db) }
}

type Asked = 'noticeSettings' | 'returnKinds' | 'newestTold' | 'noticesWithin'

function presetReads(db: Connection): Pick<Statements<PresetStore>, Asked> {
  return {
    noticeSettings: (projects) => settingsOfProjects(db, projects),
    returnKinds(issues) {
      // activities_by_issue
      const sql = `SELECT issue_id AS issue, kind FROM activities WHERE issue_id = ? AND kind IN ('regressed', 'unarchived')
        ORDER BY id DESC LIMIT 1`
      const rows = db.getEach<{ issue: IssueId; kind: ReturnKind }>(
        sql,
        issues.map((id) => [id]),
      )
      return new Map(rows.flatMap((row) => (row === undefined ? [] : [[row.issue, row.kind] as const])))
    },
    newestTold(times) {
      // notices_by_issue
      const sql = `SELECT id FROM notices WHERE issue_id = ? AND at_ms > ? AND at_ms <= ? AND dropped IS NULL
        ORDER BY at_ms DESC, id DESC LIMIT 1`
      const rows = times.map(({ issue, afterMs, untilMs }) => [issue, afterMs, untilMs])
      return db.getEach<{ id: number }>(sql, rows).map((row) => row?.id ?? null)
    },
    noticesWithin(times) {
      // notices_by_project
      const sql = `SELECT count(*) AS count FROM notices WHERE project_id = ? AND at_ms > ? AND at_ms <= ?
        AND kind IN (SELECT value FROM json_each(?))`
      const kinds = JSON.stringify(CHANGE_KINDS)
      const rows = times.map(({ project, afterMs, untilMs }) => [project, afterMs, untilMs, kinds])
      return db.getEach<{ count: number }>(sql, rows).map((row) => row?.count ?? 0)
    },
  }
}

type Summaries = 'newestSummaries' | 'addToSummaries' | 'beginSummaries'

function summaries(db: Connection): Pick<Statements<PresetStore>, Summaries> {
  return {
    newestSummaries(times) {
      // notices_by_project
      const sql = `SELECT id, at_ms AS atMs, due_ms AS dueMs FROM notices
        WHERE project_id = ? AND at_ms > ? AND at_ms <= ? AND kind = 'summary' ORDER BY at_ms DESC LIMIT 1`
      const rows = times.map(({ project, afterMs, untilMs }) => [project, afterMs, untilMs])
      return db.getEach<SummaryBefore>(sql, rows).map((row) => row ?? null)
    },
    addToSummaries(added) {
      const sql = `UPDATE notices SET new_issues = new_issues + :fresh, returned_issues = returned_issues + :back,
        echo_issues = echo_issues + :echoes WHERE id = :id`
      db.runEach(
        sql,
        added.map(({ id, rest }) => ({ ...restParams(rest), id })),
      )
    },
    beginSummaries(begun, nowMs) {
      const sql = `INSERT INTO notices (project_id, kind, is_mirror, at_ms, due_ms, new_issues, returned_issues,
          echo_issues)
        VALUES (:project, 'summary', 0, :now, :due, :fresh, :back, :echoes)`
      db.runEach(
        sql,
        begun.map(({ project, rest, dueMs }) => ({ ...restParams(rest), project, due: dueMs, now: nowMs })),
      )
    },
  }
}

function restParams({ newIssues, returnedIssues, echoIssues }: NoticeRest) {
  return { fresh: newIssues, back: returnedIssues, echoes: echoIssues }
}

type Written = 'addNotices' | 'noteHeldBack' | 'countHeld'

function presetWrites(db: Connection): Pick<Statements<PresetStore>, Written> {
  return {
    addNotices(changes, nowMs) {
      const sql = `INSERT INTO notices (project_id, kind, issue_id, issue_number, is_mirror, at_ms, due_ms, occasion_ms)
        SELECT ?1, ?2, id, number, ?3, ?4, ?4, ?6 FROM issues WHERE id = ?5`
      const rows = changes.map(({ projectId, kind, isMirror, issueId, atMs }) => {
        return [projectId, kind, isMirror ? 1 : 0, nowMs, issueId, atMs]
      })
      db.runEach(sql, rows)
    },
    noteHeldBack(notices) {
      db.runEach(
        'UPDATE notices SET held_back = held_back + 1 WHERE id = ?',
        notices.map((id) => [id]),
      )
    },
    countHeld: (held, nowMs) => countHeld(db, held, nowMs),
  }
}
