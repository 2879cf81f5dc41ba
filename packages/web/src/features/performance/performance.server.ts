import type { ProjectId } from '@errata/server/ids'
import { max } from '@errata/server/limits'
import {
  isActionId,
  type PerformanceView,
  type RouteTrend,
  readRouteSearch,
  routeSearchOffers,
  shortAction,
  VITAL_THRESHOLDS,
} from '@errata/server/queries'
import { readAddress } from '#parts/address.ts'
import { namesOfProjects, projectChoices } from '#parts/choices.server.ts'
import { chosenOrBack } from '#parts/chosen-range.ts'
import { readCompletion } from '#parts/completion.server.ts'
import { flagMarks } from '#parts/flag-marks.server.ts'
import { rangeOf } from '#parts/ranges.ts'
import { releaseMarks } from '#parts/release-marks.server.ts'
import { versionOf } from '#parts/release-text.ts'
import { valueTerm } from '#parts/search-token.ts'
import type { ChartMark } from '#ui/charts/chart-types.ts'
import { notFound, requireScope } from '#wire/loader.ts'
import { readable } from '#wire/readable.ts'
import type { LoaderContext, OrgContext } from '#wire/types.ts'
import { type ActionRow, type Alarms, pageKey, type RouteRow, type RouteView } from './figures.ts'
import { type FilterAddress, PERFORMANCE, ROUTE, TEXT_CHARS_MAX } from './performance-address.ts'
import { groupRoutes, kindTotals, orderByKind, sumRouteRows } from './route-groups.ts'

/** Routes by request kind, what got worse, and web vitals by page. */
export async function loadPerformance(ctx: LoaderContext) {
  const org = requireScope(ctx)
  const address = readAddress(PERFORMANCE, org.url.searchParams)
  const offered = await offeredFor(org, address)
  const { scope } = org
  const filter = { ...filterOf(org, address), project: address.project }
  const view = await readable(ctx, 'performance', {
    read: () => org.engine.queries.performance(scope, filter),
    otherwise: () => emptyPerformance(filter.range),
  })
  const { rows, actions, vitals, worse, bucketMs, range, releases } = view
  const search = readRouteSearch(address.text)
  // What is not understood finds nothing, rather than everything.
  const isRead = search.problems.length === 0
  const named = isRead ? rows.filter(search.matches) : []
  const shown = address.kind === null ? named : named.filter(({ kind }) => kind === address.kind)
  const groups = groupRoutes(shown, address)
  const limit = max('pageRowsDefault')
  const first = (address.page - 1) * limit
  const shownGroups = groups.slice(first, first + limit)
  const shownWorse = worse.slice(0, WORSE_SHOWN)
  const trends = await trendsOf(org, { address, view, groups: shownGroups })
  const trendOf = new Map(trends.map((trend) => [trendKey(trend), trend]))
  const projects = await namesOfProjects(
    org,
    [...shownGroups, ...shownWorse].map(({ projectId }) => projectId),
  )
  return {
    org: org.scope.orgSlug,
    ...{ address, nowMs: org.nowMs, range, bucketMs },
    ...{ ...offered, releases: releasesShown(releases), alarms: alarmsOf() },
    problems: search.problems,
    textCharsMax: TEXT_CHARS_MAX,
    worse: shownWorse,
    /** Names of the projects in the text. */
    projects: [...projects.values()],
    isMany: scope.projects.length > 1,
    moreWorse: Math.max(0, worse.length - WORSE_SHOWN),
    groups: shownGroups.map((group) => ({
      ...group,
      rows: group.rows.map((row) => ({ ...shownRow(row), trend: shownTrend(trendOf.get(trendKey(row))) })),
      actions: actions.filter((row) => pageKey(row) === pageKey(group)).map(shownRow),
    })),
    marks: await releaseMarks(org, { project: address.project, ...range }),
    found: { total: groups.length, first, limit },
    sums: sumRouteRows(named),
    kinds: kindTotals(named),
    /** Total time that shares refer to. */
    totalMs: sumRouteRows(rows).totalMs,
    hasAny: rows.length > 0 || vitals.length > 0,
  }
}

function emptyPerformance(range: PerformanceView['range']): PerformanceView {
  const none = { rows: [], actions: [], vitals: [], releases: [], worse: [] }
  return { range, bucketMs: range.endMs - range.startMs, vitalBounds: VITAL_THRESHOLDS, ...none }
}

/** p75 over time of the routes that are shown, and of no others: it is made of every hour's own figures. */
async function trendsOf(
  { engine, scope }: OrgContext,
  asked: {
    readonly address: FilterAddress
    readonly view: PerformanceView
    readonly groups: readonly { readonly route: string; readonly projectId: ProjectId }[]
  },
): Promise<readonly RouteTrend[]> {
  const { address, view, groups } = asked
  if (groups.length === 0) return []
  const { environment, release } = address
  const query = {
    ...{ ...view.range, projects: [...new Set(groups.map(({ projectId }) => projectId))] },
    routes: [...new Set(groups.map(({ route }) => route))],
    ...(environment === null ? {} : { environment }),
    ...(release === null ? {} : { release }),
  }
  return engine.queries.requests.routeTrends(scope, query, view.bucketMs)
}

export type PerformanceData = Awaited<ReturnType<typeof loadPerformance>>

const WORSE_SHOWN = 8
/** Returns what the table shows of a row: pages have a hundred of them, and each is sent twice. Its group says the page. */
function shownRow<Row extends RouteRow | ActionRow>({
  projectId: _,
  route: __,
  p75Bounds: ___,
  before,
  ...row
}: Row) {
  return {
    ...row,
    totalMs: Math.round(row.totalMs),
    ...{ p50Ms: shownMs(row.p50Ms), p75Ms: shownMs(row.p75Ms) },
    ...{ p95Ms: shownMs(row.p95Ms), p99Ms: shownMs(row.p99Ms) },
    before: before === null ? null : { p75Ms: shownMs(before.p75Ms), count: before.count },
  }
}

/** Rounded down, so that a search from there on finds the request that it is of. */
function shownMs(ms: number | null): number | null {
  return ms === null ? null : Math.floor(ms * 100) / 100
}

function trendKey({ kind, ...of }: Pick<RouteRow, 'projectId' | 'route' | 'kind'>): string {
  return `${kind} ${pageKey(of)}`
}

/** Returns a trend in the three digits that are shown of a duration. */
function shownTrend(trend: RouteTrend | undefined) {
  if (trend === undefined) return null
  const { counts, p75Ms } = trend
  return { counts, p75Ms: p75Ms.map((ms) => (ms === null ? null : Number(ms.toPrecision(3)))) }
}

const ROUTES_OFFERED = 200

/** Completes what is typed into the search of routes. */
export async function answerRouteSuggestions(ctx: LoaderContext): Promise<Response> {
  const org = requireScope(ctx)
  const { searchParams } = org.url
  const { key, prefix } = readCompletion(searchParams)
  const routes = key === 'route' ? await routesOf(org, searchParams) : []
  return Response.json({ suggestions: routeSearchOffers({ key, prefix }, routes) })
}

/** Returns the routes with most time first. */
async function routesOf(org: OrgContext, search: URLSearchParams): Promise<readonly string[]> {
  const { engine, nowMs } = org
  const projects = await projectIdsBySlug(org, search.get('project'))
  const range = { startMs: nowMs - rangeOf('24h').ms, endMs: nowMs }
  const rows = await engine.queries.requests.routes(org.scope, { projects, ...range })
  return [...new Set(rows.map(({ route }) => route))].slice(0, ROUTES_OFFERED)
}

/** Loads one route, by one of its kinds. */
export async function loadPerformanceRoute(ctx: LoaderContext) {
  const org = requireScope(ctx)
  const { route, kind, action, ...filtered } = readAddress(ROUTE, org.url.searchParams)
  const project = org.params.project ?? ''
  const address = { ...filtered, project }
  if (route === null) return notFound(NO_ROUTE)
  const offered = await offeredFor(org, address)
  const filter = filterOf(org, address)
  const [view, issues] = await Promise.all([
    readable(ctx, 'route', {
      read: () => org.engine.queries.route(org.scope, { ...filter, project, route, kind, action }),
      otherwise: async () => {
        const named = (await org.engine.queries.projectNames(org.scope, { slugs: [project], limit: 1 }))
          .rows[0]
        return named === undefined ? null : unreadRoute({ ...filter, project: named, route, kind, action })
      },
    }),
    readable(ctx, 'issues', {
      read: () => loadRouteIssues(org, address, { project, route }),
      otherwise: () => ({ query: '', total: 0, rows: [] }),
    }),
  ])
  if (view === null) return notFound(NO_ROUTE)
  const flags = await flagMarks(org, { ...view.range, projects: [view.project.id] })
  return {
    org: org.scope.orgSlug,
    ...{ address, nowMs: org.nowMs, environments: offered.environments, issues, alarms: alarmsOf() },
    ...{ ...view, releases: releasesShown(view.releases) },
    marks: [...view.marks.map(markOfRelease), ...flags],
    kinds: orderByKind(view.kinds),
    isVitalsEstimated: view.kinds.some(isEstimatedVisit),
    slow: view.slow.map(exampleOf),
    failed: view.failed.map(exampleOf),
  }
}

function markOfRelease({ release, firstMs }: RouteView['marks'][number]): ChartMark {
  return { atMs: firstMs, kind: 'release', name: release, label: versionOf(release) }
}

const NO_ROUTE = 'This route doesn’t exist, or you don’t have access to it.'

/** Returns a route's head only, if its figures could not be read. */
function unreadRoute({
  range,
  ...named
}: Pick<RouteView, 'range' | 'project' | 'route' | 'kind' | 'action'>): RouteView {
  const nothing = {
    ...{ count: 0, isEstimated: false, failed: 0, failedBehind200: 0, aborted: 0, totalMs: 0 },
    ...{ p50Ms: null, p75Ms: null, p95Ms: null, p99Ms: null, failedP75Ms: null, failedP95Ms: null },
    p75Bounds: null,
  }
  return {
    ...{ ...named, range, figures: nothing, before: null, vitalBounds: VITAL_THRESHOLDS },
    ...{
      change: null,
      releaseChange: null,
      marks: [],
      kinds: [],
      actions: [],
      buckets: [],
      durations: [],
      slow: [],
      failed: [],
      releases: [],
    },
    ...{ costs: [], costRange: range, costRequests: null, repeated: [], costsKind: null, vitals: [] },
  }
}

const ISSUES_SHOWN = 5

/** Unresolved ones with events on the route within the range, whatever its kinds: the most frequent, and how all are found. */
async function loadRouteIssues(
  { engine, scope, nowMs }: OrgContext,
  address: FilterAddress,
  { project, route }: { readonly project: string; readonly route: string },
) {
  const { environment, release } = address
  const terms = [
    { key: 'route', value: route, negated: false },
    ...(release === null ? [] : [{ key: 'release', value: release, negated: false }]),
  ]
  const query = terms.map(valueTerm).join(' ').slice(0, max('searchCharsMax'))
  const { rows, total } = await engine.queries.issueList(scope, {
    ...{ query, projects: [project], environments: environment === null ? [] : [environment] },
    range: chosenOrBack(address, nowMs),
    ...{ sort: 'freq', limit: ISSUES_SHOWN, cursor: null, tab: 'unresolved', rowsOnly: true },
  })
  return {
    ...{ query, total },
    rows: rows.map(({ shortId, title, type, value, category, level, eventCountInRange }) => ({
      ...{ shortId, title, type, value, category, level, events: eventCountInRange },
    })),
  }
}

export type RouteData = Awaited<ReturnType<typeof loadPerformanceRoute>>

function isEstimatedVisit({ kind, isEstimated }: RouteRow): boolean {
  return kind === 'browser' && isEstimated
}

/** Returns the line of a request, without everything kept of it. */
function exampleOf(row: RouteView['slow'][number]) {
  const { eventId, traceId, segmentId, timestampMs, durationMs, httpStatus, spanCount, end } = row
  const { name, action, actionId, repeated, user, status, error } = row
  return {
    ...{ eventId, traceId, segmentId, timestampMs, durationMs, httpStatus, spanCount, end },
    ...{ name, user, status, error, repeats: repeated[0] ?? null },
    action: action === null ? null : shortAction(action),
    actionId: action !== null && isActionId(action) ? action : actionId,
  }
}

export function filterOf({ nowMs }: OrgContext, { environment, release, range, chosen }: FilterAddress) {
  return {
    range: chosenOrBack({ range, chosen }, nowMs),
    ...{ environment, release },
  }
}

/** Returns what the menus offer. */
export async function offeredFor(org: OrgContext, { project }: FilterAddress) {
  const [choices, chosen] = await Promise.all([
    projectChoices(org, project === null ? [] : [project]),
    projectIdsBySlug(org, project),
  ])
  const environments = await org.engine.queries.environments(org.scope, chosen)
  const names = environments.filter(({ isHidden }) => !isHidden).map(({ name }) => name)
  return { choices, environments: [...new Set(names)] }
}

/** Returns the ids of the project in an address; `null` for all. */
async function projectIdsBySlug({ engine, scope }: OrgContext, slug: string | null) {
  if (slug === null) return null
  const { rows } = await engine.queries.projectNames(scope, { slugs: [slug], limit: 1 })
  return rows.map(({ id }) => id)
}

const RELEASES_SHOWN = 20

function releasesShown(releases: readonly string[]): readonly string[] {
  return releases.slice(0, RELEASES_SHOWN)
}

function alarmsOf(): Alarms {
  return { failingShare: max('failingSharePercent') / 100, slowMs: max('slowRequestMs') }
}
