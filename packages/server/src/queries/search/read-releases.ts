/** Reads the releases that a search is about: most searches are about none. */
import type { Clock } from '#base/clock.ts'
import type { ProjectId } from '#base/ids.ts'
import type { ReleasesRead } from '#ports/releases.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { SearchTerms } from './parse.ts'
import { asksReleases, type Meant, NO_RELEASES, releasesMeant } from './release-terms.ts'
import { singleTerms } from './terms.ts'

export async function readReleases(
  { releases, clock }: { readonly releases: Pick<ReleasesRead, 'releasesOfProjects'>; readonly clock: Clock },
  scope: ReadScope,
  { projects, terms }: AskedReleases,
): Promise<Meant> {
  if (!singleTerms(terms).some(asksReleases)) return NO_RELEASES
  return releasesMeant(await releases.releasesOfProjects(scope, projects), clock.now())
}

interface AskedReleases {
  /** `null`: all of the scope. */
  readonly projects: readonly ProjectId[] | null
  readonly terms: SearchTerms
}
