/** Writes sums of a sample organisation beside the server that runs: SQLite lets both write in turn. */
import type { SlotAddition } from '#alerts/rules/slots.ts'
import type { CountedOutcome } from '#model/outcome.ts'
import { addToSlot } from './alerts/alert-rows.ts'
import { Connection } from './connection.ts'
import { writeOutcomes } from './ingest/outcome-store.ts'
import { Memory } from './memory.ts'
import { rememberRequests } from './requests/known-requests.ts'
import { RequestsOfBatch, type SampleSums } from './requests/requests-of-batch.ts'

interface SampleCounts {
  readonly slots: readonly SlotAddition[]
  readonly outcomes: readonly CountedOutcome[]
}

/** The database is there, of this version. */
export function writeSampleSums(path: string, { slots, outcomes, ...sums }: SampleSums & SampleCounts): void {
  const db = Connection.openWriter(path)
  try {
    const requests = new RequestsOfBatch(db, rememberRequests(new Memory()))
    db.transaction(() => {
      requests.addSums(sums)
      for (const slot of slots) addToSlot(db, slot)
      writeOutcomes(db, outcomes)
    })
  } finally {
    db.close()
  }
}

/** Keeps sessions as if everybody had signed in now. */
export function keepSessions(path: string, nowMs: number): void {
  const db = Connection.openWriter(path)
  try {
    db.run('UPDATE sessions SET created_ms = ?, seen_ms = ?', [nowMs, nowMs])
  } finally {
    db.close()
  }
}
