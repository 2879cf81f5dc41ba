/**
 * How far a release has come among its project's. By what is used of each of late: the events of two days, until
 * something better tells. Pure.
 */
import { compareReleases, type TimedRelease } from '#model/release-order.ts'

export const RELEASE_STAGES = ['adopted', 'low_adoption', 'replaced'] as const
export type ReleaseStage = (typeof RELEASE_STAGES)[number]

export interface ReleaseUse extends TimedRelease {
  /** Of late, in whatever unit all of them have. */
  readonly uses: number
}

/** The share of all uses from which on a release is adopted. */
const ADOPTED_SHARE = 0.1

/**
 * Of the releases of one project. Adopted: a tenth or more of all uses. Replaced: less, while a later one is adopted.
 * Low adoption: any other, such as one that was just released.
 */
export function releaseStages(releases: readonly ReleaseUse[]): ReadonlyMap<string, ReleaseStage> {
  const all = releases.reduce((sum, { uses }) => sum + uses, 0)
  const adopted = releases.filter(({ uses }) => uses > 0 && uses >= all * ADOPTED_SHARE)
  const stageOf = (release: ReleaseUse): ReleaseStage => {
    if (adopted.includes(release)) return 'adopted'
    return adopted.some((other) => compareReleases(release, other) < 0) ? 'replaced' : 'low_adoption'
  }
  return new Map(releases.map((release) => [release.version, stageOf(release)]))
}
