/** Release health: what became of sessions, by release, environment and hour of their start. */
import type { KeyId, ProjectId } from '#base/ids.ts'
import type { ReadScope } from './scope.ts'

/** Each session is in `sessions`, and in at most one of the others: the worst that became of it. */
export interface SessionCounts {
  readonly sessions: number
  /** It met a failure and went on. */
  readonly errored: number
  /** It met a failure that nothing handled, and went on: browsers tell these apart. */
  readonly unhandled: number
  /** It ended otherwise than the app meant to, such as hanging. */
  readonly abnormal: number
  readonly crashed: number
}

/** Update of a session that is stored, or an entry of counted sessions. */
export interface SessionDelta {
  readonly projectId: ProjectId
  readonly keyId: KeyId
  readonly receivedMs: number
  readonly release: string
  /** Empty where none was named. */
  readonly environment: string
  readonly startedMs: number
  /** Hash of its id; `null` where nothing tells it apart: it counts by itself. */
  readonly session: bigint | null
  /** Hash of the person; `null` where none was named. */
  readonly person: bigint | null
  /** Counts of this update; `sessions` is 1 for a single session. */
  readonly counts: SessionCounts
}

export type HealthDimension = 'project' | 'release' | 'environment'

export interface HealthQuery {
  /** Hours since 1970; the end hour is exclusive. */
  readonly startHour: number
  readonly endHour: number
  /** Hours of a bucket; `null`: totals alone. Whole days begin with the day, in UTC. */
  readonly stepHours: number | null
  /** `null`: all of the scope. */
  readonly projects: readonly ProjectId[] | null
  readonly releases: readonly string[] | null
  /** An empty one is that of sessions without. */
  readonly environments: readonly string[] | null
  readonly groupBy: readonly HealthDimension[]
}

export interface HealthFigures extends SessionCounts {
  readonly people: number
  readonly crashedPeople: number
  /** False where people are counted by a sketch. */
  readonly isExact: boolean
}

export interface HealthGroup {
  readonly projectId?: ProjectId
  readonly release?: string
  readonly environment?: string
  readonly totals: HealthFigures
  /** Aligned with the query's buckets; empty without a step. */
  readonly series: readonly HealthFigures[]
}

/** When sessions of a release began, in hours since 1970. */
export interface HealthSpan {
  readonly release: string
  readonly firstHour: number
  readonly lastHour: number
}

/** How much a release of a project was used, in buckets of a query. */
export interface ReleaseUses {
  readonly projectId: ProjectId
  readonly release: string
  /** Aligned with the query's buckets. */
  readonly counts: readonly number[]
}

/** Reads answer only what the scope holds. */
export interface HealthRead {
  /**
   * Groups that have sessions in the range, by their names. People of buckets below a day are counted for
   * `healthHourPeopleDays`; before that they are 0.
   */
  health(scope: ReadScope, query: HealthQuery): Promise<readonly HealthGroup[]>
  /** Sessions of every release that has any in the range, without whose they were: what adoption is drawn from. */
  sessionsByRelease(
    scope: ReadScope,
    query: Pick<HealthQuery, 'projects' | 'environments' | 'startHour' | 'endHour'> & {
      readonly stepHours: number
    },
  ): Promise<readonly ReleaseUses[]>
  /** Releases without sessions are left out. At most `healthReleasesMax` are asked for. */
  healthSpans(scope: ReadScope, releases: readonly string[]): Promise<readonly HealthSpan[]>
}
