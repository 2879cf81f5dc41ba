/** Backups of a data directory from another process: the control store is copied in one read transaction. */
import { closeSync, existsSync, openSync } from 'node:fs'
import { chown, mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { byteSizeText } from '#base/byte-size.ts'
import { systemClock } from '#base/clock.ts'
import { max } from '#limits/limits.ts'
import {
  type BackupResult,
  type BackupStatus,
  backupStatusPath,
  createBackup,
  verifyBackup,
  writeBackupStatus,
} from '#store/embedded/care/backup/backup.ts'
import { nullIfAbsent, WRITING } from '#store/embedded/care/backup/chunk-store.ts'
import {
  type Owner,
  ROOT,
  requireDataDirectory,
  requirePlaceApart,
} from '#store/embedded/care/backup/place.ts'
import { DirectoryInUse, lockDirectory } from '../directory/lock.ts'
import { artifactIndexPath, controlPath, filesLockPath } from '../directory/paths.ts'

export { type BackupStatus, readBackupStatus, writeBackupStatus } from '#store/embedded/care/backup/backup.ts'
export { requirePlaceApart } from '#store/embedded/care/backup/place.ts'

export interface BackupRequest {
  /** The data directory; a server may be using it. */
  readonly data: string
  readonly directory: string
  readonly keep: number
  readonly version: string
}

/**
 * Makes a snapshot and notes beside the data how it went.
 * @throws what kept it from being made; nothing is noted where `data` is no data directory of this user
 */
export async function backupDirectory(request: BackupRequest): Promise<BackupResult> {
  const { data, directory } = request
  const owner = requireDataDirectory(data, controlPath(data))
  const note = async (status: Pick<BackupStatus, 'ok' | 'detail'>) => {
    await writeBackupStatus(data, { atMs: systemClock.now(), directory, ...status })
    await giveTo(owner, backupStatusPath(data))
  }
  try {
    requirePlaceApart(data, directory)
    const result = await lockedBackup(request, owner)
    const { snapshot, files, bytes, newBytes } = result
    const sizes = `${byteSizeText(bytes)}, ${byteSizeText(newBytes)} of it new`
    await note({ ok: true, detail: `${snapshot}: ${files} files, ${sizes}` })
    return result
  } catch (cause) {
    await note({ ok: false, detail: cause instanceof Error ? cause.message : String(cause) })
    throw cause
  }
}

async function lockedBackup(
  { data, directory, keep, version }: BackupRequest,
  owner: Owner,
): Promise<BackupResult> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const unlock = lockDirectory(directory, join(directory, 'lock.sqlite'))
  let unlockFiles: (() => void) | null = null
  const scratch = join(directory, SCRATCH)
  try {
    await removeLeftovers(directory)
    unlockFiles = lockFiles(data)
    await giveTo(owner, filesLockPath(data))
    await mkdir(scratch, { mode: 0o700 })
    return await createBackup({
      ...{ data, directory, keep, version, scratch },
      clock: systemClock,
      copyControl: async (target) => copyControl(controlPath(data), target),
      async copyArtifacts(target) {
        const from = artifactIndexPath(data)
        if (!existsSync(from)) return false
        copyDatabase(from, target, 'the database of artifacts')
        return true
      },
    })
  } finally {
    await rm(scratch, { recursive: true, force: true })
    unlockFiles?.()
    unlock()
  }
}

/**
 * Gives files that root wrote into the data directory to the server's user, who must write them next time.
 */
async function giveTo({ uid, gid }: Owner, path: string): Promise<void> {
  if (process.geteuid?.() === ROOT) await chown(path, uid, gid)
}

/** Holds the copies of databases, the control store with its hashes of passwords among them, while a backup is made. */
const SCRATCH = '.scratch'

/** Removes what killed backups left; under the directory's lock nobody else is writing. */
async function removeLeftovers(directory: string): Promise<void> {
  const remove = async (below: string, isLeft: (name: string) => boolean) => {
    for (const name of (await readdir(below).catch(nullIfAbsent)) ?? []) {
      if (isLeft(name)) await rm(join(below, name), { recursive: true })
    }
  }
  await remove(directory, (name) => name === SCRATCH || name.startsWith('.control-'))
  await remove(join(directory, 'snapshots'), (name) => name.startsWith(WRITING))
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
  copyDatabase(from, to, 'the control store')
  const copy = new DatabaseSync(to, { readOnly: true })
  try {
    const row = copy.prepare(`SELECT value FROM meta WHERE name = 'applied_seq'`).get()
    return Number(row?.value ?? 0)
  } finally {
    copy.close()
  }
}

function copyDatabase(from: string, to: string, name: string): void {
  // An empty file is taken, with its mode; one that SQLite makes can be read by everybody.
  closeSync(openSync(to, 'wx', 0o600))
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
    if (said !== 'ok') throw new Error(`${name} is damaged: ${said}`)
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
