/**
 * Finds what got slower, or fails more, with a release than with the one before at the same age, and by which
 * commit.
 */
import { HOUR_MS } from '#base/durations.ts'
import { max } from '#limits/limits.ts'
import { releaseBefore, type TimedRelease } from '#model/release-order.ts'
import type { ReleasedCommit } from '#ports/releases.ts'
import type {
  RequestFigures,
  RequestsQuery,
  RequestsRead,
  RouteCounts,
  RouteFigures,
} from '#ports/requests.ts'
import type { ReadScope } from '#ports/scope.ts'
import { commitOfRoute } from '#requests/route-commit.ts'
import { COMPARED_COUNT_MIN, canCompare, worseThan } from '#requests/worse.ts'
import { ageOf, comparedWith, type ReleaseViewParts, timedRelease, timesBeside } from './release-view.ts'

export interface SlowerRoutes {
  readonly ageMs: number
  /** Name of the release that it is compared with; `null` for the first. */
  readonly before: string | null
  /** Share of all its requests; `null` for a side without any. */
  readonly own: RequestShare | null
  readonly ofBefore: RequestShare | null
  /** Routes, most requests first. */
  readonly routes: readonly SlowerRoute[]
  /** Routes and kinds that both have enough requests of to tell, and their requests. */
  readonly compared: RoutesOfBoth
  /** Routes of the release with too few requests on either side to compare their figures. */
  readonly tooFew: RoutesOfBoth
  /**
   * Routes among these that fail with enough requests to say so; most failures first, at most as many as are
   * shown.
   */
  readonly failing: readonly FailingRoute[]
  /** Requests that each release needs of a route and kind. */
  readonly countMin: number
}

/** So many routes and kinds of request, and their requests with both releases. */
export interface RoutesOfBoth {
  readonly kinds: number
  readonly now: RequestShare
  readonly was: RequestShare
}

export interface RequestShare {
  readonly count: number
  readonly failed: number
}

export interface SlowerRoute extends Pick<RouteFigures, 'projectId' | 'route' | 'kind'> {
  readonly what: 'slower' | 'fails more'
  readonly now: RequestFigures
  readonly was: RequestFigures
  /** The newest that touched a file of the route, and that file; `null` where none is known to. */
  readonly likely: { readonly commit: Omit<ReleasedCommit, 'files'>; readonly path: string } | null
}

export interface FailingRoute extends Omit<SlowerRoute, 'what' | 'was'> {
  /** `null`: the release before had none of it. */
  readonly was: RequestFigures | null
}

export interface SlowerQuestion {
  readonly version: string
  /** Name of the release to compare it with, in place of the one before. */
  readonly against?: string | null
}

/** A release beside the one before it, of the figures of `SlowerRoutes`. */
export interface ReleaseAtAge {
  readonly ageMs: number
  readonly before: string
  readonly own: RequestShare
  readonly ofBefore: RequestShare
  /** Number of routes that got slower or fail more. */
  readonly worse: number
}

type Parts = Pick<ReleaseViewParts, 'releases' | 'clock'> & {
  readonly requests: Pick<RequestsRead, 'routes' | 'routeCounts'>
}

export async function slowerRoutes(
  parts: Parts,
  scope: ReadScope,
  { version, against = null }: SlowerQuestion,
): Promise<SlowerRoutes | null> {
  const { releases, requests } = parts
  const both = await readBoth(parts, scope, { version, against })
  if (both === null) return null
  const { ageMs, before } = both
  const [now, was, commits] = await Promise.all([
    requests.routes(scope, both.ofOwn),
    before === null ? [] : requests.routes(scope, both.ofRelease(before)),
    releases.commits(scope, version),
  ])
  const known = new Map(was.map((row) => [routeFiguresKey(row), row]))
  const pairs = now.map((row): Pair => ({ row, old: known.get(routeFiguresKey(row)) ?? null }))
  const [compared, tooFew] = [pairs.filter(canComparePair), pairs.filter((pair) => !canComparePair(pair))]
  return {
    ...{ ageMs, before: before?.version ?? null, own: failedShare(now), ofBefore: failedShare(was) },
    ...{ compared: sumPairs(compared), tooFew: sumPairs(tooFew), countMin: COMPARED_COUNT_MIN },
    routes: worseRoutes(compared, commits),
    failing: before === null ? [] : failingOf(tooFew, commits),
  }
}

/**
 * Compares as `slowerRoutes` does, for who shows no route: percentiles are read of routes alone that both have enough
 * requests of. `null` where there is none before it, or no request of either.
 */
export async function releaseAtAge(
  parts: Parts,
  scope: ReadScope,
  version: string,
): Promise<ReleaseAtAge | null> {
  const { requests } = parts
  const both = await readBoth(parts, scope, { version, against: null })
  if (both === null || both.before === null) return null
  const { ageMs, before, ofOwn } = both
  const ofBefore = both.ofRelease(before)
  const [counts, countsBefore] = await Promise.all(
    [ofOwn, ofBefore].map((query) => requests.routeCounts(scope, { ...query, hasMostTimeFirst: true })),
  )
  const [own, earlier] = [failedShare(counts ?? []), failedShare(countsBefore ?? [])]
  if (own === null || earlier === null) return null
  const enough = (rows: readonly RouteCounts[] = []) =>
    rows.filter(({ count }) => count >= COMPARED_COUNT_MIN)
  const known = new Set(enough(countsBefore).map(routeFiguresKey))
  const routes = enough(counts).flatMap((row) => (known.has(routeFiguresKey(row)) ? [row.route] : []))
  const worse = routes.length === 0 ? 0 : await countWorse(requests, scope, { ofOwn, ofBefore, routes })
  return { ageMs, before: before.version, own, ofBefore: earlier, worse }
}

async function countWorse(
  requests: Parts['requests'],
  scope: ReadScope,
  { ofOwn, ofBefore, routes }: Record<'ofOwn' | 'ofBefore', RequestsQuery> & { readonly routes: string[] },
): Promise<number> {
  const [now, was] = await Promise.all([
    requests.routes(scope, { ...ofOwn, routes }),
    requests.routes(scope, { ...ofBefore, routes }),
  ])
  const known = new Map(was.map((row) => [routeFiguresKey(row), row]))
  return now.filter((row) => {
    const old = known.get(routeFiguresKey(row))
    return old !== undefined && worseThan(row, old) !== null
  }).length
}

interface Pair {
  readonly row: RouteFigures
  readonly old: RouteFigures | null
}

function canComparePair({ row, old }: Pair): boolean {
  return old !== null && canCompare(row, old)
}

function worseRoutes(compared: readonly Pair[], commits: readonly ReleasedCommit[]): readonly SlowerRoute[] {
  return compared
    .flatMap(({ row, old }): SlowerRoute[] => {
      const what = old === null ? null : worseThan(row, old)
      if (old === null || what === null) return []
      const { projectId, route, kind } = row
      return [{ ...{ projectId, route, kind, what, now: row, was: old }, likely: likelyOf(route, commits) }]
    })
    .sort((a, b) => b.now.count - a.now.count)
}

function failingOf(tooFew: readonly Pair[], commits: readonly ReleasedCommit[]): readonly FailingRoute[] {
  const share = max('failingSharePercent') / 100
  return tooFew
    .filter(({ row }) => row.count >= COMPARED_COUNT_MIN && row.failed / row.count >= share)
    .sort((a, b) => b.row.failed - a.row.failed)
    .slice(0, max('failingRoutesShownMax'))
    .map(({ row, old }) => {
      const { projectId, route, kind } = row
      return { ...{ projectId, route, kind, now: row, was: old }, likely: likelyOf(route, commits) }
    })
}

function sumPairs(pairs: readonly Pair[]): RoutesOfBoth {
  const nothing = { count: 0, failed: 0 }
  const was = pairs.flatMap(({ old }) => (old === null ? [] : [old]))
  return {
    kinds: pairs.length,
    now: failedShare(pairs.map(({ row }) => row)) ?? nothing,
    was: failedShare(was) ?? nothing,
  }
}

/** Reads which release is compared with which, and how requests of each are asked for; `null`: no such release. */
async function readBoth(
  { releases, clock }: Pick<Parts, 'releases' | 'clock'>,
  scope: ReadScope,
  { version, against }: { readonly version: string; readonly against: string | null },
) {
  const release = await releases.release(scope, version)
  if (release === null) return null
  const ageMs = ageOf(release, clock.now())
  const times = await timesBeside(releases, scope, release)
  const before = comparedWith(times, { version, against }) ?? releaseBefore(times, timedRelease(release))
  const projects = release.projects.map(({ projectId }) => projectId)
  const ofRelease = ({ version: name, atMs }: TimedRelease): RequestsQuery => {
    // Figures that are days old are kept by the day: what is counted begins with the hour, or day, that the release did.
    const startMs = Math.floor(atMs / HOUR_MS) * HOUR_MS
    return { projects, release: name, startMs, endMs: startMs + ageMs + HOUR_MS }
  }
  return { ageMs, before, ofRelease, ofOwn: ofRelease(timedRelease(release)) }
}

const routeFiguresKey = ({ projectId, kind, route }: Pick<RouteFigures, 'projectId' | 'kind' | 'route'>) =>
  `${projectId}\n${kind}\n${route}`

function failedShare(rows: readonly RequestShare[]): RequestShare | null {
  if (rows.length === 0) return null
  const sum = (name: 'count' | 'failed') => rows.reduce((total, row) => total + row[name], 0)
  return { count: sum('count'), failed: sum('failed') }
}

function likelyOf(route: string, commits: readonly ReleasedCommit[]): SlowerRoute['likely'] {
  const found = commitOfRoute(route, commits)
  if (found === null) return null
  const { files: _, ...commit } = found.commit
  return { commit, path: found.path }
}
