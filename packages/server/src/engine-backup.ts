/** Backups of a data directory from another process: the control store is copied in one read transaction. */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import {
  type BackupResult,
  type BackupStatus,
  backupStatusPath,
  createBackup,
  verifyBackup,
} from '#backup/backup.ts'
import { systemClock } from '#base/clock.ts'
import { max } from '#base/limits.ts'
import { systemRandom } from '#base/random.ts'
import { DirectoryInUse, lockDirectory } from './engine-lock.ts'
import { controlPath, filesLockPath } from './engine-paths.ts'

export { type BackupStatus, readBackupStatus } from '#backup/backup.ts'

export interface BackupRequest {
  /** The data directory; a server may be using it. */
  readonly data: string
  readonly directory: string
  readonly keep: number
  readonly version: string
}

/** Makes a snapshot and notes beside the data how it went. @throws what kept it from being made */
export async function backupDirectory(request: BackupRequest): Promise<BackupResult> {
  const { data, directory } = request
  const note = async (status: Pick<BackupStatus, 'ok' | 'detail'>) => {
    const text = JSON.stringify({ atMs: systemClock.now(), directory, ...status })
    await writeFile(backupStatusPath(data), text, { mode: 0o600 })
  }
  try {
    const result = await lockedBackup(request)
    const { snapshot, files, bytes, newBytes } = result
    await note({ ok: true, detail: `${snapshot}: ${files} files, ${bytes} bytes, ${newBytes} newly written` })
    return result
  } catch (cause) {
    await note({ ok: false, detail: cause instanceof Error ? cause.message : String(cause) })
    throw cause
  }
}

async function lockedBackup({ data, directory, keep, version }: BackupRequest): Promise<BackupResult> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const unlock = lockDirectory(directory, join(directory, 'lock.sqlite'))
  let unlockFiles: (() => void) | null = null
  const scratch = join(directory, `.control-${systemRandom.hex(8)}.sqlite`)
  try {
    unlockFiles = lockFiles(data)
    return await createBackup({
      ...{ data, directory, keep, version, scratch },
      clock: systemClock,
      copyControl: async (target) => copyControl(controlPath(data), target),
    })
  } finally {
    await rm(scratch, { force: true })
    unlockFiles?.()
    unlock()
  }
}

/**
 * Keeps compaction from joining blocks of payloads that the copy of the control store knows with such that it does not:
 * it holds the same lock for the milliseconds in which it exchanges a file.
 */
function lockFiles(data: string): () => void {
  try {
    return lockDirectory(data, filesLockPath(data), max('sqliteBusyTimeoutMs'))
  } catch (cause) {
    if (!(cause instanceof DirectoryInUse)) throw cause
    throw new Error(`another backup of ${data} is being made`, { cause })
  }
}

/** The copy is checked, not the original: it is what a restore will rest on. */
function copyControl(from: string, to: string): number {
  const source = new DatabaseSync(from, { readOnly: true, timeout: max('sqliteBusyTimeoutMs') })
  try {
    source.prepare('VACUUM INTO ?').run(to)
  } finally {
    source.close()
  }
  const copy = new DatabaseSync(to, { readOnly: true })
  try {
    const [answer] = copy.prepare('PRAGMA integrity_check(1)').all()
    const said = String(Object.values(answer ?? {})[0])
    if (said !== 'ok') throw new Error(`the control store is damaged: ${said}`)
    const row = copy.prepare(`SELECT value FROM meta WHERE name = 'applied_seq'`).get()
    return Number(row?.value ?? 0)
  } finally {
    copy.close()
  }
}

/** Reads every byte of a snapshot, or of the newest. @throws the first thing that is wrong */
export async function verifyDirectory(
  directory: string,
  snapshot: string | null,
): Promise<{ readonly files: number; readonly bytes: number }> {
  const { files } = await verifyBackup(directory, snapshot)
  return { files: files.length, bytes: files.reduce((sum, file) => sum + file.bytes, 0) }
}
