/** Whether another build than a tab's own is known to have run: without one, nothing that failed there is a deploy's doing. */

/** A release that ran; of each environment of a project the two newest are enough. */
export interface RunningBuild {
  /** `''`: any. */
  readonly environment: string
  readonly release: string
}

export class KnownDeploys {
  readonly #builds: readonly RunningBuild[]

  constructor(builds: readonly RunningBuild[]) {
    this.#builds = builds
  }

  /** True if a build other than `release` is known there; of a tab that names none, if two are. */
  isAnotherKnown(environment: string | null, release: string | null): boolean {
    const here = this.#builds.filter(
      (build) => environment === null || build.environment === '' || build.environment === environment,
    )
    if (release !== null) return here.some((build) => build.release !== release)
    return new Set(here.map((build) => build.release)).size > 1
  }
}
