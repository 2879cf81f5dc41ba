/** The control store's one writer, on the commit thread. Opening it migrates the database. */
import type { Clock } from '#base/clock.ts'
import type { Log } from '#base/log.ts'
import type { AccountsRead } from '#ports/accounts.ts'
import type { AlertBeat } from '#ports/alerts.ts'
import type { Control } from '#ports/control.ts'
import type { ControlCommit } from '#ports/ingest.ts'
import type { Jobs } from '#ports/jobs.ts'
import type { Letters } from '#ports/letters.ts'
import type { NoticeQueue } from '#ports/notices.ts'
import type { Outbox } from '#ports/outbox.ts'
import type { TrackerQueue } from '#ports/trackers.ts'
import type { AttachmentsUpkeep, ControlRetention } from '#store/embedded/care/stores/control.ts'
import { letters } from './accounts/letters.ts'
import { needsSetup } from './accounts/setup-state.ts'
import { alertBeat } from './alerts/alert-beat.ts'
import { attachmentsUpkeep } from './attachments/attachments.ts'
import { controlCommit } from './commit/apply-batch.ts'
import { Connection, type OnDamage } from './connection.ts'
import { jobs } from './jobs/jobs.ts'
import { migrate, refuseUntouched } from './migrations.ts'
import { noticeQueue } from './notices/notice-deliveries.ts'
import { outbox } from './outbox.ts'
import { trackerQueue } from './trackers/tracker-work.ts'
import { controlOf } from './transactions.ts'
import { Turns } from './turns.ts'
import { retentionWrite } from './upkeep/retention-write.ts'

export type ControlWriter = Control &
  NoticeQueue &
  TrackerQueue &
  Outbox &
  Letters &
  AlertBeat &
  Jobs &
  ControlCommit &
  ControlRetention &
  AttachmentsUpkeep &
  Pick<AccountsRead, 'needsSetup'> & { close(): Promise<void> }

export interface ControlWriterOptions {
  /** The database file; created when absent, its directory must exist. */
  readonly path: string
  readonly clock: Clock
  readonly log: Log
  /** Says what will be migrated, which cannot be taken back; `log` by default. */
  readonly planLog?: Log
  readonly onDamage?: OnDamage
}

/** Throws when the file is no database, cannot be written, or was written by a newer Errata. */
export function openControlWriter({
  path,
  clock,
  log,
  planLog = log,
  onDamage,
}: ControlWriterOptions): ControlWriter {
  refuseUntouched(path)
  const db = Connection.openWriter(path, onDamage)
  try {
    migrate(db, { log, planLog })
  } catch (cause) {
    db.close()
    throw cause
  }
  const turns = new Turns()
  const oneByOne = {
    ...noticeQueue(db),
    ...trackerQueue(db),
    ...outbox(db),
    ...letters(db),
    ...jobs(db),
    ...controlCommit(db, clock),
    ...attachmentsUpkeep(db),
    ...retentionWrite(db),
    needsSetup: async () => needsSetup(db),
    close: async () => db.close(),
  }
  return { ...callInTurns(turns, oneByOne), ...alertBeat(db, turns), ...controlOf(db, turns) }
}

/** The same methods, each of which answers a promise anyway: a call is one turn. */
function callInTurns<T extends object>(turns: Turns, writer: T): T {
  const calls = Object.entries(writer).map(([name, call]) => [
    name,
    (...given: unknown[]) => turns.take(() => call(...given)),
  ])
  return Object.fromEntries(calls)
}
