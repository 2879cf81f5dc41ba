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
import { BulkInsert } from '../bulk-insert.ts'
import type { Connection } from '../connection.ts'

export function writeOutcomes(db: Connection, outcomes: readonly CountedOutcome[]): void {
  const rows = new Map<string, number>()
  const sums = outcomeSums(outcomes).map((sum) => (hasPlace(db, sum, rows) ? sum : otherPlace(sum)))
  addSums(db, sums)
  const sql = `INSERT INTO outcome_minutes (minute_ms, outcome, quantity) VALUES (?, ?, ?)
    ON CONFLICT (minute_ms, outcome) DO UPDATE SET quantity = quantity + excluded.quantity`
  const minutes = minuteSums(outcomes).map(
    ({ minuteMs, outcome, quantity }) => [minuteMs, outcome, quantity] as const,
  )
  db.runEach(sql, minutes)
}

/** Adds as `addToSum` does. */
const WRITE = {
  insert: `INSERT INTO outcomes
    (project_id, bucket_ms, outcome, category, reason, key_id, quantity, first_ms, last_ms, example)`,
  columns: 10,
  after: `ON CONFLICT (project_id, bucket_ms, outcome, category, reason, key_id) DO UPDATE SET
    quantity = quantity + excluded.quantity, first_ms = min(first_ms, excluded.first_ms),
    example = iif(excluded.last_ms >= last_ms, coalesce(excluded.example, example), example),
    last_ms = max(last_ms, excluded.last_ms)`,
}

function addSums(db: Connection, sums: readonly OutcomeSum[]): void {
  const rows = new BulkInsert(db, WRITE)
  for (const { projectId, bucketMs, outcome, category, reason, keyId, ...sum } of sums) {
    const { quantity, firstMs, lastMs, example } = sum
    rows.add(projectId, bucketMs, outcome, category, reason, keyId, quantity, firstMs, lastMs, example)
  }
  rows.flush()
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
