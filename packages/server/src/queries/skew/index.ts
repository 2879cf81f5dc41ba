/** Deploy skew: stale clicks gathered per deploy, from sums. */
import type { Clock } from '#base/clock.ts'
import { HOUR_MS } from '#base/durations.ts'
import type { IssuesRead } from '#ports/issues.ts'
import type { ProjectsRead } from '#ports/projects.ts'
import type { RequestsRead } from '#ports/requests.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { KnownBuild, SkewRead } from '#ports/skew.ts'
import type { DeployPart, SkewedDeploy } from '#skew/deploys.ts'
import { buildsOf, clicksSince, deployFigures, skewHours, skewPlaces } from '#skew/figures.ts'
import { deployRow, findDeploys, usersOfParts } from './found-deploys.ts'
import { olderTabs } from './older-tabs.ts'
import { readSkewIssue } from './places.ts'
import type { DeployDetail, DeployRow, SkewBuildRow, SkewPlaceRow, SkewQueries } from './types.ts'

export interface SkewParts {
  readonly skew: SkewRead
  readonly projects: ProjectsRead
  readonly issues: IssuesRead
  readonly requests: Pick<RequestsRead, 'requestSeries'>
  readonly answers: Pick<SkewQueries, 'skewDeploys' | 'worstSkew'>
  readonly clock: Clock
}

export function skewQueries(parts: SkewParts): SkewQueries {
  return {
    skewDeploys: (scope, filter) => parts.answers.skewDeploys(scope, filter),
    worstSkew: (scope, filter) => parts.answers.worstSkew(scope, filter),
    skewDeploy: async (scope, filter, id) => {
      const { found, builds } = await findDeploys(parts, scope, filter)
      const one = found.find(({ deploy }) => deploy.id === id)
      if (one === undefined) return null
      return deployDetail(parts, scope, { deploy: one.deploy, row: deployRow(one), builds })
    },
    skewIssue: (scope, { projects, environment, release, fromReleases }) => {
      const from = fromReleases.length === 0 ? [''] : fromReleases
      const sums = projects.flatMap(({ id: projectId }) =>
        from.map((fromRelease) => ({ projectId, release: release ?? '', fromRelease })),
      )
      return readSkewIssue(parts.issues, scope, { deploy: { environment, release }, sums })
    },
  }
}

async function deployDetail(
  { issues, requests, clock }: SkewParts,
  scope: ReadScope,
  {
    deploy,
    row,
    builds,
  }: { readonly deploy: SkewedDeploy; readonly row: DeployRow; readonly builds: readonly KnownBuild[] },
): Promise<DeployDetail> {
  const { counts, sdk } = deployFigures(deploy)
  const nowMs = clock.now()
  const hours = skewHours(deploy, nowMs)
  const places = await Promise.all(
    skewPlaces(deploy.parts).map(
      async ({ parts: of, ...place }): Promise<SkewPlaceRow> => ({
        ...{ ...place, users: usersOfParts(of) },
        issue:
          place.failure === 'reload'
            ? null
            : await readSkewIssue(issues, scope, { deploy, sums: mostFirst(of) }),
      }),
    ),
  )
  return {
    ...{ ...row, counts, sdk, places, lastHour: clicksSince(deploy.parts, nowMs - HOUR_MS) },
    ...{ ...hours, crawled: deploy.crawled },
    olderTabs: await olderTabs(requests, scope, { deploy, builds, ...hours }),
    builds: buildsOf(deploy.parts).map(
      ({ release, counts: own, parts: of }): SkewBuildRow => ({
        ...{ release, counts: own, users: usersOfParts(of), ageMs: buildAge(release, deploy, builds) },
      }),
    ),
  }
}

/** Orders parts of a deploy: the issue with most clicks first. */
function mostFirst(parts: readonly DeployPart[]): readonly DeployPart['sum'][] {
  const clicks = ({ slots }: DeployPart) => slots.reduce((sum, { count }) => sum + count, 0)
  return [...parts].sort((a, b) => clicks(b) - clicks(a)).map(({ sum }) => sum)
}

/** Since it was first out there itself. */
function buildAge(
  release: string,
  { projectIds, environment, atMs }: SkewedDeploy,
  builds: readonly KnownBuild[],
) {
  const own = builds.filter(
    (build) => projectIds.includes(build.projectId) && build.version === release && build.atMs < atMs,
  )
  const here = own.filter((build) => build.environment === environment)
  const times = (here.length === 0 ? own : here).map((build) => build.atMs)
  return times.length === 0 ? null : atMs - Math.min(...times)
}
