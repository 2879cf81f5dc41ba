/**
 * Work that runs by the clock, kept where a restart neither forgets nor repeats it. A job is named by kind and key:
 * scheduling it again is the same job. At least once: one whose lease ran out is claimed again, so that what a job does
 * must bear to be done twice.
 *
 *     waiting ──claim, once due──▶ under way ──settle──▶ gone | waiting (due again, or to be tried again)
 *        ▲                             │
 *        └───── its lease ran out ─────┘
 */
import type { Json } from '#base/json.ts'

export interface JobName {
  /** Name of the job's runner, such as `issues.unarchive`; at most `jobNameCharsMax` characters. */
  readonly kind: string
  /**
   * Subject of the job, such as an id; `''` if there is only one of its kind. At most `jobNameCharsMax`
   * characters.
   */
  readonly key: string
}

export interface ScheduledJob extends JobName {
  /** Milliseconds since 1970 UTC. */
  readonly dueMs: number
  /** `null` by default; at most `jobPayloadCharsMax` characters as JSON. */
  readonly payload?: Json
  /**
   * Rule for a job that already waits: `keep` leaves it, `move` replaces time and payload, `sooner` replaces
   * them if that makes it due earlier.
   */
  readonly ifThere: 'keep' | 'move' | 'sooner'
}

export interface JobClaim {
  readonly kinds: readonly string[]
  readonly nowMs: number
  readonly leaseMs: number
  /** New for each claim; nobody else can guess it. */
  readonly lease: string
  readonly limit: number
}

export interface ClaimedJob extends JobName {
  readonly lease: string
  readonly dueMs: number
  readonly payload: Json
  /** This one included, since it was last done. */
  readonly tries: number
  /** Answer of the previous try; `null` for the first. */
  readonly says: string | null
}

export type JobSettlement =
  | { readonly state: 'done' }
  | { readonly state: 'again'; readonly dueMs: number }
  | { readonly state: 'failed'; readonly dueMs: number; readonly says: string }

/** Each method is one transaction. */
export interface Jobs {
  /**
   * Schedules a job. A job that is running is scheduled for its next run whatever `ifThere` says, since it
   * may already have read its input. Throws `overloaded` beyond `jobsPerKindMax` of a kind.
   */
  scheduleJob(job: ScheduledJob): Promise<void>
  /** Jobs of these kinds that are due, those due first before others, now under the lease. */
  claimJobs(claim: JobClaim): Promise<readonly ClaimedJob[]>
  /**
   * A job that was scheduled anew while it was under way stays, due at the earlier of both times. False, and nothing
   * changed, when the lease is another's by now, or the job was removed.
   */
  settleJob(job: JobName & Pick<ClaimedJob, 'lease'>, settlement: JobSettlement): Promise<boolean>
  /** When the next job of these kinds can be claimed; `null` when none waits. */
  nextJobMs(kinds: readonly string[]): Promise<number | null>
}
