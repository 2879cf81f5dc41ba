/** The issue list with what stands around it: tabs, menus, footer. */
import { inChunks } from '#base/chunks.ts'
import type { Clock } from '#base/clock.ts'
import { DAY_MS } from '#base/durations.ts'
import { environmentsByName } from '#model/environments.ts'
import { isLeftOut } from '#model/outcome.ts'
import type { IssueSort } from '#model/search-words.ts'
import type { AccountsRead } from '#ports/accounts.ts'
import type { OutcomesRead } from '#ports/ingest.ts'
import type { IssueBeside, IssueFilter, IssuesRead } from '#ports/issues.ts'
import type { ProjectsRead } from '#ports/projects.ts'
import type { ReadScope } from '#ports/scope.ts'
import { type MatchingParts, matchingCounts, usersOfMatched } from './matching-counts.ts'
import { rowLimit } from './pages.ts'
import type { IssueSearch, ResolvedSearch } from './search/issue-search.ts'
import { searchOffers } from './search/search-offers.ts'
import { issueShown, type RoutesOf } from './shown-routes.ts'
import type { IssueList, IssueListParams, IssueListPlace } from './types.ts'

export interface IssueListParts {
  readonly search: IssueSearch
  readonly accounts: Pick<AccountsRead, 'teamNames'>
  readonly projects: Pick<ProjectsRead, 'environments'>
  readonly issues: Pick<IssuesRead, 'list' | 'countByStatus' | 'boundsMet' | 'groupsFound'>
  readonly telemetry: MatchingParts['telemetry']
  readonly outcomes: Pick<OutcomesRead, 'outcomes'>
  readonly routesOf: RoutesOf
}

const ENVIRONMENTS_MAX = 50
const BUCKET_MS = 15 * 60_000

export async function issueList(
  parts: IssueListParts,
  scope: ReadScope,
  params: IssueListParams,
): Promise<IssueList> {
  const found = await parts.search.resolve(scope, params)
  const [page, around, teams] = await Promise.all([
    readRows(parts, scope, { found, params }),
    params.rowsOnly === true ? NOTHING_AROUND : readListSurroundings(parts, scope, { found, params }),
    params.rowsOnly === true ? [] : teamsInView(parts, scope),
  ])
  return {
    ...page,
    ...around,
    eventsInRange: page.rows.reduce((sum, row) => sum + row.eventCountInRange, 0),
    eventsMatching: page.rows.every(({ matching }) => matching === null)
      ? null
      : page.rows.reduce((sum, { matching }) => sum + (matching?.events ?? 0), 0),
    tokens: found.tokens,
    isPlain: found.isPlain,
    namesState: found.namesState,
    problems: found.problems,
    unknownTags: found.unknownTags,
    offers: searchOffers({ ...found, query: params.query, isEmpty: page.rows.length === 0 }),
    looser: found.looser,
    projects: found.projects,
    members: found.members.map(({ userId, name, email }) => ({ userId, name, email })),
    teams,
  }
}

async function teamsInView(
  { accounts }: Pick<IssueListParts, 'accounts'>,
  scope: ReadScope,
): Promise<IssueList['teams']> {
  return (await accounts.teamNames(scope))
    .filter(({ opens }) => opens)
    .map(({ id, slug, name, isMine }) => ({ id, slug, name, isMine }))
}

/** How many issues a search finds, of any time and in any state. */
export async function issueTotal(
  { search, issues, clock }: Pick<IssueListParts, 'search' | 'issues'> & { readonly clock: Clock },
  scope: ReadScope,
  query: string,
): Promise<number> {
  const { filter } = await search.resolve(scope, {
    ...{ query, projects: [], environments: [], tab: 'all', withoutCounts: true },
    // Events of a client whose clock is a little ahead count as well.
    range: { startMs: 0, endMs: clock.now() + DAY_MS },
  })
  if (filter === null) return 0
  return (await issues.list(scope, filter, { sort: 'date', limit: 1, cursor: null })).total
}

/**
 * How many issues each search finds in a list's place; `null` where only events could tell, or it is not understood. A few
 * at a time: nobody waits for them, and others do wait for the store.
 */
export async function searchTotals(
  { search, issues }: Pick<IssueListParts, 'search'> & { readonly issues: Pick<IssuesRead, 'totals'> },
  scope: ReadScope,
  { queries, place }: { readonly queries: readonly string[]; readonly place: Omit<IssueListPlace, 'query'> },
): Promise<readonly (number | null)[]> {
  const totals: (number | null)[] = []
  for (const some of inChunks(queries, TOTALS_AT_ONCE)) {
    const found = await Promise.all(
      some.map((query) => search.resolve(scope, { ...place, query, withoutEvents: true })),
    )
    const filters = found.flatMap(({ filter, problems }) =>
      filter === null || problems.length > 0 ? [] : [filter],
    )
    const counts = filters.length === 0 ? [] : await issues.totals(scope, filters)
    totals.push(
      ...found.map(({ filter, problems }) => {
        if (problems.length > 0) return null
        return filter === null ? 0 : (counts[filters.indexOf(filter)] ?? 0)
      }),
    )
  }
  return totals
}

/** Searches that are counted by one walk over the issues of their place. */
const TOTALS_AT_ONCE = 4

/**
 * Returns an issue's place in a list; `null` if the search is not understood, or the issue may not be seen.
 */
export async function neighbourIssues(
  parts: Pick<IssueListParts, 'search' | 'telemetry'> & {
    readonly issues: Pick<IssuesRead, 'issue' | 'beside' | 'groupsFound'>
  },
  scope: ReadScope,
  { ref, list }: { readonly ref: string; readonly list: IssueListPlace },
): Promise<IssueBeside | null> {
  const [issue, found] = await Promise.all([
    parts.issues.issue(scope, ref),
    parts.search.resolve(scope, list),
  ])
  if (issue === null || found.filter === null) return null
  const filter = await sortByUsers(parts, scope, {
    found: { ...found, filter: found.filter },
    sort: list.sort,
  })
  return parts.issues.beside(scope, filter, { sort: list.sort, id: issue.id })
}

interface Asked {
  readonly found: ResolvedSearch
  readonly params: IssueListParams
}

async function readRows(
  parts: IssueListParts,
  scope: ReadScope,
  { found, params }: Asked,
): Promise<Pick<IssueList, 'rows' | 'total' | 'nextCursor' | 'previousCursor' | 'inexact'>> {
  const { counted } = found
  if (found.filter === null)
    return { rows: [], total: 0, nextCursor: null, previousCursor: null, inexact: null }
  const filter = await sortByUsers(parts, scope, {
    found: { ...found, filter: found.filter },
    sort: params.sort,
  })
  const page = { sort: params.sort, limit: rowLimit(params.limit), cursor: params.cursor }
  const listed = await parts.issues.list(scope, filter, page)
  const ids = listed.rows.map(({ id }) => id)
  const matching = counted === null ? new Map() : await matchingCounts(parts, scope, { counted, ids })
  return {
    ...listed,
    rows: listed.rows.map((row) => ({
      ...issueShown(row, parts.routesOf),
      matching: matching?.get(row.id) ?? null,
    })),
    inexact: inexact({ counted, isCounted: matching !== null, filter, sort: params.sort }),
  }
}

/** Returns the part of a page's counts that is inexact; `null` if none is. */
function inexact(of: {
  readonly counted: ResolvedSearch['counted']
  readonly isCounted: boolean
  readonly filter: IssueFilter
  readonly sort: IssueSort
}): IssueList['inexact'] {
  const { counted, isCounted, filter, sort } = of
  if (counted === null) return null
  if (!isCounted) return 'counts'
  if (!counted.isWhole) return 'order'
  return sort === 'user' && filter.matchedUsers === undefined ? 'order by users' : null
}

async function sortByUsers(
  parts: MatchingParts,
  scope: ReadScope,
  {
    found,
    sort,
  }: {
    readonly found: Pick<ResolvedSearch, 'counted'> & { readonly filter: IssueFilter }
    readonly sort: IssueSort
  },
): Promise<IssueFilter> {
  const { filter, counted } = found
  if (sort !== 'user' || counted === null || !counted.isWhole) return filter
  const matchedUsers = await usersOfMatched(parts, scope, { counted, filter })
  return matchedUsers === null ? filter : { ...filter, matchedUsers }
}

type Surroundings = Pick<IssueList, 'tabs' | 'notStored' | 'environments' | 'environmentsBeyond'>

const NOTHING_AROUND: Surroundings = {
  tabs: { review: 0, unresolved: 0, archived: 0, all: 0 },
  notStored: 0,
  environments: [],
  environmentsBeyond: null,
}

async function readListSurroundings(
  parts: IssueListParts,
  scope: ReadScope,
  { found, params }: Asked,
): Promise<Surroundings> {
  const [tabs, notStoredCount, environments, met] = await Promise.all([
    found.filter === null ? NOTHING_AROUND.tabs : countTabs(parts, scope, found.filter),
    notStored(parts, scope, { filter: found.filter, params }),
    parts.projects.environments(scope, { projects: null, of: 'events' }),
    parts.issues.boundsMet(scope, { projects: null, key: 'environment', limit: 1 }),
  ])
  const otherEvents = met.otherCount
  const shown = environmentsByName(environments).filter(({ isHidden }) => !isHidden)
  const isCut = shown.length > ENVIRONMENTS_MAX || otherEvents > 0
  return {
    tabs,
    notStored: notStoredCount,
    environments: shown.slice(0, ENVIRONMENTS_MAX).map(({ name }) => name),
    environmentsBeyond: isCut ? { listed: ENVIRONMENTS_MAX, otherEvents } : null,
  }
}

/** The other tabs' counts keep every part of the search but the state. */
async function countTabs(
  parts: IssueListParts,
  scope: ReadScope,
  filter: IssueFilter,
): Promise<IssueList['tabs']> {
  const { forReview, unresolved, archived, all } = await parts.issues.countByStatus(scope, {
    ...filter,
    status: null,
    substatus: null,
  })
  return { review: forReview, unresolved, archived, all }
}

async function notStored(
  parts: IssueListParts,
  scope: ReadScope,
  { filter, params }: { readonly filter: IssueFilter | null; readonly params: IssueListParams },
): Promise<number> {
  const { groups } = await parts.outcomes.outcomes(scope, {
    startMs: Math.floor(params.range.startMs / BUCKET_MS) * BUCKET_MS,
    endMs: params.range.endMs,
    intervalMs: null,
    projects: filter?.projects ?? null,
    keys: null,
    groupBy: ['outcome'],
  })
  return groups.reduce(
    (sum, { outcome, total }) => (outcome !== undefined && isLeftOut(outcome) ? sum + total : sum),
    0,
  )
}
