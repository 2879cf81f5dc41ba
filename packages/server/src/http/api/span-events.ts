/**
 * Rows of spans, or figures of them, by named fields: `GET …/events/?dataset=spans`. Rows are segments, which are what
 * a search can find. Figures come from the sums of requests, so that no answer scans spans: by route and kind, or of all.
 */

import { byWord } from '#base/by-word.ts'
import type { ProjectId } from '#base/ids.ts'
import { statedFields } from '#base/stated-fields.ts'
import { REQUEST_KINDS } from '#model/event.ts'
import { hasWildcard, literalText } from '#model/text-pattern.ts'
import type { RequestFigures, RequestsQuery } from '#ports/requests.ts'
import type { SegmentConditions, SegmentSort } from '#ports/traces.ts'
import { readTraceSearch } from '#queries/search/trace-search.ts'
import type { TraceList } from '#queries/traces/types.ts'
import { SPAN_EVENTS } from './answers/release.ts'
import { type ApiAnswer, type ApiRoute, answerOk, type OrgCall } from './call.ts'
import { datasetEvents } from './dataset-events.ts'
import { DATASET, readDataset } from './datasets.ts'
import { FORMAT } from './export.ts'
import { errorEvents } from './found-events.ts'
import { PAGE, pageOf, readPage } from './pages.ts'
import { ENVIRONMENTS_PARAMETER, PROJECTS_PARAMETER, timeRange } from './params.ts'
import { askedProjects } from './project-terms.ts'
import { type QueryParameter, words } from './query.ts'
import { badField } from './refusals.ts'
import { roundedMs } from './shape/times.ts'
import { sortedBy } from './sorted-rows.ts'
import { spansOfTrace } from './spans-of-trace.ts'

type Cell = string | number | boolean | null
export type SpanFieldType = 'string' | 'date' | 'duration' | 'integer' | 'number' | 'percentage' | 'boolean'

interface Field<Of> {
  readonly type: SpanFieldType
  readonly of: (row: Of) => Cell
}

type Fields<Of> = Readonly<Record<string, Field<Of>>>
type Row = TraceList['rows'][number] & { readonly project: string }

const textField = (of: (row: Row) => Cell): Field<Row> => ({ type: 'string', of })
const durationField = (of: (row: Row) => Cell): Field<Row> => ({ type: 'duration', of })

const COLUMNS: Fields<Row> = {
  id: textField(({ segmentId }) => segmentId),
  // Segments are under no span of the rows.
  parent_span: textField(() => null),
  is_transaction: { type: 'boolean', of: () => true },
  span_id: textField(({ segmentId }) => segmentId),
  trace: textField(({ traceId }) => traceId),
  timestamp: { type: 'date', of: ({ timestampMs }) => new Date(timestampMs).toISOString() },
  project: textField(({ project }) => project),
  'project.id': { type: 'integer', of: ({ projectId }) => Number(projectId) },
  transaction: textField(({ name }) => name),
  'span.op': textField(({ op }) => op),
  'span.description': textField(({ name }) => name),
  'span.duration': durationField(({ durationMs }) => durationMs),
  'span.status': textField(({ status }) => status),
  route: textField(({ route }) => route),
  kind: textField(({ requestKind }) => requestKind),
  status: textField(({ end }) => end),
  action: textField(({ action }) => action),
  'http.method': textField(({ method }) => method),
  'http.status_code': { type: 'integer', of: ({ httpStatus }) => httpStatus },
  span_count: { type: 'integer', of: ({ spanCount }) => spanCount },
  environment: textField(({ environment }) => environment),
  release: textField(({ release }) => release),
  dist: textField(({ dist }) => dist),
  platform: textField(({ platform }) => platform),
  'sdk.name': textField(({ sdk }) => sdk),
  'browser.name': textField(({ browser }) => browser),
  'os.name': textField(({ os }) => os),
  runtime: textField(({ runtime }) => runtime),
  device: textField(({ device }) => device),
  server_name: textField(({ serverName }) => serverName),
  service: textField(({ service, project }) => service ?? project),
  user: textField(({ user }) => user),
  'measurements.lcp': durationField(({ lcp }) => lcp),
  'measurements.inp': durationField(({ inp }) => inp),
  'measurements.fcp': durationField(({ fcp }) => fcp),
  'measurements.ttfb': durationField(({ ttfb }) => ttfb),
  'measurements.cls': { type: 'number', of: ({ cls }) => cls },
}

/** Spellings of older tools, and of transactions, for the same fields. */
const ALIASES: Readonly<Record<string, string>> = byWord({
  ...{ description: 'span.description', 'span.name': 'span.description', title: 'transaction' },
  ...{ 'segment.id': 'id', 'segment.name': 'transaction', 'transaction.span_id': 'id' },
  ...{
    'transaction.op': 'span.op',
    'transaction.status': 'span.status',
    'transaction.method': 'http.method',
  },
  ...{ 'transaction.duration': 'span.duration', 'project.name': 'project' },
  ...{ 'user.display': 'user', 'http.request.method': 'http.method' },
  ...{ 'span.status_code': 'http.status_code', 'http.response.status_code': 'http.status_code' },
})

/** Returns our name of a field; the duration that a figure measures may be left out, as in transactions. */
function ownName(name: string): string {
  const [, figure, of] = /^(sum|avg|p50|p75|p95|p99)\((transaction\.duration)?\)$/.exec(name) ?? []
  if (figure !== undefined && (of !== undefined || figure.startsWith('p'))) return `${figure}(span.duration)`
  if (name === 'count(span.duration)') return 'count()'
  return ALIASES[name] ?? name
}

type Figures = RequestFigures & {
  readonly project: string
  readonly route: string
  readonly kind: string
  /** The route, with its kind where there are several of it: what one row is called by. */
  readonly name: string
}

const GROUPED: Fields<Figures> = {
  project: { type: 'string', of: ({ project }) => project },
  route: { type: 'string', of: ({ route }) => route },
  kind: { type: 'string', of: ({ kind }) => kind },
  transaction: { type: 'string', of: ({ name }) => name },
}
/** Keys for figures: all of them, or none. */
const KEYS: readonly string[] = ['route', 'kind']

const AGGREGATES: Fields<RequestFigures> = {
  'count()': { type: 'integer', of: ({ count }) => count },
  'failure_count()': { type: 'integer', of: ({ failed }) => failed },
  'failure_rate()': { type: 'percentage', of: ({ failed, count }) => (count === 0 ? 0 : failed / count) },
  'sum(span.duration)': { type: 'duration', of: ({ totalMs }) => totalMs },
  'avg(span.duration)': { type: 'duration', of: averageOf },
  'p50(span.duration)': { type: 'duration', of: ({ p50Ms }) => roundedMs(p50Ms) },
  'p75(span.duration)': { type: 'duration', of: ({ p75Ms }) => roundedMs(p75Ms) },
  'p95(span.duration)': { type: 'duration', of: ({ p95Ms }) => roundedMs(p95Ms) },
  'p99(span.duration)': { type: 'duration', of: ({ p99Ms }) => roundedMs(p99Ms) },
}

/** Aborted requests say nothing of how long an answer takes. */
function averageOf({ totalMs, count, aborted }: RequestFigures): number | null {
  return count > aborted ? totalMs / (count - aborted) : null
}

const RANGE = timeRange('14d')
const FIELD: QueryParameter = {
  ...{ name: 'field', repeats: true, schema: { type: 'string' } },
  what:
    'Needed of errors and spans; of other datasets every field if left out. Of errors a column, any tag, or a figure; of spans one of ' +
    [...new Set([COLUMNS, GROUPED, AGGREGATES].flatMap(Object.keys))].join(', '),
}
const QUERY = words('query', 'A search of events, or of segments, as in the web app; empty for all')
const SORT = words('sort', 'A field, with - before it for the largest first')

export const SPAN_EVENT_ROUTES: readonly ApiRoute[] = [
  {
    method: 'GET',
    pattern: '/organizations/{org}/events/',
    permission: 'trace.read',
    what: 'errors, or with `dataset=` segments of spans or rows of another kind, or figures of them, by the fields that are asked for',
    query: [
      DATASET,
      FIELD,
      QUERY,
      SORT,
      PROJECTS_PARAMETER,
      ENVIRONMENTS_PARAMETER,
      ...RANGE.parameters,
      FORMAT,
      ...PAGE,
    ],
    exported: {
      name: 'traces',
      columns: (url, rows) => {
        const named = [...new Set(url.searchParams.getAll(FIELD.name))]
        return named.length > 0 ? named : Object.keys(rows[0] ?? {})
      },
    },
    answer: SPAN_EVENTS,
    run: events,
  },
]

async function events(call: OrgCall): Promise<ApiAnswer> {
  const fields = [...new Set(call.url.searchParams.getAll(FIELD.name).filter((name) => name !== ''))]
  const dataset = readDataset(call)
  const isGeneric = typeof dataset !== 'string'
  if (fields.length === 0 && !isGeneric) throw badField('field', 'At least one.')
  if (fields.length > FIELDS_MAX) throw badField('field', `At most ${FIELDS_MAX}.`)
  const environments = ENVIRONMENTS_PARAMETER.read(call.url)
  const asked = await askedProjects(call, QUERY.read(call.url))
  if (isGeneric) {
    const [range, sort] = [RANGE.read(call.url, call.clock), SORT.read(call.url)]
    return datasetEvents(call, dataset, { ...asked, fields, environments, sort, range })
  }
  if (dataset === 'spans') return spanEvents(call, { ...asked, fields, environments })
  return errorEvents(call, {
    ...{ ...asked, fields, environments, sort: SORT.read(call.url) },
    range: RANGE.read(call.url, call.clock),
  })
}

/** Fields of one question to `events/`. */
export const FIELDS_MAX = 50

interface SpansAsked {
  readonly fields: readonly string[]
  readonly query: string
  readonly projects: readonly ProjectId[] | null
}

async function spanEvents(
  call: OrgCall,
  { environments, ...given }: SpansAsked & { readonly environments: readonly string[] },
): Promise<ApiAnswer> {
  if (environments.length > 0) throw badField('environment', 'Of spans it stands in `query`.')
  const { query, conditions } = readSpanSearch(given.query)
  const asked = { ...given, query }
  const isOfFigures = asked.fields.some((name) => name.endsWith(')'))
  if (isOfFigures) return answerSpanFigures(call, asked, conditions)
  const { traceId, tags = [], ...others } = conditions
  const isAlone = tags.length === 0 && Object.keys(others).length === 0
  if (traceId !== undefined && isAlone) return rowsOfTrace(call, asked, traceId)
  return answerSpanRows(call, asked)
}

function readSpanSearch(text: string) {
  const query = text.replace(EVERY_ROW, ' ').trim()
  const { conditions, problems } = readTraceSearch(query)
  if (problems.length > 0) throw badField('query', problems.join(' '))
  return { query, conditions }
}

/** Reads a search of spans as a question to the sums of requests. */
export function spanSumsAsked(
  text: string,
  projects: readonly ProjectId[] | null,
): Omit<RequestsQuery, 'startMs' | 'endMs'> {
  return spansQuery(readSpanSearch(text).conditions, projects)
}

/** A figure of spans by its name. */
export function spanFigureOf(name: string, parameter: string): Field<RequestFigures> {
  const own = ownName(name)
  const figure = Object.hasOwn(AGGREGATES, own) ? AGGREGATES[own] : undefined
  if (figure === undefined)
    throw badField(parameter, `Of spans one of ${Object.keys(AGGREGATES).join(', ')}.`)
  return figure
}

/** Returns all spans of a trace that is named, not its segments only: they are near each other. */
async function rowsOfTrace(call: OrgCall, { fields: names, projects }: SpansAsked, traceId: string) {
  const fields = knownFields(names, COLUMNS)
  const spans = await spansOfTrace(call, traceId, projects)
  const sort = SORT.read(call.url) || '-timestamp'
  const by = ownName(sort.replace(/^-/, ''))
  if (!Object.hasOwn(COLUMNS, by)) throw badField('sort', `One of ${Object.keys(COLUMNS).join(', ')}.`)
  const ordered = sortedBy(spans, (cell) => cell(by), sort.startsWith('-'))
  const { rows: shown, page } = pageOf(ordered, readPage(call.url))
  const data = shown.map((cell) => Object.fromEntries(names.map((name) => [name, cell(ownName(name))])))
  return { ...answerOk({ data, meta: spansMeta(fields) }), page }
}

/** Holds of every row, since rows are segments. */
const EVERY_ROW =
  /(?<!\S)(?:is_transaction:(?:true|"true"|1)|event\.type:(?:transaction|"transaction"))(?!\S)/g

const SORTS: Readonly<Record<string, SegmentSort>> = byWord({
  '-timestamp': 'newest',
  '-span.duration': 'slowest',
  '-transaction.duration': 'slowest',
})

export function isSpanField(name: string): boolean {
  return [COLUMNS, GROUPED, AGGREGATES].some((fields) => Object.hasOwn(fields, ownName(name)))
}

export function spanFieldTypes(): readonly (readonly [name: string, type: string])[] {
  return Object.entries(COLUMNS).map(([name, { type }]) => [name, type])
}

async function answerSpanRows(
  call: OrgCall,
  { fields: names, query, projects }: SpansAsked,
): Promise<ApiAnswer> {
  const { queries, scope, url, clock } = call
  const fields = knownFields(names, COLUMNS)
  const asked = SORT.read(url) || '-timestamp'
  const sort = SORTS[asked]
  if (sort === undefined) throw badField('sort', `One of ${Object.keys(SORTS).join(', ')}.`)
  const [project = null, ...others] = projects ?? []
  if (others.length > 0) throw badField('project', 'One, or none for all.')
  const slugs = await slugsByProject(call)
  const { limit, cursor } = readPage(url)
  const list = await queries.traces(scope, {
    ...{ range: RANGE.read(url, clock), project: project && (slugs.get(project) ?? null) },
    ...{ query, sort, limit, cursor, withOthers: true },
  })
  if (list.problems.length > 0) throw badField('query', list.problems.join(' '))
  const shown = list.rows.map((row) => ({ ...row, project: slugs.get(row.projectId) ?? '' }))
  const page = { previous: null, next: list.nextCursor, hits: list.total }
  return { ...answerOk({ data: shown.map((row) => rowCells(row, fields)), meta: spansMeta(fields) }), page }
}

async function answerSpanFigures(
  call: OrgCall,
  { fields: names, projects }: SpansAsked,
  conditions: SegmentConditions,
): Promise<ApiAnswer> {
  const fields = knownFields(names, { ...GROUPED, ...AGGREGATES })
  const isNamed = names.some((name) => ownName(name) === 'transaction')
  const keys = isNamed ? KEYS : KEYS.filter((key) => names.includes(key))
  const isGrouped = keys.length > 0 || names.includes('project')
  if (isGrouped && keys.length < KEYS.length)
    throw badField('field', 'Figures are of a route and kind together, or of all.')
  const query = { ...spansQuery(conditions, projects), ...RANGE.read(call.url, call.clock) }
  const slugs = await slugsByProject(call)
  const found: readonly Figures[] = isGrouped
    ? routesByName(
        (await call.queries.requests.routes(call.scope, query)).map((row) => ({
          ...row,
          project: slugs.get(row.projectId) ?? '',
        })),
      )
    : [
        {
          ...(await call.queries.requests.requestFigures(call.scope, query)),
          ...{ project: '', route: '', kind: '', name: '' },
        },
      ]
  const { rows: shown, page } = pageOf(sortFigures(found, fields, call.url), readPage(call.url))
  return { ...answerOk({ data: shown.map((row) => rowCells(row, fields)), meta: spansMeta(fields) }), page }
}

function routesByName<Row extends { readonly route: string; readonly kind: string }>(all: readonly Row[]) {
  const times = new Map<string, number>()
  for (const { route } of all) times.set(route, (times.get(route) ?? 0) + 1)
  return all.map((row) => ({
    ...row,
    name: times.get(row.route) === 1 ? row.route : `${row.route} (${row.kind})`,
  }))
}

/** Builds a query over the keys of sums; anything else is known of segments only. */
function spansQuery(
  conditions: SegmentConditions,
  projects: readonly ProjectId[] | null,
): Omit<RequestsQuery, 'startMs' | 'endMs'> {
  const { tags = [], routes = [], kinds = [], ...others } = conditions
  const named = new Map<string, string>()
  for (const { key, value, negated } of tags) {
    const isPlain = typeof value === 'string' && !hasWildcard(value) && !negated && !named.has(key)
    if (!isPlain || !(key === 'environment' || key === 'release')) throw badQuery()
    named.set(key, literalText(value))
  }
  if (Object.keys(others).length > 0) throw badQuery()
  const [route, kind] = [routes[0], REQUEST_KINDS.find((one) => one === kinds[0])]
  const [environment, release] = [named.get('environment'), named.get('release')]
  return {
    projects,
    ...statedFields({ route, kind, environment, release }),
  }
}

function badQuery() {
  return badField('query', 'Figures are found by route, kind, environment and release.')
}

/** By one of the fields, `-` before it for the largest first; as they come where nothing is said. */
function sortFigures(
  all: readonly Figures[],
  fields: ReadonlyMap<string, Field<Figures>>,
  url: URL,
): readonly Figures[] {
  const asked = SORT.read(url)
  if (asked === '') return all
  const field = fields.get(asked.replace(/^-/, ''))
  if (field === undefined)
    throw badField('sort', 'One of the fields, with - before it for the largest first.')
  return sortedBy(all, (row) => field.of(row), asked.startsWith('-'))
}

function knownFields<Of>(names: readonly string[], fields: Fields<Of>): ReadonlyMap<string, Field<Of>> {
  return new Map(
    names.map((name) => {
      const own = ownName(name)
      const field = Object.hasOwn(fields, own) ? fields[own] : undefined
      if (field === undefined) throw badField('field', `One of ${Object.keys(fields).join(', ')}.`)
      return [name, field]
    }),
  )
}

function rowCells<Of>(row: Of, fields: ReadonlyMap<string, Field<Of>>): Readonly<Record<string, Cell>> {
  return Object.fromEntries([...fields].map(([name, { of }]) => [name, of(row)]))
}

function spansMeta(fields: ReadonlyMap<string, { readonly type: SpanFieldType }>) {
  const types = [...fields].map(([name, { type }]) => [name, type] as const)
  return {
    fields: Object.fromEntries(types),
    units: Object.fromEntries(
      types.map(([name, type]) => [name, type === 'duration' ? 'millisecond' : null]),
    ),
  }
}

async function slugsByProject({ queries, scope }: OrgCall): Promise<ReadonlyMap<ProjectId, string>> {
  const projects = await queries.projects(scope)
  return new Map(projects.map(({ id, slug }) => [id, slug]))
}
