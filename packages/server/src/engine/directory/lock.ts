/**
 * Lock that keeps a data directory to one process. An SQLite file held exclusively: the system releases it
 * with the process, however that ends.
 */
import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

export class DirectoryInUse extends Error {
  constructor(directory: string) {
    super(`another Errata process uses ${directory}; stop it, or choose another directory with --data`)
    this.name = 'DirectoryInUse'
  }
}

/**
 * Takes the lock or throws `DirectoryInUse`, after waiting for it `waitMs`, or a sentence where it cannot be taken at
 * all. The answer releases it.
 */
export function lockDirectory(directory: string, path: string, waitMs = 0): () => void {
  keepTemporaryFiles(directory)
  const database = openLock(path, waitMs)
  try {
    database.exec(
      'PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE; CREATE TABLE IF NOT EXISTS held (at TEXT)',
    )
    return () => database.close()
  } catch (cause) {
    database.close()
    throw isBusy(cause) ? Object.assign(new DirectoryInUse(directory), { cause }) : unusable(path, cause)
  }
}

/**
 * Puts SQLite's temporary files on the disk chosen for the data: the system's own directory may be small, or
 * in memory. SQLite asks once, when the process opens its first database.
 */
function keepTemporaryFiles(directory: string): void {
  process.env.SQLITE_TMPDIR ??= resolve(directory)
}

function openLock(path: string, waitMs: number): DatabaseSync {
  try {
    return new DatabaseSync(path, { timeout: waitMs })
  } catch (cause) {
    const directory = dirname(path)
    throw existsSync(directory) ? unusable(path, cause) : new Error(`there is no data directory ${directory}`)
  }
}

/** Low bytes of SQLite's extended codes. */
const SQLITE_BUSY = 5
const SQLITE_READONLY = 8
const SQLITE_CANTOPEN = 14

function isBusy(cause: unknown): boolean {
  return hasResultCode(cause, SQLITE_BUSY)
}

function hasResultCode(cause: unknown, code: number): boolean {
  return cause instanceof Error && 'errcode' in cause && Number(cause.errcode) % 256 === code
}

function unusable(path: string, cause: unknown): Error {
  const reason = cause instanceof Error ? cause.message : String(cause)
  const advice =
    hasResultCode(cause, SQLITE_READONLY) || hasResultCode(cause, SQLITE_CANTOPEN)
      ? '. Errata has to write there: is the directory another user’s, or its disk mounted read-only?'
      : ''
  return new Error(`${path} cannot be locked: ${reason}${advice}`, { cause })
}
