/** How a job changes with what is asked and done of it. Pure: stores fetch a state and write the one that follows. */
import { assert, ErrataError } from '#base/errors.ts'
import { max } from '#limits/limits.ts'
import type { JobClaim, JobSettlement, ScheduledJob } from '#ports/jobs.ts'

export interface JobState {
  /** When it was to run. */
  readonly dueMs: number
  /** When it can be claimed: the same while it waits, the end of its lease while it is under way. */
  readonly nextMs: number
  /** Scheduled anew while it was under way: when its next run is due. */
  readonly askedMs: number | null
  /** JSON. */
  readonly payload: string
  /** Since it was last done. */
  readonly tries: number
  readonly lease: string | null
  /** Why the try before failed. */
  readonly says: string | null
}

/** @throws for a job that no store keeps */
export function newJob(job: ScheduledJob, ofItsKind: number): JobState {
  if (ofItsKind >= max('jobsPerKindMax')) {
    throw new ErrataError('overloaded', `too many jobs "${job.kind}" wait`)
  }
  const { dueMs } = job
  const idle = { askedMs: null, tries: 0, lease: null, says: null }
  return { dueMs, nextMs: dueMs, payload: scheduledPayload(job), ...idle }
}

/**
 * Returns a job's state after it was asked for once more. `null`: it stays as it is. What is asked of one under way is
 * asked of its next run.
 */
export function jobScheduledAgain(job: JobState, asked: ScheduledJob): JobState | null {
  const payload = scheduledPayload(asked)
  const before = job.lease === null ? job.dueMs : job.askedMs
  if (before !== null && !isMoved(asked, before)) return null
  const { dueMs } = asked
  return job.lease === null ? { ...job, payload, dueMs, nextMs: dueMs } : { ...job, payload, askedMs: dueMs }
}

/** Returns the state of a job that a run has claimed. Requests for the next run that are due by now go to this one. */
export function jobClaimed(job: JobState, { lease, nowMs, leaseMs }: JobClaim): JobState {
  const askedMs = job.askedMs !== null && job.askedMs > nowMs ? job.askedMs : null
  return { ...job, lease, nextMs: nowMs + leaseMs, tries: job.tries + 1, askedMs }
}

/** Returns a job's state after a run of it ended. `null`: it is gone. */
export function jobSettled(job: JobState, settlement: JobSettlement): JobState | null {
  const dueMs = earlierOf(settlement.state === 'done' ? null : settlement.dueMs, job.askedMs)
  if (dueMs === null) return null
  const failed = settlement.state === 'failed'
  const says = failed ? settlement.says.slice(0, max('jobSaysCharsMax')) : null
  const tries = failed ? job.tries : 0
  return { payload: job.payload, dueMs, nextMs: dueMs, askedMs: null, lease: null, says, tries }
}

function isMoved({ ifThere, dueMs }: ScheduledJob, beforeMs: number): boolean {
  return ifThere === 'move' || (ifThere === 'sooner' && dueMs < beforeMs)
}

function scheduledPayload({ kind, key, payload = null }: ScheduledJob): string {
  const text = JSON.stringify(payload)
  const charsMax = max('jobNameCharsMax')
  assert(kind.length <= charsMax && key.length <= charsMax, `the name of a job "${kind}" is too long`)
  assert(text.length <= max('jobPayloadCharsMax'), `what a job "${kind}" is told is too long`)
  return text
}

function earlierOf(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other
  return Math.min(one, other)
}
