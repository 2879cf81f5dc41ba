/** What decides after a crash: the last envelope whose events are stored. */
import { type Seq, seq } from '#base/ids.ts'
import type { Connection } from '../connection.ts'

export function appliedSeq(db: Connection): Seq {
  const row = db.get<{ value: number }>(`SELECT value FROM meta WHERE name = 'applied_seq'`)
  return seq(row?.value ?? 0)
}
