/** Pages of issues: a walk over a covering index finds the ids, then only the shown rows are read whole. */
import { type IssueId, issueId as issueIdOf } from '#base/ids.ts'
import { readIssueCursor } from '#issues/issue-cursor.ts'
import { FOR_REVIEW, shortId } from '#issues/issue-names.ts'
import {
  type IssuePlace,
  issueNeighbours,
  type PageOrder,
  type PlacesFound,
  placesFrom,
} from '#issues/issue-order.ts'
import { issuePage, orderOf } from '#issues/issue-page.ts'
import { middleOf, trendKey } from '#issues/issue-trend.ts'
import { listTrendRange } from '#issues/trend-range.ts'
import type { IssueSort } from '#model/search-words.ts'
import type {
  IssueBeside,
  IssueFilter,
  IssueListRow,
  IssuePage,
  ProjectIssues,
  ReadableGroup,
} from '#ports/issues.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { Connection } from '../connection.ts'
import { PRIORITY } from '../rows/priority.ts'
import { READABLE, readableParams } from '../rows/readable.ts'
import type { CountedIssue, CountsInRange } from './counts-in-range.ts'
import {
  COUNT_IN_RANGE,
  type Conditions,
  fromMatched,
  issueConditions,
  matchedList,
  rangeParameters,
  sharedConditions,
} from './issue-filter.ts'
import { ISSUE_COLUMNS, ISSUE_TABLES, type IssueRow, readIssueRow, SUBSTATUS } from './issue-rows.ts'
import { issueTrends } from './trend.ts'

/** Sort keys. Counts in a range are sorted by an upper bound first: no issue has more events in a range than in all. */
const SORT_KEYS: Readonly<Record<IssueSort, string>> = {
  date: 'i.last_seen_ms',
  new: 'i.first_seen_ms',
  freq: 'i.event_count',
  user: 'i.user_count',
  trends: 'i.event_count',
  // Whole numbers, as keys are; a time has 13 digits until the year 2286.
  priority: `(CASE ${PRIORITY} WHEN 'high' THEN 3 WHEN 'medium' THEN 2 ELSE 1 END) * 10000000000000 + i.last_seen_ms`,
}

export interface ListQuery {
  readonly filter: IssueFilter
  readonly sort: IssueSort
  readonly limit: number
  readonly cursor: string | null
  readonly newSinceMs: number
}

export function listIssues(
  { db, counts }: { readonly db: Connection; readonly counts: CountsInRange },
  scope: ReadScope,
  query: ListQuery,
): IssuePage {
  const { filter, newSinceMs, sort, limit } = query
  const conditions = issueConditions(db, scope, { filter, newSinceMs, withStatus: true })
  const asked = { sort, limit, cursor: readIssueCursor(query.cursor, sort) }
  const order = orderOf(asked)
  const matched = withKeysOfMatched(db, matchIssues(db, conditions, sort), query)
  const found =
    sort === 'trends' || filter.matched === undefined
      ? findPlaces(matched, {
          sort,
          order,
          inRange: (issues, range) => counts.of(issues, range),
          filter,
        })
      : placesFrom(matched.ids, matched.keys, order)
  const { shown, ...cursors } = issuePage(found, asked)
  const rows = shown.length === 0 ? [] : readListRows(db, shown, query)
  return { rows, total: matched.ids.length, ...cursors }
}

/** Same as `IssuesRead.totals`: filters of one place are counted by one walk. */
export function issueTotals(
  db: Connection,
  scope: ReadScope,
  { filters, newSinceMs }: { readonly filters: readonly IssueFilter[]; readonly newSinceMs: number },
): readonly number[] {
  const totals = new Map<IssueFilter, number>()
  const places = Map.groupBy(filters, ({ projects, startMs, endMs }) =>
    JSON.stringify([projects, startMs, endMs]),
  )
  for (const [first, ...others] of places.values()) {
    if (first === undefined) continue
    const conditions = sharedConditions(db, scope, { filters: [first, ...others], newSinceMs })
    const { where, each, params } = conditions
    const counts = each.map((condition) => `count(*) FILTER (WHERE ${condition})`)
    const sql = `${READABLE} SELECT json_array(${counts.join(', ')}) AS counts FROM ${source(conditions)} WHERE ${where}`
    const row = db.get<{ readonly counts: string }>(sql, pickNamedParams(sql, { params }))
    const found: readonly number[] = JSON.parse(row?.counts ?? '[]')
    for (const [at, filter] of [first, ...others].entries()) totals.set(filter, found[at] ?? 0)
  }
  return filters.map((filter) => totals.get(filter) ?? 0)
}

interface PlacesAsked extends Pick<ListQuery, 'filter' | 'sort'> {
  readonly order: PageOrder
  readonly inRange: CountsIn
}

type TimeRange = Pick<IssueFilter, 'startMs' | 'endMs'>
type CountsIn = (issues: readonly CountedIssue[], range: TimeRange) => readonly number[]

function findPlaces(matched: Matched, { sort, order, inRange, filter }: PlacesAsked): PlacesFound {
  if (sort === 'freq') return frequentPlaces(matched, (issues) => inRange(issues, filter), order)
  const keys = sort === 'trends' ? trendKeys(countedIssues(matched), inRange, filter) : matched.keys
  return placesFrom(matched.ids, keys, order)
}

function trendKeys(issues: readonly CountedIssue[], inRange: CountsIn, filter: TimeRange): readonly number[] {
  const { startMs, endMs } = filter
  const all = inRange(issues, filter)
  const later = inRange(issues, { startMs: middleOf(startMs, endMs), endMs })
  return issues.map((_, index) => trendKey({ all: all[index] ?? 0, later: later[index] ?? 0 }))
}

export interface BesideQuery extends Pick<ListQuery, 'filter' | 'sort' | 'newSinceMs'> {
  readonly id: IssueId
}

/** Returns a readable issue's place in a list; the walk is that of the list itself. */
export function issueBeside(
  { db, counts }: { readonly db: Connection; readonly counts: CountsInRange },
  scope: ReadScope,
  { filter, sort, newSinceMs, id }: BesideQuery,
): IssueBeside | null {
  const sql = `SELECT i.id, ${SORT_KEYS[sort]} AS key, i.event_count AS eventCount, i.last_seen_ms AS lastSeenMs
    FROM issues i WHERE i.id = ?`
  const own = db.get<CountedIssue & { readonly key: number }>(sql, [id])
  if (own === undefined) return null
  const conditions = issueConditions(db, scope, { filter, newSinceMs, withStatus: true })
  const matched = withKeysOfMatched(db, matchIssues(db, conditions, sort), { filter, sort })
  const keysOf = (issues: readonly CountedIssue[]) =>
    sort === 'trends'
      ? trendKeys(issues, (some, range) => counts.of(some, range), filter)
      : counts.of(issues, filter)
  const isCounted = sort === 'trends' || (sort === 'freq' && filter.matched === undefined)
  const keys = isCounted ? keysOf(countedIssues(matched)) : matched.keys
  const listed = matched.keys[matched.ids.indexOf(id)]
  const [key = own.key] = isCounted ? keysOf([own]) : [listed ?? own.key]
  const { at, previous, next } = issueNeighbours(matched.ids, keys, { id, key })
  const refs = shortIdsOf(db, [previous, next])
  const refOf = (other: IssueId | null) => (other === null ? null : (refs.get(other) ?? null))
  return {
    position: at === null ? null : at + 1,
    total: matched.ids.length,
    previous: refOf(previous),
    next: refOf(next),
  }
}

function shortIdsOf(db: Connection, ids: readonly (IssueId | null)[]): ReadonlyMap<IssueId, string> {
  const sql = `SELECT i.id, p.slug, i.number FROM issues i JOIN projects p ON p.id = i.project_id
    WHERE i.id IN (SELECT value FROM json_each(?))`
  const rows = db.all<{ id: IssueId; slug: string; number: number }>(sql, [JSON.stringify(ids)])
  return new Map(rows.map(({ id, slug, number }) => [id, shortId(slug, number)]))
}

/** issues_for_list covers every condition and sort; with few candidates the way goes by their ids. */
function source({ isSelective }: Conditions): string {
  return isSelective ? 'issues i' : 'issues i INDEXED BY issues_for_list'
}

/** Values of every issue found, in the same order in each list. */
interface Matched {
  readonly ids: readonly IssueId[]
  readonly keys: readonly number[]
  readonly lastSeenMs: readonly number[]
}

/**
 * Walks once, deciding the conditions once per issue. The lists come as JSON: a third of what rows cost, and
 * of what SQLite takes to sort them for a page and to count them beside it (20,000 issues: 7 ms instead of
 * 20; 2 vCPU, 2026-11).
 */
function matchIssues(db: Connection, conditions: Conditions, sort: IssueSort): Matched {
  const lastSeen = sort === 'freq' || sort === 'trends' ? 'json_group_array(i.last_seen_ms)' : `'[]'`
  const sql = `${READABLE}
SELECT json_group_array(i.id) AS ids, json_group_array(${SORT_KEYS[sort]}) AS keys, ${lastSeen} AS lastSeenMs
FROM ${source(conditions)} WHERE ${conditions.where}`
  const row = db.get<Record<keyof Matched, string>>(sql, pickNamedParams(sql, conditions))
  const list = (text = '[]'): number[] => JSON.parse(text) // made by SQLite from columns of whole numbers
  const ids = list(row?.ids).map(issueIdOf)
  return { ids, keys: list(row?.keys), lastSeenMs: list(row?.lastSeenMs) }
}

/**
 * Returns keys of matching events, if those are told apart. An issue is as young as its first event of all.
 */
function withKeysOfMatched(
  db: Connection,
  found: Matched,
  { filter, sort }: Pick<ListQuery, 'filter' | 'sort'>,
): Matched {
  const { matched, matchedUsers } = filter
  if (
    matched === undefined ||
    sort === 'new' ||
    sort === 'trends' ||
    sort === 'priority' ||
    (sort === 'user' && matchedUsers === undefined)
  )
    return found
  const keys =
    sort === 'user'
      ? new Map((matchedUsers ?? []).map(({ issueId, users }) => [issueId, users]))
      : sumsOfMatched(db, matched, sort)
  return { ...found, keys: found.ids.map((id) => keys.get(id) ?? 0) }
}

function sumsOfMatched(
  db: Connection,
  matched: NonNullable<IssueFilter['matched']>,
  sort: 'date' | 'freq',
): ReadonlyMap<IssueId, number> {
  const key = sort === 'freq' ? 'sum(j.value ->> 2)' : 'CAST(max(j.value ->> 3) AS INTEGER)'
  const sql = `SELECT g.issue_id AS id, ${key} AS key ${fromMatched(':list')} GROUP BY g.issue_id`
  const rows = db.all<{ id: IssueId; key: number }>(sql, { list: matchedList(matched) })
  return new Map(rows.map(({ id, key }) => [id, key]))
}

/** Same as `IssuesRead.groupsFound`. groups_by_issue. */
export function groupsFound(
  db: Connection,
  scope: ReadScope,
  query: { readonly filter: IssueFilter; readonly newSinceMs: number; readonly limit: number },
): readonly ReadableGroup[] {
  const conditions = issueConditions(db, scope, { ...query, withStatus: true })
  const sql = `${READABLE}
SELECT g.issue_id AS issueId, g.project_id AS projectId, lower(hex(g.hash)) AS hash
FROM ${source(conditions)} CROSS JOIN groups g ON g.issue_id = i.id
WHERE ${conditions.where} AND g.project_id IN (SELECT value FROM json_each(:open)) LIMIT :most`
  return db.all<ReadableGroup>(sql, { ...pickNamedParams(sql, conditions), most: query.limit })
}

/** Candidates for each row of a page; more cost little beside the walk that finds them. */
const CANDIDATES_PER_ROW = 10

/**
 * By events in the range. Where the most frequent of all time are some way ahead, only they are counted in it: those
 * that are left cannot have as many.
 */
function frequentPlaces(
  matched: Matched,
  countsOf: (issues: readonly CountedIssue[]) => readonly number[],
  page: PageOrder,
): PlacesFound {
  const issues = countedIssues(matched)
  const placesAmong = (some: readonly CountedIssue[]) =>
    placesFrom(
      some.map(({ id }) => id),
      countsOf(some),
      page,
    )
  const most = page.limit * CANDIDATES_PER_ROW
  // Backwards the least are looked for, which say nothing of the others.
  if (page.way === 'previous' || issues.length <= most) return placesAmong(issues)
  issues.sort((a, b) => b.eventCount - a.eventCount)
  const found = placesAmong(issues.slice(0, most))
  const [least, bound] = [found.places[page.limit - 1], issues[most]]
  const isComplete = least !== undefined && bound !== undefined && bound.eventCount < least.key
  return isComplete ? found : placesAmong(issues)
}

function countedIssues({ ids, keys, lastSeenMs }: Matched): CountedIssue[] {
  return ids.map((id, index) => ({
    ...{ id, eventCount: keys[index] ?? 0, lastSeenMs: lastSeenMs[index] ?? 0 },
  }))
}

/** The driver refuses parameters that a statement does not name. */
function pickNamedParams(sql: string, { params }: Pick<Conditions, 'params'>): Conditions['params'] {
  return Object.fromEntries(Object.entries(params).filter(([name]) => new RegExp(`:${name}\\b`).test(sql)))
}

function readListRows(
  db: Connection,
  shown: readonly IssuePlace[],
  query: ListQuery,
): readonly IssueListRow[] {
  const { startMs, endMs } = query.filter
  const ids = shown.map(({ id }) => id)
  const trendRange = listTrendRange(startMs, endMs)
  const sql = `SELECT ${ISSUE_COLUMNS}, ${COUNT_IN_RANGE} AS eventCountInRange FROM ${ISSUE_TABLES}
    WHERE i.id IN (SELECT value FROM json_each(:ids))`
  const rows = db.all<IssueRow & { readonly eventCountInRange: number }>(sql, {
    ids: JSON.stringify(ids),
    newSince: query.newSinceMs,
    ...rangeParameters(query.filter),
  })
  const trends = issueTrends(db, ids, trendRange)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => {
    const row = byId.get(id)
    const trend = trends.get(id)
    return row === undefined || trend === undefined
      ? []
      : [{ ...readIssueRow(row), eventCountInRange: row.eventCountInRange, trend }]
  })
}

const IS_FOR_REVIEW = `i.status = 'unresolved' AND ${SUBSTATUS} IN (SELECT value FROM json_each(:forReview))`

export function countByProject(db: Connection, scope: ReadScope, newSince: number): readonly ProjectIssues[] {
  // issues_for_list covers it.
  const sql = `${READABLE}
SELECT i.project_id AS projectId, count(*) FILTER (WHERE i.status = 'unresolved') AS unresolved,
  count(*) FILTER (WHERE i.status = 'unresolved' AND ${SUBSTATUS} = 'new') AS new,
  count(*) FILTER (WHERE i.status = 'unresolved' AND ${SUBSTATUS} = 'regressed') AS regressed,
  max(i.last_seen_ms) AS lastSeenMs
FROM issues i WHERE i.project_id IN (SELECT id FROM readable) AND i.substatus IS NOT 'waiting'
GROUP BY i.project_id ORDER BY i.project_id`
  return db.all<ProjectIssues>(sql, { ...readableParams(scope), newSince })
}

/** By issues_new and issues_returned, where issues that nobody looked at lie alone; stops at `limit`. */
export function countForReview(
  db: Pick<Connection, 'get'>,
  scope: ReadScope,
  bounds: { readonly sinceMs: number; readonly limit: number; readonly newSinceMs: number },
): number {
  const sql = `${READABLE}
SELECT count(*) AS count FROM (
  SELECT 1 FROM readable r CROSS JOIN issues i INDEXED BY issues_new
  WHERE i.project_id = r.id AND i.status = 'unresolved' AND i.substatus = 'new'
    AND i.first_seen_ms >= :newSince AND i.last_seen_ms >= :since
  UNION ALL SELECT 1 FROM readable r CROSS JOIN issues i INDEXED BY issues_returned
  WHERE i.project_id = r.id AND i.status = 'unresolved' AND i.substatus IN ('regressed', 'escalating')
    AND i.last_seen_ms >= :since
  LIMIT :limit)`
  const { sinceMs: since, limit, newSinceMs: newSince } = bounds
  const params = { ...readableParams(scope), since, limit, newSince }
  return db.get<{ count: number }>(sql, params)?.count ?? 0
}

export function countByStatus(
  db: Connection,
  scope: ReadScope,
  { filter, newSinceMs }: { readonly filter: IssueFilter; readonly newSinceMs: number },
): { forReview: number; unresolved: number; archived: number; resolved: number; all: number } {
  const conditions = issueConditions(db, scope, { filter, newSinceMs, withStatus: false })
  const sql = `${READABLE}
SELECT count(*) FILTER (WHERE ${IS_FOR_REVIEW}) AS forReview,
  count(*) FILTER (WHERE i.status = 'unresolved') AS unresolved,
  count(*) FILTER (WHERE i.status = 'archived') AS archived,
  count(*) FILTER (WHERE i.status = 'resolved') AS resolved,
  count(*) AS "all"
FROM ${source(conditions)} WHERE ${conditions.where}`
  type Row = { forReview: number; unresolved: number; archived: number; resolved: number; all: number }
  const row = db.get<Row>(sql, { ...pickNamedParams(sql, conditions), forReview: JSON.stringify(FOR_REVIEW) })
  return row ?? { forReview: 0, unresolved: 0, archived: 0, resolved: 0, all: 0 }
}
