/** Figures of requests: sums of hours and days, joined as they are asked for. No span is read. */
import { HOUR_MS } from '#base/durations.ts'
import type { ProjectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { RequestKind } from '#model/event.ts'
import type { Vital } from '#model/span.ts'
import type {
  RequestBucket,
  RequestsQuery,
  RequestsRead,
  RouteFigures,
  RouteTrend,
  SpanCost,
  VitalFigures,
} from '#ports/requests.ts'
import type { ReadScope } from '#ports/scope.ts'
import { durationBuckets } from '#requests/durations.ts'
import {
  emptyRequestSum,
  emptyVitalSum,
  figuresOf,
  type RequestSum,
  type VitalSum,
  vitalFiguresOf,
} from '#requests/sums.ts'
import type { Connection, SqlValue } from '../connection.ts'
import { READABLE, readableParams } from '../rows/readable.ts'

export function requestsRead(db: Connection): RequestsRead {
  return {
    routes: async (scope, query) => routes(db, scope, query),
    requestSeries: async (scope, query, bucketMs) => requestSeries(db, { scope, query }, bucketMs),
    routeTrends: async (scope, query, bucketMs) => routeTrends(db, { scope, query }, bucketMs),
    requestReleases: async (scope, query) => requestReleases(db, scope, query),
    requestFigures: async (scope, query) => figuresOf(wholeSum(db, scope, query)),
    requestDurations: async (scope, query) => durationBuckets(wholeSum(db, scope, query).sketch),
    vitals: async (scope, query) => vitals(db, scope, query),
    spanCosts: async (scope, query, limit) => spanCosts(db, { scope, query }, limit),
  }
}

interface SumRow {
  readonly projectId: ProjectId
  readonly route: string
  readonly kind: RequestKind
  readonly hour: number
  readonly count: number
  readonly seen: number
  readonly failed: number
  readonly failedBehind200: number
  readonly aborted: number
  readonly totalMs: number
  readonly sketch: Uint8Array
}

/** Hours count from where they begin: a day that was joined belongs to the range that its first hour is in. */
const WHERE = `s.project_id IN (SELECT id FROM readable) AND r.hour >= :start AND r.hour < :end
  AND (:environment IS NULL OR s.environment = :environment) AND (:release IS NULL OR s.release = :release)
  AND (:route IS NULL OR s.route = :route) AND (:kind IS NULL OR s.kind = :kind)`

function parameters(scope: ReadScope, query: RequestsQuery): Readonly<Record<string, SqlValue>> {
  const { projects, startMs, endMs, environment = null, release = null, route = null, kind = null } = query
  const range = { start: Math.floor(startMs / HOUR_MS), end: Math.ceil(endMs / HOUR_MS) }
  return { ...readableParams(scope, projects), ...range, environment, release, route, kind }
}

function sumRows(db: Connection, scope: ReadScope, query: RequestsQuery): readonly SumRow[] {
  const sql = `${READABLE}
SELECT s.project_id AS projectId, s.route, s.kind, r.hour, r.count, r.seen, r.failed,
  r.failed_behind_200 AS failedBehind200, r.aborted, r.total_ms AS totalMs, r.sketch
FROM request_series s JOIN request_sums r ON r.series_id = s.id WHERE ${WHERE}`
  return db.all<SumRow>(sql, parameters(scope, query))
}

function addRow(sum: RequestSum, row: SumRow): void {
  sum.count += row.count
  sum.seen += row.seen
  sum.failed += row.failed
  sum.failedBehind200 += row.failedBehind200
  sum.aborted += row.aborted
  sum.totalMs += row.totalMs
  sum.sketch.merge(row.sketch)
}

function wholeSum(db: Connection, scope: ReadScope, query: RequestsQuery): RequestSum {
  const sum = emptyRequestSum()
  for (const row of sumRows(db, scope, query)) addRow(sum, row)
  return sum
}

function routes(db: Connection, scope: ReadScope, query: RequestsQuery): readonly RouteFigures[] {
  const sums = new Map<string, { readonly of: SumRow; readonly sum: RequestSum }>()
  for (const row of sumRows(db, scope, query)) {
    const key = `${row.projectId}\n${row.kind}\n${row.route}`
    const one = sums.get(key) ?? { of: row, sum: emptyRequestSum() }
    sums.set(key, one)
    addRow(one.sum, row)
  }
  return [...sums.values()]
    .sort((a, b) => b.sum.totalMs - a.sum.totalMs)
    .slice(0, max('routesReadMax'))
    .map(({ of: { projectId, route, kind }, sum }) => ({ projectId, route, kind, ...figuresOf(sum) }))
}

function requestSeries(
  db: Connection,
  { scope, query }: { readonly scope: ReadScope; readonly query: RequestsQuery },
  bucketMs: number,
): readonly RequestBucket[] {
  const first = Math.floor(query.startMs / bucketMs)
  const last = Math.ceil(query.endMs / bucketMs)
  const sums = Array.from({ length: Math.max(0, last - first) }, emptyRequestSum)
  for (const row of sumRows(db, scope, query)) {
    const sum = sums[Math.floor((row.hour * HOUR_MS) / bucketMs) - first]
    if (sum !== undefined) addRow(sum, row)
  }
  return sums.map((sum, at) => ({ startMs: (first + at) * bucketMs, ...figuresOf(sum) }))
}

interface TrendRow {
  readonly projectId: ProjectId
  readonly route: string
  readonly kind: RequestKind
  readonly bucket: number
  readonly count: number
}

function routeTrends(
  db: Connection,
  { scope, query }: { readonly scope: ReadScope; readonly query: RequestsQuery },
  bucketMs: number,
): readonly RouteTrend[] {
  const first = Math.floor(query.startMs / bucketMs)
  const length = Math.max(0, Math.ceil(query.endMs / bucketMs) - first)
  const sql = `${READABLE}
SELECT s.project_id AS projectId, s.route, s.kind, CAST(r.hour / :hours AS INTEGER) - :first AS bucket,
  sum(r.count) AS count
FROM request_series s JOIN request_sums r ON r.series_id = s.id WHERE ${WHERE} GROUP BY 1, 2, 3, 4`
  const hours = Math.max(1, Math.round(bucketMs / HOUR_MS))
  const trends = new Map<string, RouteTrend & { readonly counts: number[] }>()
  for (const row of db.all<TrendRow>(sql, { ...parameters(scope, query), hours, first })) {
    const { projectId, route, kind, bucket, count } = row
    const key = `${projectId}\n${kind}\n${route}`
    const trend = trends.get(key) ?? { projectId, route, kind, counts: Array.from({ length }, () => 0) }
    trends.set(key, trend)
    if (bucket >= 0 && bucket < length) trend.counts[bucket] = Math.round(count)
  }
  return [...trends.values()]
}

function requestReleases(db: Connection, scope: ReadScope, query: RequestsQuery) {
  const sql = `${READABLE}
SELECT s.project_id AS projectId, s.release, min(r.hour) * ${HOUR_MS} AS firstMs
FROM request_series s JOIN request_sums r ON r.series_id = s.id WHERE ${WHERE} AND s.release <> ''
GROUP BY 1, 2 ORDER BY 3`
  type Row = { readonly projectId: ProjectId; readonly release: string; readonly firstMs: number }
  return db.all<Row>(sql, parameters(scope, query))
}

interface VitalRow {
  readonly projectId: ProjectId
  readonly route: string
  readonly vital: Vital
  readonly count: number
  readonly good: number
  readonly poor: number
  readonly sketch: Uint8Array
}

function vitals(db: Connection, scope: ReadScope, query: RequestsQuery): readonly VitalFigures[] {
  const sql = `${READABLE}
SELECT s.project_id AS projectId, s.route, r.vital, r.count, r.good, r.poor, r.sketch
FROM request_series s JOIN vital_sums r ON r.series_id = s.id WHERE ${WHERE}`
  const sums = new Map<string, { readonly of: VitalRow; readonly sum: VitalSum }>()
  for (const row of db.all<VitalRow>(sql, parameters(scope, query))) {
    const key = `${row.projectId}\n${row.vital}\n${row.route}`
    const one = sums.get(key) ?? { of: row, sum: emptyVitalSum() }
    sums.set(key, one)
    one.sum.count += row.count
    one.sum.good += row.good
    one.sum.poor += row.poor
    one.sum.sketch.merge(row.sketch)
  }
  return [...sums.values()]
    .sort((a, b) => b.sum.count - a.sum.count)
    .slice(0, max('routesReadMax'))
    .map(({ of, sum }) => vitalFiguresOf(sum, of))
}

interface CostRow extends Omit<SpanCost, 'slowest'> {
  readonly ms: number
  readonly traceId: string
  readonly spanId: string
}

/** Days that the range touches; numbers of JavaScript are bound as fractions. The newest day of a sort has the example, where it is the slowest. */
function spanCosts(
  db: Connection,
  { scope, query }: { readonly scope: ReadScope; readonly query: RequestsQuery },
  limit: number,
): readonly SpanCost[] {
  const sql = `${READABLE}
SELECT project_id AS projectId, route, day, op, description, sum(count) AS count,
  sum(total_ms) AS totalMs, sum(failed) AS failed, sum(repeated_in) AS repeatedIn, max(slowest_ms) AS ms,
  slowest_trace AS traceId, slowest_span AS spanId
FROM span_costs WHERE project_id IN (SELECT id FROM readable) AND day >= CAST(:start / 24 AS INTEGER) AND day <= CAST((:end - 1) / 24 AS INTEGER)
  AND (:route IS NULL OR route = :route)
GROUP BY project_id, route, op, description ORDER BY totalMs DESC LIMIT :limit`
  const { org, readable, start, end, route } = parameters(scope, query)
  const rows = db.all<CostRow>(sql, {
    org: org ?? 0,
    readable: readable ?? '[]',
    start: start ?? 0,
    end: end ?? 0,
    route: route ?? null,
    limit,
  })
  return rows.map(({ ms, traceId, spanId, ...cost }) => ({ ...cost, slowest: { ms, traceId, spanId } }))
}
