/** Pages of issues: a walk over a covering index finds the ids, then only the shown rows are read whole. */
import type { IssueId } from '#base/ids.ts'
import type { IssueFilter, IssueListRow, IssuePage, IssueSort } from '#ports/issues.ts'
import type { ReadScope } from '#ports/scope.ts'
import { HOUR_MS } from './batch-groups.ts'
import type { Connection } from './connection.ts'
import { type IssueCursor, readCursor, writeCursor } from './issue-cursor.ts'
import { COUNT_IN_RANGE, type Conditions, issueConditions, SUBSTATUS } from './issue-filter.ts'
import { ISSUE_COLUMNS, ISSUE_TABLES, type IssueRow, issueOf } from './issue-rows.ts'
import { READABLE } from './readable.ts'
import { listTrendRange, trendsOf } from './trend.ts'

/** Greatest first; ties by id, the newest first. */
const SORT_KEYS: Readonly<Record<IssueSort, string>> = {
  date: 'i.last_seen_ms',
  new: 'i.first_seen_ms',
  freq: COUNT_IN_RANGE,
  user: 'i.user_count',
}

interface Place {
  readonly id: IssueId
  readonly key: number
  /** Of the whole filter. */
  readonly total: number
  /** 1 when there are issues on the other side of the cursor. */
  readonly isBehind: number
}

export interface ListQuery {
  readonly filter: IssueFilter
  readonly sort: IssueSort
  readonly limit: number
  readonly cursor: string | null
  readonly newSinceMs: number
}

export function listIssues(db: Connection, scope: ReadScope, query: ListQuery): IssuePage {
  const { filter, newSinceMs, sort, limit } = query
  const conditions = issueConditions(db, scope, { filter, newSinceMs, withStatus: true })
  const cursor = readCursor(query.cursor, sort)
  const way = cursor?.way ?? 'next'
  const page = { sort, way, from: cursor, limit: limit + 1 }
  const isFirst = sort === 'freq' && cursor === null && !conditions.isSelective
  const found = (isFirst ? frequentPlaces(db, conditions, page.limit) : null) ?? places(db, conditions, page)
  const more = found.length > limit
  const shown = found.slice(0, limit)
  if (way === 'previous') shown.reverse()
  const [first] = shown
  const last = shown.at(-1)
  if (first === undefined || last === undefined) {
    return { rows: [], total: countIssues(db, conditions), ...emptyCursors(cursor) }
  }
  const isBehind = first.isBehind === 1
  return {
    rows: rowsOf(db, shown, query),
    total: first.total,
    nextCursor: (way === 'next' ? more : isBehind) ? writeCursor({ way: 'next', sort, ...last }) : null,
    previousCursor: (way === 'next' ? isBehind : more)
      ? writeCursor({ way: 'previous', sort, ...first })
      : null,
  }
}

/** A page that emptied meanwhile still leads back. */
function emptyCursors(cursor: IssueCursor | null): Pick<IssuePage, 'nextCursor' | 'previousCursor'> {
  if (cursor === null) return { nextCursor: null, previousCursor: null }
  const back = writeCursor({ ...cursor, way: cursor.way === 'next' ? 'previous' : 'next' })
  return cursor.way === 'next'
    ? { nextCursor: null, previousCursor: back }
    : { nextCursor: back, previousCursor: null }
}

/** issues_for_list covers every condition and sort; with few candidates the way goes by their ids. */
function source({ isSelective }: Conditions): string {
  return isSelective ? 'issues i' : 'issues i INDEXED BY issues_for_list'
}

function countIssues(db: Connection, conditions: Conditions): number {
  const sql = `${READABLE}
SELECT count(*) AS count FROM ${source(conditions)} WHERE ${conditions.where}`
  return db.get<{ count: number }>(sql, named(sql, conditions))?.count ?? 0
}

function places(
  db: Connection,
  conditions: Conditions,
  page: {
    readonly sort: IssueSort
    readonly way: IssueCursor['way']
    readonly from: { readonly key: number; readonly id: number } | null
    readonly limit: number
  },
): readonly Place[] {
  const { sort, way, from, limit } = page
  const order = way === 'next' ? 'DESC' : 'ASC'
  const [onward, behind] =
    from === null
      ? ['true', 'false']
      : way === 'next'
        ? ['(key, id) < (:key, :id)', '(key, id) >= (:key, :id)']
        : ['(key, id) > (:key, :id)', '(key, id) <= (:key, :id)']
  // Materialised: the conditions are decided once an issue, for the page and for the total.
  const sql = `${READABLE}, matched (id, key) AS MATERIALIZED (
  SELECT i.id, ${SORT_KEYS[sort]} FROM ${source(conditions)} WHERE ${conditions.where})
SELECT id, key, (SELECT count(*) FROM matched) AS total,
  EXISTS (SELECT 1 FROM matched WHERE ${behind}) AS isBehind
FROM matched WHERE ${onward} ORDER BY key ${order}, id ${order} LIMIT :limit`
  const place = from === null ? {} : { key: from.key, id: from.id }
  return db.all<Place>(sql, { ...named(sql, conditions), ...place, limit })
}

/** Candidates for each row of a page; more cost little beside the walk that finds them. */
const CANDIDATES_PER_ROW = 10

/**
 * The first page by events in the range. Nothing has more events in a range than in all, so that where the most frequent
 * of all are some way ahead, only they are counted in the range: 3 µs an issue otherwise. `null` where they are not.
 */
function frequentPlaces(db: Connection, conditions: Conditions, limit: number): readonly Place[] | null {
  const most = limit * CANDIDATES_PER_ROW
  const sql = `${READABLE}, matched (id, most) AS MATERIALIZED (
  SELECT i.id, i.event_count FROM ${source(conditions)} WHERE ${conditions.where})
SELECT id, most, (SELECT count(*) FROM matched) AS total FROM matched ORDER BY most DESC LIMIT :most`
  type Candidate = { readonly id: IssueId; readonly most: number; readonly total: number }
  const found = db.all<Candidate>(sql, { ...named(sql, conditions), most })
  const counting = `SELECT i.id, ${COUNT_IN_RANGE} AS key FROM issues i WHERE i.id IN (SELECT value FROM json_each(:ids))`
  const ids = JSON.stringify(found.map(({ id }) => id))
  const total = found[0]?.total ?? 0
  const counted = db
    .all<Pick<Place, 'id' | 'key'>>(counting, { ...named(counting, conditions), ids })
    .map(({ id, key }) => ({ id, key, total, isBehind: 0 }))
    .sort((a, b) => b.key - a.key || b.id - a.id)
    .slice(0, limit)
  const [least, bound] = [counted.at(-1), found.at(-1)]
  const isComplete =
    found.length < most || (least !== undefined && bound !== undefined && bound.most < least.key)
  return isComplete ? counted : null
}

/** The driver refuses parameters that a statement does not name. */
function named(sql: string, { params }: Conditions): Conditions['params'] {
  return Object.fromEntries(Object.entries(params).filter(([name]) => new RegExp(`:${name}\\b`).test(sql)))
}

function rowsOf(db: Connection, shown: readonly Place[], query: ListQuery): readonly IssueListRow[] {
  const { startMs, endMs } = query.filter
  const ids = shown.map(({ id }) => id)
  const trendRange = listTrendRange(startMs, endMs)
  const sql = `SELECT ${ISSUE_COLUMNS}, ${COUNT_IN_RANGE} AS eventCountInRange FROM ${ISSUE_TABLES}
    WHERE i.id IN (SELECT value FROM json_each(:ids))`
  const rows = db.all<IssueRow & { readonly eventCountInRange: number }>(sql, {
    ids: JSON.stringify(ids),
    newSince: query.newSinceMs,
    start: startMs,
    end: endMs,
    startHour: Math.floor(startMs / HOUR_MS),
    endHour: Math.ceil(endMs / HOUR_MS),
  })
  const trends = trendsOf(db, ids, trendRange)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => {
    const row = byId.get(id)
    const trend = trends.get(id)
    return row === undefined || trend === undefined
      ? []
      : [{ ...issueOf(row), eventCountInRange: row.eventCountInRange, trend }]
  })
}

/** "For review" is what is unresolved and new or back: nobody has looked at it since. */
const FOR_REVIEW = `i.status = 'unresolved' AND ${SUBSTATUS} IN ('new', 'regressed', 'escalating')`

export function countByStatus(
  db: Connection,
  scope: ReadScope,
  { filter, newSinceMs }: { readonly filter: IssueFilter; readonly newSinceMs: number },
): { forReview: number; unresolved: number; archived: number; resolved: number; all: number } {
  const conditions = issueConditions(db, scope, { filter, newSinceMs, withStatus: false })
  const sql = `${READABLE}
SELECT count(*) FILTER (WHERE ${FOR_REVIEW}) AS forReview,
  count(*) FILTER (WHERE i.status = 'unresolved') AS unresolved,
  count(*) FILTER (WHERE i.status = 'archived') AS archived,
  count(*) FILTER (WHERE i.status = 'resolved') AS resolved,
  count(*) AS "all"
FROM ${source(conditions)} WHERE ${conditions.where}`
  type Row = { forReview: number; unresolved: number; archived: number; resolved: number; all: number }
  const row = db.get<Row>(sql, named(sql, conditions))
  return row ?? { forReview: 0, unresolved: 0, archived: 0, resolved: 0, all: 0 }
}
