/** The loaders of an issue's pages: each reads the issue itself and what its tab shows. */
import { max } from '@errata/server/limits'
import type { EventView } from '@errata/server/queries'
import { notFound, requireScope } from '#wire/loader.ts'
import type { LoaderContext, OrgContext } from '#wire/types.ts'
import type { FramesShown } from './frames.ts'
import { readTrendRange } from './trend-ranges.ts'

/** The issue with one event: the newest, or the one of the address (`latest`, `oldest` or an id). */
export async function loadIssue(ctx: LoaderContext) {
  const org = requireScope(ctx)
  const which = org.params.eventId ?? 'recommended'
  const [shared, event] = await Promise.all([
    loadShared(org),
    org.engine.queries.issueEvent(org.scope, org.params.id ?? '', which),
  ])
  // An issue whose events have passed their retention still has a page; an event that is named must exist.
  if (event === null && org.params.eventId !== undefined)
    return notFound('There is no such event in this issue.')
  const frames: FramesShown = org.url.searchParams.get('frames') === 'all' ? 'all' : 'app'
  const linked = await linkedOf(org, shared, event?.digests ?? [])
  return { ...shared, linked, event, frames }
}

export type IssueData = Awaited<ReturnType<typeof loadIssue>>
export type IssueShared = Awaited<ReturnType<typeof loadShared>> & {
  readonly linked: Awaited<ReturnType<typeof linkedOf>>
}

/** All events of the issue as a table. */
export async function loadIssueEvents(ctx: LoaderContext) {
  const org = requireScope(ctx)
  const { searchParams } = org.url
  const query = (searchParams.get('query') ?? '').slice(0, max('searchCharsMax'))
  const asked = { query, limit: max('pageRowsDefault'), cursor: searchParams.get('cursor') }
  const [shared, table] = await Promise.all([
    loadShared(org),
    org.engine.queries.issueEvents(org.scope, org.params.id ?? '', asked),
  ])
  if (table === null) return notFound()
  const linked = await linkedOf(org, shared)
  return { ...shared, linked, table, query, isFirstPage: asked.cursor === null }
}

/** Who did what when, and comments. The issue itself holds the newest; the tab reads all that are kept. */
export async function loadIssueActivity(ctx: LoaderContext) {
  const org = requireScope(ctx)
  const [shared, activity] = await Promise.all([
    loadShared(org),
    org.engine.queries.issueActivity(org.scope, org.params.id ?? ''),
  ])
  if (activity === null) return notFound()
  return { ...shared, linked: await linkedOf(org, shared), all: activity }
}

async function loadShared(org: OrgContext) {
  const range = readTrendRange(org.url.searchParams)
  const ref = org.params.id ?? ''
  const view = await org.engine.queries.issue(org.scope, ref, {
    startMs: org.nowMs - range.ms,
    endMs: org.nowMs,
    stepMs: range.stepMs,
  })
  if (view === null) return notFound('There is no such issue, or you may not see it.')
  return { org: org.scope.orgSlug, view, trendKey: range.key, nowMs: org.nowMs }
}

/** The other side of the shown event's numbers, else of the issue's. */
async function linkedOf(
  { engine, scope }: OrgContext,
  { view }: Awaited<ReturnType<typeof loadShared>>,
  shown: EventView['digests'] = [],
) {
  const digests = shown.length > 0 ? shown : view.digests.map(({ digest }) => digest)
  return engine.queries.linkedIssues(scope, view.issue, digests)
}
