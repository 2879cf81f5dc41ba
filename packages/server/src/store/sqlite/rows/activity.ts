/** Writes an issue's activity, in the transaction of the change itself. */
import type { IssueId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { GroupDelta } from '#ports/ingest.ts'
import type {
  ActivityNote,
  IssueChanged,
  IssueChoices,
  IssueState,
  LastChange,
  LastChoice,
} from '#ports/issue-rows.ts'
import type { Activity, ActivityKind } from '#ports/issues.ts'
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
  return JSON.stringify([shortenId(eventId), traceId === null ? null : shortenId(traceId), release])
}

/** Reads what `writeActivity` and `writeBeginning` wrote; older beginnings are objects as well. */
export function readDetail(json: string): Activity['detail'] {
  const detail: Activity['detail'] | [string, string | null, string | null] = JSON.parse(json)
  if (!Array.isArray(detail)) return detail
  const [eventId, traceId, release] = detail
  return { eventId: lengthenId(eventId), release, traceId: traceId === null ? null : lengthenId(traceId) }
}

const HEX_ID = /^[0-9a-f]{32}$/
const SHORT_CHARS = 22

/** Shortens an id of 16 bytes; anything else stays as it is. */
function shortenId(id: string): string {
  return HEX_ID.test(id) ? Buffer.from(id, 'hex').toString('base64url') : id
}

function lengthenId(id: string): string {
  return id.length === SHORT_CHARS ? Buffer.from(id, 'base64url').toString('hex') : id
}

/** Answers its id. */
export function writeActivity(db: Connection, issueId: IssueId, note: ActivityNote): number {
  const [id = 0] = writeActivities(db, [{ issueId, ...note }])
  return id
}

/** Answers their ids. */
function writeActivities(
  db: Connection,
  notes: readonly (ActivityNote & { readonly issueId: IssueId })[],
): readonly number[] {
  const sql = `INSERT INTO activities (issue_id, kind, at_ms, user_id, actor, detail, state_before, choices_before)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)`
  const json = (value: object | undefined) => (value === undefined ? null : JSON.stringify(value))
  const done = db.runEach(
    sql,
    notes.map(({ issueId, kind, atMs, actor, detail = {}, before, choicesBefore }) => [
      ...[issueId, kind, atMs, actor?.userId ?? null, actor?.label ?? 'Errata', json(detail)],
      ...[json(before), json(choicesBefore)],
    ]),
  )
  deleteOldestActivities(db, [...new Set(notes.map(({ issueId }) => issueId))])
  return done.map(({ lastId }) => lastId)
}

/** Returns the id of each change's record; `null` of one that leaves none. */
export function noteIssues(db: Connection, changes: readonly IssueChanged[]): readonly (number | null)[] {
  const noted = changes.flatMap(({ id, note }) => (note === undefined ? [] : [{ issueId: id, ...note }]))
  const ids = [...writeActivities(db, noted)]
  return changes.map(({ note }) => (note === undefined ? null : (ids.shift() ?? null)))
}

/** Comments have a bound of their own. What the commit notes waits for the next of these: it follows people's changes. */
function deleteOldestActivities(db: Connection, issues: readonly IssueId[]): void {
  // activities_by_issue
  const sql = `DELETE FROM activities WHERE issue_id = :issue AND kind <> 'commented' AND id <= (
    SELECT id FROM activities WHERE issue_id = :issue AND kind <> 'commented' ORDER BY id DESC LIMIT 1 OFFSET :most)`
  db.runEach(
    sql,
    issues.map((issue) => ({ issue, most: max('activitiesPerIssueMax') })),
  )
}

/** Returns the newest record of a change of each issue's state by a person. */
export function lastChanges(db: Connection, issues: readonly IssueId[]): ReadonlyMap<IssueId, LastChange> {
  // activities_by_issue
  const sql = `SELECT kind, at_ms AS atMs, user_id AS userId, state_before AS before FROM activities
    WHERE issue_id = ? AND state_before IS NOT NULL ORDER BY id DESC LIMIT 1`
  const rows = db.getEach<Omit<LastChange, 'before'> & { readonly before: string }>(
    sql,
    issues.map((issue) => [issue]),
  )
  return rowsByIssue(issues, rows, (row) => {
    const before: IssueState = JSON.parse(row.before)
    return { ...row, before }
  })
}

/** Returns each issue's newest record of the kinds. */
export function lastChoices(
  db: Connection,
  issues: readonly IssueId[],
  kinds: readonly ActivityKind[],
): ReadonlyMap<IssueId, LastChoice> {
  // activities_by_issue
  const sql = `SELECT user_id AS userId, detail, choices_before AS before FROM activities
    WHERE issue_id = ? AND kind IN (SELECT value FROM json_each(?)) ORDER BY id DESC LIMIT 1`
  type Row = Pick<LastChoice, 'userId'> & { readonly detail: string; readonly before: string | null }
  const rows = db.getEach<Row>(
    sql,
    issues.map((issue) => [issue, JSON.stringify(kinds)]),
  )
  return rowsByIssue(issues, rows, (row) => {
    const detail: LastChoice['detail'] = JSON.parse(row.detail)
    const before: IssueChoices | null = row.before === null ? null : JSON.parse(row.before)
    return { userId: row.userId, detail, before }
  })
}

function rowsByIssue<Row, T>(
  issues: readonly IssueId[],
  rows: readonly (Row | undefined)[],
  read: (row: Row) => T,
): ReadonlyMap<IssueId, T> {
  return new Map(
    issues.flatMap((issue, at) => {
      const row = rows[at]
      return row === undefined ? [] : [[issue, read(row)] as const]
    }),
  )
}
