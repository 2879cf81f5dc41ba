/** From what a person typed or pasted to the issues it means. */

import type { Clock } from '#base/clock.ts'
import { type Digest, dayOf, type IssueId, type ProjectId, readEventId } from '#base/ids.ts'
import { ok, type Result, refuse } from '#base/result.ts'
import type { EventRow } from '#kinds/error/fields.ts'
import { max } from '#limits/limits.ts'
import { findDigestsInText, readDigest } from '#model/digest-text.ts'
import type { FileName } from '#model/file-name.ts'
import { findShownIds } from '#model/shown-id.ts'
import type { TagCondition } from '#model/tag-condition.ts'
import type { AccountsRead, Member } from '#ports/accounts.ts'
import type { IssueConditions, IssueFilter, IssuesRead } from '#ports/issues.ts'
import type { Project, ProjectsRead } from '#ports/projects.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { EventConditions, EventReads, TelemetryStore } from '#ports/telemetry.ts'
import { ownersOfDigests } from '../digest-owners.ts'
import type { FindEvent } from '../find-event.ts'
import { shownEvents } from '../shown-events.ts'
import type { IssueListParams, SearchProblem, SearchToken, TimeRange, UnknownTag } from '../types.ts'
import { tokenFilter } from './fields.ts'
import {
  asProjectToken,
  type BuiltFilter,
  type BuiltPart,
  bothOf,
  buildFilter,
  filterFor,
  type SearchFilterContext,
  searchedProjects,
} from './filter.ts'
import { inTime } from './in-time.ts'
import { type CountingOptions, matchedEvents } from './matched-events.ts'
import { parseSearch, type SearchTerms } from './parse.ts'
import { withPartsOfValues } from './parts-of-values.ts'
import { placeProblem } from './places.ts'
import { type MeantParts, readMeant, tooManyReleases } from './read-meant.ts'
import { singleTerms } from './terms.ts'
import { unknownTags } from './unknown-tags.ts'

export interface IssueSearchParts extends MeantParts {
  readonly accounts: Pick<AccountsRead, 'members' | 'teams'>
  readonly projects: Pick<ProjectsRead, 'projects'>
  readonly issues: Pick<
    IssuesRead,
    'list' | 'issue' | 'digests' | 'issueOfGroup' | 'facetsLack' | 'facetKeys' | 'facetValues' | 'groupsFound'
  >
  readonly telemetry: Pick<EventReads<EventRow>, 'groupsMatching' | 'events'> & Pick<TelemetryStore, 'files'>
  readonly findEvent: FindEvent
  readonly clock: Clock
}

export type SearchParams = Pick<IssueListParams, 'query' | 'projects' | 'environments' | 'range' | 'tab'> & {
  /** True if terms that only events can answer are problems, and no event is read. */
  readonly withoutEvents?: boolean
  /** Issues are found by their tags and names alone where those answer: for who shows no counts. */
  readonly withoutCounts?: boolean
}

/** Search with optional parts: any time and any state if left out. */
export type IssueSearched = Pick<SearchParams, 'query' | 'projects'> &
  Partial<Pick<SearchParams, 'environments' | 'range' | 'tab'>>

export interface ResolvedSearch {
  /** `null`: nothing can match (an unknown digest), or a problem says what was not understood. */
  readonly filter: IssueFilter | null
  /** `null`: the search asks events nothing. */
  readonly counted: CountingOptions | null
  readonly tokens: readonly SearchToken[]
  /** The tokens say all of it: no alternatives, no parentheses. */
  readonly isPlain: boolean
  /** It says which states are meant, and so the tab does not. */
  readonly namesState: boolean
  readonly problems: readonly SearchProblem[]
  readonly unknownTags: readonly UnknownTag[]
  /** The same search for parts of values that are compared whole; `null` where there are none. */
  readonly looser: string | null
  readonly projects: readonly Project[]
  readonly members: readonly Member[]
}

export interface IssueSearch {
  resolve(scope: ReadScope, params: SearchParams): Promise<ResolvedSearch>
  /** Every issue that a search finds, for a bulk change; refused beyond `issuesPerChangeMax`. */
  select(
    scope: ReadScope,
    searched: IssueSearched,
  ): Promise<Result<readonly { readonly id: IssueId; readonly projectId: ProjectId }[]>>
}

export function createIssueSearch(parts: IssueSearchParts): IssueSearch {
  return {
    resolve: (scope, params) => resolveSearch(parts, scope, params),
    select: (scope, searched) => select(parts, scope, searched),
  }
}

async function resolveSearch(
  parts: IssueSearchParts,
  scope: ReadScope,
  params: SearchParams,
): Promise<ResolvedSearch> {
  const [projects, members] = await Promise.all([
    parts.projects.projects(scope),
    parts.accounts.members(scope),
  ])
  const nothing = {
    counted: null,
    tokens: [],
    isPlain: true,
    namesState: false,
    problems: [],
    unknownTags: [],
    looser: null,
  }
  const base = { projects, members, ...nothing }
  const pasted = await resolvePasted(parts, scope, params)
  if (pasted !== 'ordinary') return { ...base, filter: pasted, tokens: pastedToken(params.query) }
  const parsed = parseSearch(params.query)
  const { tokens, places } = parsed
  const { terms, groups } = await withoutDigest(parts, scope, parsed.terms)
  const context = await searchContext(parts, scope, { projects, members, terms, asked: params.projects })
  if (context === 'too many') return { ...base, tokens, filter: null, problems: [tooManyReleases()] }
  const built = buildFilter(terms, params, context)
  const { namesState } = built
  const isPlain = parsed.terms.either.length === 0
  const said = { ...base, tokens, namesState, isPlain, looser: isPlain ? withPartsOfValues(tokens) : null }
  const problems = [...parsed.problems, ...built.problems.map((problem) => placeProblem(problem, places))]
  if (problems.length > 0) return { ...said, filter: null, problems }
  const [answered, unknown] = await Promise.all([
    askEvents(parts, scope, { ...params, built, groups }),
    unknownTags(parts.issues, scope, terms),
  ])
  return { ...said, unknownTags: unknown, ...answered }
}

async function searchContext(
  parts: IssueSearchParts,
  scope: ReadScope,
  known: Pick<SearchFilterContext, 'projects' | 'members'> & {
    readonly terms: SearchTerms
    /** Projects that the search is asked of, as they are called; none: all. */
    readonly asked: readonly string[]
  },
): Promise<SearchFilterContext | 'too many'> {
  const { projects, members, terms } = known
  const single = singleTerms(terms)
  const asksTeams = single.some(
    (token) => tokenFilter(token).by === 'assignee' && token.value.startsWith('#'),
  )
  const refs = single.filter((token) => tokenFilter(token).by === 'issue').map(({ value }) => value)
  const [meant, teams, issues] = await Promise.all([
    readMeant(parts, scope, { projects: projectsOfTerms(known), terms }),
    asksTeams ? parts.accounts.teams(scope) : [],
    Promise.all(refs.map(async (ref) => [ref, await parts.issues.issue(scope, ref)] as const)),
  ])
  if (meant === 'too many') return meant
  const ids = issues.flatMap(([ref, issue]) => (issue === null ? [] : [[ref, issue.id] as const]))
  return {
    ...{ projects, members, teams, meant, issues: new Map(ids) },
    ...{ me: scope.userId ?? null, nowMs: parts.clock.now() },
    myTeams: members.find(({ userId }) => userId === scope.userId)?.teams ?? [],
  }
}

/** `null`: all of them. Who names one is not held against the releases of all. */
function projectsOfTerms({
  projects,
  terms,
  asked,
}: Pick<SearchFilterContext, 'projects'> & {
  readonly terms: SearchTerms
  readonly asked: readonly string[]
}): readonly ProjectId[] | null {
  const typed = terms.tokens.filter((token) => tokenFilter(token).by === 'project')
  const [one, other] = [asked.map(asProjectToken), typed].map((each) =>
    searchedProjects(each, { projects }, []),
  )
  return bothOf(one ?? null, other ?? null)
}

/**
 * A digest gives exactly the issues that own it, in any state and at any time; an event id the issue of its event; a
 * short id its issue. `ordinary` means: the text is none of them.
 */
async function resolvePasted(
  parts: IssueSearchParts,
  scope: ReadScope,
  { query, projects }: SearchParams,
): Promise<IssueFilter | null | 'ordinary'> {
  const text = query
    .trim()
    .replace(/^id:(?=[0-9a-f-]{32,36}$)/i, '')
    .slice(0, max('digestPasteCharsMax'))
  const part = await pastedPart(parts, scope, text)
  if (part === 'ordinary' || part === null) return part
  // Only the projects of the request narrow what was pasted.
  const known = await parts.projects.projects(scope)
  const named = searchedProjects(projects.map(asProjectToken), { projects: known }, [])
  return filterFor({ ...part, projects: named }, endOfTime(parts.clock))
}

async function pastedPart(
  parts: IssueSearchParts,
  scope: ReadScope,
  text: string,
): Promise<Partial<IssueFilter> | null | 'ordinary'> {
  const event = /^[0-9a-fA-F-]{32,36}$/.test(text) ? readEventId(text) : null
  if (event !== null) {
    const found = await parts.findEvent(scope, event)
    if (found === null) return shownPart(parts, scope, [event])
    const issue = await parts.issues.issueOfGroup(scope, found.projectId, found.groupHash)
    return issue === null ? null : { issueIds: [issue.id] }
  }
  if (SHORT_ID.test(text)) {
    const issue = await parts.issues.issue(scope, text)
    if (issue !== null) return { issueIds: [issue.id] }
  }
  const digests = searchedDigests(text)
  if (digests.length === 0) return (await idsPart(parts, scope, text)) ?? 'ordinary'
  const matches = ownersOfDigests(await parts.issues.digests(scope, digests))
  // Digests are long: a short number that is none is looked for in the titles.
  if (matches.length > 0) return { groups: groupsOfMatches(matches) }
  return (await idsPart(parts, scope, text)) ?? (/^\d{1,4}$/.test(text) ? 'ordinary' : null)
}

/** The text of an error page with an id of an event, or with one that its app made; `null` where it holds none that is known. */
async function idsPart(
  parts: IssueSearchParts,
  scope: ReadScope,
  text: string,
): Promise<Partial<IssueFilter> | null> {
  if (isSearchLine(text)) return null
  const ids = findShownIds(text)
  const events = await Promise.all(
    ids.map(async (id) => {
      const eventId = readEventId(id)
      return eventId === null ? null : parts.findEvent(scope, eventId)
    }),
  )
  const own = events.filter((row) => row !== null)
  return own.length > 0 ? issuesOfRows(parts, scope, own) : shownPart(parts, scope, ids)
}

async function shownPart(
  parts: IssueSearchParts,
  scope: ReadScope,
  ids: readonly string[],
): Promise<Partial<IssueFilter> | null> {
  const rows = await Promise.all(ids.map((id) => shownEvents(parts, scope, id)))
  return issuesOfRows(parts, scope, rows.flat())
}

async function issuesOfRows(
  { issues }: Pick<IssueSearchParts, 'issues'>,
  scope: ReadScope,
  rows: readonly EventRow[],
): Promise<Partial<IssueFilter> | null> {
  const found = await Promise.all(
    rows.map(({ projectId, groupHash }) => issues.issueOfGroup(scope, projectId, groupHash)),
  )
  const ids = found.flatMap((issue) => (issue === null ? [] : [issue.id]))
  return ids.length === 0 ? null : { issueIds: [...new Set(ids)] }
}

/** `SHOP-12`; words such as `UTF-8` look the same, and are looked for as text where no issue is called so. */
const SHORT_ID = /^[a-z0-9][a-z0-9-]{0,59}-\d{1,15}$/i

/** `user.id:12345` and `route:/a code:40012` are searches, though numbers stand behind words in them. */
function searchedDigests(text: string): readonly Digest[] {
  const whole = readDigest(text)
  if (whole !== null) return [whole]
  return isSearchLine(text) ? [] : findDigestsInText(text).slice(0, max('digestsPerPasteMax'))
}

/**
 * `is:unresolved 2741933020`: of a search with other terms, the digest gives the groups that the terms then narrow. A
 * number that is no digest here stays a text to look for.
 */
async function withoutDigest(
  { issues }: Pick<IssueSearchParts, 'issues'>,
  scope: ReadScope,
  terms: SearchTerms,
): Promise<{ readonly terms: SearchTerms; readonly groups: IssueFilter['groups'] }> {
  const isFree = ({ key, negated }: SearchToken) => key === null && !negated
  const text = terms.tokens.filter(isFree).map(({ value }) => value)
  const digests = findDigestsInText(text.join(' ')).slice(0, max('digestsPerPasteMax'))
  const matches = digests.length === 0 ? [] : ownersOfDigests(await issues.digests(scope, digests))
  if (matches.length === 0) return { terms, groups: null }
  const tokens = terms.tokens.filter((token) => !isFree(token))
  return { terms: { ...terms, tokens }, groups: groupsOfMatches(matches) }
}

function groupsOfMatches(matches: ReturnType<typeof ownersOfDigests>): NonNullable<IssueFilter['groups']> {
  return matches.map(({ projectId, groupHash }) => ({ projectId, hash: groupHash }))
}

function isSearchLine(text: string): boolean {
  return (
    text.length <= max('searchCharsMax') &&
    parseSearch(text).tokens.some(({ key }) => key !== null && !DIGEST_KEYS.test(key))
  )
}

const DIGEST_KEYS = /^(?:digest|dgst|data-dgst)$/i

function pastedToken(query: string): readonly SearchToken[] {
  return [{ key: null, value: query.trim().slice(0, max('searchCharsMax')), negated: false }]
}

/**
 * Conditions on keys that the groups' facets lack are answered from the events of the range; so are those on people and
 * details, and several environments, a union that facets cannot express. Every part of a search asks for itself.
 */
async function askEvents(
  parts: IssueSearchParts,
  scope: ReadScope,
  { built, groups, environments, withoutEvents = false, withoutCounts = false, ...params }: AskedOfEvents,
): Promise<Pick<ResolvedSearch, 'filter' | 'problems' | 'counted'>> {
  const { range } = built
  const root = { ...built.part, conditions: { ...built.part.conditions, groups } }
  const part = environments.length === 0 ? root : withEnvironments(root, environments)
  const files = () => filesOfSearch(parts, range)
  const isNarrowed = range.startMs > params.range.startMs || range.endMs < params.range.endMs
  const matched =
    withoutEvents || withoutCounts
      ? null
      : await matchedEvents(parts, scope, { part, range, isNarrowed, files })
  const counted = matched?.counted ?? null
  if (matched !== null && matched.filter !== null) return { filter: matched.filter, problems: [], counted }
  const answer = await inTime(answeredPart({ ...parts, scope, range, files, withoutEvents }, part))
  if (answer === null) return refusedSearch('The search took too long; choose a shorter time range.')
  if (answer === 'too many')
    return refusedSearch('The search matches too many groups; choose a shorter time range.')
  const isNothing = answer.groups !== null && answer.groups.length === 0
  return { filter: isNothing ? null : { ...answer, ...range }, problems: [], counted }
}

interface AskedOfEvents
  extends Pick<SearchParams, 'environments' | 'range' | 'withoutEvents' | 'withoutCounts'> {
  readonly built: BuiltFilter
  /** Groups of digests in the search. */
  readonly groups: IssueFilter['groups']
}

/** Refuses the whole search, not one place in it. */
function refusedSearch(message: string): Pick<ResolvedSearch, 'filter' | 'problems' | 'counted'> {
  return { filter: null, problems: [{ message, start: 0, end: 0 }], counted: null }
}

function withEnvironments(part: BuiltPart, environments: readonly string[]): BuiltPart {
  const named = (value: string): TagCondition => ({ key: 'environment', value, negated: false })
  const [only, ...others] = environments
  if (only === undefined || others.length > 0)
    return {
      ...part,
      events: { ...part.events, either: [environments.map((value) => ({ tags: [named(value)] }))] },
    }
  return { ...part, conditions: { ...part.conditions, tags: [...part.conditions.tags, named(only)] } }
}

interface Asking extends Pick<IssueSearchParts, 'issues' | 'telemetry'> {
  readonly scope: ReadScope
  readonly range: TimeRange
  readonly files: () => Promise<readonly FileName[]>
  readonly withoutEvents: boolean
}

/** The part with groups in place of what the events answer; without any where nothing meets it. */
async function answeredPart(
  asking: Asking,
  { conditions, events, either }: BuiltPart,
): Promise<IssueConditions | 'too many'> {
  const isLacking = await Promise.all(
    conditions.tags.map(({ key }) => asking.issues.facetsLack(asking.scope, key)),
  )
  const tags = conditions.tags.filter((_, index) => !isLacking[index])
  const lacking = conditions.tags.filter((_, index) => isLacking[index])
  const groups = await groupsOfEvents(asking, { ...events, tags: lacking })
  const choices = await Promise.all(
    either.map((parts) => Promise.all(parts.map((part) => answeredPart(asking, part)))),
  )
  const understood = choices.map((parts) => parts.filter((part) => part !== 'too many'))
  const isCut = choices.some((parts, index) => parts.length > (understood[index]?.length ?? 0))
  if (groups === 'too many' || isCut) return 'too many'
  return { ...conditions, tags, groups: intersectGroups(groups, conditions.groups), either: understood }
}

/** `null`: the events are not asked anything. */
async function groupsOfEvents(
  { telemetry, scope, range, files, withoutEvents }: Asking,
  asked: EventConditions,
): Promise<IssueFilter['groups'] | 'too many'> {
  const { startMs = range.startMs, endMs = range.endMs, ...conditions } = asked
  const isRange = asked.startMs !== undefined || asked.endMs !== undefined
  if (!isRange && Object.values(conditions).every(({ length }) => length === 0)) return null
  if (withoutEvents) return 'too many'
  const limit = max('groupsMatchingMax')
  const within = { startMs: Math.max(startMs, range.startMs), endMs: Math.min(endMs, range.endMs) }
  const filter = { ...conditions, ...within, files: await files() }
  const groups = await telemetry.groupsMatching(scope, filter, limit)
  return groups.length >= limit ? 'too many' : groups
}

function intersectGroups(found: IssueFilter['groups'], to: IssueFilter['groups']): IssueFilter['groups'] {
  if (found === null || to === null) return found ?? to
  return found.filter((group) =>
    to.some(({ projectId, hash }) => projectId === group.projectId && hash === group.hash),
  )
}

/** Files of receipt that can hold events of the range: an event is received up to `eventAgeDaysMax` after it. */
async function filesOfSearch(parts: IssueSearchParts, range: TimeRange): Promise<readonly FileName[]> {
  const first = dayOf(range.startMs) - 1
  const last = dayOf(range.endMs) + max('eventAgeDaysMax')
  return (await parts.telemetry.files()).filter(({ day }) => day >= first && day <= last)
}

async function select(
  parts: IssueSearchParts,
  scope: ReadScope,
  searched: IssueSearched,
): Promise<Result<readonly { readonly id: IssueId; readonly projectId: ProjectId }[]>> {
  const range = { startMs: 0, endMs: endOfTime(parts.clock) }
  const { filter, problems } = await resolveSearch(parts, scope, { environments: [], range, ...searched })
  const messages = problems.map(({ message }) => message)
  if (messages.length > 0) return refuse('query_invalid', messages.join(' '), { query: messages })
  if (filter === null) return ok([])
  const found: { readonly id: IssueId; readonly projectId: ProjectId }[] = []
  let cursor: string | null = null
  do {
    const page: Awaited<ReturnType<IssuesRead['list']>> = await parts.issues.list(scope, filter, {
      sort: 'date',
      limit: max('pageRowsMax'),
      cursor,
    })
    if (page.total > max('issuesPerChangeMax')) {
      const message = `The search finds ${page.total} issues; at most ${max('issuesPerChangeMax')} are changed at once.`
      return refuse('invalid_input', message, { query: [message] })
    }
    found.push(...page.rows.map(({ id, projectId }) => ({ id, projectId })))
    cursor = page.nextCursor
  } while (cursor !== null && found.length < max('issuesPerChangeMax'))
  return ok(found)
}

/** Events of a client whose clock is ahead are still found. */
function endOfTime(clock: Clock): number {
  return clock.now() + 86_400_000
}
