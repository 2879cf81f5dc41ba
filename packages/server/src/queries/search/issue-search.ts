/** From what a person typed or pasted to the issues it means. */

import type { Clock } from '#base/clock.ts'
import { ErrataError } from '#base/errors.ts'
import { type Digest, dayOf, type IssueId, type ProjectId, readEventId } from '#base/ids.ts'
import { ok, type Result, refuse } from '#base/result.ts'
import type { EventRow } from '#kinds/error/fields.ts'
import { max } from '#limits/limits.ts'
import { findDigestsInText, readDigest } from '#model/digest-text.ts'
import type { FileName } from '#model/file-name.ts'
import type { PersonCondition, TagCondition } from '#model/tag-condition.ts'
import type { AccountsRead, Member } from '#ports/accounts.ts'
import type { IssueFilter, IssuesRead } from '#ports/issues.ts'
import type { Project, ProjectsRead } from '#ports/projects.ts'
import type { ReleasesRead } from '#ports/releases.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { EventReads, TelemetryStore } from '#ports/telemetry.ts'
import { ownersOfDigests } from '../digest-owners.ts'
import type { FindEvent } from '../find-event.ts'
import type { IssueListParams, SearchToken, TimeRange, UnknownTag } from '../types.ts'
import { buildFilter, filterFor } from './filter.ts'
import { parseSearch } from './parse.ts'
import { readReleases } from './read-releases.ts'
import { NO_RELEASES } from './release-terms.ts'
import { unknownTags } from './unknown-tags.ts'

export interface IssueSearchParts {
  readonly accounts: Pick<AccountsRead, 'members'>
  readonly projects: Pick<ProjectsRead, 'projects'>
  readonly issues: Pick<
    IssuesRead,
    'list' | 'issue' | 'digests' | 'issueOfGroup' | 'facetsLack' | 'facetKeys'
  >
  readonly releases: Pick<ReleasesRead, 'releasesOfProjects'>
  readonly telemetry: Pick<EventReads<EventRow>, 'groupsMatching'> & Pick<TelemetryStore, 'files'>
  readonly findEvent: FindEvent
  readonly clock: Clock
}

export type SearchParams = Pick<IssueListParams, 'query' | 'projects' | 'environments' | 'range' | 'tab'>

export interface ResolvedSearch {
  /** `null`: nothing can match (an unknown digest), or a problem says what was not understood. */
  readonly filter: IssueFilter | null
  readonly tokens: readonly SearchToken[]
  readonly problems: readonly string[]
  readonly unknownTags: readonly UnknownTag[]
  readonly projects: readonly Project[]
  readonly members: readonly Member[]
}

export interface IssueSearch {
  resolve(scope: ReadScope, params: SearchParams): Promise<ResolvedSearch>
  /** Every issue that a search finds, for a bulk change; refused beyond `issuesPerChangeMax`. */
  select(
    scope: ReadScope,
    query: string,
    projects: readonly string[],
  ): Promise<Result<readonly { readonly id: IssueId; readonly projectId: ProjectId }[]>>
}

export function createIssueSearch(parts: IssueSearchParts): IssueSearch {
  return {
    resolve: (scope, params) => resolve(parts, scope, params),
    select: (scope, query, projects) => select(parts, scope, { query, projects }),
  }
}

async function resolve(
  parts: IssueSearchParts,
  scope: ReadScope,
  params: SearchParams,
): Promise<ResolvedSearch> {
  const [projects, members] = await Promise.all([
    parts.projects.projects(scope),
    parts.accounts.members(scope),
  ])
  const base = { projects, members, tokens: [], problems: [], unknownTags: [] }
  const pasted = await resolvePasted(parts, scope, params)
  if (pasted !== 'ordinary') return { ...base, filter: pasted, tokens: pastedToken(params.query) }
  const parsed = parseSearch(params.query)
  const meant = await readReleases(parts, scope, { projects: null, tokens: parsed.tokens })
  const context = { projects, members, me: scope.userId ?? null, meant }
  const { terms, groups } = await withoutDigest(parts, scope, parsed.tokens)
  const built = buildFilter(terms, params, context)
  const problems = [...parsed.problems, ...built.problems]
  if (problems.length > 0) return { ...base, filter: null, tokens: parsed.tokens, problems }
  const filter = { ...built.filter, groups }
  const [answered, unknown] = await Promise.all([
    askEvents(parts, scope, { filter, people: built.people, environments: params.environments }),
    unknownTags(parts.issues, scope, terms),
  ])
  return { ...base, tokens: parsed.tokens, unknownTags: unknown, ...answered }
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
  const text = query.trim().slice(0, max('digestPasteCharsMax'))
  const part = await pastedPart(parts, scope, text)
  if (part === 'ordinary' || part === null) return part
  // Only the projects of the request narrow what was pasted.
  const known = await parts.projects.projects(scope)
  const { filter } = buildFilter(
    [],
    { projects, range: { startMs: 0, endMs: 0 } },
    { projects: known, members: [], me: null, meant: NO_RELEASES },
  )
  return filterFor({ ...part, projects: filter.projects }, endOfTime(parts.clock))
}

async function pastedPart(
  parts: IssueSearchParts,
  scope: ReadScope,
  text: string,
): Promise<Partial<IssueFilter> | null | 'ordinary'> {
  const event = /^[0-9a-fA-F-]{32,36}$/.test(text) ? readEventId(text) : null
  if (event !== null) {
    const found = await parts.findEvent(scope, event)
    const issue =
      found === null ? null : await parts.issues.issueOfGroup(scope, found.projectId, found.groupHash)
    return issue === null ? null : { issueIds: [issue.id] }
  }
  if (SHORT_ID.test(text)) {
    const issue = await parts.issues.issue(scope, text)
    if (issue !== null) return { issueIds: [issue.id] }
  }
  const digests = searchedDigests(text)
  if (digests.length === 0) return 'ordinary'
  const matches = ownersOfDigests(await parts.issues.digests(scope, digests))
  // Digests are long: a short number that is none is looked for in the titles.
  if (matches.length === 0) return /^\d{1,4}$/.test(text) ? 'ordinary' : null
  return { groups: groupsOf(matches) }
}

/** `SHOP-12`; words such as `UTF-8` look the same, and are looked for as text where no issue is called so. */
const SHORT_ID = /^[a-z0-9][a-z0-9-]{0,59}-\d{1,15}$/i

/** `user.id:12345` and `route:/a code:40012` are searches, though numbers stand behind words in them. */
function searchedDigests(text: string): readonly Digest[] {
  const whole = readDigest(text)
  if (whole !== null) return [whole]
  const isSearch =
    text.length <= max('searchCharsMax') &&
    parseSearch(text).tokens.some(({ key }) => key !== null && !DIGEST_KEYS.test(key))
  return isSearch ? [] : findDigestsInText(text).slice(0, max('digestsPerPasteMax'))
}

/**
 * `is:unresolved 2741933020`: of a search with other terms, the digest gives the groups that the terms then narrow. A
 * number that is no digest here stays a text to look for.
 */
async function withoutDigest(
  { issues }: Pick<IssueSearchParts, 'issues'>,
  scope: ReadScope,
  tokens: readonly SearchToken[],
): Promise<{ readonly terms: readonly SearchToken[]; readonly groups: IssueFilter['groups'] }> {
  const isFree = ({ key, negated }: SearchToken) => key === null && !negated
  const text = tokens.filter(isFree).map(({ value }) => value)
  const digests = findDigestsInText(text.join(' ')).slice(0, max('digestsPerPasteMax'))
  const matches = digests.length === 0 ? [] : ownersOfDigests(await issues.digests(scope, digests))
  if (matches.length === 0) return { terms: tokens, groups: null }
  return { terms: tokens.filter((token) => !isFree(token)), groups: groupsOf(matches) }
}

function groupsOf(matches: ReturnType<typeof ownersOfDigests>): NonNullable<IssueFilter['groups']> {
  return matches.map(({ projectId, groupHash }) => ({ projectId, hash: groupHash }))
}

const DIGEST_KEYS = /^(?:digest|dgst|data-dgst)$/i

function pastedToken(query: string): readonly SearchToken[] {
  return [{ key: null, value: query.trim().slice(0, max('searchCharsMax')), negated: false }]
}

/**
 * Conditions on keys that the groups' facets lack are answered from the events of the range; so are those on people,
 * and several environments, a union that facets cannot express.
 */
async function askEvents(
  parts: IssueSearchParts,
  scope: ReadScope,
  { filter, people, environments }: AskedOfEvents,
): Promise<Pick<ResolvedSearch, 'filter' | 'problems'>> {
  const [only, ...others] = environments
  const named = (value: string): TagCondition => ({ key: 'environment', value, negated: false })
  const tags = only !== undefined && others.length === 0 ? [...filter.tags, named(only)] : filter.tags
  const isLacking = await Promise.all(tags.map(({ key }) => parts.issues.facetsLack(scope, key)))
  const lacking = tags.filter((_, index) => isLacking[index])
  const kept = tags.filter((_, index) => !isLacking[index])
  if (lacking.length + people.length + others.length === 0)
    return { filter: { ...filter, tags: kept }, problems: [] }
  const asked = others.length === 0 ? [lacking] : environments.map((value) => [...lacking, named(value)])
  const files = await filesOf(parts, filter)
  const limit = max('groupsMatchingMax')
  const range = { startMs: filter.startMs, endMs: filter.endMs }
  const found = await inTime(
    Promise.all(
      asked.map((conditions) =>
        parts.telemetry.groupsMatching(scope, { ...range, files, people, tags: conditions }, limit),
      ),
    ),
  )
  if (found === null) {
    return { filter: null, problems: ['The search took too long; choose a shorter time range.'] }
  }
  if (found.some((groups) => groups.length >= limit)) {
    return { filter: null, problems: ['The search matches too many groups; choose a shorter time range.'] }
  }
  const groups = narrowed(found.flat(), filter.groups)
  return { filter: groups.length === 0 ? null : { ...filter, tags: kept, groups }, problems: [] }
}

interface AskedOfEvents {
  readonly filter: IssueFilter
  readonly people: readonly PersonCondition[]
  readonly environments: readonly string[]
}

function narrowed<Group extends NonNullable<IssueFilter['groups']>[number]>(
  found: readonly Group[],
  to: IssueFilter['groups'],
): readonly Group[] {
  if (to === null) return found
  return found.filter((group) =>
    to.some(({ projectId, hash }) => projectId === group.projectId && hash === group.hash),
  )
}

/** `null` when the column store gave up: what was typed asks for too much, which is no failure of ours. */
async function inTime<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer
  } catch (cause) {
    if (cause instanceof ErrataError && cause.code === 'store_timeout') return null
    throw cause
  }
}

/** Files of receipt that can hold events of the range: an event is received up to `eventAgeDaysMax` after it. */
async function filesOf(parts: IssueSearchParts, range: TimeRange): Promise<readonly FileName[]> {
  const first = dayOf(range.startMs) - 1
  const last = dayOf(range.endMs) + max('eventAgeDaysMax')
  return (await parts.telemetry.files()).filter(({ day }) => day >= first && day <= last)
}

async function select(
  parts: IssueSearchParts,
  scope: ReadScope,
  { query, projects }: Pick<SearchParams, 'query' | 'projects'>,
): Promise<Result<readonly { readonly id: IssueId; readonly projectId: ProjectId }[]>> {
  const range = { startMs: 0, endMs: endOfTime(parts.clock) }
  const { filter, problems } = await resolve(parts, scope, { query, projects, environments: [], range })
  if (problems.length > 0) return refuse('query_invalid', problems.join(' '), { query: problems })
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
