/** The search of traces: the language of the issue search, over what segments say. */
import type { Clock } from '#base/clock.ts'
import type { FragmentRow } from '#kinds/span/fields.ts'
import { max } from '#limits/limits.ts'
import type { TagCondition } from '#model/tag-condition.ts'
import type { ProjectsRead } from '#ports/projects.ts'
import type { RequestsRead } from '#ports/requests.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { SegmentConditions, SegmentFilter, SegmentPoint, SpanSums, TraceReads } from '#ports/traces.ts'
import {
  type ActionNameParts,
  type ActionNames,
  actionCondition,
  knownActions,
  shownIn,
} from '../action-names.ts'
import { rowLimit } from '../pages.ts'
import type { UnknownTag } from '../search-words.ts'
import { withAllSpans } from './all-spans.ts'
import { withCounted } from './counted.ts'
import {
  type FacetParts,
  issueCondition,
  issueFacet,
  serviceConditions,
  withoutFacet,
  workFacets,
} from './facets.ts'
import { heatGrid } from './heat-grid.ts'
import { withJoined } from './joined.ts'
import { filesWithin } from './performance.ts'
import { type RowErrorParts, withErrors } from './row-errors.ts'
import { segmentKey } from './segment-key.ts'
import type { TraceList, TraceSearch } from './types.ts'

export interface TraceSearchParts extends ActionNameParts, RowErrorParts, FacetParts {
  readonly telemetry: RowErrorParts['telemetry'] & FacetParts['telemetry'] & TraceReads<FragmentRow>
  readonly issues: RowErrorParts['issues'] & FacetParts['issues']
  readonly projects: ProjectsRead
  readonly requests: Pick<RequestsRead, 'countedAs' | 'joinedFailures' | 'movedSegments' | 'seenActions'>
  readonly clock: Clock
  readonly readTraceSearch: ReadTraceSearch
  /** The key that a key without any segment may have been meant to be. */
  readonly nearestTraceKey: (key: string) => string | null
}

/** Never throws: what it does not understand is said in sentences. */
export type ReadTraceSearch = (text: string) => {
  readonly conditions: SegmentConditions
  readonly problems: readonly string[]
}

/** Tags whose values are offered beside a list, the kind before what no tag says. */
const FACETS: readonly string[] = ['request_kind', 'route', 'environment', 'release', 'browser']

const NOTHING: Omit<TraceList, 'bounds' | 'problems' | 'unknownTags' | 'heat'> = {
  ...{ of: 'requests' as const, rows: [], total: 0, otherTotal: 0, nextCursor: null },
  ...{ points: [], others: [], facets: [] },
}

/** Same as `TraceQueries.traces`. */
export async function traceList(
  parts: TraceSearchParts,
  scope: ReadScope,
  { range, project, query, sort, limit, cursor, withOthers = false }: TraceSearch,
): Promise<TraceList> {
  const { telemetry, projects, requests, readTraceSearch } = parts
  const { conditions: asked, problems: unread } = readTraceSearch(query)
  const all = await projects.projects(scope)
  const named = project === null ? null : all.filter(({ slug }) => slug === project).map(({ id }) => id)
  const names = await knownActions(parts, scope, named)
  const { services: _, servicesAny: __, issue, ...plain } = asked
  const ofIssue = await issueCondition(parts, scope, { issue, range })
  const problems = typeof ofIssue === 'string' ? [...unread, ofIssue] : unread
  const conditions = {
    ...withActions(names, plain),
    ...serviceConditions(asked, all),
    ...(typeof ofIssue === 'string' ? {} : ofIssue),
  }
  const { startMs, endMs } = range
  const files = filesWithin(await telemetry.files(), range)
  const [joinedFailures, moved] = await Promise.all([
    requests.joinedFailures(scope, { projects: named, startMs, endMs }),
    requests.movedSegments(scope, { projects: named, startMs, endMs }),
  ])
  const told = { joinedFailures, moved }
  const whole: SegmentFilter = { ...conditions, ...told, files, projects: named, startMs, endMs }
  const bounds = {
    minMs: asked.minDurationMs ?? asked.aboveDurationMs ?? null,
    maxMs: asked.maxDurationMs ?? asked.belowDurationMs ?? null,
  }
  if (problems.length > 0)
    return { ...NOTHING, bounds, problems, unknownTags: [], heat: { ...heatGrid(range), cells: [] } }
  const read = async (filter: SegmentFilter) => {
    const [page, { total, tags }, work, ofIssues, points, around, heat] = await Promise.all([
      telemetry.segments(scope, filter, { sort, limit: rowLimit(limit), cursor }),
      telemetry.segmentValues(scope, filter, { tags: FACETS, limit: max('traceFacetValuesMax') }),
      telemetry.segmentWork(scope, filter),
      issueFacet(parts, scope, filter),
      telemetry.segmentPoints(scope, filter, max('tracePointsMax')),
      query.trim() === '' || cursor !== null ? [] : pointsAround(telemetry, scope, filter),
      telemetry.segmentHeat(scope, filter, heatGrid(range)),
    ])
    const [ofKind, ...ofTags] = await countedAlone(telemetry, scope, { filter, tags })
    const facets = [
      ...(ofKind === undefined ? [] : [ofKind]),
      ...(await workAlone(telemetry, scope, { filter, facets: workFacets(work, all), projects: all })),
      ...ofIssues,
      ...ofTags,
    ]
    return { page, total, facets, points, around, filter, heat: { ...heatGrid(range), cells: heat } }
  }
  const { found, of, otherTotal } = await chooseTraces(telemetry, scope, { whole, asked, withOthers, read })
  const { page, total, points, around, filter, heat } = found
  const { rows: complete, sums } = await withAllSpans(telemetry, scope, {
    ...{ rows: newestOfEach(page.rows), files },
  })
  const services = servicesOf(sums, new Map(all.map(({ id, slug }) => [id, slug])))
  const counted = await withCounted(requests, scope, complete)
  const withIssues = await withErrors(parts, scope, withJoined(counted, joinedFailures))
  const rows = withIssues.map((row) => ({
    ...{ ...row, ...shownIn(names, row) },
    services: services.get(row.traceId) ?? [],
  }))
  const unknownTags = total > 0 ? [] : await tagsOfNone(parts, scope, { filter, tags: asked.tags ?? [] })
  const facets = found.facets.filter(({ values }) => values.length > 0)
  const others = around.filter(notAmong(points))
  return { ...page, of, rows, total, otherTotal, points, others, bounds, facets, problems, unknownTags, heat }
}

type Facets = TraceList['facets']

/** A facet that something was chosen of keeps the counts of what else could be chosen. */
function countedAlone(
  telemetry: TraceSearchParts['telemetry'],
  scope: ReadScope,
  { filter, tags }: { readonly filter: SegmentFilter; readonly tags: Facets },
): Promise<Facets> {
  return Promise.all(
    tags.map(async (facet) => {
      const others = withoutFacet(filter, facet.tag)
      if (others === null) return facet
      const of = { tags: [facet.tag], limit: max('traceFacetValuesMax') }
      return (await telemetry.segmentValues(scope, others, of)).tags[0] ?? facet
    }),
  )
}

async function workAlone(
  telemetry: TraceSearchParts['telemetry'],
  scope: ReadScope,
  of: {
    readonly filter: SegmentFilter
    readonly facets: Facets
    readonly projects: Parameters<typeof workFacets>[1]
  },
): Promise<Facets> {
  return Promise.all(
    of.facets.map(async (facet) => {
      const others = withoutFacet(of.filter, facet.tag)
      if (others === null) return facet
      const counted = workFacets(await telemetry.segmentWork(scope, others), of.projects)
      return counted.find(({ tag }) => tag === facet.tag) ?? facet
    }),
  )
}

/** Which of all that match are listed. A service that answers no requests, such as a queue's worker, has others alone. */
async function chooseTraces<Found extends { readonly total: number }>(
  telemetry: TraceSearchParts['telemetry'],
  scope: ReadScope,
  { whole, asked, withOthers, read }: Choice<Found>,
): Promise<Pick<TraceList, 'of' | 'otherTotal'> & { readonly found: Found }> {
  if (withOthers || namesOthers(asked)) return { of: 'all', otherTotal: 0, found: await read(whole) }
  const rest: SegmentFilter = { ...whole, kinds: ['other'] }
  const [found, otherTotal] = await Promise.all([
    read({ ...whole, onlyRequests: true }),
    asked.kinds === undefined ? telemetry.segmentCount(scope, rest) : 0,
  ])
  if (found.total > 0 || otherTotal === 0) return { of: 'requests', otherTotal, found }
  return { of: 'others', otherTotal: 0, found: await read(rest) }
}

interface Choice<Found> {
  readonly whole: SegmentFilter
  readonly asked: SegmentConditions
  readonly withOthers: boolean
  readonly read: (filter: SegmentFilter) => Promise<Found>
}

function namesOthers({ kinds, traceId, ops = [], texts = [] }: SegmentConditions): boolean {
  const ofOthers = kinds?.every((kind) => kind === 'other') ?? false
  return ofOthers || traceId !== undefined || ops.length > 0 || texts.length > 0
}

/** Returns points that the search leaves out, shown beside those it finds. */
function pointsAround(
  telemetry: TraceSearchParts['telemetry'],
  scope: ReadScope,
  { files, projects, startMs, endMs, onlyRequests, moved = [] }: SegmentFilter,
): Promise<readonly SegmentPoint[]> {
  const all = { files, projects, startMs, endMs, moved, ...(onlyRequests && { onlyRequests }) }
  return telemetry.segmentPoints(scope, all, max('tracePointsMax'))
}

function notAmong(points: readonly SegmentPoint[]): (point: SegmentPoint) => boolean {
  const nameOf = ({ traceId, atMs, durationMs }: SegmentPoint) => `${traceId} ${atMs} ${durationMs}`
  const names = new Set(points.map(nameOf))
  return (point) => !names.has(nameOf(point))
}

/** Tags that are asked for and that no segment of the time has, with what may have been meant. */
async function tagsOfNone(
  { telemetry, nearestTraceKey }: TraceSearchParts,
  scope: ReadScope,
  { filter, tags }: { readonly filter: SegmentFilter; readonly tags: readonly TagCondition[] },
): Promise<readonly UnknownTag[]> {
  const { files, projects, startMs, endMs } = filter
  const keys = [...new Set(tags.filter(({ negated }) => !negated).map(({ key }) => key))]
  const counts = await Promise.all(
    keys.map((key) => {
      const has = [{ key, value: null, negated: false }]
      return telemetry.segmentCount(scope, { files, projects, startMs, endMs, tags: has })
    }),
  )
  return keys.filter((_, index) => counts[index] === 0).map((key) => ({ key, nearest: nearestTraceKey(key) }))
}

function withActions(
  names: ActionNames,
  asked: Omit<SegmentConditions, 'services' | 'servicesAny' | 'issue'>,
) {
  const { tags = [], ...conditions } = asked
  const others = tags.filter(({ key }) => key !== 'action')
  const read = tags.filter(({ key }) => key === 'action').map((tag) => actionCondition(names, tag))
  return {
    ...conditions,
    tags: [...others, ...read.flatMap((one) => one.tags ?? [])],
    either: [...(asked.either ?? []), ...read.flatMap((one) => one.either ?? [])],
  }
}

/** A segment whose own span came in several fragments is one request: as it was received last. */
function newestOfEach(rows: readonly FragmentRow[]): readonly FragmentRow[] {
  const newest = new Map<string, FragmentRow>()
  for (const row of rows) {
    const before = newest.get(segmentKey(row))
    if (before === undefined || isLater(row, before)) newest.set(segmentKey(row), row)
  }
  return rows.filter((row) => newest.get(segmentKey(row)) === row)
}

function isLater(row: FragmentRow, than: FragmentRow): boolean {
  return row.receivedMs > than.receivedMs || (row.receivedMs === than.receivedMs && row.seq > than.seq)
}

/** Which services had a part in each trace, by the names that are shown. */
function servicesOf(
  sums: readonly SpanSums[],
  slugs: ReadonlyMap<number, string>,
): ReadonlyMap<string, readonly string[]> {
  const named = new Map<string, Set<string>>()
  for (const { traceId, projectId, service } of sums) {
    const names = named.get(traceId) ?? new Set<string>()
    const name = service ?? slugs.get(projectId)
    if (name !== undefined) names.add(name)
    named.set(traceId, names)
  }
  return new Map([...named].map(([traceId, names]) => [traceId, [...names]]))
}
