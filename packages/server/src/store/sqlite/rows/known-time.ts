/** The time up to which the clock was believed when it was last looked at. */
import type { KnownTime } from '#store/embedded/care/stores/control.ts'
import type { Connection } from '../connection.ts'

export function readKnownTime(db: Connection): KnownTime | null {
  const [known, doubted] = ['known_ms', 'doubted_ms'].map(
    (name) => db.get<{ value: number }>('SELECT value FROM meta WHERE name = ?', [name])?.value,
  )
  return known === undefined ? null : { knownMs: known, doubtedMs: doubted ?? 0 }
}

export function setKnownTime(db: Connection, { knownMs, doubtedMs }: KnownTime): void {
  const sql = 'INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)'
  db.run(sql, ['known_ms', Math.floor(knownMs)])
  db.run(sql, ['doubted_ms', Math.floor(doubtedMs)])
}
