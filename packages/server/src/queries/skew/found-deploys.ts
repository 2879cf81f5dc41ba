/** Deploys with stale clicks, found from sums. */
import { countUsers, decodeUsers, unionOfUsers } from '#issues/user-set.ts'
import { max } from '#limits/limits.ts'
import type { Project, ProjectsRead } from '#ports/projects.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { KnownBuild, SkewRead } from '#ports/skew.ts'
import { type DeployPart, type SkewedDeploy, skewedDeploys } from '#skew/deploys.ts'
import { deployFigures, failedClicks, lastClick } from '#skew/figures.ts'
import type { DeployRow, SkewFilter, UserCount, WorstSkew } from './types.ts'

interface FoundParts {
  readonly skew: SkewRead
  readonly projects: Pick<ProjectsRead, 'projects'>
}

/** Returns deploys with stale clicks in the range, newest first, at most `skewDeploysShownMax`. */
export async function skewedDeployRows(
  parts: FoundParts,
  scope: ReadScope,
  filter: SkewFilter,
): Promise<readonly DeployRow[]> {
  const { found } = await findDeploys(parts, scope, filter)
  return found.map(deployRow)
}

/** Returns the clicks of those deploys and which of them has the most; `null` where none of theirs failed. */
export async function worstSkew(
  parts: FoundParts,
  scope: ReadScope,
  filter: SkewFilter,
): Promise<WorstSkew | null> {
  const { found } = await findDeploys(parts, scope, filter)
  let [clicks, most] = [0, 0]
  let worst: SkewedDeploy | null = null
  for (const { deploy } of found) {
    const count = failedClicks(deploy.parts)
    clicks += count
    if (count <= most) continue
    most = count
    worst = deploy
  }
  if (worst === null) return null
  const { id, release, atMs, parts: of } = worst
  return { clicks, deploy: { id, release, atMs }, users: usersOfFailed(of), lastMs: lastClick(of) }
}

interface FoundDeploy {
  readonly deploy: SkewedDeploy
  readonly projects: readonly Project[]
}

export async function findDeploys(
  { skew, projects }: FoundParts,
  scope: ReadScope,
  { range, project, environment }: SkewFilter,
): Promise<{ readonly found: readonly FoundDeploy[]; readonly builds: readonly KnownBuild[] }> {
  const all = await projects.projects(scope)
  const chosen =
    project === null ? all : all.filter(({ slug, id }) => slug === project || String(id) === project)
  const ids = chosen.map(({ id }) => id)
  const sums = await skew.staleSums(scope, { projects: ids, ...range })
  const builds = await skew.knownBuilds(scope, [...new Set(sums.map(({ projectId }) => projectId))])
  const wanted = environment === null ? sums : sums.filter((sum) => sum.environment === environment)
  const byId = new Map(chosen.map((one) => [one.id, one]))
  const found = skewedDeploys(wanted, builds).flatMap((deploy) => {
    const of = deploy.projectIds.flatMap((id) => byId.get(id) ?? [])
    return of.length === 0 ? [] : [{ deploy, projects: of }]
  })
  return { found: found.slice(0, max('skewDeploysShownMax')), builds }
}

export function deployRow({ deploy, projects }: FoundDeploy): DeployRow {
  const { id, environment, release, atMs, isTold, parts } = deploy
  const figures = deployFigures(deploy)
  const { count, reloads, kinds, halfLifeMs, causes, fromReleases, firstMs, lastMs } = figures
  return {
    ...{
      id,
      projects: projects.map(({ id: of, slug, name }) => ({ id: of, slug, name })),
      environment,
      release,
      atMs,
      isTold,
    },
    ...{ count, reloads, kinds, halfLifeMs, causes, fromReleases, firstMs, lastMs },
    users: usersOfFailed(parts),
  }
}

function usersOfFailed(parts: readonly DeployPart[]): UserCount {
  return usersOfParts(parts.filter(({ sum }) => sum.failure !== 'reload'))
}

export function usersOfParts(parts: readonly DeployPart[]): UserCount {
  const slots = parts.flatMap((part) => part.slots)
  const all = unionOfUsers(slots.map(({ users }) => decodeUsers(users.isExact, users.state)))
  return { count: countUsers(all), isExact: all.isExact }
}
