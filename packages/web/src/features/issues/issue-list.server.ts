import { max } from '@errata/server/limits'
import type { IssueList } from '@errata/server/queries'
import { choicesOf, projectChoices } from '#parts/choices.server.ts'
import { readCompletion } from '#parts/completion.server.ts'
import { culpritBeside } from '#parts/culprit.server.ts'
import { listPlace } from '#parts/list-address.server.ts'
import { listQuery, listRangeText, readListAddress, SEARCHES_SHOWN } from '#parts/list-address.ts'
import { paths } from '#parts/paths.ts'
import { rangeOf } from '#parts/ranges.ts'
import { releaseMarks } from '#parts/release-marks.server.ts'
import { quantityText } from '#ui/number-text.ts'
import { notFound, redirectTo, requireScope } from '#wire/loader.ts'
import { readable } from '#wire/readable.ts'
import type { LoaderContext, OrgContext } from '#wire/types.ts'

/** The issue list: rows, counts, filters. A pasted event id or digest goes to its page. */
export async function loadIssueList(ctx: LoaderContext) {
  const org = requireScope(ctx)
  const address = readListAddress(ctx.url.searchParams)
  const target = await pastedTarget(org, address.query)
  if (target !== null) return redirectTo(target)
  const { queries } = org.engine
  const [searches, preferences] = await Promise.all([
    queries.savedSearches(org.scope),
    queries.listPreferences(org.scope),
  ])
  const first = searches.find(({ id }) => id === preferences.defaultSearch)
  if (ctx.url.search === '' && first !== undefined)
    return redirectTo(
      paths.issues(org.scope.orgSlug, listQuery(address, { query: first.query, sort: first.sort })),
    )
  const list = await readable(ctx, 'issues', {
    read: () => queries.issueList(org.scope, listParams(org, address)),
    otherwise: async () => {
      const [projects, environments] = await Promise.all([
        queries.projects(org.scope),
        queries.environments(org.scope, null),
      ])
      return { ...NO_ISSUES, projects, environments: [...new Set(environments.map(({ name }) => name))] }
    },
  })
  const others = environmentsText(list.environmentsBeyond)
  const { projects, members: _, ...shown } = list
  const rows = list.rows.map((row) => ({ ...row, culprit: culpritBeside(row) }))
  const [choices, assignees] = await Promise.all([
    projectChoices(org, address.projects),
    choicesOf(org, { of: 'assignees' }),
  ])
  return {
    org: org.scope.orgSlug,
    address,
    list: { ...shown, rows, teams: mineFirst(list.teams) },
    ...{ projects: choices, assignees, silent: silentOf(projects, address.projects), others },
    range: listRangeText(address),
    inexact: list.inexact === null ? null : INEXACT[list.inexact],
    searches,
    preferences,
    changeMost: max('issuesPerChangeMax'),
    reasonCharsMax: max('reasonCharsMax'),
    nowMs: org.nowMs,
  }
}

/** Puts the viewer's teams first; of many a few are offered, and a search names any. */
function mineFirst(teams: IssueList['teams']): IssueList['teams'] {
  return [...teams.filter(({ isMine }) => isMine), ...teams.filter(({ isMine }) => !isMine)].slice(
    0,
    max('choicesMax'),
  )
}

/** Describes the projects of an empty list: how many there are, and which never had an event. */
function silentOf(projects: IssueList['projects'], slugs: readonly string[]) {
  const own = projects.filter(({ isSelf }) => !isSelf)
  const chosen = own.filter(({ slug }) => slugs.length === 0 || slugs.includes(slug))
  const isSilent = chosen.length > 0 && chosen.every(({ firstEventMs }) => firstEventMs === null)
  return {
    hasProject: own.length > 0,
    /** The project to set up where none has an event yet. */
    silent: isSilent ? (chosen[0]?.slug ?? null) : null,
  }
}

/** Written here, as the others. */
const INEXACT: Readonly<Record<NonNullable<IssueList['inexact']>, string>> = {
  counts:
    'Too many events to count the matching ones: counts include all events of each issue. Choose a shorter range.',
  order:
    'Too many events to search them all: issues are found by their tags and sorted by all their events. Choose a shorter range.',
  'order by users':
    'Too many users to count all of them: sorted by all users of an issue. Choose a shorter range.',
}

const NO_ISSUES: IssueList = {
  ...{ rows: [], total: 0, nextCursor: null, previousCursor: null, eventsInRange: 0, notStored: 0 },
  tabs: { review: 0, unresolved: 0, archived: 0, all: 0 },
  ...{ tokens: [], isPlain: true, namesState: false, problems: [], unknownTags: [], looser: null },
  ...{ projects: [], environments: [], environmentsBeyond: null, members: [], teams: [] },
  ...{ eventsMatching: null, inexact: null, offers: [] },
}

/** The list with what marks its time: releases of the project that was chosen, or of all. */
export async function loadIssueTimeline(ctx: LoaderContext) {
  const org = requireScope(ctx)
  const data = await loadIssueList(ctx)
  const { projects, range } = data.address
  const asked = { startMs: org.nowMs - rangeOf(range).ms, endMs: org.nowMs }
  const project = projects.length === 1 ? (projects[0] ?? null) : null
  return { ...data, marks: await releaseMarks(org, { project, ...asked }) }
}

export type IssueListData = Awaited<ReturnType<typeof loadIssueList>>

/** Written here: the first load of the list has no room for sentences. */
function environmentsText(beyond: IssueList['environmentsBeyond']): string | null {
  if (beyond === null) return null
  const { listed, otherEvents } = beyond
  const other = otherEvents === 0 ? '' : ` Other: ${quantityText(otherEvents, 'event')}.`
  return `Any of the ${listed} most frequent.${other} Search environment:NAME for any.`
}

/** How many of the page's issues have news since `since` (milliseconds): for the count above the list. */
export async function handleIssueNews(ctx: LoaderContext): Promise<Response> {
  const org = requireScope(ctx)
  const since = Number(ctx.url.searchParams.get('since'))
  if (!Number.isFinite(since)) return notFound()
  const list = await org.engine.queries.issueList(org.scope, {
    ...listParams(org, readListAddress(ctx.url.searchParams)),
    rowsOnly: true,
  })
  return Response.json({ count: list.rows.filter((row) => row.lastSeenMs > since).length })
}

/** How many issues the saved searches find that stand above the list, by their ids, in the place of the list. */
export async function handleSearchTotals(ctx: LoaderContext): Promise<Response> {
  const { engine, scope, url, nowMs } = requireScope(ctx)
  const searches = (await engine.queries.savedSearches(scope)).slice(0, SEARCHES_SHOWN)
  const { query: _, ...place } = listPlace(readListAddress(url.searchParams), nowMs)
  const queries = searches.map(({ query }) => query)
  const totals = await engine.queries.searchTotals(scope, { queries, place })
  return Response.json({ totals: Object.fromEntries(searches.map(({ id }, index) => [id, totals[index]])) })
}

/** Completes what is typed into the search field. */
export async function handleSearchSuggestions(ctx: LoaderContext): Promise<Response> {
  const { engine, scope, url } = requireScope(ctx)
  const asked = { ...readCompletion(url.searchParams), within: true } as const
  const suggestions = await engine.queries.searchSuggestions(scope, asked)
  return Response.json({ suggestions })
}

function listParams({ nowMs }: OrgContext, address: ReturnType<typeof readListAddress>) {
  return { ...listPlace(address, nowMs), cursor: address.cursor, limit: max('pageRowsDefault') }
}

const WORTH_ASKING = /^(?:\d{6,20}(?:@E\d+)?|[0-9a-f]{32}|[0-9a-f-]{36})$/i

/** Returns the target of a search that is only a known digest or event id. */
async function pastedTarget({ engine, viewer }: OrgContext, query: string): Promise<string | null> {
  if (!WORTH_ASKING.test(query)) return null
  const [target] = await engine.queries.paste(viewer, query)
  if (target?.kind === 'digest') return paths.digest(target.digest)
  if (target?.kind === 'event') return paths.issueEvent(target.organisation, target.shortId, target.eventId)
  return null
}
