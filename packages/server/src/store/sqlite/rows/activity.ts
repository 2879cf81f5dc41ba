/** What happened to an issue, and by whom: written in the transaction of the change itself. */
import type { IssueId } from '#base/ids.ts'
import type { IssueChoices, LastChange, LastChoice } from '#issues/issue-changes.ts'
import type { IssueState } from '#issues/issue-transition.ts'
import type { Activity, ActivityKind } from '#ports/issues.ts'
import type { Actor } from '#ports/scope.ts'
import type { Connection } from '../connection.ts'

export const INSERT_ACTIVITY = {
  insert: 'INSERT INTO activities (issue_id, kind, at_ms, user_id, actor, detail)',
  columns: 6,
}

/** Answers its id. */
export function writeActivity(
  db: Connection,
  issue: IssueId,
  note: {
    readonly kind: ActivityKind
    readonly atMs: number
    /** `null` for Errata itself. */
    readonly actor: Actor | null
    readonly detail?: Activity['detail']
    /** The state that it replaced, where a person changed it. */
    readonly before?: IssueState
    /** What it replaced beside the state. */
    readonly choicesBefore?: IssueChoices
  },
): number {
  const sql = `INSERT INTO activities (issue_id, kind, at_ms, user_id, actor, detail, state_before, choices_before)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)`
  const { kind, atMs, actor, detail, before, choicesBefore } = note
  return db.run(sql, [
    issue,
    kind,
    atMs,
    actor?.userId ?? null,
    actor?.label ?? 'Errata',
    JSON.stringify(detail ?? {}),
    before === undefined ? null : JSON.stringify(before),
    choicesBefore === undefined ? null : JSON.stringify(choicesBefore),
  ]).lastId
}

export function lastChange(db: Connection, issue: IssueId): LastChange | null {
  // activities_by_issue
  const sql = `SELECT kind, at_ms AS atMs, user_id AS userId, state_before AS before FROM activities
    WHERE issue_id = ? AND state_before IS NOT NULL ORDER BY id DESC LIMIT 1`
  const row = db.get<Omit<LastChange, 'before'> & { readonly before: string }>(sql, [issue])
  if (row === undefined) return null
  const before: IssueState = JSON.parse(row.before)
  return { ...row, before }
}

/** The newest of the kinds. */
export function lastChoice(
  db: Connection,
  issue: IssueId,
  kinds: readonly ActivityKind[],
): LastChoice | null {
  // activities_by_issue
  const sql = `SELECT user_id AS userId, detail, choices_before AS before FROM activities
    WHERE issue_id = ? AND kind IN (SELECT value FROM json_each(?)) ORDER BY id DESC LIMIT 1`
  type Row = Pick<LastChoice, 'userId'> & { readonly detail: string; readonly before: string | null }
  const row = db.get<Row>(sql, [issue, JSON.stringify(kinds)])
  if (row === undefined) return null
  const detail: LastChoice['detail'] = JSON.parse(row.detail)
  const before: IssueChoices | null = row.before === null ? null : JSON.parse(row.before)
  return { userId: row.userId, detail, before }
}
