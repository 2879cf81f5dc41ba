/** Scheduled and leased work. `scheduleJob` is for transactions of others too: what causes a job, schedules it. */
import type { Json } from '#base/json.ts'
import { type JobState, jobClaimed, jobScheduledAgain, jobSettled, newJob } from '#jobs/rules/job-state.ts'
import type { ClaimedJob, JobClaim, JobName, JobSettlement, Jobs, ScheduledJob } from '#ports/jobs.ts'
import type { Connection } from '../connection.ts'

export function jobs(db: Connection): Jobs {
  return {
    scheduleJob: async (job) => db.transaction(() => scheduleJob(db, job)),
    claimJobs: async (claim) => {
      // Nearly every look finds nothing: no transaction for it.
      const nextMs = nextJobMs(db, claim.kinds)
      return nextMs === null || nextMs > claim.nowMs ? [] : db.transaction(() => claimDueJobs(db, claim))
    },
    settleJob: async (job, settlement) => db.transaction(() => settleJob(db, job, settlement)),
    nextJobMs: async (kinds) => nextJobMs(db, kinds),
  }
}

const COLUMNS = `due_ms AS dueMs, next_ms AS nextMs, asked_ms AS askedMs, payload, tries, lease, says`

/** Within the caller's transaction. */
export function scheduleJob(db: Connection, job: ScheduledJob): void {
  const there = findJob(db, job)
  if (there === undefined) {
    const count = db.get<{ count: number }>('SELECT count(*) AS count FROM jobs WHERE kind = ?', [job.kind])
    writeJob(db, job, newJob(job, count?.count ?? 0))
    return
  }
  const after = jobScheduledAgain(there, job)
  if (after !== null) writeJob(db, job, after)
}

function findJob(db: Connection, { kind, key }: JobName): JobState | undefined {
  return db.get<JobState>(`SELECT ${COLUMNS} FROM jobs WHERE kind = ? AND key = ?`, [kind, key])
}

function writeJob(db: Connection, { kind, key }: JobName, state: JobState): void {
  const { dueMs, nextMs, askedMs, payload, tries, lease, says } = state
  const sql = `INSERT OR REPLACE INTO jobs (kind, key, due_ms, next_ms, asked_ms, payload, tries, lease, says)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`
  db.run(sql, [kind, key, dueMs, nextMs, askedMs, payload, tries, lease, says])
}

function nextJobMs(db: Connection, kinds: readonly string[]): number | null {
  // jobs_next
  const sql = 'SELECT min(next_ms) AS next FROM jobs WHERE kind IN (SELECT value FROM json_each(?))'
  return db.get<{ next: number | null }>(sql, [JSON.stringify(kinds)])?.next ?? null
}

function claimDueJobs(db: Connection, claim: JobClaim): readonly ClaimedJob[] {
  // jobs_next
  const sql = `SELECT kind, key, ${COLUMNS} FROM jobs
    WHERE kind IN (SELECT value FROM json_each(?)) AND next_ms <= ? ORDER BY due_ms, kind, key LIMIT ?`
  const due = db.all<JobState & JobName>(sql, [JSON.stringify(claim.kinds), claim.nowMs, claim.limit])
  return due.map(({ kind, key, ...state }) => {
    const claimed = jobClaimed(state, claim)
    writeJob(db, { kind, key }, claimed)
    const { dueMs, payload, tries, says } = claimed
    return { kind, key, lease: claim.lease, dueMs, payload: readPayload(payload), tries, says }
  })
}

function readPayload(text: string): Json {
  return JSON.parse(text)
}

function settleJob(
  db: Connection,
  job: JobName & Pick<ClaimedJob, 'lease'>,
  settlement: JobSettlement,
): boolean {
  const there = findJob(db, job)
  if (there === undefined || there.lease !== job.lease) return false
  const after = jobSettled(there, settlement)
  if (after === null) db.run('DELETE FROM jobs WHERE kind = ? AND key = ?', [job.kind, job.key])
  else writeJob(db, job, after)
  return true
}
