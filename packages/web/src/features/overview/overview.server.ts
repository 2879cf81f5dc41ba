/** The first screen: what failed in the last 24 hours against the 24 before, and what needs somebody. */
import type { ProjectId } from '@errata/server/ids'
import {
  isMuted,
  type ProjectHealth,
  periodBefore,
  type ReadScope,
  VITAL_THRESHOLDS,
  valueWords,
} from '@errata/server/queries'
import { namesOfProjects, projectChoices } from '#parts/choices.server.ts'
import { flagMarks } from '#parts/flag-marks.server.ts'
import { MARKS_MAX } from '#parts/mark-reads.server.ts'
import { marksAmong, type ReleaseRow, readNewestReleases } from '#parts/release-marks.server.ts'
import { notFound, requireScope } from '#wire/loader.ts'
import { readable } from '#wire/readable.ts'
import type { LoaderContext, OrgContext } from '#wire/types.ts'
import {
  alertRows,
  issueRows,
  mostPeopleFirst,
  NEEDS_SEARCH,
  type NeedRow,
  STALE_SEARCH,
  staleRows,
  UNASSIGNED_SEARCH,
} from './needs.ts'
import {
  FAILED_LEAST,
  failedMore,
  type KindFigures,
  overviewSentence,
  SHOWN_KINDS,
  VITALS_SHOWN,
} from './overview-text.ts'
import { RELEASE_SIGNAL, type SignalName, STACK_SIGNAL } from './signals.ts'
import { sinceDeploys } from './since-deploys.server.ts'

const HOUR_MS = 3_600_000
const HOURS = 24
const NEEDS_SHOWN = 7
const PROJECTS_SHOWN = 6
/** Releases that are read at once: pages of marks. */
const RELEASES_READ = 2 * MARKS_MAX
/** Most projects whose health is looked at; beyond it, their own page tells. */
const PROJECTS_LOOKED_AT_MAX = 50

export async function loadOverview(ctx: LoaderContext) {
  return overviewOf(ctx, null)
}

export async function loadProjectOverview(ctx: LoaderContext) {
  return overviewOf(ctx, ctx.params.project ?? '')
}

export type OverviewData = Awaited<ReturnType<typeof loadOverview>>

async function overviewOf(ctx: LoaderContext, slug: string | null) {
  const org = requireScope(ctx)
  const { engine, nowMs } = org
  const [choices, chosen, { total: withEvents }] = await Promise.all([
    projectChoices(org, slug === null ? [] : [slug]),
    slug === null ? null : engine.queries.projectNames(org.scope, { slugs: [slug], limit: 1 }),
    engine.queries.projectNames(org.scope, { hasEvents: true, limit: 0 }),
  ])
  const project = chosen === null ? null : chosen.rows[0]
  if (project === undefined) return notFound()
  const { scope } = org
  const asked: Asked = { scope, projects: project === null ? null : [project.id], slug, nowMs }
  const sections = await sectionsOf(org, asked)
  const worst = (sections.requests?.worst ?? []).map(({ projectId }) => projectId)
  return {
    org: org.scope.orgSlug,
    nowMs,
    project: project === null ? null : { slug: project.slug, name: project.name },
    ...{ choices, isMany: scope.projects.length > 1, isEmpty: withEvents === 0 },
    seen: withEvents === 0 ? await signalsSeen(org, asked) : NO_SIGNALS,
    /** Names of the projects in the text. */
    projects: [...(await namesOfProjects(org, worst)).values()],
    ...sections,
    sentence: overviewSentence({ ...sections, unread: new Set(ctx.unread.keys()) }),
  }
}

/** Signals that may be there before the first event: a session names its release, and a build is uploaded before it runs. */
async function signalsSeen(
  { engine }: OrgContext,
  { scope, projects }: Asked,
): Promise<readonly SignalName[]> {
  const [releases, hasBundles] = await Promise.all([
    engine.queries.latestReleases(scope, projects ?? scope.projects),
    engine.queries.hasBundles(scope, projects?.[0] ?? null),
  ])
  const seen: SignalName[] = []
  if (releases.size > 0) seen.push(RELEASE_SIGNAL)
  if (hasBundles) seen.push(STACK_SIGNAL)
  return seen
}

const NO_SIGNALS: readonly SignalName[] = []

interface Asked {
  readonly scope: ReadScope
  /** `null`: all of the scope. */
  readonly projects: readonly ProjectId[] | null
  readonly slug: string | null
  readonly nowMs: number
}

async function sectionsOf(ctx: OrgContext, asked: Asked) {
  const { engine, viewer } = ctx
  const may = (permission: 'trace.read' | 'alert.read' | 'release.read') =>
    engine.access.can(viewer, asked.scope, permission, {})
  const { nowMs } = asked
  const day = { startMs: nowMs - HOURS * HOUR_MS, endMs: nowMs }
  const newest = may('release.read') ? newestReleases(ctx, asked) : null
  const [requests, issues, alerts, stale, sessions, releases, marks, others, sent] = await Promise.all([
    may('trace.read')
      ? readable<Awaited<ReturnType<typeof requestsOf>> | null>(ctx, 'requests', {
          read: () => requestsOf(ctx, asked),
          otherwise: () => null,
        })
      : null,
    readable(ctx, 'issues', {
      read: () => loadTopIssues(ctx, asked),
      otherwise: () => ({ rows: [], total: 0, unassigned: 0, failed: 0, stale: 0 }),
    }),
    may('alert.read')
      ? readable<Awaited<ReturnType<typeof alertsOf>> | null>(ctx, 'alerts', {
          read: () => alertsOf(ctx, asked),
          otherwise: () => null,
        })
      : null,
    may('trace.read')
      ? readable(ctx, 'skew', { read: () => staleOf(ctx, asked), otherwise: () => null })
      : null,
    readable(ctx, 'sessions', { read: () => loadSessions(ctx, asked), otherwise: () => null }),
    newest === null
      ? []
      : readable(ctx, 'releases', {
          read: async () => sinceDeploys(ctx, asked, await newest),
          otherwise: () => [],
        }),
    newest === null ? [] : marksOf(ctx, { ...asked, ...day }, newest),
    asked.projects === null ? othersOf(ctx, asked) : null,
    readable<Awaited<ReturnType<typeof sentOf>> | null>(ctx, 'outcomes', {
      read: () => sentOf(ctx, asked),
      otherwise: () => null,
    }),
  ])
  const needs: readonly NeedRow[] = mostPeopleFirst([
    ...issueRows(issues.rows, asked.scope.orgSlug),
    ...alertRows(alerts?.firing ?? [], asked.scope.orgSlug),
    ...staleRows(stale, { org: asked.scope.orgSlug, told: issues.stale }),
  ])
  return {
    ...{ requests, alerts, stale, sessions, releases, marks, others, sent },
    needs: needs.slice(0, NEEDS_SHOWN),
    needsTotal: needs.length - issues.rows.length + issues.total,
    ...{ issuesTotal: issues.total, unassigned: issues.unassigned, failedIssues: issues.failed },
  }
}

/** Read once for what came with them and for the marks of the chart. */
function newestReleases(ctx: OrgContext, { projects }: Asked): Promise<readonly ReleaseRow[]> {
  return readNewestReleases(ctx, { projects, offset: 0, limit: RELEASES_READ })
}

async function marksOf(
  ctx: OrgContext,
  asked: Asked & { readonly startMs: number; readonly endMs: number },
  newest: Promise<readonly ReleaseRow[]>,
) {
  const { projects } = asked
  const [releases, flags] = await Promise.all([
    marksAmong(ctx, asked, async (offset) =>
      offset < RELEASES_READ
        ? (await newest).slice(offset)
        : readNewestReleases(ctx, { projects, offset, limit: MARKS_MAX }),
    ),
    flagMarks(ctx, asked),
  ])
  return [...releases, ...flags]
}

async function requestsOf({ engine }: OrgContext, { scope, projects, nowMs }: Asked) {
  // As the performance page reads 24 hours, so that both say the same: each hour that lies in them, whole.
  const query = { projects, startMs: nowMs - HOURS * HOUR_MS, endMs: nowMs }
  const before = periodBefore(query)
  const { requests } = engine.queries
  const [series, worst, vitals, ofKinds, ofKindsBefore] = await Promise.all([
    requests.requestCounts(scope, query, HOUR_MS),
    worstRoutes(requests, scope, query),
    requests.vitalSpreads(scope, query),
    requests.figuresOfKinds(scope, query, [...SHOWN_KINDS, 'browser']),
    requests.figuresOfKinds(scope, before, SHOWN_KINDS),
  ])
  const kinds = SHOWN_KINDS.flatMap((kind, at): readonly KindFigures[] => {
    const [now, was] = [ofKinds[at], ofKindsBefore[at]]
    return now === undefined || was === undefined
      ? []
      : [{ kind, now: shownFigures(now), before: shownFigures(was) }]
  })
  const counted = kinds.filter(({ kind, now }) => kind !== 'prefetch' && now.count > 0)
  const sum = (of: 'count' | 'failed' | 'failedBehind200') =>
    counted.reduce((total, { now }) => total + now[of], 0)
  return {
    startMs: Math.floor(query.startMs / HOUR_MS) * HOUR_MS,
    stepMs: HOUR_MS,
    hours: series.map(({ failed, failedBehind200 }) => ({ failed, behind200: failedBehind200 })),
    ...{ count: sum('count'), failed: sum('failed'), failedBehind200: sum('failedBehind200') },
    isEstimated: counted.some(({ now }) => now.isEstimated),
    kinds: kinds.filter(({ now, before: was }) => now.count + was.count > 0),
    worst,
    vitals: VITALS_SHOWN.flatMap((name) =>
      vitals
        .filter(({ vital }) => vital === name)
        .map(({ vital, count, p75, shares }) => ({ vital, count, p75, shares })),
    ),
    areVisitsEstimated: ofKinds.at(-1)?.isEstimated ?? false,
    vitalBounds: VITAL_THRESHOLDS,
  }
}

/** Reads no routes with few failures, and of the day before those alone that may be told of. */
async function worstRoutes(
  requests: OrgContext['engine']['queries']['requests'],
  scope: ReadScope,
  query: Parameters<typeof periodBefore>[0] & { readonly projects: readonly ProjectId[] | null },
) {
  const failing = await requests.routeCounts(scope, { ...query, failedMin: FAILED_LEAST })
  if (failing.length === 0) return []
  const routes = [...new Set(failing.map(({ route }) => route))]
  return failedMore(failing, await requests.routeCounts(scope, { ...periodBefore(query), routes }))
}

/** Leaves out what the table does not show. */
function shownFigures({ count, isEstimated, failed, failedBehind200, p75Ms }: KindFigures['now']) {
  return { count, isEstimated, failed, failedBehind200, p75Ms }
}

/** Lists and counts by one search, which the page behind the count asks too. */
async function loadTopIssues({ engine }: OrgContext, { scope, slug, nowMs }: Asked) {
  const place = {
    ...{ projects: slug === null ? [] : [slug], environments: [] },
    ...{ range: { startMs: nowMs - HOURS * HOUR_MS, endMs: nowMs }, sort: 'user' as const },
  }
  const [{ rows, total }, [unassigned, failed, stale]] = await Promise.all([
    engine.queries.issueList(scope, {
      ...{ ...place, query: `is:unresolved ${NEEDS_SEARCH}` },
      ...{ limit: NEEDS_SHOWN, cursor: null, rowsOnly: true as const },
    }),
    engine.queries.searchTotals(scope, {
      queries: [`is:unresolved ${UNASSIGNED_SEARCH}`, 'is:unresolved', `is:unresolved ${STALE_SEARCH}`],
      place,
    }),
  ])
  return { rows, total, unassigned: unassigned ?? 0, failed: failed ?? 0, stale: stale ?? 0 }
}

async function alertsOf({ engine }: OrgContext, { scope, projects, nowMs }: Asked) {
  const rules = (await engine.queries.alertRules(scope)).filter(
    ({ rule }) =>
      rule.isOn &&
      (projects === null || rule.projects === null || rule.projects.some((id) => projects.includes(id))),
  )
  const firing = rules.flatMap((view) => {
    const { rule, state } = view
    if (state === null || state.level === 'ok' || isMuted(view.rule, nowMs)) return []
    const value =
      rule.kind === 'metric' && state.value !== null ? valueWords(rule.when.measure, state.value) : null
    return [{ id: rule.id, name: rule.name, level: state.level, sinceMs: state.sinceMs, value }]
  })
  return { total: rules.length, muted: rules.filter(({ rule }) => isMuted(rule, nowMs)).length, firing }
}

async function staleOf({ engine }: OrgContext, { scope, slug, nowMs }: Asked) {
  const range = { startMs: nowMs - HOURS * HOUR_MS, endMs: nowMs + HOUR_MS }
  return engine.queries.worstSkew(scope, { range, project: slug, environment: null })
}

async function loadSessions({ engine }: OrgContext, { scope, projects, nowMs }: Asked) {
  const endHour = Math.floor(nowMs / HOUR_MS) + 1
  const query = { stepHours: null, projects, releases: null, environments: null, groupBy: [] }
  const ofDay = async (end: number) =>
    (await engine.queries.sessionStats(scope, { ...query, startHour: end - HOURS, endHour: end }))[0]
      ?.totals ?? null
  const [now, before] = await Promise.all([ofDay(endHour), ofDay(endHour - HOURS)])
  if (now === null || now.sessions === 0) return null
  const crashFree = (of: { readonly sessions: number; readonly crashed: number } | null) =>
    of === null || of.sessions === 0 ? null : 1 - of.crashed / of.sessions
  return {
    sessions: now.sessions,
    people: now.people,
    isExact: now.isExact,
    crashFree: crashFree(now),
    before: crashFree(before),
  }
}

async function othersOf({ engine }: OrgContext, { scope }: Asked) {
  const total = scope.projects.length
  if (total < 2) return null
  if (total > PROJECTS_LOOKED_AT_MAX) return { total, shown: [] }
  const states = await engine.queries.projectStates(scope)
  const shown = states
    .filter(({ project }) => !project.isSelf)
    .map(({ project: { slug, name }, errors, lastEventMs, state }) => ({
      ...{ slug, name, errors, lastEventMs, state },
    }))
    .sort((a, b) => URGENCY.indexOf(a.state) - URGENCY.indexOf(b.state) || b.errors - a.errors)
  return { total: shown.length, shown: shown.slice(0, PROJECTS_SHOWN) }
}

const URGENCY: readonly ProjectHealth['state'][] = [
  'capped',
  'silent',
  'growing',
  'limited',
  'unread',
  'steady',
  'waiting',
]

async function sentOf({ engine }: OrgContext, { scope, slug, nowMs }: Asked) {
  const range = { startMs: nowMs - HOURS * HOUR_MS, endMs: nowMs }
  const { groups } = await engine.queries.outcomes(scope, { range, project: slug, key: null })
  const total = groups.reduce((sum, one) => sum + one.total, 0)
  const stored = groups.reduce((sum, one) => sum + (one.outcome === 'accepted' ? one.total : 0), 0)
  return { total, stored }
}
