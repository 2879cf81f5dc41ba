/** Asks which releases a search means: most searches are about none. */
import type { Clock } from '#base/clock.ts'
import type { ProjectId } from '#base/ids.ts'
import type { ReleasesRead } from '#ports/releases.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { SearchTerms } from './parse.ts'
import { askedOfReleases, type MeantValues, NO_RELEASES } from './release-terms.ts'
import { singleTerms } from './terms.ts'

export async function readReleases(
  { releases, clock }: { readonly releases: Pick<ReleasesRead, 'releasesMeant'>; readonly clock: Clock },
  scope: ReadScope,
  { projects, terms }: AskedReleases,
): Promise<MeantValues | 'too many'> {
  const asked = new Map(
    singleTerms(terms).flatMap((token) => {
      const question = askedOfReleases(token)
      return question === null ? [] : [[JSON.stringify(question), question] as const]
    }),
  )
  if (asked.size === 0) return NO_RELEASES
  const questions = [...asked.values()]
  const answers = await releases.releasesMeant(scope, { projects, questions, nowMs: clock.now() })
  if (answers === 'too many') return answers
  const meant = new Map([...asked.keys()].map((key, at) => [key, answers[at] ?? null] as const))
  return (token) => meant.get(JSON.stringify(askedOfReleases(token))) ?? null
}

interface AskedReleases {
  /** `null`: all of the scope. */
  readonly projects: readonly ProjectId[] | null
  readonly terms: SearchTerms
}
