/** Control databases of tests: migrated once a process and copied, for that takes a twentieth of the migrations' time. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { silentLog } from '#base/log.ts'
import { Connection } from '#store/sqlite/connection.ts'
import {
  type ControlWriter,
  type ControlWriterOptions,
  openControlWriter,
} from '#store/sqlite/control-writer.ts'
import { migrate } from '#store/sqlite/migrations.ts'
import { type AccountChanges, accountChanges } from './account-changes.ts'
import { type AlertChanges, alertChanges } from './alert-changes.ts'
import { type IssueChangesBy, issueChanges } from './issue-changes.ts'
import { type MemberChanges, memberChanges } from './member-changes.ts'
import { type OutboxCalls, outboxCalls } from './outbox-calls.ts'
import { type ProjectChanges, projectChanges } from './project-changes.ts'
import { type ReleaseChanges, releaseChanges } from './release-changes.ts'
import { type TrackerChanges, trackerChanges } from './tracker-changes.ts'

/** Opens the database of a path, a new one where none is. */
export function openNewControl(options: ControlWriterOptions): TestControl {
  if (!existsSync(options.path)) writeFileSync(options.path, migratedBytes(), { mode: 0o600 })
  const writer = openControlWriter(options)
  return withChanges(writer)
}

/** With what people change, as their commands do it. */
export type TestControl = ControlWriter &
  IssueChangesBy &
  TrackerChanges &
  ProjectChanges &
  MemberChanges &
  AccountChanges &
  AlertChanges &
  ReleaseChanges &
  OutboxCalls

function withChanges(writer: ControlWriter): TestControl {
  return {
    ...writer,
    ...issueChanges(writer),
    ...trackerChanges(writer),
    ...projectChanges(writer),
    ...memberChanges(writer),
    ...accountChanges(writer),
    ...alertChanges(writer),
    ...releaseChanges(writer),
    ...outboxCalls(writer),
  }
}

let bytes: Buffer | null = null

function migratedBytes(): Buffer {
  if (bytes !== null) return bytes
  const directory = mkdtempSync(join(tmpdir(), 'errata-migrated-'))
  const path = join(directory, 'control.sqlite')
  const db = Connection.openWriter(path)
  migrate(db, { log: silentLog, planLog: silentLog })
  // Closing the last connection moves its log into the file.
  db.close()
  bytes = readFileSync(path)
  rmSync(directory, { recursive: true })
  return bytes
}
