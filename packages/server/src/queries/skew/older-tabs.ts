/** How many tabs still run a build that a deploy replaced, by the page loads and navigations that they tell of. */
import { HOUR_MS } from '#base/durations.ts'
import { max } from '#limits/limits.ts'
import type { RequestsQuery, RequestsRead } from '#ports/requests.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { KnownBuild } from '#ports/skew.ts'
import type { SkewedDeploy } from '#skew/deploys.ts'
import { deployFigures, type SkewHour } from '#skew/figures.ts'
import type { OlderTabs } from './types.ts'

interface Since {
  readonly deploy: SkewedDeploy
  readonly builds: readonly KnownBuild[]
  readonly hours: readonly SkewHour[]
  readonly widthMs: number
}

export async function olderTabs(
  requests: Pick<RequestsRead, 'requestSeries'>,
  scope: ReadScope,
  { deploy, builds, hours, widthMs }: Since,
): Promise<OlderTabs | null> {
  const startMs = hours[0]?.startMs ?? deploy.atMs
  const query: RequestsQuery = {
    projects: deploy.projectIds,
    kind: 'browser',
    // Whole hours alone: in the one that the deploy lies in, its tabs were of no older build yet.
    ...{ startMs: Math.ceil(startMs / HOUR_MS) * HOUR_MS, endMs: startMs + hours.length * widthMs },
    ...(deploy.environment === '' ? {} : { environment: deploy.environment }),
  }
  const series = await Promise.all(
    olderReleases(deploy, builds).map((release) =>
      requests.requestSeries(scope, { ...query, release }, HOUR_MS),
    ),
  )
  const views = hours.map(() => 0)
  let isEstimated = false
  for (const { startMs: atMs, count, isEstimated: isOne } of series.flat()) {
    // Its hours are those of the day, the deploy's begin with it.
    const place = Math.min(hours.length - 1, Math.max(0, Math.floor((atMs - startMs) / widthMs)))
    views[place] = (views[place] ?? 0) + count
    isEstimated ||= isOne && count > 0
  }
  return views.every((count) => count === 0) ? null : { views, isEstimated }
}

/** Returns older releases: those that failed in tabs first, then the newest. */
function olderReleases(deploy: SkewedDeploy, builds: readonly KnownBuild[]): readonly string[] {
  const { projectIds, environment, release, atMs } = deploy
  const before = builds
    .filter(
      (build) =>
        projectIds.includes(build.projectId) &&
        (build.environment === '' || environment === '' || build.environment === environment) &&
        build.atMs < atMs,
    )
    .sort((a, b) => b.atMs - a.atMs)
    .map(({ version }) => version)
  const names = new Set([...deployFigures(deploy).fromReleases, ...before])
  if (release !== null) names.delete(release)
  return [...names].slice(0, max('skewOlderBuildsMax'))
}
