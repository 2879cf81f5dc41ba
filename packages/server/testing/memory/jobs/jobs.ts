/** Scheduled and leased work. */
import type { Json } from '#base/json.ts'
import { isClaimable, jobClaimed, jobScheduledAgain, jobSettled, newJob } from '#jobs/rules/job-state.ts'
import type { ClaimedJob, JobClaim, JobName, Jobs, ScheduledJob } from '#ports/jobs.ts'
import { ascending, inOrder } from '../order.ts'
import type { Tables } from '../tables.ts'

export function jobs(to: Tables): Jobs {
  return {
    scheduleJob: async (job) => to.transaction(() => scheduleJob(to, job)),
    claimJobs: async (claim) => to.transaction(() => claimDue(to, claim)),
    settleJob: async (job, settlement) =>
      to.transaction(() => {
        const there = to.jobs.get(nameOf(job))
        if (there === undefined || there.lease !== job.lease) return false
        const after = jobSettled(there, settlement)
        if (after === null) to.jobs.delete(nameOf(job))
        else to.jobs.put(nameOf(job), { ...there, ...after })
        return true
      }),
    nextJobMs: async (kinds) => {
      const waiting = to.jobs.where(({ kind }) => kinds.includes(kind)).map(({ nextMs }) => nextMs)
      return waiting.length === 0 ? null : Math.min(...waiting)
    },
    removeJobs: async (names) =>
      to.transaction(() => names.filter((name) => to.jobs.delete(nameOf(name))).length),
  }
}

export function scheduleJob(to: Tables, job: ScheduledJob): void {
  const { kind, key } = job
  const there = to.jobs.get(nameOf(job))
  const ofItsKind = to.jobs.where((other) => other.kind === kind).length
  const after = there === undefined ? newJob(job, ofItsKind) : jobScheduledAgain(there, job)
  if (after !== null) to.jobs.put(nameOf(job), { kind, key, ...after })
}

function claimDue(to: Tables, claim: JobClaim): readonly ClaimedJob[] {
  const due = to.jobs
    .where((job) => claim.kinds.includes(job.kind) && isClaimable(job, claim))
    .sort(
      inOrder(
        ascending(({ dueMs }) => dueMs),
        ascending(({ kind }) => kind),
        ascending(({ key }) => key),
      ),
    )
    .slice(0, claim.limit)
  return due.map((job) => {
    const { dueMs, payload, tries, says } = jobClaimed(job, claim)
    const { kind, key } = job
    to.jobs.put(nameOf(job), { kind, key, ...jobClaimed(job, claim) })
    return { kind, key, lease: claim.lease, dueMs, payload: readPayload(payload), tries, says }
  })
}

function readPayload(text: string): Json {
  return JSON.parse(text)
}

function nameOf({ kind, key }: JobName): string {
  return JSON.stringify([kind, key])
}
