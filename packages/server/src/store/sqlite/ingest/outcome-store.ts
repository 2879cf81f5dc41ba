/** Outcomes in buckets of 15 minutes of receipt, and per minute for what /system shows. */

import type { ProjectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { CountedOutcome, OutcomeName } from '#model/outcome.ts'
import type { ControlBatch } from '#ports/ingest.ts'
import type { Connection } from '../connection.ts'

export const BUCKET_MS = 15 * 60_000
const MINUTE_MS = 60_000
const REASON_CHARS = 200

interface OutcomeSum {
  readonly projectId: number
  readonly keyId: number
  readonly bucketMs: number
  readonly outcome: string
  readonly reason: string
  readonly category: string
  quantity: number
  firstMs: number
  lastMs: number
  example: string | null
}

/**
 * Outcomes as they must be counted: those of projects that are gone belong to no project, and what was accepted for
 * them was not stored after all. Each of the batch's events of such projects is counted once, whether
 * or not an `accepted` came with it.
 */
export function settledOutcomes(
  batch: ControlBatch,
  isKnown: (project: ProjectId) => boolean,
): readonly CountedOutcome[] {
  const gone = batch.groups.filter(({ projectId }) => !isKnown(projectId))
  let uncounted = gone.reduce((sum, { eventCount }) => sum + eventCount, 0)
  const settled = batch.outcomes.map((outcome): CountedOutcome => {
    if (outcome.projectId === null || isKnown(outcome.projectId)) return outcome
    if (outcome.outcome !== 'accepted') return { ...outcome, projectId: null, keyId: null }
    uncounted -= outcome.quantity
    return { ...outcome, outcome: 'invalid', reason: 'unknown_key', projectId: null, keyId: null }
  })
  const [group] = gone
  if (group === undefined || uncounted <= 0) return settled
  return [
    ...settled,
    {
      outcome: 'invalid',
      reason: 'unknown_key',
      category: 'error',
      quantity: uncounted,
      projectId: null,
      keyId: null,
      atMs: group.firstReceivedMs,
    },
  ]
}

export function writeOutcomes(db: Connection, outcomes: readonly CountedOutcome[]): void {
  const sums = new Map<string, OutcomeSum>()
  for (const outcome of outcomes) addOutcome(sums, outcome)
  const roomLeft = new Map<string, number>()
  for (const sum of sums.values()) writeSum(db, sum, roomLeft)
  const minutes = new Map<string, { minuteMs: number; outcome: string; quantity: number }>()
  for (const { outcome, quantity, atMs } of outcomes) {
    const minuteMs = Math.floor(atMs / MINUTE_MS) * MINUTE_MS
    const key = `${minuteMs}:${outcome}`
    const before = minutes.get(key)
    if (before === undefined) minutes.set(key, { minuteMs, outcome, quantity })
    else before.quantity += quantity
  }
  const sql = `INSERT INTO outcome_minutes (minute_ms, outcome, quantity) VALUES (?, ?, ?)
    ON CONFLICT (minute_ms, outcome) DO UPDATE SET quantity = quantity + excluded.quantity`
  for (const { minuteMs, outcome, quantity } of minutes.values()) db.run(sql, [minuteMs, outcome, quantity])
}

function addOutcome(sums: Map<string, OutcomeSum>, outcome: CountedOutcome): void {
  const atMs = Math.floor(outcome.atMs)
  const bucketMs = Math.floor(atMs / BUCKET_MS) * BUCKET_MS
  const reason = (outcome.reason ?? '').slice(0, REASON_CHARS)
  const category = outcome.category.slice(0, REASON_CHARS)
  const key = JSON.stringify([outcome.projectId, outcome.keyId, bucketMs, outcome.outcome, reason, category])
  const sum = sums.get(key)
  if (sum === undefined) {
    sums.set(key, {
      projectId: outcome.projectId ?? 0,
      keyId: outcome.keyId ?? 0,
      bucketMs,
      outcome: outcome.outcome,
      reason,
      category,
      quantity: outcome.quantity,
      firstMs: atMs,
      lastMs: atMs,
      example: outcome.example ?? null,
    })
    return
  }
  sum.quantity += outcome.quantity
  if (atMs >= sum.lastMs && outcome.example !== undefined) sum.example = outcome.example
  sum.firstMs = Math.min(sum.firstMs, atMs)
  sum.lastMs = Math.max(sum.lastMs, atMs)
}

const WRITE = `INSERT INTO outcomes
    (project_id, bucket_ms, outcome, category, reason, key_id, quantity, first_ms, last_ms, example)
  VALUES (:project, :bucket, :outcome, :category, :reason, :key, :quantity, :first, :last, :example)
  ON CONFLICT (project_id, bucket_ms, outcome, category, reason, key_id) DO UPDATE SET
    quantity = quantity + excluded.quantity, first_ms = min(first_ms, excluded.first_ms),
    example = iif(excluded.last_ms >= last_ms, coalesce(excluded.example, example), example),
    last_ms = max(last_ms, excluded.last_ms)`

function writeSum(db: Connection, sum: OutcomeSum, roomLeft: Map<string, number>): void {
  const isOther = sum.outcome === CHOSEN_BY_CLIENTS && !hasRoom(db, sum, roomLeft)
  db.run(WRITE, {
    project: sum.projectId,
    bucket: sum.bucketMs,
    outcome: sum.outcome,
    category: isOther ? 'default' : sum.category,
    reason: isOther && sum.reason !== '' ? 'other' : sum.reason,
    key: isOther ? 0 : sum.keyId,
    quantity: sum.quantity,
    first: sum.firstMs,
    last: sum.lastMs,
    example: sum.example,
  })
}

/**
 * Its reasons and categories are whatever a client sends: beyond a bound they count as "other". Those of every other
 * outcome are Errata's own, few, and never make room for them.
 */
const CHOSEN_BY_CLIENTS: OutcomeName = 'client_discard'

const FIND = `SELECT 1 FROM outcomes WHERE project_id = ? AND bucket_ms = ? AND outcome = ? AND category = ?
  AND reason = ? AND key_id = ?`
/** The primary key: project, bucket, then outcome. */
const COUNT = 'SELECT count(*) AS count FROM outcomes WHERE project_id = ? AND bucket_ms = ? AND outcome = ?'

/** True for a row that is there already, and for a new one while there are not too many; that one takes its room. */
function hasRoom(db: Connection, sum: OutcomeSum, roomLeft: Map<string, number>): boolean {
  const { projectId, bucketMs, outcome, category, reason, keyId } = sum
  if (db.get(FIND, [projectId, bucketMs, outcome, category, reason, keyId]) !== undefined) return true
  const place = `${projectId}:${bucketMs}`
  let room = roomLeft.get(place)
  if (room === undefined) {
    const kept = db.get<{ count: number }>(COUNT, [projectId, bucketMs, outcome])?.count ?? 0
    room = max('outcomeRowsPerBucketMax') - kept
  }
  roomLeft.set(place, Math.max(0, room - 1))
  return room > 0
}
