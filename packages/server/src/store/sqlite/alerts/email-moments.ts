/** Keeps which emails people switched off. */
import type { UserId } from '#base/ids.ts'
import type { Connection } from '../connection.ts'

export function emailMomentsOff(db: Connection, user: UserId): readonly string[] {
  const sql = 'SELECT moment FROM alert_email_off WHERE user_id = ? ORDER BY moment'
  return db.all<{ moment: string }>(sql, [user]).map(({ moment }) => moment)
}

/** Everybody who switched off emails of a moment. */
export function switchedOff(db: Connection, moment: string): ReadonlySet<UserId> {
  // The primary key begins with the person; few switch anything off.
  const sql = 'SELECT user_id AS id FROM alert_email_off WHERE moment = ?'
  return new Set(db.all<{ id: UserId }>(sql, [moment]).map(({ id }) => id))
}
