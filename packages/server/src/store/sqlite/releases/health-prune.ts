import type { ProjectId } from '#base/ids.ts'
import { decodeUsers, encodeUsers, withoutUsers } from '#issues/user-set.ts'
import type { Connection } from '../connection.ts'

/** Exact sets lose them; a sketch holds no one apart. */
export function takeFromHealth(db: Connection, project: ProjectId, gone: ReadonlySet<bigint>): void {
  const sql = `SELECT p.rowid AS place, p.state FROM health_series s JOIN health_people p ON p.series_id = s.id
    WHERE s.project_id = ? AND p.is_exact = 1`
  for (const { place, state } of db.all<{ place: number; state: Uint8Array }>(sql, [project])) {
    const before = decodeUsers(true, state)
    const after = withoutUsers(before, gone)
    if (after !== before)
      db.run('UPDATE health_people SET state = ? WHERE rowid = ?', [encodeUsers(after), place])
  }
  for (const one of gone) {
    const hash = encodeUsers({ isExact: true, hashes: BigUint64Array.of(one) })
    const forget = `UPDATE health_sessions SET people = x'' WHERE project_id = ? AND instr(people, ?) > 0`
    db.run(forget, [project, hash])
  }
}
