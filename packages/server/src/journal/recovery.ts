/** What earlier runs left in the journal's directory: found, cut, counted, and offered again. */
import { chmod, type FileHandle, mkdir, open, readdir, rename, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Seq } from '#base/ids.ts'
import type { Log } from '#base/log.ts'
import { readFileName } from './format.ts'
import { JournalFile } from './journal-file.ts'
import { scanFile } from './scan.ts'

export interface Recovered {
  /** Oldest first. All but the newest are still unread. */
  readonly files: readonly JournalFile[]
  /** The number the next record follows. */
  readonly lastSeq: number
  readonly lastReceivedMs: number
  readonly damage: DamageCount
}

export interface DamageCount {
  gaps: number
  bytes: number
}

interface Place {
  readonly directory: string
  readonly appliedSeq: Seq
  readonly log: Log
}

/**
 * Removes files that are applied whole, reads the newest one and cuts its torn tail. Older files are listed only:
 * `readOlder` reads them.
 */
export async function recoverFiles(place: Place): Promise<Recovered> {
  await mkdir(place.directory, { recursive: true, mode: 0o700 })
  await chmod(place.directory, 0o700)
  const found = await listFiles(place)
  const damage: DamageCount = { gaps: 0, bytes: 0 }
  const files: JournalFile[] = []
  for (const [index, { path, firstSeq, bytes }] of found.entries()) {
    const next = found[index + 1]
    const records = next === undefined ? 0 : next.firstSeq - firstSeq
    files.push(new JournalFile(path, firstSeq, { createdAtMs: 0, unread: { records, bytes } }))
  }
  const newest = files.pop()
  if (newest === undefined) {
    return { files, lastSeq: place.appliedSeq, lastReceivedMs: 0, damage }
  }
  const lastReceivedMs = await readNewest(newest, place, damage)
  const lastSeq = Math.max(place.appliedSeq, newest.lastSeq)
  if (newest.waiting.records > 0) files.push(newest)
  else await unlink(newest.path).catch(ignoreMissing)
  return { files, lastSeq, lastReceivedMs, damage }
}

/** Reads a file of an earlier run; answers the time of receipt of its last record, 0 where there is none. */
export async function readOlder(file: JournalFile, place: Place, damage: DamageCount): Promise<number> {
  const handle = await open(file.path, 'r')
  let lastMs = 0
  try {
    const { size } = await handle.stat()
    const { end, receivedMs } = await noteRecords(handle, file, { place, damage })
    lastMs = receivedMs
    if (end === null) noteDamage({ file: file.path, start: 0, end: size }, place.log, damage)
    else if (end < size) noteDamage({ file: file.path, start: end, end: size }, place.log, damage)
  } finally {
    await handle.close()
  }
  file.markRead()
  return lastMs
}

/** Notes what is not applied yet; `end` as `scanFile` answers it, and the time of receipt of the last one noted. */
async function noteRecords(
  handle: FileHandle,
  file: JournalFile,
  { place, damage }: { readonly place: Place; readonly damage: DamageCount },
): Promise<{ readonly end: number | null; readonly receivedMs: number }> {
  let receivedMs = 0
  const end = await scanFile(handle, {
    record: (found) => {
      if (found.seq <= Math.max(file.lastSeq, place.appliedSeq)) return
      file.note(found)
      receivedMs = found.receivedMs
    },
    gap: (start, to) => noteDamage({ file: file.path, start, end: to }, place.log, damage),
  })
  return { end, receivedMs }
}

async function readNewest(file: JournalFile, place: Place, damage: DamageCount): Promise<number> {
  const handle = await open(file.path, 'r+')
  let lastMs = 0
  let isJournal = true
  try {
    const { size } = await handle.stat()
    const { end, receivedMs } = await noteRecords(handle, file, { place, damage })
    lastMs = receivedMs
    isJournal = end !== null
    if (end !== null && end < size) {
      // A write that power loss or a kill cut short: nobody was told that it was kept.
      place.log.warn('journal: torn end cut', { file: file.path, bytes: size - end })
      await handle.truncate(end)
      await handle.datasync()
    }
    if (!isJournal && size > 0) noteDamage({ file: file.path, start: 0, end: size }, place.log, damage)
  } finally {
    await handle.close()
  }
  file.markRead()
  // Kept for whoever wants to look at it; never read again.
  if (!isJournal) await rename(file.path, `${file.path}.damaged`)
  return lastMs
}

interface Listed {
  readonly path: string
  readonly firstSeq: number
  readonly bytes: number
}

/** Journal files, oldest first, without those that every store has applied whole. */
async function listFiles(place: Place): Promise<readonly Listed[]> {
  const names = (await readdir(place.directory)).filter((name) => readFileName(name) !== null).sort()
  const listed: Listed[] = []
  for (const [index, name] of names.entries()) {
    const path = join(place.directory, name)
    const next = names[index + 1]
    const nextFirst = next === undefined ? null : readFileName(next)
    if (nextFirst !== null && nextFirst - 1 <= place.appliedSeq) {
      await unlink(path)
      continue
    }
    const handle = await open(path, 'r')
    const { size } = await handle.stat().finally(() => handle.close())
    listed.push({ path, firstSeq: readFileName(name) ?? 0, bytes: size })
  }
  return listed
}

function noteDamage(
  found: { file: string; start: number; end: number },
  log: Log,
  damage: DamageCount,
): void {
  damage.gaps++
  damage.bytes += found.end - found.start
  log.error('journal: bytes that cannot be read', { ...found })
}

function ignoreMissing(cause: NodeJS.ErrnoException): void {
  if (cause.code !== 'ENOENT') throw cause // renamed away because it was no journal file: nothing to remove
}
