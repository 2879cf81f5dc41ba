/** Writes an issue's activity, in the transaction of the change itself. */
import type { IssueId } from '#base/ids.ts'
import type { IssueChoices, LastChange, LastChoice } from '#issues/issue-changes.ts'
import type { IssueState } from '#issues/issue-transition.ts'
import { max } from '#limits/limits.ts'
import type { GroupDelta } from '#ports/ingest.ts'
import type { Activity, ActivityKind } from '#ports/issues.ts'
import type { Actor } from '#ports/scope.ts'
import type { Connection } from '../connection.ts'

export const INSERT_ACTIVITY = {
  insert: 'INSERT INTO activities (issue_id, kind, at_ms, user_id, actor, detail)',
  columns: 6,
}

/**
 * Encodes an issue's first event. Every issue keeps it: a list instead of an object, ids by six bits a sign
 * instead of four.
 */
export function writeBeginning({ eventId, traceId, release }: GroupDelta['newest']): string {
  return JSON.stringify([shortened(eventId), traceId === null ? null : shortened(traceId), release])
}

/** Reads what `writeActivity` and `writeBeginning` wrote; older beginnings are objects as well. */
export function readDetail(json: string): Activity['detail'] {
  const detail: Activity['detail'] | [string, string | null, string | null] = JSON.parse(json)
  if (!Array.isArray(detail)) return detail
  const [eventId, traceId, release] = detail
  return { eventId: lengthened(eventId), release, traceId: traceId === null ? null : lengthened(traceId) }
}

const HEX_ID = /^[0-9a-f]{32}$/
const SHORT_CHARS = 22

/** Shortens an id of 16 bytes; anything else stays as it is. */
function shortened(id: string): string {
  return HEX_ID.test(id) ? Buffer.from(id, 'hex').toString('base64url') : id
}

function lengthened(id: string): string {
  return id.length === SHORT_CHARS ? Buffer.from(id, 'base64url').toString('hex') : id
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
    /** Choices that it replaced beside the state. */
    readonly choicesBefore?: IssueChoices
  },
): number {
  const sql = `INSERT INTO activities (issue_id, kind, at_ms, user_id, actor, detail, state_before, choices_before)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)`
  const { kind, atMs, actor, detail, before, choicesBefore } = note
  const { lastId } = db.run(sql, [
    issue,
    kind,
    atMs,
    actor?.userId ?? null,
    actor?.label ?? 'Errata',
    JSON.stringify(detail ?? {}),
    before === undefined ? null : JSON.stringify(before),
    choicesBefore === undefined ? null : JSON.stringify(choicesBefore),
  ])
  forgetOldest(db, issue)
  return lastId
}

/** Comments have a bound of their own. What the commit notes waits for the next of these: it follows people's changes. */
function forgetOldest(db: Connection, issue: IssueId): void {
  // activities_by_issue
  const sql = `DELETE FROM activities WHERE issue_id = :issue AND kind <> 'commented' AND id <= (
    SELECT id FROM activities WHERE issue_id = :issue AND kind <> 'commented' ORDER BY id DESC LIMIT 1 OFFSET :most)`
  db.run(sql, { issue, most: max('activitiesPerIssueMax') })
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
