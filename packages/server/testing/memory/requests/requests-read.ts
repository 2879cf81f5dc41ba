/** Figures of requests, from maps of rows. */
import { HOUR_MS } from '#base/durations.ts'
import type { ProjectId } from '#base/ids.ts'
import type { RequestsQuery, RequestsRead, SpanCost } from '#ports/requests.ts'
import type { ReadScope } from '#ports/scope.ts'
import { durationBuckets } from '#requests/durations.ts'
import {
  addedCosts,
  bucketRange,
  bucketSumsOf,
  bucketsOf,
  daysOf,
  hoursOf,
  routesOf,
  trendsOf,
  vitalsOfRows,
  wholeSum,
} from '#requests/read-sums.ts'
import { figuresOf, type KeptSeries } from '#requests/sums.ts'
import { readableProjects } from '../rows/readable.ts'
import type { KeptSum, Tables } from '../tables.ts'

export function requestsRead(of: Tables): RequestsRead {
  const sums = (scope: ReadScope, query: RequestsQuery): readonly KeptSum[] =>
    of.requestSums.where(wanted(of, scope, query))
  return {
    routes: async (scope, query) => routesOf(sums(scope, query)),
    requestFigures: async (scope, query) => figuresOf(wholeSum(sums(scope, query))),
    requestSeries: async (scope, query, bucketMs) => bucketsOf(sums(scope, query), query, bucketMs),
    requestSums: async (scope, query, bucketMs) => bucketSumsOf(sums(scope, query), query, bucketMs),
    routeTrends: async (scope, query, bucketMs) => {
      const { first, length } = bucketRange(query, bucketMs)
      const rows = sums(scope, query).map((sum) => ({
        ...sum,
        bucket: Math.floor((sum.hour * HOUR_MS) / bucketMs) - first,
      }))
      return trendsOf(rows, length)
    },
    requestReleases: async (scope, query) => releases(sums(scope, query)),
    requestDurations: async (scope, query) => durationBuckets(wholeSum(sums(scope, query)).sketch),
    vitals: async (scope, query) => vitalsOfRows(of.vitalSums.where(wanted(of, scope, query))),
    // Errors are joined to their requests by the store of SQLite alone.
    joinedFailures: async () => [],
    spanCosts: async (scope, query, limit) => spanCosts(of, { scope, query }, limit),
  }
}

function wanted(of: Tables, scope: ReadScope, query: RequestsQuery) {
  const readable = readableProjects(of, scope, query.projects)
  const { start, end } = hoursOf(query)
  const { environment, release, route, kind } = query
  return (row: KeptSeries & { readonly hour: number }): boolean =>
    readable.has(row.projectId) &&
    row.hour >= start &&
    row.hour < end &&
    (environment ?? row.environment) === row.environment &&
    (release ?? row.release) === row.release &&
    (route ?? row.route) === row.route &&
    (kind ?? row.kind) === row.kind
}

function releases(sums: readonly KeptSum[]) {
  const firsts = new Map<
    string,
    { readonly projectId: ProjectId; readonly release: string; readonly firstMs: number }
  >()
  for (const { projectId, release, hour } of sums) {
    if (release === '') continue
    const key = `${projectId}\n${release}`
    const firstMs = Math.min(hour * HOUR_MS, firsts.get(key)?.firstMs ?? Number.POSITIVE_INFINITY)
    firsts.set(key, { projectId, release, firstMs })
  }
  return [...firsts.values()].sort((a, b) => a.firstMs - b.firstMs)
}

function spanCosts(
  of: Tables,
  { scope, query }: { readonly scope: ReadScope; readonly query: RequestsQuery },
  limit: number,
): readonly SpanCost[] {
  const readable = readableProjects(of, scope, query.projects)
  const { firstDay, lastDay } = daysOf(query)
  const costs = new Map<string, SpanCost>()
  for (const cost of of.spanCosts.all()) {
    const { projectId, day, route, op, description } = cost
    if (!readable.has(projectId) || day < firstDay || day > lastDay) continue
    if ((query.route ?? route) !== route) continue
    const key = JSON.stringify([projectId, route, op, description])
    costs.set(key, addedCosts(costs.get(key), cost))
  }
  return [...costs.values()].sort((a, b) => b.totalMs - a.totalMs).slice(0, limit)
}
