/** Deploy skew, as its page and the web API show it. */
import type { ProjectId } from '#base/ids.ts'
import type { SkewFailure, SkewKind } from '#model/recognised.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { StaleExample } from '#ports/skew.ts'
import type { FailureCounts, SkewCause, SkewHour } from '#skew/figures.ts'
import type { TimeRange } from '../time-range.ts'
import type { LinkedIssue } from './places.ts'

export interface SkewFilter {
  readonly range: TimeRange
  /** Slug; `null`: all of the scope. */
  readonly project: string | null
  readonly environment: string | null
}

/** People, told apart by what SDKs say of them. */
export interface UserCount {
  readonly count: number
  readonly isExact: boolean
}

export interface DeployRow {
  readonly id: string
  /** A page and its server may be two; the one with the most clicks first. Never empty. */
  readonly projects: readonly { readonly id: ProjectId; readonly slug: string; readonly name: string }[]
  /** '': nobody says which. */
  readonly environment: string
  /** `null`: not known what replaced the tabs' build. */
  readonly release: string | null
  readonly atMs: number
  /** A tool told of the deploy; else it is when the release was first seen. */
  readonly isTold: boolean
  /** Failed clicks, each once. */
  readonly count: number
  /** Pages that the framework loaded anew by itself: none of the failed clicks. */
  readonly reloads: number
  readonly users: UserCount
  readonly kinds: Readonly<Record<SkewKind, number>>
  readonly halfLifeMs: number | null
  readonly causes: readonly SkewCause[]
  readonly fromReleases: readonly string[]
  readonly firstMs: number
  readonly lastMs: number
}

/** Failed clicks of several deploys. */
export interface WorstSkew {
  readonly clicks: number
  /** The one with the most; of several the newest. */
  readonly deploy: Pick<DeployRow, 'id' | 'release' | 'atMs'>
  readonly users: UserCount
  readonly lastMs: number
}

export interface SkewBuildRow {
  /** '': nobody says which. */
  readonly release: string
  /** How old it was when the deploy replaced it; `null` where that is not known. */
  readonly ageMs: number | null
  readonly counts: FailureCounts
  readonly users: UserCount
}

export interface SkewPlaceRow {
  readonly failure: SkewFailure
  /** '': nobody says which. */
  readonly route: string
  readonly count: number
  readonly users: UserCount
  /** The newest. */
  readonly example: StaleExample
  readonly issue: LinkedIssue | null
}

/** How much the tabs of older builds were in use since the deploy: page loads and navigations. */
export interface OlderTabs {
  /** Aligned with the hours of the deploy, the last one until now. */
  readonly views: readonly number[]
  /** Extrapolated: the SDK samples. */
  readonly isEstimated: boolean
}

/** Deploy with all its details. */
export interface DeployDetail extends DeployRow {
  readonly counts: FailureCounts
  readonly lastHour: number
  readonly hours: readonly SkewHour[]
  readonly widthMs: number
  /** `null`: no browser of the builds before sends spans. */
  readonly olderTabs: OlderTabs | null
  /** Files asked for by crawlers: none of the clicks. */
  readonly crawled: number
  readonly builds: readonly SkewBuildRow[]
  readonly places: readonly SkewPlaceRow[]
  /** SDK of the latest report, such as `sentry.javascript.nextjs`. */
  readonly sdk: string | null
}

export interface SkewQueries {
  /** Deploys with stale clicks in the range, newest first. At most `skewDeploysShownMax`. */
  skewDeploys(scope: ReadScope, filter: SkewFilter): Promise<readonly DeployRow[]>
  /** Sums those up without the figures of each; `null` where no click failed. */
  worstSkew(scope: ReadScope, filter: SkewFilter): Promise<WorstSkew | null>
  /** `null`: there is none of this id in the range. */
  skewDeploy(scope: ReadScope, filter: SkewFilter, id: string): Promise<DeployDetail | null>
  /** The issue that most of a deploy's stale clicks belong to; `null` where spans alone tell of them. */
  skewIssue(scope: ReadScope, row: DeployRow): Promise<LinkedIssue | null>
}
