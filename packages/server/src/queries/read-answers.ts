/**
 * Answers that are worked out from many rows where rows are read: the thread that accepts envelopes and renders pages sees
 * the answers alone, which are small.
 */
import type { Clock } from '#base/clock.ts'
import type { ProjectsRead } from '#ports/projects.ts'
import type { ReleasesRead } from '#ports/releases.ts'
import type { RequestsRead } from '#ports/requests.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { SkewRead } from '#ports/skew.ts'
import {
  type ReleaseAtAge,
  releaseAtAge,
  type SlowerQuestion,
  type SlowerRoutes,
  slowerRoutes,
} from './release-slower.ts'
import { skewedDeployRows, worstSkew } from './skew/found-deploys.ts'
import type { DeployRow, SkewFilter, WorstSkew } from './skew/types.ts'

export interface ReadAnswers {
  /** Same as `SkewQueries.skewDeploys`. */
  skewDeploys(scope: ReadScope, filter: SkewFilter): Promise<readonly DeployRow[]>
  /** Same as `SkewQueries.worstSkew`. */
  worstSkew(scope: ReadScope, filter: SkewFilter): Promise<WorstSkew | null>
  /** Same as `ReleaseQueries.slowerRoutes`. */
  slowerRoutes(scope: ReadScope, asked: SlowerQuestion): Promise<SlowerRoutes | null>
  /** Same as `ReleaseQueries.releaseAtAge`. */
  releaseAtAge(scope: ReadScope, version: string): Promise<ReleaseAtAge | null>
}

interface ReadAnswerParts {
  readonly skew: SkewRead
  readonly projects: Pick<ProjectsRead, 'projects'>
  readonly releases: ReleasesRead
  readonly requests: Pick<RequestsRead, 'routes' | 'routeCounts'>
  readonly clock: Clock
}

export function createReadAnswers(parts: ReadAnswerParts): ReadAnswers {
  return {
    skewDeploys: (scope, filter) => skewedDeployRows(parts, scope, filter),
    worstSkew: (scope, filter) => worstSkew(parts, scope, filter),
    slowerRoutes: (scope, asked) => slowerRoutes(parts, scope, asked),
    releaseAtAge: (scope, version) => releaseAtAge(parts, scope, version),
  }
}
