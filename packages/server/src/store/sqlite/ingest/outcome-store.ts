/** Outcomes as they are counted: rows of `outcomes`, and of `outcome_minutes`. */
import {
  bucketName,
  isChosenByClients,
  type MinuteSum,
  minuteSums,
  type OutcomeQuantity,
  outcomePlaces,
  outcomeSums,
  type PlacesThere,
} from '#issues/batch-outcomes.ts'
import type { CountedOutcome } from '#model/outcome.ts'
import { BulkInsert } from '../bulk-insert.ts'
import type { Connection } from '../connection.ts'

export function writeOutcomes(db: Connection, outcomes: readonly CountedOutcome[]): void {
  const sums = outcomeSums(outcomes)
  writeOutcomeSums(db, outcomePlaces(sums, countOutcomePlaces(db, sums)))
  writeMinutes(db, minuteSums(outcomes))
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

export function writeOutcomeSums(db: Connection, sums: readonly OutcomeQuantity[]): void {
  const rows = new BulkInsert(db, WRITE)
  for (const { projectId, bucketMs, outcome, category, reason, keyId, ...sum } of sums) {
    const { quantity, firstMs, lastMs, example } = sum
    rows.add(projectId, bucketMs, outcome, category, reason, keyId, quantity, firstMs, lastMs, example)
  }
  rows.flush()
}

export function writeMinutes(db: Connection, minutes: readonly MinuteSum[]): void {
  const sql = `INSERT INTO outcome_minutes (minute_ms, outcome, quantity) VALUES (?, ?, ?)
    ON CONFLICT (minute_ms, outcome) DO UPDATE SET quantity = quantity + excluded.quantity`
  db.runEach(
    sql,
    minutes.map(({ minuteMs, outcome, quantity }) => [minuteMs, outcome, quantity]),
  )
}

const FIND = `SELECT 1 FROM outcomes WHERE project_id = ? AND bucket_ms = ? AND outcome = ? AND category = ?
  AND reason = ? AND key_id = ?`
/** The primary key: project, bucket, then outcome. */
const COUNT = 'SELECT count(*) AS count FROM outcomes WHERE project_id = ? AND bucket_ms = ? AND outcome = ?'

/** Looks for the rows of those sums whose names clients choose. */
export function countOutcomePlaces(db: Connection, sums: readonly OutcomeQuantity[]): PlacesThere {
  const chosen = sums.filter(isChosenByClients)
  const found = db.getEach(
    FIND,
    chosen.map((sum) => [...[sum.projectId, sum.bucketMs, sum.outcome, sum.category, sum.reason, sum.keyId]]),
  )
  const fresh = chosen.filter((_, at) => found[at] === undefined)
  const buckets = [...new Map(fresh.map((sum) => [bucketName(sum), sum])).values()]
  const counts = db.getEach<{ readonly count: number }>(
    COUNT,
    buckets.map(({ projectId, bucketMs, outcome }) => [projectId, bucketMs, outcome]),
  )
  return {
    hasRow: new Set(chosen.filter((_, at) => found[at] !== undefined)),
    rows: new Map(buckets.map((sum, at) => [bucketName(sum), counts[at]?.count ?? 0])),
  }
}
