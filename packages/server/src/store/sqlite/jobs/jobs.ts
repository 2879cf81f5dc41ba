/** Scheduled and leased work. `scheduleJob` is for transactions of others too: what causes a job, schedules it. */
import { assert, ErrataError } from '#base/errors.ts'
import type { Json } from '#base/json.ts'
import { max } from '#limits/limits.ts'
import type { ClaimedJob, JobClaim, JobName, JobSettlement, Jobs, ScheduledJob } from '#ports/jobs.ts'
import type { Connection } from '../connection.ts'

export function jobs(db: Connection): Jobs {
  return {
    scheduleJob: async (job) => db.transaction(() => scheduleJob(db, job)),
    claimJobs: async (claim) => {
      // Nearly every look finds nothing: no transaction for it.
      const nextMs = nextJobMs(db, claim.kinds)
      return nextMs === null || nextMs > claim.nowMs ? [] : db.transaction(() => claimDue(db, claim))
    },
    settleJob: async (job, settlement) => db.transaction(() => settle(db, job, settlement)),
    nextJobMs: async (kinds) => nextJobMs(db, kinds),
    removeJobs: async (names) => db.transaction(() => removeAll(db, names)),
  }
}

/** Within the caller's transaction. */
export function scheduleJob(db: Connection, job: ScheduledJob): void {
  const { kind, key, dueMs } = job
  const payload = payloadText(job)
  const there = db.get<{ lease: string | null; due: number; asked: number | null }>(
    'SELECT lease, due_ms AS due, asked_ms AS asked FROM jobs WHERE kind = ? AND key = ?',
    [kind, key],
  )
  if (there === undefined) {
    refuseTooMany(db, kind)
    const insert = 'INSERT INTO jobs (kind, key, due_ms, next_ms, payload) VALUES (?, ?, ?, ?, ?)'
    db.run(insert, [kind, key, dueMs, dueMs, payload])
    return
  }
  const before = there.lease === null ? there.due : there.asked
  if (before !== null && !isMoved(job, before)) return
  const set = there.lease === null ? 'due_ms = :dueMs, next_ms = :dueMs' : 'asked_ms = :dueMs'
  const update = `UPDATE jobs SET ${set}, payload = :payload WHERE kind = :kind AND key = :key`
  db.run(update, { kind, key, dueMs, payload })
}

function isMoved({ ifThere, dueMs }: ScheduledJob, beforeMs: number): boolean {
  return ifThere === 'move' || (ifThere === 'sooner' && dueMs < beforeMs)
}

function payloadText({ kind, key, payload = null }: ScheduledJob): string {
  const text = JSON.stringify(payload)
  const charsMax = max('jobNameCharsMax')
  assert(kind.length <= charsMax && key.length <= charsMax, `the name of a job "${kind}" is too long`)
  assert(text.length <= max('jobPayloadCharsMax'), `what a job "${kind}" is told is too long`)
  return text
}

function refuseTooMany(db: Connection, kind: string): void {
  const row = db.get<{ count: number }>('SELECT count(*) AS count FROM jobs WHERE kind = ?', [kind])
  if ((row?.count ?? 0) < max('jobsPerKindMax')) return
  throw new ErrataError('overloaded', `too many jobs "${kind}" wait`)
}

function nextJobMs(db: Connection, kinds: readonly string[]): number | null {
  // jobs_next
  const sql = 'SELECT min(next_ms) AS next FROM jobs WHERE kind IN (SELECT value FROM json_each(?))'
  return db.get<{ next: number | null }>(sql, [JSON.stringify(kinds)])?.next ?? null
}

type JobRow = Omit<ClaimedJob, 'payload' | 'lease'> & { readonly payload: string }

function claimDue(db: Connection, { kinds, nowMs, leaseMs, lease, limit }: JobClaim): readonly ClaimedJob[] {
  // jobs_next
  const sql = `SELECT kind, key, due_ms AS dueMs, payload, tries + 1 AS tries, says FROM jobs
    WHERE kind IN (SELECT value FROM json_each(?)) AND next_ms <= ? ORDER BY due_ms, kind, key LIMIT ?`
  const due = db.all<JobRow>(sql, [JSON.stringify(kinds), nowMs, limit])
  for (const { kind, key, tries } of due) {
    // What was asked of the next run and is due by now is asked of this one.
    const update = `UPDATE jobs SET lease = :lease, next_ms = :ends, tries = :tries,
        asked_ms = CASE WHEN asked_ms > :nowMs THEN asked_ms END
      WHERE kind = :kind AND key = :key`
    db.run(update, { lease, ends: nowMs + leaseMs, tries, nowMs, kind, key })
  }
  return due.map((row) => ({ ...row, lease, payload: readPayload(row.payload) }))
}

function readPayload(text: string): Json {
  return JSON.parse(text)
}

function settle(
  db: Connection,
  { kind, key, lease }: JobName & Pick<ClaimedJob, 'lease'>,
  settlement: JobSettlement,
): boolean {
  const own = 'kind = :kind AND key = :key AND lease = :lease'
  const name = { kind, key, lease }
  const row = db.get<{ asked: number | null }>(`SELECT asked_ms AS asked FROM jobs WHERE ${own}`, name)
  if (row === undefined) return false
  const dueMs = earlier(settlement.state === 'done' ? null : settlement.dueMs, row.asked)
  if (dueMs === null) {
    db.run(`DELETE FROM jobs WHERE ${own}`, name)
    return true
  }
  const failed = settlement.state === 'failed'
  const says = failed ? settlement.says.slice(0, max('jobSaysCharsMax')) : null
  const update = `UPDATE jobs SET due_ms = :dueMs, next_ms = :dueMs, asked_ms = NULL, lease = NULL, says = :says
    ${failed ? '' : ', tries = 0'} WHERE ${own}`
  db.run(update, { ...name, dueMs, says })
  return true
}

function earlier(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other
  return Math.min(one, other)
}

function removeAll(db: Connection, names: readonly JobName[]): number {
  return names.reduce((removed, { kind, key }) => {
    return removed + db.run('DELETE FROM jobs WHERE kind = ? AND key = ?', [kind, key]).changes
  }, 0)
}
