/** What of release health has reached its age, or is of somebody who is deleted. */
import { HOUR_MS } from '#base/durations.ts'
import type { ProjectId } from '#base/ids.ts'
import { oldestHealth } from '#issues/health-groups.ts'
import { decodeUsers, encodeUsers, withoutUsers } from '#issues/user-set.ts'
import type { Connection } from '../connection.ts'
import { readPeriods } from '../rows/hidden-read.ts'

export function pruneHealth(db: Connection, nowMs: number): void {
  const nowHour = Math.floor(nowMs / HOUR_MS)
  const { session, peopleByHour } = oldestHealth(nowHour, 0)
  // health_sessions_by_hour
  db.run('DELETE FROM health_sessions WHERE hour < ?', [session])
  db.run('DELETE FROM health_people WHERE span = 1 AND hour < ?', [peopleByHour])
  for (const { projectId, kind, days } of readPeriods(db)) {
    if (kind !== null) continue
    const { hour } = oldestHealth(nowHour, days)
    const ofProject = 'series_id IN (SELECT id FROM health_series WHERE project_id = ?)'
    db.run(`DELETE FROM health_hours WHERE ${ofProject} AND hour < ?`, [projectId, hour])
    db.run(`DELETE FROM health_people WHERE ${ofProject} AND hour + span <= ?`, [projectId, hour])
  }
  db.run('DELETE FROM health_series WHERE NOT EXISTS (SELECT 1 FROM health_hours WHERE series_id = id)')
}

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
