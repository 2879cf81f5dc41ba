/** Figures of requests: sums of hours and days, joined as they are asked for. No span is read. */
import { HOUR_MS } from '#base/durations.ts'
import type { ProjectId } from '#base/ids.ts'
import type { RequestsQuery, RequestsRead, RouteTrend, SpanCost, VitalFigures } from '#ports/requests.ts'
import type { ReadScope } from '#ports/scope.ts'
import { durationBuckets } from '#requests/durations.ts'
import {
  bucketRange,
  bucketsOf,
  daysOf,
  hoursOf,
  type RequestSumRow,
  routesOf,
  type TrendRow,
  trendsOf,
  type VitalSumRow,
  vitalsOfRows,
  wholeSum,
} from '#requests/read-sums.ts'
import { figuresOf } from '#requests/sums.ts'
import type { Connection, SqlValue } from '../connection.ts'
import { READABLE, readableParams } from '../rows/readable.ts'

export function requestsRead(db: Connection): RequestsRead {
  const sums = (scope: ReadScope, query: RequestsQuery) => sumRows(db, scope, query)
  return {
    routes: async (scope, query) => routesOf(sums(scope, query)),
    requestSeries: async (scope, query, bucketMs) => bucketsOf(sums(scope, query), query, bucketMs),
    routeTrends: async (scope, query, bucketMs) => routeTrends(db, { scope, query }, bucketMs),
    requestReleases: async (scope, query) => requestReleases(db, scope, query),
    requestFigures: async (scope, query) => figuresOf(wholeSum(sums(scope, query))),
    requestDurations: async (scope, query) => durationBuckets(wholeSum(sums(scope, query)).sketch),
    vitals: async (scope, query) => vitals(db, scope, query),
    spanCosts: async (scope, query, limit) => spanCosts(db, { scope, query }, limit),
  }
}

/** Hours count from where they begin: a day that was joined belongs to the range that its first hour is in. */
const WHERE = `s.project_id IN (SELECT id FROM readable) AND r.hour >= :start AND r.hour < :end
  AND (:environment IS NULL OR s.environment = :environment) AND (:release IS NULL OR s.release = :release)
  AND (:route IS NULL OR s.route = :route) AND (:kind IS NULL OR s.kind = :kind)`

function parameters(scope: ReadScope, query: RequestsQuery): Readonly<Record<string, SqlValue>> {
  const { projects, environment = null, release = null, route = null, kind = null } = query
  return { ...readableParams(scope, projects), ...hoursOf(query), environment, release, route, kind }
}

function sumRows(db: Connection, scope: ReadScope, query: RequestsQuery): readonly RequestSumRow[] {
  const sql = `${READABLE}
SELECT s.project_id AS projectId, s.route, s.kind, r.hour, r.count, r.seen, r.failed,
  r.failed_behind_200 AS failedBehind200, r.aborted, r.total_ms AS totalMs, r.sketch
FROM request_series s JOIN request_sums r ON r.series_id = s.id WHERE ${WHERE}`
  return db.all<RequestSumRow>(sql, parameters(scope, query))
}

function routeTrends(
  db: Connection,
  { scope, query }: { readonly scope: ReadScope; readonly query: RequestsQuery },
  bucketMs: number,
): readonly RouteTrend[] {
  const { first, length } = bucketRange(query, bucketMs)
  // Numbers are bound as REAL, and divide as such.
  const sql = `${READABLE}
SELECT s.project_id AS projectId, s.route, s.kind, CAST(r.hour / :hours AS INTEGER) - :first AS bucket,
  sum(r.count) AS count
FROM request_series s JOIN request_sums r ON r.series_id = s.id WHERE ${WHERE} GROUP BY 1, 2, 3, 4`
  const hours = Math.max(1, Math.round(bucketMs / HOUR_MS))
  return trendsOf(db.all<TrendRow>(sql, { ...parameters(scope, query), hours, first }), length)
}

function requestReleases(db: Connection, scope: ReadScope, query: RequestsQuery) {
  const sql = `${READABLE}
SELECT s.project_id AS projectId, s.release, min(r.hour) * ${HOUR_MS} AS firstMs
FROM request_series s JOIN request_sums r ON r.series_id = s.id WHERE ${WHERE} AND s.release <> ''
GROUP BY 1, 2 ORDER BY 3`
  type Row = { readonly projectId: ProjectId; readonly release: string; readonly firstMs: number }
  return db.all<Row>(sql, parameters(scope, query))
}

function vitals(db: Connection, scope: ReadScope, query: RequestsQuery): readonly VitalFigures[] {
  const sql = `${READABLE}
SELECT s.project_id AS projectId, s.route, r.vital, r.count, r.good, r.poor, r.sketch
FROM request_series s JOIN vital_sums r ON r.series_id = s.id WHERE ${WHERE}`
  return vitalsOfRows(db.all<VitalSumRow>(sql, parameters(scope, query)))
}

interface CostRow extends Omit<SpanCost, 'slowest'> {
  readonly ms: number
  readonly traceId: string
  readonly spanId: string
}

/** One a sort; its day and its example are those of the slowest. */
function spanCosts(
  db: Connection,
  { scope, query }: { readonly scope: ReadScope; readonly query: RequestsQuery },
  limit: number,
): readonly SpanCost[] {
  const sql = `${READABLE}
SELECT project_id AS projectId, route, day, op, description, sum(count) AS count,
  sum(total_ms) AS totalMs, sum(failed) AS failed, sum(repeated_in) AS repeatedIn, max(slowest_ms) AS ms,
  slowest_trace AS traceId, slowest_span AS spanId
FROM span_costs WHERE project_id IN (SELECT id FROM readable) AND day BETWEEN :firstDay AND :lastDay
  AND (:route IS NULL OR route = :route)
GROUP BY project_id, route, op, description ORDER BY totalMs DESC LIMIT :limit`
  const rows = db.all<CostRow>(sql, {
    ...{ ...readableParams(scope, query.projects), ...daysOf(query), route: query.route ?? null, limit },
  })
  return rows.map(({ ms, traceId, spanId, ...cost }) => ({ ...cost, slowest: { ms, traceId, spanId } }))
}
