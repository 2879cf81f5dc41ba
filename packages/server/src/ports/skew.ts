/**
 * Clicks in tabs of an old build, each counted once whoever tells of it. Written by the commit, in the transaction of
 * their batch; pages about skew read sums and no telemetry.
 */
import type { EventId, GroupHash, ProjectId } from '#base/ids.ts'
import type { StaleFailure } from '#model/recognised.ts'
import type { ReadScope } from './scope.ts'

/** Half of a stale click: a browser's or a server's account of it, in an error or a span. */
export interface StaleClickSeen {
  readonly projectId: ProjectId
  readonly environment: string | null
  /** Release of the sender: the old build for a browser, the deployed one for a server. */
  readonly release: string | null
  /** Build of the tab that a server answered, if it is known and differs. */
  readonly tabRelease?: string | null
  readonly side: 'browser' | 'server'
  readonly source: 'event' | 'span'
  readonly failure: StaleFailure
  readonly subject: string | null
  readonly route: string | null
  readonly traceId: string | null
  /** User hash by `hashUser`. */
  readonly user: bigint | null
  /** Name of the SDK without its version. */
  readonly sdk: string | null
  readonly httpStatus: number | null
  /** `null` for a span. */
  readonly eventId: EventId | null
  /** That the event is of; `null` for a span. */
  readonly group: GroupHash | null
  readonly atMs: number
  readonly receivedMs: number
}

/** Told by an event, which is of a group. */
export type ToldClick = StaleClickSeen & { readonly group: GroupHash }

/** Key by which clicks are counted apart; '' for a part that nobody states. */
export interface StaleSeries {
  readonly projectId: ProjectId
  readonly environment: string
  /** That answered. */
  readonly release: string
  /** That the tab ran. */
  readonly fromRelease: string
  readonly failure: StaleFailure
  readonly route: string
}

export interface StaleExample {
  readonly eventId: EventId | null
  readonly traceId: string | null
  readonly subject: string | null
  readonly httpStatus: number | null
  readonly sdk: string | null
  readonly atMs: number
}

/** Clicks of `staleSlotMs`. */
export interface StaleSlot {
  readonly startMs: number
  readonly count: number
  /** A set of hashes, as `decodeUsers` reads it. */
  readonly users: { readonly isExact: boolean; readonly state: Uint8Array }
}

export interface StaleSum extends StaleSeries {
  /** Spans of time that have clicks, oldest first. */
  readonly slots: readonly StaleSlot[]
  /** The newest. */
  readonly example: StaleExample
  readonly firstMs: number
  readonly lastMs: number
}

/** When a release came to run somewhere. */
export interface KnownBuild {
  readonly projectId: ProjectId
  /** '': wherever. */
  readonly environment: string
  readonly version: string
  readonly atMs: number
  /** A tool said so; else it is when an event first named it. */
  readonly isDeploy: boolean
}

export interface SkewQuery {
  /** `null`: all of the scope. */
  readonly projects: readonly ProjectId[] | null
  readonly startMs: number
  readonly endMs: number
}

export interface SkewRead {
  /** Series with clicks in the range, with those alone. In no order. */
  staleSums(scope: ReadScope, query: SkewQuery): Promise<readonly StaleSum[]>
  /** Newest first, at most `skewBuildsReadMax`. */
  knownBuilds(scope: ReadScope, projects: readonly ProjectId[] | null): Promise<readonly KnownBuild[]>
}
