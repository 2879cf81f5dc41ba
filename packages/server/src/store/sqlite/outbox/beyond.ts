/** Bounds what waits to go out: of more than may wait, the newest fail at once and say so where they are listed. */
import type { Connection, SqlParams } from '../connection.ts'

interface Bound {
  readonly table: 'deliveries' | 'tracker_work'
  /** Rows that share a bound, beside being due. */
  readonly where: string
  readonly params: Readonly<Record<string, number>>
  readonly most: number
  readonly says: string
}

/** Call it within the transaction that queued them. What is under way, or was tried, stays. */
export function failBeyond(db: Connection, { table, where, params, most, says }: Bound, nowMs: number): void {
  const waiting = `FROM ${table} WHERE due_ms IS NOT NULL AND ${where}`
  const bound: SqlParams = { ...params, most }
  const sql = `SELECT count(*) - :most AS beyond ${waiting}`
  const beyond = db.get<{ beyond: number }>(sql, bound)?.beyond ?? 0
  if (beyond <= 0) return
  db.run(
    `UPDATE ${table} SET state = 'failed', says = :says, due_ms = NULL, lease = NULL, settled_ms = :now
      WHERE id IN (SELECT id ${waiting} AND state = 'waiting' AND tries = 0 ORDER BY id DESC LIMIT :beyond)`,
    { ...params, beyond, says, now: nowMs },
  )
}
