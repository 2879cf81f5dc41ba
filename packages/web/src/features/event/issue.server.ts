/** The loaders of an issue's pages: each reads the issue itself and what its tab shows. */
import { max } from '@errata/server/limits'
import { type AddressTable, readAddress } from '#parts/address.ts'
import { choicesOf } from '#parts/choices.server.ts'
import { culpritBeside } from '#parts/culprit.server.ts'
import { flagMarks } from '#parts/flag-marks.server.ts'
import type { Activity } from '#parts/issue-types.ts'
import { likelyAssignees, offersBeside } from '#parts/likely-assignees.ts'
import { listPlace } from '#parts/list-address.server.ts'
import { listQuery, listText, readListAddress, TABS } from '#parts/list-address.ts'
import { paths } from '#parts/paths.ts'
import { notFound, requireScope } from '#wire/loader.ts'
import { readable } from '#wire/readable.ts'
import type { LoaderContext, OrgContext } from '#wire/types.ts'
import { activityWords } from './activity-text.ts'
import { attachmentsOf } from './attachments.server.ts'
import { eventRows } from './event-columns.ts'
import { eventTrace } from './event-trace.server.ts'
import { markedRows } from './html-diff.ts'
import { loneTexts } from './missing-text.ts'
import { eventPaths } from './paths.ts'
import { boundsText } from './tag-bounds.ts'
import { tagShares } from './tag-shares.ts'
import { trackersAround } from './tracker-links.server.ts'
import { TREND_RANGES, trendRangeOf } from './trend-ranges.ts'

const NO_ISSUE = 'This issue doesn’t exist, or you don’t have access to it.'

/** How the issue's page shows stack and trend. */
const SHOWN = {
  frames: { type: 'choice', first: 'app', of: ['app', 'all'] },
  stack: { type: 'choice', first: 'original', of: ['original', 'minified'] },
  trend: { type: 'choice', first: '14d', of: TREND_RANGES },
} as const satisfies AddressTable

/** The issue with one event: the newest, or the one of the address (`latest`, `oldest` or an id). */
export async function loadIssue(ctx: LoaderContext) {
  const org = requireScope(ctx)
  const which = org.params.eventId ?? 'recommended'
  const [{ shared, members }, event] = await Promise.all([
    loadWhole(org),
    readable(ctx, 'event', {
      read: () => org.engine.queries.issueEvent(org.scope, org.params.id ?? '', which),
      otherwise: () => null,
    }),
  ])
  // An issue whose events have passed their retention still has a page; an event that is named must exist.
  if (event === null && org.params.eventId !== undefined && !ctx.unread.has('event'))
    return notFound('This issue has no such event, or it is past its retention.')
  const { frames, stack } = readAddress(SHOWN, org.url.searchParams)
  const { issue, activity } = shared.view
  const [suspects, owners, trace, attachments] = await Promise.all([
    event === null
      ? { suspects: [], isCut: false }
      : org.engine.queries.suspectCommits(org.scope, { issue, activity, event: event.event }),
    event === null
      ? { owners: [], isCut: false }
      : org.engine.queries.ownersOfEvent(org.scope, shared.view.project, event.event),
    event === null
      ? null
      : readable(ctx, 'trace', { read: () => eventTrace(org, event), otherwise: () => null }),
    event === null
      ? []
      : readable(ctx, 'attachments', { read: () => attachmentsOf(org, event), otherwise: () => [] }),
  ])
  const halves = event?.hydration?.halves ?? null
  const htmlRows = halves === null ? [] : markedRows(halves)
  const authors = suspects.suspects.flatMap(({ commit }) => commit.member?.userId ?? [])
  const [latest] = [
    ...(await org.engine.queries.latestReleases(org.scope, [shared.view.project.id])).values(),
  ]
  const offers = offersBeside(assignedTo(issue), {
    likely: likelyAssignees({ suspects: suspects.suspects, owners: owners.owners, members }),
    choices: shared.assignees,
  })
  return {
    latestRelease: latest?.version ?? null,
    ...{ ...shared, event, frames, stack, suspects, owners, trace, htmlRows, attachments },
    ...{ likely: offers.likely, assignees: offers.choices },
    /** Authors of suspect commits to whom the issue may be assigned. */
    assignableAuthors: authors.filter((author) => members.some(({ userId }) => userId === author)),
  }
}

/** Returns the argument of the assignment that it has. */
function assignedTo({ assignee, assigneeTeam }: IssueShared['view']['issue']): string | null {
  if (assigneeTeam !== null) return `team-${assigneeTeam.teamId}`
  return assignee === null ? null : String(assignee.userId)
}

export type IssueData = Awaited<ReturnType<typeof loadIssue>>
export type IssueShared = Awaited<ReturnType<typeof loadShared>>

/** All events of the issue as a table. */
export async function loadIssueEvents(ctx: LoaderContext) {
  const org = requireScope(ctx)
  const address = readAddress(EVENTS, org.url.searchParams)
  const asked = { ...address, limit: max('pageRowsDefault') }
  const [shared, table] = await Promise.all([
    loadShared(org),
    readable(ctx, 'events', {
      read: () => org.engine.queries.issueEvents(org.scope, org.params.id ?? '', asked),
      otherwise: () => NO_EVENTS,
    }),
  ])
  if (table === null) return notFound()
  const { total, nextCursor, problems } = table
  return {
    ...shared,
    table: { ...eventRows(table.rows), total, nextCursor, problems },
    query: address.query,
    isFirstPage: address.cursor === null,
  }
}

const EVENTS = {
  query: { type: 'text', first: '', charsMax: max('searchCharsMax') },
  cursor: { type: 'value', first: null },
} as const satisfies AddressTable

const NO_EVENTS = { rows: [], total: 0, nextCursor: null, problems: [] }

/** Loads activity and comments. The issue itself holds the newest; the tab reads all that are kept. */
export async function loadIssueActivity(ctx: LoaderContext) {
  const org = requireScope(ctx)
  const [shared, activity] = await Promise.all([
    loadShared(org),
    org.engine.queries.issueActivity(org.scope, org.params.id ?? ''),
  ])
  if (activity === null) return notFound()
  return { ...shared, all: activity.map(withWords), sendsMail: org.engine.queries.sendsMail() }
}

function withWords(entry: Activity) {
  return { ...entry, words: activityWords(entry) }
}

/** Loads what every tab of the issue shows. */
export async function loadShared(org: OrgContext) {
  return (await loadWhole(org)).shared
}

/** With everybody whom it may be assigned to, of whom the page shows some. */
async function loadWhole(org: OrgContext) {
  const range = trendRangeOf(readAddress(SHOWN, org.url.searchParams).trend)
  const stretch = { startMs: org.nowMs - range.ms, endMs: org.nowMs }
  const ref = org.params.id ?? ''
  const [view, list, share, around] = await Promise.all([
    org.engine.queries.issue(org.scope, ref, { ...stretch, stepMs: range.stepMs }),
    readable(org, 'list', { read: () => listAround(org, ref), otherwise: () => NO_LIST(org.scope.orgSlug) }),
    org.engine.queries.issueShare(org.scope, ref),
    trackersAround(org, ref),
  ])
  if (view === null) return notFound(NO_ISSUE, paths.issue(org.scope.orgSlug, ref))
  const link = share === null ? null : { ...share, url: sharedLink(org, share.token) }
  const { members, teams: _, tagSpreads, tagBounds, ...shown } = view
  const shares = tagShares(view.tags, tagSpreads)
  const hasOther = shares.spread.some(({ otherCount }) => otherCount > 0)
  const tags = { ...shares, bounds: boundsText(hasOther, tagBounds) }
  const [assignees, flags] = await Promise.all([
    choicesOf(org, { of: 'assignees', project: view.project.slug }),
    flagMarks(org, { ...stretch, projects: [view.project.id] }),
  ])
  const { orgSlug } = org.scope
  const issue = { ...shown.issue, culprit: culpritBeside(shown.issue) }
  const issueShown = { ...shown, issue, activity: shown.activity.map(withWords) }
  const shared = { ...around, org: orgSlug, view: issueShown, tagShares: tags, assignees, list, share: link }
  const loneText = view.lone === null ? null : loneTexts(view.lone, org.nowMs)
  return { shared: { ...shared, loneText, flags, trendKey: range.key, nowMs: org.nowMs }, members }
}

/** The way back alone. */
const NO_LIST = (org: string): Awaited<ReturnType<typeof listAround>> => ({
  ...{ text: '', back: paths.issues(org), label: 'Issues', walk: null },
})

function sharedLink({ url }: OrgContext, token: string | null): string | null {
  return token === null ? null : `${url.origin}${eventPaths.share(token)}`
}

/** The list the issue was opened from, as the address says, else the list as it first opens; and the way on in it. */
async function listAround({ engine, scope, url, nowMs }: OrgContext, ref: string) {
  const address = readListAddress(new URLSearchParams(url.searchParams.get('list') ?? ''))
  const text = listText(address)
  const walk = await engine.queries.issueBeside(scope, ref, listPlace(address, nowMs))
  const pathOf = (id: string | null) => (id === null ? null : paths.issue(scope.orgSlug, id, { list: text }))
  const label =
    address.tab === 'all' ? 'All issues' : (TABS.find(({ key }) => key === address.tab)?.label ?? '')
  const isNarrowed = address.query !== '' || address.projects.length > 0 || address.environments.length > 0
  return {
    text,
    back: paths.issues(scope.orgSlug, listQuery(address)),
    label: isNarrowed ? `${label}, filtered` : label,
    walk: walk === null ? null : { ...walk, previous: pathOf(walk.previous), next: pathOf(walk.next) },
  }
}
