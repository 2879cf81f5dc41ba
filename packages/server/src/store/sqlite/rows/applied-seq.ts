/** Keeps the last envelope whose events are stored, which decides after a crash. */
import { type Seq, seq } from '#base/ids.ts'
import type { ControlBatch } from '#ports/ingest.ts'
import type { Connection } from '../connection.ts'

export function appliedSeq(db: Connection): Seq {
  return seq(metaValue(db, 'applied_seq'))
}

/** How many of them are of the journal's overflow: with it follows how far each of its logs is applied. */
export function appliedOverflow(db: Connection): number {
  return metaValue(db, 'applied_overflow')
}

export function writeApplied(db: Connection, batch: Pick<ControlBatch, 'lastSeq' | 'overflowUpTo'>): void {
  db.run(`UPDATE meta SET value = ? WHERE name = 'applied_seq'`, [batch.lastSeq])
  if (batch.overflowUpTo === undefined) return
  db.run(`UPDATE meta SET value = ? WHERE name = 'applied_overflow'`, [batch.overflowUpTo])
}

function metaValue(db: Connection, name: string): number {
  return db.get<{ value: number }>('SELECT value FROM meta WHERE name = ?', [name])?.value ?? 0
}
