/** Events of projects, newest first, and counts of them: what tools ask for without naming an issue. */
import type { Clock } from '#base/clock.ts'
import { dayOf, type GroupHash, type ProjectId } from '#base/ids.ts'
import { ERROR_DATASET } from '#kinds/error/dataset.ts'
import type { EventRow } from '#kinds/error/fields.ts'
import { max } from '#limits/limits.ts'
import type { FileName } from '#model/file-name.ts'
import { type Columns, EVERY_ROW } from '#ports/columns.ts'
import type { Issue, IssuesRead } from '#ports/issues.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { AnyEventFilter, EventReads as StoredEvents, TelemetryStore } from '#ports/telemetry.ts'
import type { DatasetQueries } from '../dataset-types.ts'
import type {
  CountedEvents,
  EventsAsked,
  FoundEventQueries,
  FoundEvents,
  TallyAsked,
} from '../found-event-types.ts'
import { readEventSearch } from '../search/event-search.ts'
import { FOUND_EVENT_GRAMMAR, tokenFilter as filterOfToken } from '../search/fields.ts'
import { inTime } from '../search/in-time.ts'
import { type ParsedSearch, parseSearch } from '../search/parse.ts'
import { type MeantParts, readMeant, tooManyReleases } from '../search/read-meant.ts'
import type { SearchProblem } from '../search-words.ts'
import { type RoutesOf, rowShown } from '../shown-routes.ts'
import type { TimeRange } from '../time-range.ts'

interface FoundParts extends MeantParts {
  readonly issues: Pick<IssuesRead, 'issue' | 'issueOfGroup' | 'groups' | 'facetValues'>
  readonly telemetry: Pick<StoredEvents<EventRow>, 'events'> & Columns & Pick<TelemetryStore, 'files'>
  readonly routesOf: RoutesOf
  readonly clock: Clock
}

export function foundEventQueries(parts: FoundParts): Omit<FoundEventQueries, keyof DatasetQueries> {
  return {
    eventsFound: (scope, asked) => eventsFound(parts, scope, asked),
    eventsCounted: (scope, asked) => eventsCounted(parts, scope, asked),
    issuesOfGroups: (scope, groups) => issuesOfGroups(parts, scope, groups),
  }
}

export function foundGroupKey(group: { readonly projectId: number; readonly hash: string }): string {
  return `${group.projectId}:${group.hash}`
}

async function eventsFound(
  parts: FoundParts,
  scope: ReadScope,
  asked: EventsAsked & { readonly limit: number; readonly cursor: string | null },
): Promise<FoundEvents> {
  const { within, filter, problems } = await askedFilter(parts, scope, asked)
  if (filter === null) return { rows: [], nextCursor: null, problems }
  const found = await inTime(parts.telemetry.events(within, filter, asked))
  if (found === null) return { rows: [], nextCursor: null, problems: [TOOK_TOO_LONG] }
  const groups = found.rows.map(({ projectId, groupHash }) => ({ projectId, hash: groupHash }))
  const issues = await issuesOfGroups(parts, scope, groups)
  const rows = found.rows.flatMap((row) => {
    const issue = issues.get(foundGroupKey({ projectId: row.projectId, hash: row.groupHash }))
    // The moment between a row and its issue's deletion.
    return issue === undefined ? [] : [{ row: rowShown(row, parts.routesOf), issue }]
  })
  return { rows, nextCursor: found.nextCursor, problems: [] }
}

async function eventsCounted(
  parts: FoundParts,
  scope: ReadScope,
  asked: EventsAsked & TallyAsked,
): Promise<CountedEvents> {
  const { within, filter, problems } = await askedFilter(parts, scope, asked)
  if (filter === null) return { tallies: [], problems }
  const { files, startMs = 0, endMs = Number.MAX_SAFE_INTEGER, ...ofEvents } = filter
  const found = await inTime(
    parts.telemetry.ask(within, {
      ...{ ask: 'figures', dataset: ERROR_DATASET.name, files, range: { startMs, endMs }, ofEvents },
      ...{ where: EVERY_ROW, stepMs: asked.stepMs, limit: asked.limit },
      by: asked.by.map((column) => ({ column })),
      figures: asked.users ? [{ is: 'unique', of: { column: 'user' } }] : [],
    }),
  )
  if (found === null) return { tallies: [], problems: [TOOK_TOO_LONG] }
  const tallies = found.groups.map(({ rows: count, figures: [users = null], ...group }) => ({
    ...{ ...group, count, users },
  }))
  return { tallies: tallies.slice(0, max('tallyRowsMax')), problems: [] }
}

const TOOK_TOO_LONG: SearchProblem = {
  ...{ message: 'The search took too long; choose a shorter time range.', start: 0, end: 0 },
}

async function issuesOfGroups(
  { issues }: Pick<FoundParts, 'issues'>,
  scope: ReadScope,
  groups: readonly { readonly projectId: ProjectId; readonly hash: GroupHash }[],
): Promise<ReadonlyMap<string, Issue>> {
  const unique = new Map(groups.map((group) => [foundGroupKey(group), group]))
  const found = await Promise.all(
    [...unique].map(async ([key, { projectId, hash }]) => {
      const issue = await issues.issueOfGroup(scope, projectId, hash)
      return issue === null ? [] : [[key, issue] as const]
    }),
  )
  return new Map(found.flat())
}

interface AskedFilter {
  /** Scope left by the search. */
  readonly within: ReadScope
  /** `null`: nothing can be found. */
  readonly filter: AnyEventFilter | null
  readonly problems: readonly SearchProblem[]
}

async function askedFilter(parts: FoundParts, scope: ReadScope, asked: EventsAsked): Promise<AskedFilter> {
  const { refs, parsed } = withoutIssue(parseSearch(asked.query, { grammar: FOUND_EVENT_GRAMMAR }))
  const chosen = asked.projects === null ? null : new Set(asked.projects)
  const within: ReadScope = { ...scope, projects: scope.projects.filter((id) => chosen?.has(id) ?? true) }
  const meant = await readMeant(parts, within, { projects: [...within.projects], terms: parsed.terms })
  if (meant === 'too many') return { within, filter: null, problems: [tooManyReleases()] }
  const search = readEventSearch(parsed, { meant, nowMs: parts.clock.now() })
  if (search.problems.length > 0) return { within, filter: null, problems: search.problems }
  const groups = refs.length === 0 ? null : await groupsOfIssues(parts, within, refs)
  const { either = [], startMs = 0, endMs = Number.MAX_SAFE_INTEGER, ...conditions } = search.filter
  const range = {
    startMs: Math.max(startMs, asked.range.startMs),
    endMs: Math.min(endMs, asked.range.endMs),
  }
  const named = asked.environments.map((value) => ({
    tags: [{ key: 'environment', value, negated: false }],
  }))
  const filter = {
    ...{ ...conditions, ...range, groups, files: await filesOfRange(parts, range) },
    either: named.length === 0 ? either : [...either, named],
  }
  return { within, filter, problems: [] }
}

/** Takes `issue:SHOP-12` out of the terms that must hold, wherever it stands. */
function withoutIssue(parsed: ParsedSearch) {
  const isIssue = (token: ParsedSearch['terms']['tokens'][number]) =>
    filterOfToken(token).by === 'issue' && !token.negated && token.among === undefined
  const { tokens, either } = parsed.terms
  return {
    refs: tokens.filter(isIssue).map(({ value }) => value),
    parsed: { ...parsed, terms: { either, tokens: tokens.filter((token) => !isIssue(token)) } },
  }
}

async function groupsOfIssues({ issues }: FoundParts, scope: ReadScope, refs: readonly string[]) {
  const found = await Promise.all(refs.map((ref) => issues.issue(scope, ref)))
  const [issue] = found
  // Of two different ones no event is.
  if (issue === undefined || issue === null || found.some((other) => other?.id !== issue.id)) return []
  return (await issues.groups(scope, issue.id)).map(({ projectId, hash }) => ({ projectId, hash }))
}

/** Files of receipt that can hold events of the range: an event is received up to `eventAgeDaysMax` after it. */
async function filesOfRange({ telemetry }: FoundParts, range: TimeRange): Promise<readonly FileName[]> {
  const first = dayOf(range.startMs) - 1
  const last = dayOf(range.endMs) + max('eventAgeDaysMax')
  return (await telemetry.files()).filter(({ day }) => day >= first && day <= last)
}
