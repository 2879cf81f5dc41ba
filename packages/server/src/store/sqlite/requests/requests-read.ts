/** Figures of requests: sums of hours and days, joined as they are asked for. No span is read. */
import { HOUR_MS } from '#base/durations.ts'
import type { ProjectId } from '#base/ids.ts'
import { releaseUses, type UsedThen } from '#issues/health-groups.ts'
import { max } from '#limits/limits.ts'
import type { RequestKind } from '#model/event.ts'
import type { ReleaseUses } from '#ports/health.ts'
import type {
  ActionFigures,
  CostsQuery,
  CountedAs,
  JoinedFailure,
  MovedSegment,
  RequestCounts,
  RequestFigures,
  RequestsQuery,
  RequestsRead,
  RouteCounts,
  RouteCountsQuery,
  RouteFigures,
  RouteTrend,
  SegmentIds,
  SpanCost,
  VitalFigures,
  VitalGroup,
} from '#ports/requests.ts'
import type { ReadScope } from '#ports/scope.ts'
import { durationBuckets } from '#requests/durations.ts'
import {
  type ActionSumRow,
  actionsOf,
  addSumRow,
  bucketRange,
  bucketSumsOf,
  bucketsOf,
  daysOf,
  hoursOf,
  type OfSketches,
  type RequestSumRow,
  routesOf,
  type SummedRow,
  type SumOfHour,
  sumTrends,
  type TrendRow,
  type VitalGroupRow,
  type VitalSumRow,
  vitalGroupsOf,
  vitalSpreadsOf,
  vitalsOfRows,
  wholeSum,
} from '#requests/read-sums.ts'
import { countedKey, emptyRequestSum, figuresOf, type RequestSum, wholeFiguresOf } from '#requests/sums.ts'
import type { Connection, SqlValue } from '../connection.ts'
import { READABLE, readableParams } from '../rows/readable.ts'
import { IS_ID, namesOfSeries, seenActions } from './action-rows.ts'

export function requestsRead(db: Connection): RequestsRead {
  return {
    routes: async (scope, query) => routes(db, scope, query),
    routeCounts: async (scope, query) => routeCounts(db, scope, query),
    requestCounts: async (scope, query, bucketMs) => requestCounts(db, { scope, query }, bucketMs),
    requestSeries: async (scope, query, bucketMs) =>
      bucketsOf(hourRows(db, { scope, query }, bucketMs), query, bucketMs),
    requestSums: async (scope, query, bucketMs) =>
      bucketSumsOf(hourRows(db, { scope, query }, bucketMs), query, bucketMs),
    routeTrends: async (scope, query, bucketMs) => routeTrends(db, { scope, query }, bucketMs),
    requestsByRelease: async (scope, query, bucketMs) => requestsByRelease(db, { scope, query }, bucketMs),
    requestReleases: async (scope, query) => requestReleases(db, scope, query),
    requestFigures: async (scope, query) => wholeFiguresOf(readWholeSum(db, scope, query)),
    figuresOfKinds: async (scope, query, kinds) => figuresOfKinds(db, { scope, query }, kinds),
    requestDurations: async (scope, query) => durationBuckets(readWholeSum(db, scope, query)),
    actions: async (scope, query) => readActions(db, scope, query),
    seenActions: async (scope, { projects }) => seenActions(db, scope, projects),
    vitals: async (scope, query) => readVitals(db, scope, query),
    vitalGroups: async (scope, query, by) => vitalGroups(db, { scope, query }, by),
    vitalSpreads: async (scope, query) => vitalSpreadsOf(vitalRows(db, { scope, query, key: { sql: "''" } })),
    joinedFailures: async (scope, query) => joinedFailures(db, scope, query),
    movedSegments: async (scope, query) => movedSegments(db, scope, query),
    countedAs: async (scope, segments) => countedAs(db, scope, segments),
    spanCosts: async (scope, query, limit) => spanCosts(db, { scope, query }, limit),
  }
}

/**
 * A row is what costs, not the sums in it: forty bytes of a sketch become an object, an array and a copy. So a route's sums
 * are joined in the query and its sketches come as one text, a quarter of the time.
 */
const SKETCHES = "group_concat(hex(r.sketch), '') AS sketches, group_concat(length(r.sketch)) AS lengths"

type Joined<Row extends OfSketches> = Omit<Row, keyof OfSketches> & {
  readonly sketches: string
  readonly lengths: string
}

function withSketches<Row>({ sketches, lengths, ...row }: Row & Joined<OfSketches>) {
  return { ...row, sketches: splitBytes(sketches, lengths) }
}

function splitBytes(hex: string, lengths: string): readonly Uint8Array[] {
  const bytes = Buffer.from(hex, 'hex')
  let at = 0
  return lengths.split(',').map((length) => {
    at += Number(length)
    return bytes.subarray(at - Number(length), at)
  })
}

/**
 * Sketches of failed requests: only if everything is read as one, for most rows have none. Both `NULL` if no
 * row has any.
 */
const FAILED_SKETCHES = `nullif(group_concat(hex(r.failed_sketch), ''), '') AS failedSketches,
  group_concat(length(r.failed_sketch)) AS failedLengths`

type JoinedWhole = Joined<SummedRow> & {
  readonly failedSketches: string | null
  readonly failedLengths: string | null
}

function withFailedSketches({ failedSketches, failedLengths, ...row }: JoinedWhole): SummedRow {
  const failed = splitBytes(failedSketches ?? '', failedLengths ?? '')
  return { ...withSketches(row), failedSketches: failedSketches === null ? [] : failed }
}

/**
 * Hours count from where they begin: a day that was joined belongs to the range that its first hour is in. A series has no
 * figure after its last hour; of those with releases of months, few are of a day (request_series_by_use).
 */
const WITHIN = `s.project_id IN (SELECT id FROM readable) AND s.last_hour >= :start AND r.hour >= :start
  AND r.hour < :end
  AND (:environment IS NULL OR s.environment = :environment) AND (:route IS NULL OR s.route = :route)`
/** Condition on requests. Those of a release are looked up by it, which an index takes from no choice of conditions. */
const whereOf = ({ release }: RequestsQuery) =>
  `${WITHIN} AND ${release === undefined ? ':release IS NULL' : 's.release = :release'} AND (:kind IS NULL OR s.kind = :kind)`
/** Condition on actions, which have no other kind; those kept by an id are known by their series. */
const WHERE_ACTIONS = `${WITHIN} AND (:release IS NULL OR s.release = :release) AND (:kind IS NULL OR :kind = 'action')
  AND (:action IS NULL OR s.action = :action OR s.id IN (SELECT value FROM json_each(:own))
    OR :action = '' AND ${IS_ID} AND s.id NOT IN (SELECT value FROM json_each(:named)))`

function parameters(scope: ReadScope, query: RequestsQuery): Readonly<Record<string, SqlValue>> {
  const { projects, environment = null, release = null, route = null, kind = null } = query
  return { ...readableParams(scope, projects), ...hoursOf(query), environment, release, route, kind }
}

const SUMS = `sum(r.count) AS count, sum(r.seen) AS seen, sum(r.failed) AS failed,
  sum(r.failed_behind_200) AS failedBehind200, sum(r.aborted) AS aborted, sum(r.total_ms) AS totalMs, ${SKETCHES}`
/** Longest range whose series are looked up by their use: in longer ones most were in use, and walking all takes less. */
const BY_USE_MS_MAX = 15 * 24 * HOUR_MS

/**
 * Returns the series of a query's range. The index is named, because grouping by routes SQLite would walk all series of the
 * projects in the order of their routes.
 */
function seriesOf(
  { startMs, endMs, release }: RequestsQuery,
  what: 'request' | 'action' = 'request',
): string {
  const series = `${what}_series`
  if (what === 'request' && release !== undefined) return `${series} s INDEXED BY ${series}_by_release`
  return `${series} s${endMs - startMs <= BY_USE_MS_MAX ? ` INDEXED BY ${series}_by_use` : ''}`
}

function seriesAndSums(query: RequestsQuery): string {
  return `FROM ${seriesOf(query)} JOIN request_sums r ON r.series_id = s.id`
}

function actionsAndSums(query: RequestsQuery): string {
  return `FROM ${seriesOf(query, 'action')} JOIN action_sums r ON r.series_id = s.id`
}

/** Returns the table of the sums that the query names. */
function sumsSql(query: RequestsQuery): string {
  if (query.action === undefined) return `${seriesAndSums(query)} WHERE ${whereOf(query)}`
  return `${actionsAndSums(query)} WHERE ${WHERE_ACTIONS}`
}

function sumParameters(
  db: Connection,
  scope: ReadScope,
  query: RequestsQuery,
): Readonly<Record<string, SqlValue>> {
  if (query.action === undefined) return parameters(scope, query)
  return actionParameters(scope, query, namesOfSeries(db, scope, query))
}

function actionParameters(
  scope: ReadScope,
  query: RequestsQuery,
  names: ReadonlyMap<number, string>,
): Readonly<Record<string, SqlValue>> {
  const { action = null } = query
  const own = [...names].filter(([, name]) => name === action).map(([series]) => series)
  const named = action === '' ? [...names.keys()] : []
  return { ...parameters(scope, query), action, own: JSON.stringify(own), named: JSON.stringify(named) }
}

/**
 * Returns routes with most time first: of others no sketch is read. Joined in the order that is written: by
 * itself SQLite looks each of the sums up in `top`, and not each series, which takes half as long again.
 */
function routes(
  db: Connection,
  scope: ReadScope,
  query: RequestsQuery & Pick<RouteCountsQuery, 'routes'>,
): readonly RouteFigures[] {
  const where = `${whereOf(query)} AND ${AMONG_ROUTES}`
  const sql = `${READABLE}, top AS (
  SELECT s.project_id, s.kind, s.route ${seriesAndSums(query)} WHERE ${where}
  GROUP BY 1, 2, 3 ORDER BY sum(r.total_ms) DESC LIMIT ${max('routesReadMax')})
SELECT s.project_id AS projectId, s.route, s.kind, ${SUMS}
FROM ${seriesOf(query)} CROSS JOIN top USING (project_id, kind, route)
  CROSS JOIN request_sums r ON r.series_id = s.id
WHERE ${where} GROUP BY s.project_id, s.kind, s.route`
  const params = { ...parameters(scope, query), routes: namedRoutes(query.routes) }
  return routesOf(db.all<Joined<RequestSumRow>>(sql, params).map(withSketches))
}

const AMONG_ROUTES = '(:routes IS NULL OR s.route IN (SELECT value FROM json_each(:routes)))'

function namedRoutes(routes: readonly string[] | null | undefined): string | null {
  return routes == null ? null : JSON.stringify(routes)
}

const COUNTS = `CAST(round(sum(r.count)) AS INTEGER) AS count, CAST(round(sum(r.failed)) AS INTEGER) AS failed,
  CAST(round(sum(r.failed_behind_200)) AS INTEGER) AS failedBehind200`

function routeCounts(db: Connection, scope: ReadScope, query: RouteCountsQuery): readonly RouteCounts[] {
  const { routes = failingRoutes(db, scope, query), failedMin = 0, hasMostTimeFirst = false } = query
  if (routes?.length === 0) return []
  const sql = `${READABLE}
SELECT s.project_id AS projectId, s.route, s.kind, ${COUNTS} ${seriesAndSums(query)} WHERE ${whereOf(query)}
  AND ${AMONG_ROUTES}
GROUP BY 1, 2, 3 HAVING round(sum(r.failed)) >= :failedMin
ORDER BY sum(r.${hasMostTimeFirst ? 'total_ms' : 'failed'}) DESC LIMIT ${max('routesReadMax')}`
  return db.all<RouteCounts>(sql, { ...parameters(scope, query), routes: namedRoutes(routes), failedMin })
}

/**
 * Returns the routes that may have enough failures; `null` if all have. Few hours of a route have any, and without the
 * others there is next to nothing to sort.
 */
function failingRoutes(
  db: Connection,
  scope: ReadScope,
  { failedMin = 0, routes: _, ...query }: RouteCountsQuery,
): readonly string[] | null {
  if (failedMin <= 0) return null
  const sql = `${READABLE}
SELECT DISTINCT s.route ${seriesAndSums(query)} WHERE ${whereOf(query)} AND r.failed > 0
GROUP BY s.project_id, s.route, s.kind HAVING round(sum(r.failed)) >= :failedMin`
  const found = db.all<{ readonly route: string }>(sql, { ...parameters(scope, query), failedMin })
  return found.map(({ route }) => route)
}

function requestCounts(
  db: Connection,
  { scope, query }: { readonly scope: ReadScope; readonly query: RequestsQuery },
  bucketMs: number,
): readonly RequestCounts[] {
  const { first, length } = bucketRange(query, bucketMs)
  const sql = `${READABLE}
SELECT CAST(r.hour / :hours AS INTEGER) - :first AS bucket, ${COUNTS} ${seriesAndSums(query)} WHERE ${whereOf(query)} GROUP BY 1`
  const hours = Math.max(1, Math.round(bucketMs / HOUR_MS))
  type Row = RequestCounts & { readonly bucket: number }
  const rows = db.all<Row>(sql, { ...parameters(scope, query), hours, first })
  const known = new Map(rows.map(({ bucket, ...counts }) => [bucket, counts]))
  return Array.from({ length }, (_, bucket) => known.get(bucket) ?? NO_COUNTS)
}

const NO_COUNTS: RequestCounts = { count: 0, failed: 0, failedBehind200: 0 }

/** Returns one row per series: a text of all their sketches might be too long for a row. */
function readWholeSum(db: Connection, scope: ReadScope, query: RequestsQuery): RequestSum {
  const sql = `${READABLE}
SELECT ${SUMS}, ${FAILED_SKETCHES} ${sumsSql(query)} GROUP BY s.id`
  return wholeSum(db.all<JoinedWhole>(sql, sumParameters(db, scope, query)).map(withFailedSketches))
}

/**
 * Reads a row per kind, project and day: they are far fewer than series, and a row is what costs. Series of many hours are
 * read in pieces, since a text of all their sketches might be longer than texts can be.
 */
function figuresOfKinds(
  db: Connection,
  { scope, query }: { readonly scope: ReadScope; readonly query: RequestsQuery },
  kinds: readonly RequestKind[],
): readonly RequestFigures[] {
  const sql = `${READABLE}
SELECT s.kind, ${SUMS} ${seriesAndSums(query)} WHERE ${whereOf(query)} AND s.kind IN (SELECT value FROM json_each(:kinds))
  AND CAST(s.id AS INTEGER) % CAST(:pieces AS INTEGER) = :piece
GROUP BY s.kind, s.project_id, CAST(r.hour / 24 AS INTEGER)`
  type Row = Joined<SummedRow> & { readonly kind: RequestKind }
  const asked = { ...parameters(scope, query), kinds: JSON.stringify(kinds) }
  const pieces = Math.max(1, Math.ceil(hoursOfSeries(db, scope, query) / HOURS_OF_PIECE_MAX))
  const sums = new Map(kinds.map((kind) => [kind, emptyRequestSum()]))
  for (let piece = 0; piece < pieces; piece++)
    for (const row of db.all<Row>(sql, { ...asked, pieces, piece })) {
      const sum = sums.get(row.kind)
      if (sum !== undefined) addSumRow(sum, withSketches(row))
    }
  return [...sums.values()].map(figuresOf)
}

/** Most sketches that are read at once: 150 MB of text if each has the 560 bytes of a wide one. */
const HOURS_OF_PIECE_MAX = 131_072

/** Returns how many sums one row may be of at most: the series of a project, each with every hour of a day. */
function hoursOfSeries(db: Connection, scope: ReadScope, query: RequestsQuery): number {
  const ofRelease = query.release === undefined ? ':release IS NULL' : 's.release = :release'
  const sql = `${READABLE}
SELECT max(series) AS series FROM (SELECT count(*) AS series FROM ${seriesOf(query)}
WHERE s.project_id IN (SELECT id FROM readable) AND s.last_hour >= :start AND ${ofRelease} GROUP BY s.project_id)`
  const { start, end } = hoursOf(query)
  const asked = { ...readableParams(scope, query.projects), start, release: query.release ?? null }
  return (db.all<{ readonly series: number }>(sql, asked)[0]?.series ?? 0) * Math.min(24, end - start)
}

/** Returns one row per series, as above: a release has few actions. An id that was asked for is itself. */
function readActions(db: Connection, scope: ReadScope, query: RequestsQuery): readonly ActionFigures[] {
  const sql = `${READABLE}
SELECT s.id AS series, s.project_id AS projectId, s.route, s.action, ${SUMS} ${actionsAndSums(query)} WHERE ${WHERE_ACTIONS} GROUP BY s.id`
  const names = namesOfSeries(db, scope, query)
  type Row = ActionSumRow & { readonly series: number }
  const rows = db.all<Joined<Row>>(sql, actionParameters(scope, query, names)).map(withSketches)
  return actionsOf(
    rows.map((row) => ({ ...row, action: names.get(row.series) ?? row.action })),
    query,
  )
}

function hourRows(
  db: Connection,
  { scope, query }: { readonly scope: ReadScope; readonly query: RequestsQuery },
  bucketMs: number,
): readonly SumOfHour[] {
  const sql = `${READABLE}
SELECT min(r.hour) AS hour, ${SUMS}
${sumsSql(query)} GROUP BY s.id, CAST(r.hour / :hours AS INTEGER)`
  const hours = Math.max(1, Math.round(bucketMs / HOUR_MS))
  return db.all<Joined<SumOfHour>>(sql, { ...sumParameters(db, scope, query), hours }).map(withSketches)
}

function routeTrends(
  db: Connection,
  {
    scope,
    query,
  }: { readonly scope: ReadScope; readonly query: RequestsQuery & { readonly routes: readonly string[] } },
  bucketMs: number,
): readonly RouteTrend[] {
  const { first, length } = bucketRange(query, bucketMs)
  // Numbers are bound as REAL, and divide as such.
  const sql = `${READABLE}
SELECT s.project_id AS projectId, s.route, s.kind, CAST(r.hour / :hours AS INTEGER) - :first AS bucket,
  sum(r.count) AS count, ${SKETCHES}
${seriesAndSums(query)}
WHERE ${whereOf(query)} AND s.route IN (SELECT value FROM json_each(:routes)) GROUP BY 1, 2, 3, 4`
  const hours = Math.max(1, Math.round(bucketMs / HOUR_MS))
  const asked = { ...parameters(scope, query), hours, first, routes: JSON.stringify(query.routes) }
  return sumTrends(db.all<Joined<TrendRow>>(sql, asked).map(withSketches), length)
}

function requestsByRelease(
  db: Connection,
  { scope, query }: { readonly scope: ReadScope; readonly query: RequestsQuery },
  bucketMs: number,
): readonly ReleaseUses[] {
  const { first, length } = bucketRange(query, bucketMs)
  const sql = `${READABLE}
SELECT s.project_id AS projectId, s.release, CAST(r.hour / :hours AS INTEGER) - :first AS bucket,
  sum(r.count) AS count
${seriesAndSums(query)} WHERE ${whereOf(query)} AND s.release <> ''
GROUP BY 1, 2, 3`
  const hours = Math.max(1, Math.round(bucketMs / HOUR_MS))
  return releaseUses(db.all<UsedThen>(sql, { ...parameters(scope, query), hours, first }), length)
}

function requestReleases(db: Connection, scope: ReadScope, query: RequestsQuery) {
  const sql = `${READABLE}
SELECT s.project_id AS projectId, s.release, min(r.hour) * ${HOUR_MS} AS firstMs
${seriesAndSums(query)} WHERE ${whereOf(query)} AND s.release <> ''
GROUP BY 1, 2 ORDER BY 3`
  type Row = { readonly projectId: ProjectId; readonly release: string; readonly firstMs: number }
  return db.all<Row>(sql, parameters(scope, query))
}

function readVitals(db: Connection, scope: ReadScope, query: RequestsQuery): readonly VitalFigures[] {
  const sql = `${READABLE}
SELECT s.project_id AS projectId, s.route, r.vital, sum(r.count) AS count, sum(r.good) AS good,
  sum(r.poor) AS poor, ${SKETCHES}
FROM ${seriesOf(query)} JOIN vital_sums r ON r.series_id = s.id WHERE ${whereOf(query)} GROUP BY s.id, r.vital`
  return vitalsOfRows(db.all<Joined<VitalSumRow>>(sql, parameters(scope, query)).map(withSketches))
}

function vitalGroups(
  db: Connection,
  { scope, query }: { readonly scope: ReadScope; readonly query: RequestsQuery },
  by: 'release' | number,
): readonly VitalGroup[] {
  if (by === 'release')
    return vitalGroupsOf(vitalRows(db, { scope, query, key: { sql: 's.release' } }), false)
  const hours = Math.max(1, Math.round(by / HOUR_MS))
  const sql = `CAST(r.hour / :hours AS INTEGER) * :hours * ${HOUR_MS}`
  return vitalGroupsOf(vitalRows(db, { scope, query, key: { sql, hours } }), true)
}

function vitalRows(
  db: Connection,
  asked: {
    readonly scope: ReadScope
    readonly query: RequestsQuery
    readonly key: { readonly sql: string; readonly hours?: number }
  },
): readonly VitalGroupRow[] {
  const { scope, query, key } = asked
  const sql = `${READABLE}
SELECT ${key.sql} AS key, r.vital, sum(r.count) AS count, sum(r.good) AS good, sum(r.poor) AS poor, ${SKETCHES}
FROM ${seriesOf(query)} JOIN vital_sums r ON r.series_id = s.id WHERE ${whereOf(query)} GROUP BY 1, 2`
  const hours = key.hours === undefined ? {} : { hours: key.hours }
  return db.all<Joined<VitalGroupRow>>(sql, { ...parameters(scope, query), ...hours }).map(withSketches)
}

/** By the failures: there are few, and the counted segments are every one of days. */
function joinedFailures(
  db: Connection,
  scope: ReadScope,
  { projects, startMs, endMs }: Pick<RequestsQuery, 'projects' | 'startMs' | 'endMs'>,
): readonly JoinedFailure[] {
  const sql = `${READABLE}
SELECT DISTINCT c.project_id AS projectId, printf('%016x', c.trace) AS traceHead, c.at_ms AS atMs
FROM request_failures f JOIN counted_spans c USING (project_id, trace, span)
WHERE f.project_id IN (SELECT id FROM readable) AND c.is_behind = 1 AND c.at_ms >= :start AND c.at_ms < :end
ORDER BY c.at_ms DESC LIMIT ${max('joinedFailuresReadMax')}`
  const range = { start: Math.floor(startMs), end: Math.ceil(endMs) }
  return db.all<JoinedFailure>(sql, { ...readableParams(scope, projects), ...range })
}

function movedSegments(
  db: Connection,
  scope: ReadScope,
  { projects, startMs, endMs }: Pick<RequestsQuery, 'projects' | 'startMs' | 'endMs'>,
): readonly MovedSegment[] {
  const sql = `${READABLE}
SELECT m.project_id AS projectId, printf('%016x', m.trace) AS traceHead, m.at_ms AS atMs, m.kind AS saidKind,
  s.kind, s.route, CASE c.ended WHEN 'revalidated' THEN 'answered' ELSE c.ended END AS end
FROM moved_segments m JOIN counted_spans c USING (project_id, trace, span)
  JOIN request_series s ON s.id = c.series_id
WHERE m.project_id IN (SELECT id FROM readable) AND m.at_ms >= :start AND m.at_ms < :end
ORDER BY m.at_ms DESC LIMIT ${max('movedSegmentsReadMax')}`
  const range = { start: Math.floor(startMs), end: Math.ceil(endMs) }
  return db.all<MovedSegment>(sql, { ...readableParams(scope, projects), ...range })
}

/** By the primary key, one after the other: there are as many as a page has. */
function countedAs(db: Connection, scope: ReadScope, segments: readonly SegmentIds[]): readonly CountedAs[] {
  const sql = `${READABLE}
SELECT s.kind, s.route, CASE c.ended WHEN 'revalidated' THEN 'answered' ELSE c.ended END AS end,
  nullif(a.action, '') AS action
FROM counted_spans c JOIN request_series s ON s.id = c.series_id LEFT JOIN action_series a ON a.id = c.action_series_id
WHERE c.project_id = :project AND c.trace = :trace AND c.span = :span AND c.took_ms IS NOT NULL
  AND c.project_id IN (SELECT id FROM readable)`
  const readable = readableParams(scope, null)
  return segments.flatMap(({ projectId: project, traceId, segmentId }) => {
    const [trace, span] = countedKey(traceId, segmentId)
    const found = db.get<Pick<CountedAs, 'kind' | 'route' | 'end' | 'action'>>(sql, {
      ...readable,
      project,
      trace,
      span,
    })
    return found === undefined ? [] : [{ projectId: project, traceId, segmentId, ...found }]
  })
}

interface CostRow extends Omit<SpanCost, 'slowest'> {
  readonly ms: number
  readonly traceId: string
  readonly spanId: string
}

/** Returns one row per sort, of the kinds asked for; its day and example are those of the slowest. */
function spanCosts(
  db: Connection,
  { scope, query }: { readonly scope: ReadScope; readonly query: CostsQuery },
  limit: number,
): readonly SpanCost[] {
  const sql = `${READABLE}
SELECT project_id AS projectId, route, coalesce(:kind, '') AS kind, day, op, description, sum(count) AS count,
  sum(total_ms) AS totalMs, sum(failed) AS failed, sum(repeated_in) AS repeatedIn, max(slowest_ms) AS ms,
  slowest_trace AS traceId, slowest_span AS spanId
FROM span_costs WHERE project_id IN (SELECT id FROM readable) AND day BETWEEN :firstDay AND :lastDay
  AND (:route IS NULL OR route = :route) AND (:kind IS NULL OR kind = :kind)
GROUP BY project_id, route, op, description ORDER BY totalMs DESC LIMIT :limit`
  const rows = db.all<CostRow>(sql, {
    ...{ ...readableParams(scope, query.projects), ...daysOf(query), limit },
    ...{ route: query.route ?? null, kind: query.kind ?? null },
  })
  return rows.map(({ ms, traceId, spanId, ...cost }) => ({ ...cost, slowest: { ms, traceId, spanId } }))
}
