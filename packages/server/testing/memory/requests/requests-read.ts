/** Figures of requests, from maps of rows. */
import { HOUR_MS } from '#base/durations.ts'
import { dayOf, type ProjectId } from '#base/ids.ts'
import { releaseUses } from '#issues/health-groups.ts'
import { max } from '#limits/limits.ts'
import { isActionId } from '#model/action-name.ts'
import type {
  CostsQuery,
  CountedAs,
  MovedSegment,
  RequestsQuery,
  RequestsRead,
  SeenAction,
  SegmentIds,
  SpanCost,
} from '#ports/requests.ts'
import type { ReadScope } from '#ports/scope.ts'
import { durationBuckets } from '#requests/durations.ts'
import {
  actionsOf,
  bucketRange,
  bucketSumsOf,
  bucketsOf,
  daysOf,
  hoursOf,
  routesOf,
  type SumOfHour,
  trendsOf,
  vitalsOfRows,
  wholeSum,
} from '#requests/read-sums.ts'
import { countedKey, type KeptAction, type KeptSeries, keptSeries, wholeFiguresOf } from '#requests/sums.ts'
import { readableProjects } from '../rows/readable.ts'
import type { KeptSum, Tables } from '../tables.ts'
import { addedCosts } from './added-costs.ts'

export function requestsRead(of: Tables): RequestsRead {
  const sums = (scope: ReadScope, query: RequestsQuery): readonly KeptSum[] =>
    of.requestSums.where(wanted(of, scope, query))
  const ofAll = (scope: ReadScope, query: RequestsQuery): readonly SumOfHour[] =>
    query.action === undefined ? sums(scope, query) : of.actionSums.where(wantedAction(of, scope, query))
  return {
    routes: async (scope, query) => routesOf(sums(scope, query)),
    requestFigures: async (scope, query) => wholeFiguresOf(wholeSum(ofAll(scope, query))),
    requestSeries: async (scope, query, bucketMs) => bucketsOf(ofAll(scope, query), query, bucketMs),
    requestSums: async (scope, query, bucketMs) => bucketSumsOf(ofAll(scope, query), query, bucketMs),
    routeTrends: async (scope, query, bucketMs) => {
      const { first, length } = bucketRange(query, bucketMs)
      const rows = sums(scope, query).map((sum) => ({
        ...sum,
        bucket: Math.floor((sum.hour * HOUR_MS) / bucketMs) - first,
      }))
      return trendsOf(rows, length)
    },
    requestsByRelease: async (scope, query, bucketMs) => {
      const { first, length } = bucketRange(query, bucketMs)
      const named = sums(scope, query).flatMap(({ release, ...sum }) =>
        release === ''
          ? []
          : [{ ...sum, release, bucket: Math.floor((sum.hour * HOUR_MS) / bucketMs) - first }],
      )
      return releaseUses(named, length)
    },
    requestReleases: async (scope, query) => releases(sums(scope, query)),
    requestDurations: async (scope, query) => durationBuckets(wholeSum(ofAll(scope, query))),
    actions: async (scope, query) =>
      actionsOf(
        of.actionSums
          .where(wantedAction(of, scope, query))
          .map((row) => ({ ...row, action: readAs(of, query, row) })),
        query,
      ),
    seenActions: async (scope, { projects }) => seenActions(of, readableProjects(of, scope, projects)),
    vitals: async (scope, query) => vitalsOfRows(of.vitalSums.where(wanted(of, scope, query))),
    // Errors are joined to their requests by the store of SQLite alone.
    joinedFailures: async () => [],
    movedSegments: async (scope, query) => movedSegments(of, scope, query),
    countedAs: async (scope, segments) => countedAs(of, readableProjects(of, scope, null), segments),
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

function wantedAction(of: Tables, scope: ReadScope, { action, ...query }: RequestsQuery) {
  const isWanted = wanted(of, scope, query)
  return (row: KeptAction & { readonly hour: number }): boolean =>
    isWanted({ ...row, kind: 'action' }) &&
    (action === undefined || row.action === action || shownAs(of, query, row) === action)
}

/** By the name that is known of its id. */
function readAs(of: Tables, { builtActions = [] }: RequestsQuery, { projectId, action }: KeptAction): string {
  const built = builtActions.find((one) => one.projectId === projectId && one.id === action)
  return built?.name ?? of.actionNames.get(`${projectId} ${action}`)?.name ?? action
}

function shownAs(of: Tables, query: RequestsQuery, row: KeptAction): string {
  const name = readAs(of, query, row)
  return isActionId(name) ? '' : name
}

function movedSegments(
  of: Tables,
  scope: ReadScope,
  { projects, startMs, endMs }: Pick<RequestsQuery, 'projects' | 'startMs' | 'endMs'>,
): readonly MovedSegment[] {
  const readable = readableProjects(of, scope, projects)
  return of.countedSpans
    .all()
    .flatMap(({ segment, saidKind }) => {
      if (segment === null || saidKind === undefined || !readable.has(segment.projectId)) return []
      const { projectId, traceId, kind, end } = segment
      const atMs = Math.floor(segment.atMs)
      if (atMs < startMs || atMs >= endMs) return []
      const place = { projectId, traceHead: traceId.slice(0, 16), atMs }
      return [{ ...place, saidKind, kind, route: keptSeries(segment).route, end }]
    })
    .sort((a, b) => b.atMs - a.atMs)
    .slice(0, max('movedSegmentsReadMax'))
}

function countedAs(
  of: Tables,
  readable: ReadonlySet<ProjectId>,
  segments: readonly SegmentIds[],
): readonly CountedAs[] {
  return segments.flatMap(({ projectId, traceId, segmentId }) => {
    const counted = of.countedSpans.get(`${projectId} ${countedKey(traceId, segmentId).join(' ')}`)?.segment
    if (counted == null || !readable.has(projectId)) return []
    if (counted.isOpen !== true && counted.sandbox === undefined) return []
    const { kind, end } = counted
    return [{ projectId, traceId, segmentId, kind, route: keptSeries(counted).route, end }]
  })
}

function seenActions(of: Tables, readable: ReadonlySet<ProjectId>): readonly SeenAction[] {
  const told = of.actionNames.all().map(({ receivedMs, ...one }) => ({ ...one, day: dayOf(receivedMs) }))
  const asked = of.actionSeries
    .where(({ action }) => isActionId(action))
    .map(({ projectId, action: id, lastHour }) => ({
      ...{ projectId, id, name: null, day: Math.floor(lastHour / 24) },
    }))
  const byId = Map.groupBy([...told, ...asked], ({ projectId, id }) => `${projectId} ${id}`)
  return [...byId.values()]
    .flatMap((own) => {
      const [first] = own
      if (first === undefined || !readable.has(first.projectId)) return []
      return [{ ...first, day: Math.max(...own.map(({ day }) => day)) }]
    })
    .sort((a, b) => b.day - a.day || (a.id < b.id ? -1 : 1))
    .slice(0, max('actionNamesReadMax'))
    .map(({ projectId, id, name }) => ({ projectId, id, name }))
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
  { scope, query }: { readonly scope: ReadScope; readonly query: CostsQuery },
  limit: number,
): readonly SpanCost[] {
  const readable = readableProjects(of, scope, query.projects)
  const { firstDay, lastDay } = daysOf(query)
  const costs = new Map<string, SpanCost>()
  for (const cost of of.spanCosts.all()) {
    const { projectId, day, route, op, description } = cost
    const kind = query.kind ?? ''
    if (!readable.has(projectId) || day < firstDay || day > lastDay) continue
    if ((query.route ?? route) !== route || (query.kind ?? cost.kind) !== cost.kind) continue
    const key = JSON.stringify([projectId, route, op, description])
    costs.set(key, addedCosts(costs.get(key), { ...cost, kind }))
  }
  return [...costs.values()].sort((a, b) => b.totalMs - a.totalMs).slice(0, limit)
}
