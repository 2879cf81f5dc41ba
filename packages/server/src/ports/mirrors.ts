/**
 * Mirrors: what a browser saw of a failure on a server. Both halves are one issue, the server's, whichever came first and
 * in whichever project of the organisation.
 */
import type { GroupHash, IssueId, ProjectId } from '#base/ids.ts'
import type { ReadScope } from './scope.ts'

/** By what the server's half was found. `deploy`: both are stale clicks of one deploy. */
export type FoldMatch = 'digest' | 'trace' | 'route' | 'deploy'
export type FoldConfidence = 'high' | 'medium' | 'low'

/** How two halves belong together. */
export interface FoldedBy {
  readonly match: FoldMatch
  readonly confidence: FoldConfidence
  /** Between the halves; `null` where time decided nothing. */
  readonly distanceMs: number | null
}

/** A group of mirrors that an issue of a server owns. */
export interface FoldedHalf extends FoldedBy {
  readonly projectId: ProjectId
  readonly projectSlug: string
  readonly hash: GroupHash
  readonly title: string
  readonly eventCount: number
  readonly firstSeenMs: number
  readonly lastSeenMs: number
}

export interface FoldedHalves {
  /** Copies with the most events, at most `mirrorHalvesShown`, in projects that the scope may read. */
  readonly halves: readonly FoldedHalf[]
  readonly total: number
  /** Events of all of them that may be read, and of those that may not. */
  readonly events: number
  readonly eventsElsewhere: number
}

/** Why a mirror has no server's half. */
export type MissingHalf =
  /** A person said that it is another failure. */
  | 'kept_apart'
  /** The server's issue owns as many groups as one may. */
  | 'full'
  /** No server of the organisation has reported a failed request of late. */
  | 'silent'
  /** Its events carry neither digest nor trace. */
  | 'unnamed'
  /** No server has reported a failure with its digest. */
  | 'digest_unseen'
  /** No server has reported a failure with its trace. */
  | 'trace_unseen'
  /** The same, of a framework that reports no promise of a loader that is rejected once the answer began. */
  | 'maybe_deferred'

/** A group of mirrors that is no part of a server's issue. */
export interface LoneMirror {
  /** Until then it waits; `null`: it stands alone. */
  readonly waitsUntilMs: number | null
  readonly missing: MissingHalf
  readonly keptApart: { readonly atMs: number; readonly actor: string } | null
}

/** The job that `standAlone` is for: scheduled when a mirror begins to wait, in its transaction. */
export const MIRRORS_JOB = 'mirrors.stand_alone'

export interface MirrorsRead {
  /**
   * Returns the browser's copies merged into an issue, and the mirror of an issue that is one, by its oldest group;
   * `null` for one that is none, and outside the scope.
   */
  mirrorsOf(
    scope: ReadScope,
    id: IssueId,
  ): Promise<{ readonly folded: FoldedHalves | null; readonly lone: LoneMirror | null }>
}
