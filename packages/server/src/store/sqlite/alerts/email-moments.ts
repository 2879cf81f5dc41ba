/** Keeps which emails people switched off. */
import type { UserId } from '#base/ids.ts'
import type { Connection } from '../connection.ts'

export function emailMomentsOff(db: Connection, user: UserId): readonly string[] {
  const sql = 'SELECT moment FROM alert_email_off WHERE user_id = ? ORDER BY moment'
  return db.all<{ moment: string }>(sql, [user]).map(({ moment }) => moment)
}
