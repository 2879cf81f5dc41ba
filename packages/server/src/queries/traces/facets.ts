/** Facets of traces that no tag states: services, waits, and issues. */
import type { GroupHash, ProjectId } from '#base/ids.ts'
import { ERROR, type EventRow } from '#kinds/error/fields.ts'
import type { FragmentRow } from '#kinds/span/fields.ts'
import { max } from '#limits/limits.ts'
import { hasWildcard, literalText, patternTest } from '#model/text-pattern.ts'
import type { Issue, IssuesRead } from '#ports/issues.ts'
import type { Project } from '#ports/projects.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { EventReads, TelemetryStore } from '#ports/telemetry.ts'
import type { SegmentConditions, SegmentFilter, SegmentWork, TraceReads } from '#ports/traces.ts'
import type { TimeRange } from '../time-range.ts'
import { filesWithin } from './performance.ts'
import type { TraceList } from './types.ts'

export interface FacetParts {
  readonly telemetry: Pick<TraceReads<FragmentRow>, 'segmentIssues'> &
    Pick<EventReads<EventRow>, 'tracedErrors'> &
    Pick<TelemetryStore, 'files'>
  readonly issues: Pick<IssuesRead, 'issue' | 'issueOfGroup' | 'groups'>
}

type Facet = TraceList['facets'][number]
type Named = Pick<Project, 'id' | 'slug'>
type Groups = readonly { readonly projectId: ProjectId; readonly hash: GroupHash }[]

const VALUES_MAX = max('traceFacetValuesMax')

/** Services by the names that are shown, and what was waited for. */
export function workFacets(work: readonly SegmentWork[], projects: readonly Named[]): readonly Facet[] {
  const slugs = new Map(projects.map(({ id, slug }) => [id, slug]))
  const nameOf = ({ service, projectId }: SegmentWork) => service ?? slugs.get(projectId) ?? ''
  return [
    { tag: 'service', values: mostOf(work, nameOf) },
    { tag: 'waits', values: mostOf(work, ({ waitsFor }) => waitsFor) },
  ]
}

function mostOf(work: readonly SegmentWork[], nameOf: (of: SegmentWork) => string): Facet['values'] {
  const counts = new Map<string, number>()
  for (const one of work) counts.set(nameOf(one), (counts.get(nameOf(one)) ?? 0) + one.count)
  counts.delete('')
  return [...counts]
    .sort(([a, many], [b, more]) => more - many || (a < b ? -1 : 1))
    .slice(0, VALUES_MAX)
    .map(([value, count]) => ({ value, count }))
}

/** A project's slug is the name of what names no service itself. */
export function serviceConditions(
  { services: named = [], servicesAny = [] }: Pick<SegmentConditions, 'services' | 'servicesAny'>,
  projects: readonly Named[],
): Pick<SegmentFilter, 'services' | 'servicesAny'> {
  if (named.length + servicesAny.length === 0) return {}
  const ofProjects = ({ name, negated }: (typeof named)[number]) => {
    const isOf = patternTest(name.toLowerCase())
    const isNamed = (slug: string) =>
      hasWildcard(name) ? isOf(slug.toLowerCase()) : slug === literalText(name)
    return { name, negated, projects: projects.filter(({ slug }) => isNamed(slug)).map(({ id }) => id) }
  }
  return {
    services: named.map(ofProjects),
    servicesAny: servicesAny.map((any) => any.map(ofProjects)),
  }
}

/** The filter without what it asks of a facet; `null`: it asks nothing of it, and its counts are those of all that match. */
export function withoutFacet(filter: SegmentFilter, tag: string): SegmentFilter | null {
  const { kinds, services = [], servicesAny = [], waitsFor, tags = [], either = [], ...rest } = filter
  const others = {
    ...(kinds === undefined || tag === 'request_kind' ? {} : { kinds }),
    ...(waitsFor === undefined || tag === 'waits' ? {} : { waitsFor }),
    services: tag === 'service' ? services.filter(({ negated }) => negated) : services,
    servicesAny: tag === 'service' ? [] : servicesAny,
    tags: tags.filter(({ key, negated }) => key !== tag || negated),
    either: either.filter((any) => !any.every((one) => one.tags?.every(({ key }) => key === tag) ?? false)),
  }
  const isAsked =
    (kinds !== undefined && tag === 'request_kind') ||
    (waitsFor !== undefined && tag === 'waits') ||
    others.services.length + others.servicesAny.length < services.length + servicesAny.length ||
    others.tags.length + others.either.length < tags.length + either.length
  return isAsked ? { ...rest, ...others } : null
}

/** Returns the condition on errors of the named issue; a sentence if there is none. */
export async function issueCondition(
  parts: FacetParts,
  scope: ReadScope,
  { issue: ref, range }: { readonly issue: string | undefined; readonly range: TimeRange },
): Promise<Pick<SegmentFilter, 'ofErrors'> | string> {
  if (ref === undefined) return {}
  const issue = await parts.issues.issue(scope, ref)
  if (issue === null) return `issue:${ref}: there is no such issue.`
  return {
    ofErrors: await errorsIn(parts, scope, { range, groups: await parts.issues.groups(scope, issue.id) }),
  }
}

/** The issues that errors of the most matching segments belong to. */
export async function issueFacet(
  parts: FacetParts,
  scope: ReadScope,
  filter: SegmentFilter,
): Promise<readonly Facet[]> {
  const { telemetry, issues } = parts
  const errors = await errorsIn(parts, scope, { range: filter, groups: null })
  const groups = [...Map.groupBy(errors, ({ projectId, groupHash }) => `${projectId} ${groupHash}`).values()]
  const numbered = groups.flatMap((own, issue) => own.map((error) => ({ ...error, issue })))
  const most = (await telemetry.segmentIssues(scope, filter, numbered)).slice(0, max('traceIssueGroupsMax'))
  const found = await Promise.all(
    most.map(({ issue: group }) => {
      const first = groups[group]?.[0]
      return first === undefined ? null : issues.issueOfGroup(scope, first.projectId, first.groupHash)
    }),
  )
  const byId = new Map(found.flatMap((issue) => (issue === null ? [] : [[issue.id, issue] as const])))
  const shown = [...byId.values()].slice(0, VALUES_MAX)
  const counts = await countFacets(parts, scope, { filter, errors, issues: shown })
  return [{ tag: 'issue', values: counts }]
}

interface Counted {
  readonly filter: SegmentFilter
  readonly errors: Awaited<ReturnType<typeof errorsIn>>
  readonly issues: readonly Issue[]
}

/** A segment in which errors of several groups of an issue happened counts once. */
async function countFacets(
  { telemetry, issues: read }: FacetParts,
  scope: ReadScope,
  { filter, errors, issues }: Counted,
): Promise<Facet['values']> {
  const ofIssue = new Map<string, number>()
  for (const [at, { id }] of issues.entries())
    for (const { projectId, hash } of await read.groups(scope, id)) ofIssue.set(`${projectId} ${hash}`, at)
  const own = errors.flatMap((error) => {
    const issue = ofIssue.get(`${error.projectId} ${error.groupHash}`)
    return issue === undefined ? [] : [{ ...error, issue }]
  })
  const counted = await telemetry.segmentIssues(scope, filter, own)
  return counted.flatMap(({ issue, count }) => {
    const of = issues[issue]
    return of === undefined ? [] : [{ value: of.shortId, count, title: of.title }]
  })
}

/** The newest that name a trace and may have happened in a segment of the range. */
async function errorsIn(
  { telemetry }: FacetParts,
  scope: ReadScope,
  { range, groups }: { readonly range: TimeRange; readonly groups: Groups | null },
) {
  const slack = max('failureSlackMs')
  const [startMs, endMs] = [range.startMs - slack, range.endMs + max('spanDurationMsMax')]
  const files = filesWithin(await telemetry.files(), { startMs, endMs }, ERROR)
  return telemetry.tracedErrors(scope, { files, groups, startMs, endMs }, max('tracedErrorsReadMax'))
}
