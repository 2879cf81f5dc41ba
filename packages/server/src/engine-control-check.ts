/**
 * Looks at the control store before anything opens it. Every other store follows what it says is applied: beside an
 * empty one, payloads, columns and journal would be taken for what a crash left, and removed.
 */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { FILE_HEADER_BYTES, readFileName } from '#journal/format.ts'
import { filesWithEnding } from '#ports/file-name.ts'
import { columnsPath, controlPath, journalPath, payloadsPath } from './engine-paths.ts'

/** @throws a sentence when there are events and no control store to go with them */
export function refuseLostControl(data: string): void {
  const hasEvents =
    filesWithEnding(names(payloadsPath(data)), '.seg').length > 0 ||
    filesWithEnding(names(columnsPath(data)), '.duckdb').length > 0 ||
    hasRecords(journalPath(data))
  if (!hasEvents || hasTables(controlPath(data))) return
  throw new Error(
    `${controlPath(data)} is missing or empty, but ${data} holds events, which a start would remove: put it back ` +
      'together with its -wal, run "errata restore" into a new directory, or begin afresh in an empty one',
  )
}

function names(path: string): readonly string[] {
  return existsSync(path) ? readdirSync(path) : []
}

/** Acknowledged events may be nowhere but there; whose they are, the control store alone knows. */
function hasRecords(journal: string): boolean {
  return names(journal).some(
    (name) => readFileName(name) !== null && statSync(join(journal, name)).size > FILE_HEADER_BYTES,
  )
}

/** True also where it cannot be read: whoever opens it says why. */
function hasTables(path: string): boolean {
  if (!existsSync(path)) return false
  try {
    const database = new DatabaseSync(path, { readOnly: true })
    try {
      return database.prepare('SELECT 1 FROM sqlite_master LIMIT 1').get() !== undefined
    } finally {
      database.close()
    }
  } catch {
    return true
  }
}
