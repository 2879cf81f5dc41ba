import type { HeldOfProject } from '#alerts/rules/alert-store.ts'
import { heldBackHour } from '#notices/rules/ages.ts'
import type { Connection } from '../connection.ts'

/** Counts what was not told one by one. */
export function countHeld(db: Connection, held: readonly HeldOfProject[], nowMs: number): void {
  const sql = `INSERT INTO notices_held_back (project_id, hour, reason, count) VALUES (?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET count = count + excluded.count`
  const hour = heldBackHour(nowMs)
  db.runEach(
    sql,
    held.map(({ project, reason, count }) => [project, hour, reason, count]),
  )
}
