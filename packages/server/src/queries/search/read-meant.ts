/** Resolves terms that are not names themselves: releases, and routes with the addresses before them. */
import type { Clock } from '#base/clock.ts'
import type { ProjectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { KnownRoutes } from '#model/known-routes.ts'
import type { ValueOfProject } from '#model/tag-condition.ts'
import type { IssuesRead } from '#ports/issues.ts'
import type { ReleasesRead } from '#ports/releases.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { RoutesOf } from '../shown-routes.ts'
import type { SearchProblem, SearchToken } from '../types.ts'
import { tokenFilter } from './fields.ts'
import type { SearchTerms } from './parse.ts'
import { readReleases } from './read-releases.ts'
import type { MeantValues } from './release-terms.ts'
import { singleTerms } from './terms.ts'

export interface MeantParts {
  readonly issues: Pick<IssuesRead, 'facetValues'>
  readonly releases: Pick<ReleasesRead, 'releasesMeant'>
  readonly routesOf: RoutesOf
  readonly clock: Clock
}

interface Asked {
  /** `null`: all of the scope. */
  readonly projects: readonly ProjectId[] | null
  readonly terms: SearchTerms
}

/** Problem of a search that means more than `releasesMeantMax`. */
export function tooManyReleases(): SearchProblem {
  return {
    message: 'The search means too many releases; name a project, or fewer of them.',
    start: 0,
    end: 0,
  }
}

export async function readMeant(
  parts: MeantParts,
  scope: ReadScope,
  asked: Asked,
): Promise<MeantValues | 'too many'> {
  const wanted = new Set(singleTerms(asked.terms).flatMap((token) => tokenRoute(token) ?? []))
  const [releases, routes] = await Promise.all([
    readReleases(parts, scope, asked),
    Promise.all([...wanted].map(async (route) => [route, await routeMeant(parts, scope, route)] as const)),
  ])
  if (wanted.size === 0 || releases === 'too many') return releases
  const meant = new Map(routes)
  return (token) => meant.get(tokenRoute(token) ?? '') ?? releases(token)
}

function tokenRoute(token: SearchToken): string | null {
  const filter = tokenFilter(token)
  return filter.by === 'tag' && filter.tag === 'route' ? token.value : null
}

/** `null`: its name alone, as nearly always. */
async function routeMeant(
  { issues, routesOf }: MeantParts,
  scope: ReadScope,
  route: string,
): Promise<readonly ValueOfProject[] | null> {
  const own = route.replace(/[:$[{*].*$/s, '')
  const addresses = await Promise.all(
    scope.projects.map(async (projectId) => {
      const routes = routesOf(projectId)
      if (own === route || route.includes('*') || routes?.isStated(route) !== true) return []
      const limit = max('routeAddressesMax')
      const counted = await issues.facetValues({ ...scope, projects: [projectId] }, 'route', own, limit)
      const found = counted.filter(({ value }) => isRouteNamed(routes, value, route))
      return found.map(({ value }) => ({ projectId, value }))
    }),
  )
  if (addresses.every(({ length }) => length === 0)) return null
  return [...scope.projects.map((projectId) => ({ projectId, value: route })), ...addresses.flat()]
}

function isRouteNamed(routes: KnownRoutes, address: string, route: string): boolean {
  if (routes.isStated(address)) return false
  return routes.nameOf(address, 'document') === route || routes.nameOf(address, 'route-handler') === route
}
