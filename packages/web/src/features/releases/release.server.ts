/** Data of each page of a release. */
import { max } from '@errata/server/limits'
import { namesOfProjects } from '#parts/choices.server.ts'
import { valueTerm } from '#parts/search-token.ts'
import { notFound, requireScope } from '#wire/loader.ts'
import { readable } from '#wire/readable.ts'
import type { LoaderContext } from '#wire/types.ts'
import { withFewProjects } from './few-projects.ts'
import { pageHealth } from './health.server.ts'

/** Commits that the page shows; the web API has all. */
const COMMITS_SHOWN = 100

export type ReleasePageData = Awaited<ReturnType<typeof loadReleaseHead>>

async function loadReleaseHead(ctx: LoaderContext) {
  const { engine, scope, params } = requireScope(ctx)
  const against = comparedRelease(ctx)
  const head = await engine.queries.releaseHead(scope, params.version ?? '', against)
  if (head === null) throw notFound()
  const before = head.before === null ? null : withFewProjects(head.before)
  const view = { ...head, release: withFewProjects(head.release), before }
  const health = await readable(ctx, 'health', {
    read: () => {
      const { version, projects } = head.release
      const project = projects.length === 1 ? (projects[0]?.slug ?? null) : null
      return pageHealth(ctx, { version, project, before: view.before?.version ?? null })
    },
    otherwise: () => null,
  })
  const { regressions, compared: figures } = await readable(ctx, 'regressions', {
    read: () => comparedFigures(ctx, against),
    otherwise: () => NO_FIGURES,
  })
  const isChosen = against !== null && view.before?.version === against
  return { org: scope.orgSlug, view, health, regressions, figures, compared: isChosen ? against : null }
}

const NO_FIGURES = { regressions: null, compared: null }
/** Routes of the comparison beside a release: those that changed and have most requests. */
const ROUTES_COMPARED = 2

/** Returns how many routes got worse, and what else changed since the release that it is compared with. */
async function comparedFigures(ctx: LoaderContext, against: string | null) {
  const { engine, scope, params } = requireScope(ctx)
  const version = params.version ?? ''
  const [slower, figures] = await Promise.all([
    engine.queries.slowerRoutes(scope, { version, against }),
    engine.queries.releaseFigures(scope, version, against),
  ])
  if (slower === null || slower.before === null || figures === null)
    return { regressions: slower === null ? null : 0, compared: null }
  const { now, was } = figures.stretches
  const [ofNow, ofWas] = await Promise.all([eventsIn(ctx, now), eventsIn(ctx, was)])
  const routes = slower.routes.filter(({ what }) => what === 'slower').slice(0, ROUTES_COMPARED)
  return {
    regressions: slower.routes.length + slower.failing.length,
    compared: {
      ...figures,
      events: { now: ofNow, was: ofWas },
      failed: { now: failedShare(slower.own), was: failedShare(slower.ofBefore) },
      routes: routes.map(({ route, kind, now, was }) => ({ route, kind, now: now.p75Ms, was: was.p75Ms })),
    },
  }
}

/** Returns the events of a release in a stretch of time; `null` if that takes too long. */
async function eventsIn(
  ctx: LoaderContext,
  { version, startMs, endMs }: { readonly version: string; readonly startMs: number; readonly endMs: number },
): Promise<number | null> {
  const { engine, scope } = requireScope(ctx)
  const { tallies, problems } = await engine.queries.eventsCounted(scope, {
    ...{ projects: null, environments: [], range: { startMs, endMs } },
    query: valueTerm({ key: 'release', value: version, negated: false }),
    ...{ by: [], stepMs: null, users: false, limit: 1 },
  })
  return problems.length > 0 ? null : tallies.reduce((sum, { count }) => sum + count, 0)
}

function failedShare(of: { readonly count: number; readonly failed: number } | null): number | null {
  return of === null || of.count === 0 ? null : of.failed / of.count
}

/** Returns the release that the address compares it with. */
function comparedRelease({ url }: LoaderContext): string | null {
  return (url.searchParams.get('with') ?? '').slice(0, max('releaseCharsMax')) || null
}

/** Its issues, with how often each came of late. */
export async function loadRelease(ctx: LoaderContext) {
  const { engine, scope, params } = requireScope(ctx)
  const [head, shown] = await Promise.all([
    loadReleaseHead(ctx),
    readable(ctx, 'issues', {
      read: () => engine.queries.trendedIssues(scope, params.version ?? ''),
      otherwise: () => ({ issues: { regressed: [], begun: [], resolved: [] }, trends: {} }),
    }),
  ])
  return { ...head, ...shown }
}

/** Shown by nobody: its place says that it could not be read. */
const NO_SHARE = { count: 0, failed: 0 }
const NO_ROUTES = { kinds: 0, now: NO_SHARE, was: NO_SHARE }
const NOTHING_COMPARED = {
  ...{ ageMs: 0, before: null, own: null, ofBefore: null, routes: [], failing: [], countMin: 0 },
  ...{ compared: NO_ROUTES, tooFew: NO_ROUTES },
}

export async function loadReleaseSlower(ctx: LoaderContext) {
  const org = requireScope(ctx)
  const { engine, scope, params } = org
  const [head, slower] = await Promise.all([
    loadReleaseHead(ctx),
    readable(ctx, 'slower', {
      read: () =>
        engine.queries.slowerRoutes(scope, { version: params.version ?? '', against: comparedRelease(ctx) }),
      otherwise: () => NOTHING_COMPARED,
    }),
  ])
  if (slower === null) throw notFound()
  const named = await namesOfProjects(
    org,
    [...slower.routes, ...slower.failing].map(({ projectId }) => projectId),
  )
  const slugs = Object.fromEntries([...named].map(([id, { slug }]) => [id, slug]))
  return { ...head, slower, slugs }
}

export async function loadReleaseCommits(ctx: LoaderContext) {
  const { engine, scope, params } = requireScope(ctx)
  const [head, all] = await Promise.all([
    loadReleaseHead(ctx),
    readable(ctx, 'commits', {
      read: () => engine.queries.commits(scope, params.version ?? ''),
      otherwise: () => [],
    }),
  ])
  const commits = all
    .slice(0, COMMITS_SHOWN)
    .map(({ files, ...commit }) => ({ ...commit, fileCount: files.length }))
  return { ...head, commits }
}

/** Deploys and environments stand in what every page has. */
export async function loadReleaseDeploys(ctx: LoaderContext) {
  return loadReleaseHead(ctx)
}

export async function loadReleaseArtifacts(ctx: LoaderContext) {
  const { engine, scope, params } = requireScope(ctx)
  const [head, bundles] = await Promise.all([
    loadReleaseHead(ctx),
    readable(ctx, 'artifacts', {
      read: () => engine.queries.releaseBundles(scope, params.version ?? ''),
      otherwise: () => [],
    }),
  ])
  return { ...head, bundles }
}
