/** The last merge into an issue, kept for as long as it can be taken back. Within the caller's transaction. */
import type { IssueId } from '#base/ids.ts'
import { type WindowsOfMerge, windowAfterUndo } from '#issues/issue-merging.ts'
import type { HourCount } from '#issues/issue-sums.ts'
import type { MergedBefore } from '#ports/issue-rows.ts'
import { UNARCHIVE_JOB } from '#ports/issues.ts'
import type { Connection } from '../connection.ts'
import { scheduleJob } from '../jobs/jobs.ts'
import { addText } from '../rows/issue-texts.ts'
import { recountIssue } from './issue-merge.ts'

/** A row of whichever table, by column. */
type Row = Readonly<Record<string, string | number | null>>

/**
 * Tables whose rows go with an issue that is merged away; comments and links go on, and are told by their ids
 * only.
 */
const BELOW = ['activities', 'issue_people', 'issue_owners', 'issue_shares', 'tracker_links'] as const

interface KeptIssue {
  readonly row: Row & { readonly id: IssueId; readonly title: string; readonly culprit: string }
  readonly groups: readonly number[]
  /** Issues that it had taken in before. */
  readonly redirects: readonly number[]
  readonly comments: readonly number[]
  readonly links: readonly number[]
  readonly below: Readonly<Record<(typeof BELOW)[number], readonly Row[]>>
}

interface KeptMerge {
  readonly issues: readonly KeptIssue[]
  /** People of the issue that took them in. */
  readonly people: readonly Row[]
  readonly windowBefore: HourCount
}

/** Takes down issues that are about to be merged. */
export function beforeMerge(db: Connection, from: readonly IssueId[], into: IssueId): MergedBefore {
  return mergedBefore({
    issues: from.flatMap((id) => keptIssue(db, id)),
    people: rowsOfIssue(db, 'issue_people', into),
    windowBefore: windowOf(db, into),
  })
}

function mergedBefore(kept: KeptMerge): MergedBefore {
  const issues = kept.issues.map(({ row, groups }) => ({ id: row.id, groups }))
  return { issues, kept: JSON.stringify(kept) }
}

export function keepMerge(
  db: Connection,
  into: IssueId,
  { kept }: MergedBefore,
  { userId, atMs }: { readonly userId: number | null; readonly atMs: number },
): void {
  forgetMerge(db, into)
  const sql = 'INSERT INTO merges (issue_id, user_id, at_ms, kept) VALUES (?, ?, ?, ?)'
  if (userId !== null) db.run(sql, [into, userId, Math.floor(atMs), kept])
}

export function mergeOf(
  db: Connection,
  into: IssueId,
  { userId, sinceMs }: { readonly userId: number; readonly sinceMs: number },
): MergedBefore | null {
  const sql = 'SELECT kept FROM merges WHERE issue_id = ? AND user_id = ? AND at_ms >= ?'
  const row = db.get<{ kept: string }>(sql, [into, userId, sinceMs])
  if (row === undefined) return null
  const kept: KeptMerge = JSON.parse(row.kept)
  return mergedBefore(kept)
}

function forgetMerge(db: Connection, into: IssueId): void {
  db.run('DELETE FROM merges WHERE issue_id = ?', [into])
}

function keptIssue(db: Connection, id: IssueId): readonly KeptIssue[] {
  const row = db.get<KeptIssue['row']>('SELECT * FROM issues WHERE id = ?', [id])
  if (row === undefined) return []
  const ids = (table: string, where = '') =>
    db
      .all<{ id: number }>(`SELECT id FROM ${table} WHERE issue_id = ?${where} ORDER BY id`, [id])
      .map((each) => each.id)
  const isComment = `kind IN ('commented', 'comment_deleted')`
  return [
    {
      row,
      groups: ids('groups'),
      redirects: ids('issue_redirects'),
      comments: ids('activities', ` AND ${isComment}`),
      links: ids('tracker_links'),
      below: {
        activities: rowsOfIssue(db, 'activities', id, ` AND NOT ${isComment}`),
        issue_people: rowsOfIssue(db, 'issue_people', id),
        issue_owners: rowsOfIssue(db, 'issue_owners', id),
        issue_shares: rowsOfIssue(db, 'issue_shares', id),
        tracker_links: rowsOfIssue(db, 'tracker_links', id),
      },
    },
  ]
}

function rowsOfIssue(db: Connection, table: string, id: IssueId, where = ''): readonly Row[] {
  return db.all<Row>(`SELECT * FROM ${table} WHERE issue_id = ?${where}`, [id])
}

function windowOf(db: Connection, id: IssueId): HourCount {
  const sql = 'SELECT window_hour AS hour, window_events AS events FROM issues WHERE id = ?'
  const window = db.get<HourCount>(sql, [id])
  if (window === undefined) throw new Error(`no issue ${id} to merge into`)
  return window
}

/** Brings back what was merged, with its numbers, state, people and comments. */
export function bringMergedBack(db: Connection, into: IssueId, merged: MergedBefore): void {
  const kept: KeptMerge = JSON.parse(merged.kept)
  forgetMerge(db, into)
  for (const issue of kept.issues) bringBack(db, issue, into)
  putPeopleBack(db, into, kept)
  putWindowBack(db, into, kept)
  recountIssue(db, into)
}

function bringBack(db: Connection, issue: KeptIssue, into: IssueId): void {
  const { row, below } = issue
  const { id } = row
  db.run('DELETE FROM issue_redirects WHERE id = ?', [id])
  insertRow(db, 'issues', storedIssue(withLostColumns(db, row)))
  if (row.substatus !== 'waiting') addText(db, id, row)
  moveBack(db, { from: into, to: id }, issue)
  for (const table of BELOW)
    for (const each of below[table]) if (isRowWhole(db, each)) insertRow(db, table, each, 'OR IGNORE')
  recountIssue(db, id)
  const { archived_until_ms: dueMs } = row
  if (typeof dueMs === 'number') scheduleJob(db, { kind: UNARCHIVE_JOB, key: '', dueMs, ifThere: 'sooner' })
}

function moveBack(
  db: Connection,
  { from, to }: { readonly from: IssueId; readonly to: IssueId },
  { groups, redirects, comments, links }: KeptIssue,
): void {
  const move = (table: string, ids: readonly number[], which = 'id IN') =>
    db.run(
      `UPDATE ${table} SET issue_id = ? WHERE issue_id = ? AND ${which} (SELECT value FROM json_each(?))`,
      [to, from, JSON.stringify(ids)],
    )
  move('groups', groups)
  // Mirrors that came since follow the failures they are of.
  move('groups', groups, 'folded_into IN')
  move('issue_redirects', redirects)
  move('activities', comments)
  move('tracker_links', links)
  move('tracker_work', links, 'link_id IN')
}

/** Tables that rows refer to, which may have lost something since. */
const REFERENCES: readonly (readonly [column: string, table: string])[] = [
  ['user_id', 'users'],
  ['assignee_id', 'users'],
  ['team_id', 'teams'],
  ['assignee_team_id', 'teams'],
  ['tracker_id', 'trackers'],
]

function lostColumns(db: Connection, row: Row): readonly string[] {
  return REFERENCES.flatMap(([column, table]) => {
    const id = row[column] ?? null
    const isThere = id === null || db.get(`SELECT 1 FROM ${table} WHERE id = ?`, [id]) !== undefined
    return isThere ? [] : [column]
  })
}

/** An activity outlives the account that it was of. */
function isRowWhole(db: Connection, row: Row): boolean {
  return 'kind' in row || lostColumns(db, row).length === 0
}

function withLostColumns(db: Connection, row: Row): Row {
  return { ...row, ...Object.fromEntries(lostColumns(db, row).map((column) => [column, null])) }
}

/** Without the columns that follow from others. What was kept before there were such has nothing else. */
function storedIssue(row: Row): Row {
  const { title = null, last_release = null, last_release_ms = null, ...stored } = row
  return {
    own_title: title,
    own_last_release: last_release,
    own_last_release_ms: last_release_ms,
    ...stored,
  }
}

function insertRow(db: Connection, table: string, row: Row, or = ''): void {
  const columns = Object.keys(row)
  const marks = columns.map(() => '?').join(', ')
  db.run(`INSERT ${or} INTO ${table} (${columns.join(', ')}) VALUES (${marks})`, Object.values(row))
}

/** Whoever had to do with a merged issue has to do with the other as before. */
function putPeopleBack(db: Connection, into: IssueId, { issues, people }: KeptMerge): void {
  const moved = JSON.stringify(issues.flatMap(({ below }) => below.issue_people.map((row) => row.user_id)))
  const sql = 'DELETE FROM issue_people WHERE issue_id = ? AND user_id IN (SELECT value FROM json_each(?))'
  db.run(sql, [into, moved])
  for (const row of people) if (isRowWhole(db, row)) insertRow(db, 'issue_people', row, 'OR IGNORE')
}

function putWindowBack(db: Connection, into: IssueId, { issues, windowBefore }: KeptMerge): void {
  const windows: WindowsOfMerge = {
    before: windowBefore,
    others: issues.map(({ row }) => ({ hour: Number(row.window_hour), events: Number(row.window_events) })),
  }
  const { hour, events } = windowAfterUndo(windowOf(db, into), windows)
  db.run('UPDATE issues SET window_hour = ?, window_events = ? WHERE id = ?', [hour, events, into])
}
