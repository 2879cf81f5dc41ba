/** Performance by route and kind, and one route: from figures that were summed up as requests came. */

import type { Clock } from '#base/clock.ts'
import { DAY_MS } from '#base/durations.ts'
import type { ProjectId } from '#base/ids.ts'
import { type FragmentRow, SPAN } from '#kinds/span/fields.ts'
import { max } from '#limits/limits.ts'
import type { RequestKind } from '#model/event.ts'
import type { FileName } from '#model/file-name.ts'
import { latestRelease, releaseBefore } from '#model/release-order.ts'
import type { RequestEnd } from '#model/span.ts'
import type { Project, ProjectsRead } from '#ports/projects.ts'
import type { ActionFigures, RequestsQuery, RequestsRead, RouteFigures } from '#ports/requests.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { SegmentFilter, TraceReads } from '#ports/traces.ts'
import { VITAL_THRESHOLDS } from '#requests/vitals.ts'
import { changedP75, worseThan } from '#requests/worse.ts'
import {
  type ActionNameParts,
  type ActionNames,
  actionCondition,
  knownActions,
  shownIn,
} from '../action-names.ts'
import { periodBefore, type TimeRange } from '../time-range.ts'
import { withAllSpans } from './all-spans.ts'
import { withCounted } from './counted.ts'
import { pageStepMs } from './figure-steps.ts'
import { withJoined } from './joined.ts'
import { type RepeatedParts, repeatedCalls } from './repeated.ts'
import { type RouteChangeParts, routeChange } from './route-change.ts'
import { type RowErrorParts, withErrors } from './row-errors.ts'
import type {
  ActionRow,
  PerformanceFilter,
  PerformanceView,
  RouteRow,
  RouteView,
  WorseRoute,
} from './types.ts'

export interface PerformanceParts extends ActionNameParts, RowErrorParts {
  readonly clock: Clock
  readonly requests: RequestsRead
  readonly projects: ProjectsRead
  readonly telemetry: RowErrorParts['telemetry'] & TraceReads<FragmentRow>
}

const EXAMPLES = 5
const COSTS = 20
/** Projects whose newest release is compared: each takes two reads. */
const WORSE_PROJECTS = 20

/** Same as `TraceQueries.performance`. */
export async function performanceView(
  parts: PerformanceParts,
  scope: ReadScope,
  filter: PerformanceFilter,
): Promise<PerformanceView> {
  const { requests, projects } = parts
  const project = filter.project === null ? null : await findProject(projects, scope, filter.project)
  const query = requestsQuery(filter, project === null ? null : [project.id])
  const { built: builtActions } = await knownActions(parts, scope, query.projects)
  const bucketMs = pageStepMs(query, parts.clock.now())
  const [rows, before, actions, vitals, seen, worse] = await Promise.all([
    requests.routes(scope, query),
    requests.routes(scope, periodBefore(query)),
    actionRows(requests, scope, { ...query, builtActions }),
    requests.vitals(scope, query),
    releasesSeen(requests, scope, query),
    filter.release === null ? worseRoutes(requests, scope, query) : [],
  ])
  return {
    range: filter.range,
    rows: withBefore(rows, before),
    ...{ actions, bucketMs, vitals, vitalBounds: VITAL_THRESHOLDS, releases: newestReleases(seen), worse },
  }
}

/** Same as `TraceQueries.actions`. */
export async function actionFigures(
  parts: ActionNameParts & { readonly requests: Pick<RequestsRead, 'actions'> },
  scope: ReadScope,
  { action, ...query }: RequestsQuery,
): Promise<readonly ActionFigures[]> {
  const { built: builtActions, all } = await knownActions(parts, scope, query.projects)
  const asked = all.find(({ id }) => id === action)?.name ?? action
  return parts.requests.actions(scope, {
    ...query,
    builtActions,
    ...(asked === undefined ? {} : { action: asked }),
  })
}

/** None for routes none of whose actions has a name: their figures are those of the route. */
async function actionRows(
  requests: RequestsRead,
  scope: ReadScope,
  query: RequestsQuery,
): Promise<readonly ActionRow[]> {
  const [now, before] = await Promise.all([
    requests.actions(scope, query),
    requests.actions(scope, periodBefore(query)),
  ])
  const keyOfAction = ({ projectId, route, action }: ActionFigures) => `${projectId}\n${action}\n${route}`
  const pageOf = ({ projectId, route }: ActionFigures) => `${projectId}\n${route}`
  const known = new Map(before.map((row) => [keyOfAction(row), row]))
  const named = new Set(now.filter(({ action }) => action !== '').map(pageOf))
  return now
    .filter((row) => named.has(pageOf(row)))
    .map((row) => {
      const old = known.get(keyOfAction(row)) ?? null
      return { ...row, before: old, change: changedP75(row, old) }
    })
}

type ReleaseSeen = Awaited<ReturnType<RequestsRead['requestReleases']>>[number]

/** Whichever is chosen. */
function releasesSeen(
  requests: RequestsRead,
  scope: ReadScope,
  { release: _, ...query }: RequestsQuery,
): Promise<readonly ReleaseSeen[]> {
  return requests.requestReleases(scope, query)
}

/** Returns releases to choose from, newest first. */
function newestReleases(seen: readonly ReleaseSeen[]): readonly string[] {
  return [...new Set(seen.map(({ release }) => release).reverse())].slice(0, max('facetValuesMax'))
}

async function findProject(projects: ProjectsRead, scope: ReadScope, ref: string): Promise<Project | null> {
  const all = await projects.projects(scope)
  return all.find(({ slug, id }) => slug === ref || String(id) === ref) ?? null
}

function requestsQuery(
  { range, environment, release }: Omit<PerformanceFilter, 'project'>,
  projects: readonly ProjectId[] | null,
): RequestsQuery {
  return {
    projects,
    ...{ startMs: range.startMs, endMs: range.endMs },
    ...(environment === null ? {} : { environment }),
    ...(release === null ? {} : { release }),
  }
}

type RouteKey = Pick<RouteFigures, 'projectId' | 'route' | 'kind'>

function routeRowKey({ projectId, route, kind }: RouteKey): string {
  return `${projectId}\n${kind}\n${route}`
}

function withBefore(rows: readonly RouteFigures[], before: readonly RouteFigures[]): readonly RouteRow[] {
  const known = new Map(before.map((row) => [routeRowKey(row), row]))
  return rows.map((row) => {
    const old = known.get(routeRowKey(row)) ?? null
    return { ...row, before: old, change: changedP75(row, old) }
  })
}

/**
 * The newest release of each project beside the one before it; of many projects, of those that were released last. What was
 * before is looked for as long before the range as the range is: yesterday's release fills a day.
 */
async function worseRoutes(
  requests: RequestsRead,
  scope: ReadScope,
  query: RequestsQuery,
): Promise<readonly WorseRoute[]> {
  const wide = { ...query, startMs: periodBefore(query).startMs }
  const seen = await releasesSeen(requests, scope, wide)
  const byProject = [...Map.groupBy(seen.toReversed(), ({ projectId }) => projectId)]
  const found = await Promise.all(
    byProject.slice(0, WORSE_PROJECTS).map(async ([projectId, releases]): Promise<readonly WorseRoute[]> => {
      const timed = releases.map(({ release, firstMs }) => ({ version: release, atMs: firstMs }))
      const newest = latestRelease(timed)
      const previous = newest === null ? null : releaseBefore(timed, newest)
      if (newest === null || previous === null) return []
      const of = { ...query, projects: [projectId] }
      const [now, before] = await Promise.all([
        requests.routes(scope, { ...of, release: newest.version }),
        requests.routes(scope, { ...of, startMs: wide.startMs, release: previous.version }),
      ])
      const known = new Map(before.map((row) => [routeRowKey(row), row]))
      return now.flatMap((row): WorseRoute[] => {
        const old = known.get(routeRowKey(row))
        const what = old === undefined ? null : worseThan(row, old)
        if (old === undefined || what === null) return []
        const { route, kind } = row
        const releasesOf = { release: newest.version, releaseBefore: previous.version }
        return [{ projectId, route, kind, ...releasesOf, now: row, before: old, what }]
      })
    }),
  )
  return found.flat()
}

/** Same as `TraceQueries.route`. */
export async function routeView(
  parts: PerformanceParts & RouteChangeParts & RepeatedParts,
  scope: ReadScope,
  filter: PerformanceFilter & {
    readonly project: string
    readonly route: string
    readonly kind: RequestKind | null
    readonly action?: string | null
  },
): Promise<RouteView | null> {
  const { requests } = parts
  const project = await findProject(parts.projects, scope, filter.project)
  if (project === null) return null
  const { route } = filter
  const names = await knownActions(parts, scope, [project.id])
  const asked = filter.action ?? null
  const action = names.of(project.id, asked) ?? asked
  const ofRoute = { ...requestsQuery(filter, [project.id]), route, builtActions: names.built }
  const kinds = await requests.routes(scope, ofRoute)
  const kind = action === null ? (filter.kind ?? mainKind(kinds)) : 'action'
  const query = {
    ...ofRoute,
    ...(kind === null ? {} : { kind }),
    ...(action === null ? {} : { action }),
  }
  const examples = await examplesOf(parts, scope, { query, names })
  const [kindsBefore, actions, buckets, durations, costs, vitals, seen] = await Promise.all([
    requests.routes(scope, periodBefore(ofRoute)),
    actionRows(requests, scope, ofRoute),
    requests.requestSeries(scope, query, pageStepMs(query, parts.clock.now())),
    requests.requestDurations(scope, query),
    readCosts(requests, scope, { ofRoute, kind }),
    requests.vitals(scope, ofRoute),
    releasesSeen(requests, scope, ofRoute),
  ])
  const [figures, before, repeated, costRequests, releaseChange] = await Promise.all([
    requests.requestFigures(scope, query),
    requests.requestFigures(scope, periodBefore(query)),
    findRepeated(parts, scope, { query, costs }),
    readRequestFigures(requests, scope, { ofRoute, kind: costs.costsKind }),
    action === null && kind !== null
      ? routeChange(parts, scope, { query, filter: await readSlowSegments(parts, { ...query, route, kind }) })
      : null,
  ])
  return {
    range: filter.range,
    project: { id: project.id, slug: project.slug, name: project.name },
    ...{ route, kind, action, actions },
    kinds: withBefore(kinds, kindsBefore),
    ...{ figures, repeated, costRequests, costRange: wholeDays(filter.range) },
    before: before.count === 0 ? null : before,
    change: changedP75(figures, before.count === 0 ? null : before),
    marks: seen.map(({ release, firstMs }) => ({ release, firstMs })),
    ...{ releaseChange, buckets, durations, vitals, ...costs, vitalBounds: VITAL_THRESHOLDS, ...examples },
    releases: newestReleases(seen),
  }
}

async function readSlowSegments(
  { telemetry }: PerformanceParts,
  query: RequestsQuery & { readonly route: string; readonly kind: RequestKind },
): Promise<SegmentFilter> {
  const { projects, startMs, endMs, route, kind } = query
  const files = filesWithin(await telemetry.files(), { startMs: 2 * startMs - endMs, endMs })
  return { files, projects, startMs, endMs, routes: [route], kinds: [kind] }
}

async function findRepeated(
  parts: RepeatedParts,
  scope: ReadScope,
  { query, costs }: { readonly query: RequestsQuery; readonly costs: Pick<RouteView, 'costs' | 'costsKind'> },
): Promise<RouteView['repeated']> {
  const { projects, startMs, endMs, route } = query
  const files = filesWithin(await parts.telemetry.files(), { startMs, endMs })
  const kinds = costs.costsKind === null ? {} : { kinds: [costs.costsKind] }
  const filter = {
    files,
    projects,
    startMs,
    endMs,
    ...kinds,
    ...(route !== undefined && { routes: [route] }),
  }
  return repeatedCalls(parts, scope, { costs: costs.costs, filter })
}

function wholeDays({ startMs, endMs }: TimeRange): TimeRange {
  return { startMs: Math.floor(startMs / DAY_MS) * DAY_MS, endMs: Math.ceil(endMs / DAY_MS) * DAY_MS }
}

/** Costs are of whole days, of all environments and releases. */
async function readRequestFigures(
  requests: RequestsRead,
  scope: ReadScope,
  { ofRoute, kind }: { readonly ofRoute: RequestsQuery; readonly kind: RequestKind | null },
): Promise<number | null> {
  if (kind === null) return null
  const { environment: _, release: __, ...all } = ofRoute
  const days = wholeDays(all)
  const { count, isEstimated } = await requests.requestFigures(scope, { ...all, kind, ...days })
  return isEstimated || count === 0 ? null : count
}

/** Returns costs of the kind; if there are none, those from before kinds were kept apart. */
async function readCosts(
  requests: RequestsRead,
  scope: ReadScope,
  { ofRoute, kind }: { readonly ofRoute: RequestsQuery; readonly kind: RequestKind | null },
): Promise<Pick<RouteView, 'costs' | 'costsKind'>> {
  if (kind === null) return { costs: await requests.spanCosts(scope, ofRoute, COSTS), costsKind: null }
  const own = await requests.spanCosts(scope, { ...ofRoute, kind }, COSTS)
  if (own.length > 0) return { costs: own, costsKind: kind }
  const others = await requests.spanCosts(scope, { ...ofRoute, kind: '' }, COSTS)
  return { costs: others, costsKind: others.length > 0 ? null : kind }
}

/**
 * Chooses the main kind: what people wait for before what is prefetched, the server's figures before the
 * browser's.
 */
function mainKind(kinds: readonly RouteFigures[]): RequestKind | null {
  const main = kinds.find(({ kind }) => kind !== 'prefetch' && kind !== 'browser')
  return (main ?? kinds.find(({ kind }) => kind !== 'prefetch') ?? kinds[0])?.kind ?? null
}

async function examplesOf(
  parts: PerformanceParts,
  scope: ReadScope,
  { query, names }: { readonly query: RequestsQuery; readonly names: ActionNames },
): Promise<Pick<RouteView, 'slow' | 'failed'>> {
  const { telemetry, requests } = parts
  const { projects, startMs, endMs, route, kind, action, environment, release } = query
  const files = filesWithin(await telemetry.files(), { startMs, endMs })
  const wanted = (key: string, value: string) => ({ key, value, negated: false })
  const ofAction = action === undefined ? {} : actionCondition(names, wanted('action', action))
  const [joinedFailures, moved] = await Promise.all([
    requests.joinedFailures(scope, { projects, startMs, endMs }),
    requests.movedSegments(scope, { projects, startMs, endMs }),
  ])
  const filter: SegmentFilter = {
    ...{ files, projects, startMs, endMs, joinedFailures, moved },
    ...(route === undefined ? {} : { routes: [route] }),
    ...(kind === undefined ? {} : { kinds: [kind] }),
    ...ofAction,
    tags: [
      ...(environment === undefined ? [] : [wanted('environment', environment)]),
      ...(release === undefined ? [] : [wanted('release', release)]),
      ...(ofAction.tags ?? []),
    ],
  }
  const page = { limit: EXAMPLES, cursor: null }
  const ends: readonly RequestEnd[] = ['failed', 'failed-behind-200']
  const [slow, failed] = await Promise.all([
    telemetry.segments(scope, filter, { ...page, sort: 'slowest' }),
    telemetry.segments(scope, { ...filter, ends }, { ...page, sort: 'newest' }),
  ])
  const { rows: whole } = await withAllSpans(telemetry, scope, {
    rows: [...slow.rows, ...failed.rows],
    files,
  })
  const counted = await withCounted(requests, scope, whole)
  const rows = withJoined(counted, joinedFailures)
  const told = (await withErrors(parts, scope, rows)).map((row) => ({ ...row, ...shownIn(names, row) }))
  return { slow: told.slice(0, slow.rows.length), failed: told.slice(slow.rows.length) }
}

/** Files are by day of receipt: what began then may have come the day after, and clocks are a little wrong. */
export function filesWithin(
  files: readonly FileName[],
  { startMs, endMs }: { readonly startMs: number; readonly endMs: number },
  of = SPAN,
): readonly FileName[] {
  const [first, last] = [
    Math.floor(startMs / DAY_MS) - 1,
    Math.floor(endMs / DAY_MS) + max('traceLateDaysMax'),
  ]
  return files.filter(({ kind, day }) => kind === of && day >= first && day <= last)
}
