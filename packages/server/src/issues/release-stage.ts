/**
 * How far a release has come among its project's. By what is used of each of late: the events of two days, until
 * something better tells. Pure.
 */
import { compareRead, readOnce, type TimedRelease } from '#model/release-order.ts'
import type { ReleaseStage } from '#model/release-question.ts'

export interface ReleaseUse extends TimedRelease {
  /** Recent uses, in any unit that all of them share. */
  readonly uses: number
}

/** The share of all uses from which on a release is adopted. */
const ADOPTED_SHARE = 0.1

/**
 * Returns stages of one project's releases. Adopted: a tenth or more of all uses. Replaced: less, while a
 * later one is adopted. Low adoption: any other, such as one just released.
 */
export function releaseStages(releases: readonly ReleaseUse[]): ReadonlyMap<string, ReleaseStage> {
  const all = releases.reduce((sum, { uses }) => sum + uses, 0)
  const read = readOnce(releases)
  const adopted = read.filter(({ release: { uses } }) => uses > 0 && uses >= all * ADOPTED_SHARE)
  const stageOf = (one: (typeof read)[number]): ReleaseStage => {
    if (adopted.includes(one)) return 'adopted'
    return adopted.some((other) => compareRead(one, other) < 0) ? 'replaced' : 'low_adoption'
  }
  return new Map(read.map((one) => [one.release.version, stageOf(one)]))
}
