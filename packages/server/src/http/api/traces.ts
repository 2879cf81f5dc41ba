/** Traces, figures of requests and web vitals. */
import { MINUTE_MS } from '#base/durations.ts'
import { max } from '#limits/limits.ts'
import { VITALS, type Vital } from '#model/span.ts'
import type {
  ActionFigures,
  RequestFigures,
  RequestsQuery,
  RouteFigures,
  VitalFigures,
} from '#ports/requests.ts'
import { readRouteSearch } from '#queries/search/route-search.ts'
import type { TraceError, TraceSpan, TraceView } from '#queries/traces/types.ts'
import { TRACE_META, TRACE_SCHEMA } from './answers/event.ts'
import {
  ACTION_FIGURES,
  ACTIONS,
  VITALS_SCHEMA as PAGE_VITALS,
  REQUESTS,
  ROUTE_FIGURES,
} from './answers/release.ts'
import { type ApiAnswer, type ApiRoute, answerOk, type OrgCall } from './call.ts'
import { PROJECTS_PARAMETER, timeRange } from './params.ts'
import { picks } from './pick.ts'
import { choices, words } from './query.ts'
import { badField, existing, notFound } from './refusals.ts'
import { roundedMs } from './shape/times.ts'

const RANGE = timeRange('14d')
const NEAR = words('timestamp', 'Seconds since 1970 near which the trace was: it is found faster')
const GROUPS = choices({
  ...{ name: 'groupBy', what: 'Taken, and always both' },
  of: ['route', 'kind'],
})
const ONES = {
  environment: words('environment', 'Name of one environment', max('routeCharsMax')),
  release: words('release', 'Name of one release', max('routeCharsMax')),
  route: words('route', 'One route, as the framework writes it', max('routeCharsMax')),
}
const SEARCH = words(
  'query',
  'Routes by words of their names and by their figures, such as kind:action p95:>1s failures:>2%',
)
const ACTION = words(
  'action',
  'One server action, by its name or by the id that it is asked for by',
  max('routeCharsMax'),
)
const OF_REQUESTS = [PROJECTS_PARAMETER, ...Object.values(ONES), ...RANGE.parameters]

export const TRACE_ROUTES: readonly ApiRoute[] = [
  {
    method: 'GET',
    pattern: '/organizations/{org}/events-trace/{trace}/',
    permission: 'trace.read',
    what: 'every stored span of a trace and every error, children below their parents',
    query: [NEAR, PROJECTS_PARAMETER],
    answer: TRACE_SCHEMA,
    run: trace,
  },
  {
    method: 'GET',
    pattern: '/organizations/{org}/trace/{trace}/',
    permission: 'trace.read',
    what: 'the same, as tools call it now',
    query: [NEAR, PROJECTS_PARAMETER],
    answer: TRACE_SCHEMA,
    run: trace,
  },
  {
    method: 'GET',
    pattern: '/organizations/{org}/trace-meta/{trace}/',
    permission: 'trace.read',
    what: 'how many spans and errors a trace has',
    query: [NEAR, PROJECTS_PARAMETER],
    answer: TRACE_META,
    run: traceMeta,
  },
  {
    method: 'GET',
    pattern: '/organizations/{org}/requests/',
    permission: 'trace.read',
    what: 'requests by route and kind: count, failures, percentiles of duration',
    query: [GROUPS, SEARCH, ...OF_REQUESTS],
    answer: REQUESTS,
    run: requests,
  },
  {
    method: 'GET',
    pattern: '/organizations/{org}/actions/',
    permission: 'trace.read',
    what: 'server actions by route and name: requests, failures, percentiles of duration; those that have an id alone are one, without a name',
    query: [ACTION, ...OF_REQUESTS],
    answer: ACTIONS,
    run: answerActions,
  },
  {
    method: 'GET',
    pattern: '/organizations/{org}/vitals/',
    permission: 'trace.read',
    what: 'web vitals by page',
    query: OF_REQUESTS,
    answer: PAGE_VITALS,
    run: answerVitals,
  },
]

async function trace(call: OrgCall): Promise<ApiAnswer> {
  return answerOk(traceShape(await requireTrace(call)))
}

async function traceMeta(call: OrgCall): Promise<ApiAnswer> {
  const { spans, errors } = await requireTrace(call)
  const segmentOf = segmentByPart(spans)
  const segments = Map.groupBy(spans, (span) => segmentOf.get(span.spanId) ?? span.spanId)
  const ops = Map.groupBy(spans, ({ op }) => op)
  return answerOk({
    ...{ logs: 0, errors: errors.length, performance_issues: 0, span_count: spans.length },
    transaction_child_count_map: [...segments].map(([id, own]) => ({
      ...{ 'transaction.event_id': id, 'count()': own.length },
    })),
    span_count_map: Object.fromEntries([...ops].map(([op, own]) => [op, own.length])),
  })
}

async function requireTrace({ queries, scope, params, url }: OrgCall): Promise<TraceView> {
  const near = Number(NEAR.read(url) || Number.NaN)
  const found = await queries.trace(
    scope,
    params.trace ?? '',
    Number.isFinite(near) ? near * 1_000 : undefined,
  )
  if (found === null) throw notFound('Nothing of this trace is kept here, neither spans nor errors.')
  const projects = await readTraceProjects({ queries, scope, url })
  return projects === null ? found : viewOfProjects(found, new Set(projects))
}

function viewOfProjects(view: TraceView, projects: ReadonlySet<number>): TraceView {
  return {
    ...view,
    spans: view.spans.filter(({ projectId }) => projects.has(projectId)),
    errors: view.errors.filter(({ projectId }) => projects.has(projectId)),
  }
}

interface SpanShape {
  readonly children: SpanShape[]
  readonly errors: object[]
  readonly [field: string]: unknown
}

/** Trees of spans, and behind them the errors whose span never came. */
function traceShape({ spans, errors, projects }: TraceView): readonly unknown[] {
  const slugs = new Map(projects.map(({ id, slug }) => [id, slug]))
  const shapes = new Map<string, SpanShape>()
  const segments = segmentByPart(spans)
  const roots: SpanShape[] = []
  for (const span of spans) {
    const segment = segments.get(span.spanId) ?? span.spanId
    const shape = traceSpanShape(span, { project: slugs.get(span.projectId) ?? '', segment })
    shapes.set(span.spanId, shape)
    const parent = span.shownBelow === null ? undefined : shapes.get(span.shownBelow)
    if (parent === undefined) roots.push(shape)
    else parent.children.push(shape)
  }
  const orphans = errors.flatMap((error) => {
    const shape = traceErrorShape(error, slugs.get(error.projectId) ?? '')
    const at = error.spanId === null ? undefined : shapes.get(error.spanId)
    if (at === undefined) return [shape]
    at.errors.push(shape)
    return []
  })
  return [...roots, ...orphans]
}

/** The segment that each span is shown below; parents come first. */
function segmentByPart(spans: readonly TraceSpan[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const { spanId, isSegment, shownBelow } of spans) {
    const above = shownBelow === null ? undefined : found.get(shownBelow)
    found.set(spanId, isSegment ? spanId : (above ?? spanId))
  }
  return found
}

function traceSpanShape(
  span: TraceSpan,
  { project, segment: transaction }: { readonly project: string; readonly segment: string },
): SpanShape {
  const { segment } = span
  return {
    ...{ event_type: 'span', event_id: span.spanId, span_id: span.spanId, parent_span_id: span.parentSpanId },
    ...{ project_id: Number(span.projectId), project_slug: project, is_transaction: span.isSegment },
    ...{ transaction_id: transaction, occurrences: [] },
    ...{ op: span.op, name: span.name, description: span.name, status: span.status, origin: span.origin },
    ...{ start_timestamp: span.startMs / 1_000, timestamp: span.endMs / 1_000 },
    ...{ end_timestamp: span.endMs / 1_000, duration: span.endMs - span.startMs },
    data: span.attributes,
    links: span.links,
    transaction: segment === null ? null : span.name,
    ...(segment === null
      ? {}
      : {
          errata: {
            ...{ kind: segment.requestKind, route: segment.route, end: segment.end, action: segment.action },
            ...{ httpStatus: segment.httpStatus, sampledOut: segment.isSampledOut },
          },
          release: segment.release,
          environment: segment.environment,
          sdk_name: segment.sdk,
          measurements: measuredVitals(segment.vitals),
        }),
    children: [],
    errors: [],
  }
}

/** Returns the vitals that were measured. */
function measuredVitals(vitals: Readonly<Record<string, number | null>>): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(vitals).flatMap(([name, value]) => (value === null ? [] : [[name, value] as const])),
  )
}

function traceErrorShape(error: TraceError, project: string) {
  return {
    ...{ event_type: 'error', event_id: error.eventId, issue_id: Number(error.issueId) },
    ...{ short_id: error.shortId, project_id: Number(error.projectId), project_slug: project },
    ...{ title: error.title, message: error.title, level: error.level, is_mirror: error.isMirror },
    ...{ span_id: error.spanId, start_timestamp: error.atMs / 1_000, timestamp: error.atMs / 1_000 },
  }
}

async function requests(call: OrgCall): Promise<ApiAnswer> {
  GROUPS.read(call.url) // a mistake is told, though figures are always by both
  const { matches, problems } = readRouteSearch(SEARCH.read(call.url))
  if (problems.length > 0) throw badField('query', problems.join(' '))
  const rows = await call.queries.requests.routes(call.scope, await readRequestsQuery(call))
  return answerOk({ data: rows.filter((row) => row.kind !== 'browser' && matches(row)).map(routeShape) })
}

const FIGURES = {
  p50Ms: ({ p50Ms }: RequestFigures) => roundedMs(p50Ms),
  p75Ms: ({ p75Ms }: RequestFigures) => roundedMs(p75Ms),
  p95Ms: ({ p95Ms }: RequestFigures) => roundedMs(p95Ms),
  p99Ms: ({ p99Ms }: RequestFigures) => roundedMs(p99Ms),
}

const routeShape = picks(ROUTE_FIGURES).from<RouteFigures>({
  ...FIGURES,
  project: ({ projectId }) => Number(projectId),
})

async function answerActions(call: OrgCall): Promise<ApiAnswer> {
  const query = await readRequestsQuery(call)
  const action = ACTION.read(call.url)
  const rows = await call.queries.actions(call.scope, { ...query, ...(action === '' ? {} : { action }) })
  const minutes = (query.endMs - query.startMs) / MINUTE_MS
  return answerOk({ data: rows.map((row) => actionFiguresShape(row, minutes)) })
}

const actionFiguresShape = picks(ACTION_FIGURES).from<ActionFigures, number>({
  ...FIGURES,
  project: ({ projectId }) => Number(projectId),
  action: ({ action }) => (action === '' ? null : action),
  perMinute: ({ count }, minutes) => (minutes > 0 ? Math.round((count / minutes) * 1e6) / 1e6 : 0),
})

async function answerVitals(call: OrgCall): Promise<ApiAnswer> {
  const found = await call.queries.requests.vitals(call.scope, await readRequestsQuery(call))
  const pages = new Map<
    string,
    { readonly project: number; readonly route: string; readonly of: VitalFigures[] }
  >()
  for (const vital of found) {
    const key = `${vital.projectId}\n${vital.route}`
    const page = pages.get(key) ?? { project: Number(vital.projectId), route: vital.route, of: [] }
    pages.set(key, page)
    page.of.push(vital)
  }
  return answerOk({
    data: [...pages.values()].map(({ project, route, of }) => ({
      ...{ project, route },
      ...Object.fromEntries(VITALS.map((vital) => [vital, vitalShape(vital, of)])),
    })),
  })
}

function vitalShape(wanted: Vital, of: readonly VitalFigures[]) {
  const found = of.find(({ vital }) => vital === wanted)
  if (found === undefined) return null
  const [good, needsImprovement, poor] = found.shares
  return { p75: Math.round(found.p75 * 1_000) / 1_000, count: found.count, good, needsImprovement, poor }
}

async function readRequestsQuery(call: OrgCall): Promise<RequestsQuery> {
  const { url, clock } = call
  const { startMs, endMs } = RANGE.read(url, clock)
  const [environment, release] = [ONES.environment.read(url), ONES.release.read(url)]
  const route = ONES.route.read(url)
  return {
    ...{ projects: await readTraceProjects(call), startMs, endMs },
    ...(environment === '' ? {} : { environment }),
    ...(release === '' ? {} : { release }),
    ...(route === '' ? {} : { route }),
  }
}

async function readTraceProjects({ queries, scope, url }: Pick<OrgCall, 'queries' | 'scope' | 'url'>) {
  const refs = PROJECTS_PARAMETER.read(url)
  if (refs.length === 0) return null
  return Promise.all(refs.map(async (ref) => existing(await queries.project(scope, ref)).id))
}
