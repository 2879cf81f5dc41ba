/** Outcomes as they are counted: rows of `outcomes`, and of `outcome_minutes`. */
import {
  isChosenByClients,
  mayKeepPlace,
  minuteSums,
  type OutcomeSum,
  otherPlace,
  outcomeSums,
} from '#issues/batch-outcomes.ts'
import type { CountedOutcome } from '#model/outcome.ts'
import type { Connection } from '../connection.ts'

export function writeOutcomes(db: Connection, outcomes: readonly CountedOutcome[]): void {
  const rows = new Map<string, number>()
  const sums = outcomeSums(outcomes).map((sum) => (hasPlace(db, sum, rows) ? sum : otherPlace(sum)))
  db.runEach(WRITE, sums.map(paramsOf))
  const sql = `INSERT INTO outcome_minutes (minute_ms, outcome, quantity) VALUES (?, ?, ?)
    ON CONFLICT (minute_ms, outcome) DO UPDATE SET quantity = quantity + excluded.quantity`
  const minutes = minuteSums(outcomes).map(
    ({ minuteMs, outcome, quantity }) => [minuteMs, outcome, quantity] as const,
  )
  db.runEach(sql, minutes)
}

/** Statement that adds as `addToSum` does. */
const WRITE = `INSERT INTO outcomes
    (project_id, bucket_ms, outcome, category, reason, key_id, quantity, first_ms, last_ms, example)
  VALUES (:project, :bucket, :outcome, :category, :reason, :key, :quantity, :first, :last, :example)
  ON CONFLICT (project_id, bucket_ms, outcome, category, reason, key_id) DO UPDATE SET
    quantity = quantity + excluded.quantity, first_ms = min(first_ms, excluded.first_ms),
    example = iif(excluded.last_ms >= last_ms, coalesce(excluded.example, example), example),
    last_ms = max(last_ms, excluded.last_ms)`

function paramsOf(sum: OutcomeSum) {
  return {
    project: sum.projectId,
    bucket: sum.bucketMs,
    outcome: sum.outcome,
    category: sum.category,
    reason: sum.reason,
    key: sum.keyId,
    quantity: sum.quantity,
    first: sum.firstMs,
    last: sum.lastMs,
    example: sum.example,
  }
}

const FIND = `SELECT 1 FROM outcomes WHERE project_id = ? AND bucket_ms = ? AND outcome = ? AND category = ?
  AND reason = ? AND key_id = ?`
/** The primary key: project, bucket, then outcome. */
const COUNT = 'SELECT count(*) AS count FROM outcomes WHERE project_id = ? AND bucket_ms = ? AND outcome = ?'

/** True for a row that is there already, and for a new one while there are not too many. `rows`: of the batch at hand. */
function hasPlace(db: Connection, sum: OutcomeSum, rows: Map<string, number>): boolean {
  if (!isChosenByClients(sum)) return true
  const { projectId, bucketMs, outcome, category, reason, keyId } = sum
  if (db.get(FIND, [projectId, bucketMs, outcome, category, reason, keyId]) !== undefined) return true
  const place = `${projectId}:${bucketMs}`
  const kept = rows.get(place) ?? db.get<{ count: number }>(COUNT, [projectId, bucketMs, outcome])?.count ?? 0
  if (!mayKeepPlace(kept)) return false
  rows.set(place, kept + 1)
  return true
}
