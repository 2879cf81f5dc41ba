/**
 * Recovers what earlier runs left in the journal's directory: finds, cuts, counts it, and offers it again.
 */
import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type Disk, type DiskFile, makeDurableDirectory } from '#base/disk.ts'
import type { Seq } from '#base/ids.ts'
import type { Log } from '#base/log.ts'
import { max } from '#limits/limits.ts'
import { judgeFile, WRITE_BYTES_MAX } from './file-end.ts'
import { decodeFileHeader, JOURNAL_HEADER_BYTES, readFileName } from './format.ts'
import { JournalFile } from './journal-file.ts'
import { scanFile } from './scan.ts'
import { setAside } from './set-aside.ts'

export interface Recovered {
  /** Oldest first. All but the newest are still unread. */
  readonly files: readonly JournalFile[]
  /** The number the next record follows. */
  readonly lastSeq: number
  /** The last number that a kept record has; those behind it were refused, or never given. */
  readonly lastKeptSeq: number
  readonly lastReceivedMs: number
  readonly damage: DamageCount
}

export interface DamageCount {
  gaps: number
  bytes: number
}

/** Both clocks when the journal was opened: by them goes the age of what earlier runs left, wherever one jumps later. */
export interface OpenedAt {
  readonly nowMs: number
  readonly elapsedMs: number
}

interface Place {
  readonly disk: Disk
  readonly directory: string
  readonly appliedSeq: Seq
  readonly log: Log
  readonly openedAt: OpenedAt
}

/**
 * Removes files that are applied whole, reads the newest one and judges its end. Older files are listed only:
 * `readOlder` reads them.
 */
export async function recoverFiles(place: Place): Promise<Recovered> {
  await makeDurableDirectory(place.disk, place.directory)
  await chmod(place.directory, 0o700)
  const found = await listFiles(place)
  const damage: DamageCount = { gaps: 0, bytes: 0 }
  const files: JournalFile[] = []
  for (const [index, { path, firstSeq, bytes }] of found.entries()) {
    const next = found[index + 1]
    const records = next === undefined ? 0 : next.firstSeq - firstSeq
    const lastKeptSeq = next === undefined ? null : lastKeptBefore(next, next === found.at(-1))
    const createdAtMs = place.openedAt.elapsedMs
    files.push(new JournalFile(path, firstSeq, { createdAtMs, unread: { records, bytes }, lastKeptSeq }))
  }
  const newest = files.pop()
  if (newest === undefined) {
    return { files, lastSeq: place.appliedSeq, lastKeptSeq: place.appliedSeq, lastReceivedMs: 0, damage }
  }
  const { lastReceivedMs, isKept } = await readNewest(newest, place, damage)
  const isEmpty = newest.waiting.records === 0
  const kept =
    newest.lastSeq < newest.firstSeq ? newest.firstSeq - 1 - (found.at(-1)?.skipped ?? 0) : newest.lastSeq
  const lastKeptSeq = Math.max(place.appliedSeq, kept)
  // Its name alone says how far the one before it went: it stays until that one is applied, and its name is taken.
  const isWitness = isEmpty && isKept && files.length > 0
  const lastSeq = Math.max(place.appliedSeq, isWitness ? newest.firstSeq : newest.lastSeq)
  if (!isEmpty || isWitness) files.push(newest)
  else if (isKept) await place.disk.unlink(newest.path)
  return { files, lastSeq, lastKeptSeq, lastReceivedMs, damage }
}

/**
 * Reads a file of an earlier run; answers the time of receipt of its last record, 0 where there is none, or `null`
 * when `isOver`. One that cannot be read after some tries is set aside, and what was kept in it is counted as damaged.
 */
export async function readOlder(
  file: JournalFile,
  place: Place,
  { damage, isOver }: { readonly damage: DamageCount; readonly isOver: () => boolean },
): Promise<number | null> {
  for (let tries = 1; !isOver(); tries++) {
    try {
      return await readRecordsOnce(file, place, damage)
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause)
      place.log.error('journal: a file cannot be read', { file: file.path, tries, reason })
      if (tries >= max('journalReadTriesMax')) return giveUpRest(file, place, damage)
      await setTimeout(max('journalReadRetryMs'), undefined, { ref: false })
    }
  }
  return null
}

async function readRecordsOnce(file: JournalFile, place: Place, damage: DamageCount): Promise<number> {
  const handle = await place.disk.open(file.path, 'read')
  try {
    const size = await handle.size()
    const found: DamageCount = { gaps: 0, bytes: 0 }
    const { end, receivedMs, records } = await noteRecords(handle, file, { place, damage: found })
    const goodEnd = end ?? 0
    const isCut = noteLost(file, place, { start: goodEnd, bytes: size - goodEnd })
    if (isCut && isWorthALook({ records, bytes: size - goodEnd })) file.setAsideLater()
    if (isCut && end === null) file.giveUp()
    if (isCut || goodEnd < size) noteDamage({ file: file.path, start: goodEnd, end: size }, place.log, found)
    damage.gaps += found.gaps
    damage.bytes += found.bytes
    file.markRead()
    return receivedMs
  } finally {
    await handle.close()
  }
}

/**
 * Sets a damaged file aside for a person to look at. Its records are offered all the same; whoever then finds
 * no file counts them.
 */
async function giveUpRest(file: JournalFile, place: Place, damage: DamageCount): Promise<number> {
  damage.gaps++
  damage.bytes += file.waiting.bytes
  noteLost(file, place, { start: 0, bytes: 0 })
  file.markRead()
  file.giveUp()
  await setAside(place.disk, file.path).catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause)
    place.log.error('journal: a file cannot be set aside', { file: file.path, reason })
  })
  return 0
}

/** Notes records that the next file says were kept here and that nobody found; true where there are any. */
function noteLost(
  file: JournalFile,
  { appliedSeq, openedAt }: Place,
  at: { readonly start: number; readonly bytes: number },
): boolean {
  const before = Math.max(file.lastSeq, appliedSeq)
  const count = (file.lastKeptSeq ?? 0) - before
  if (count > 0) file.noteMissing({ ...at, firstSeq: before + 1, count }, waitingSince(openedAt, 0))
  return count > 0
}

/**
 * When a record of an earlier run began to wait, on the clock that never goes back. One whose time of receipt is 0, for
 * nobody knows it, or ahead of the clock has waited since the journal was opened.
 */
function waitingSince({ nowMs, elapsedMs }: OpenedAt, receivedMs: number): number {
  return receivedMs === 0 ? elapsedMs : elapsedMs - Math.max(0, nowMs - receivedMs)
}

interface Noted {
  /** End returned by `scanFile`. */
  readonly end: number | null
  /** Whole records, those that are applied already among them, and the number of the last. */
  readonly records: number
  readonly lastSeq: number
  /** Time of receipt of the last one that was noted; 0 where none was. */
  readonly receivedMs: number
}

/** Notes what is not applied yet. */
async function noteRecords(
  handle: DiskFile,
  file: JournalFile,
  { place, damage }: { readonly place: Place; readonly damage: DamageCount },
): Promise<Noted> {
  let receivedMs = 0
  let records = 0
  let seen = file.firstSeq - 1
  const end = await scanFile(handle, {
    record: (found) => {
      seen = found.seq
      records++
      if (found.seq <= Math.max(file.lastSeq, place.appliedSeq)) return
      file.note(found, waitingSince(place.openedAt, found.receivedMs))
      receivedMs = found.receivedMs
    },
    gap: (start, to, next) => {
      noteDamage({ file: file.path, start, end: to }, place.log, damage)
      const before = Math.max(seen, file.lastSeq, place.appliedSeq)
      const count = next.seq - before - 1
      if (count <= 0) return
      const sinceMs = waitingSince(place.openedAt, next.receivedMs)
      file.noteMissing({ start, bytes: to - start, firstSeq: before + 1, count }, sinceMs)
    },
  })
  return { end, records, lastSeq: seen, receivedMs }
}

/** `isKept`: false when it was set aside, for nothing can be said of what it held. */
async function readNewest(
  file: JournalFile,
  place: Place,
  damage: DamageCount,
): Promise<{ readonly lastReceivedMs: number; readonly isKept: boolean }> {
  const handle = await place.disk.open(file.path, 'write')
  let noted: Noted
  try {
    noted = await noteRecords(handle, file, { place, damage })
    await noteEnd(handle, file, { place, damage, noted })
  } finally {
    await handle.close()
  }
  file.markRead()
  const isKept = noted.end !== null || file.waiting.records > 0
  if (!isKept) {
    // Empty or without a header: of a process that died as it began the file, or of somebody's hand.
    place.log.warn('journal: a file of which nothing can be read is set aside', { file: file.path })
    await setAside(place.disk, file.path)
  }
  return { lastReceivedMs: noted.receivedMs, isKept }
}

/** Cuts a torn end away; of a damaged one, notes what was certainly there, and leaves it as it is. */
async function noteEnd(
  handle: DiskFile,
  file: JournalFile,
  { place, damage, noted }: { readonly place: Place; readonly damage: DamageCount; readonly noted: Noted },
): Promise<void> {
  const size = await handle.size()
  const { end, records, lastSeq, receivedMs } = noted
  if (end === size || (end === null && size === 0)) return
  const { isDamaged, records: lost } = await judgeFile(handle, { end, size, lastSeq })
  if (end !== null && !isDamaged) {
    place.log.warn('journal: torn end cut', { file: file.path, bytes: size - end })
    await handle.truncate(end)
    await handle.sync()
    return
  }
  const start = end ?? 0
  noteDamage({ file: file.path, start, end: size }, place.log, damage)
  const before = Math.max(lastSeq, place.appliedSeq)
  const count = lastSeq + (end === null ? lost : Math.max(1, lost)) - before
  if (count > 0) {
    const sinceMs = waitingSince(place.openedAt, receivedMs)
    file.noteMissing({ start, bytes: size - start, firstSeq: before + 1, count }, sinceMs)
  }
  if (isWorthALook({ records, bytes: size - start })) file.setAsideLater()
  if (end === null) file.giveUp()
}

/** A file without a record to read, or with more that cannot be read than one write leaves. */
function isWorthALook({ records, bytes }: { readonly records: number; readonly bytes: number }): boolean {
  return records === 0 || bytes > WRITE_BYTES_MAX
}

/**
 * The last record kept before a file, as its header says. The header of the newest may have been lost with the power
 * before anything was acknowledged behind it: then nobody knows, and what is not there was refused.
 */
function lastKeptBefore({ firstSeq, skipped }: Listed, isNewest: boolean): number | null {
  if (skipped === null) return isNewest ? null : firstSeq - 1
  return firstSeq - 1 - skipped
}

interface Listed {
  readonly path: string
  readonly firstSeq: number
  /** Skipped records stated by the header; `null` if it cannot be read. */
  readonly skipped: number | null
  readonly bytes: number
}

/** Journal files, oldest first, without those that every store has applied whole. */
async function listFiles(place: Place): Promise<readonly Listed[]> {
  const names = (await place.disk.list(place.directory)).filter((name) => readFileName(name) !== null).sort()
  const listed: Listed[] = []
  for (const [index, name] of names.entries()) {
    const path = join(place.directory, name)
    const next = names[index + 1]
    const nextFirst = next === undefined ? null : readFileName(next)
    if (nextFirst !== null && nextFirst - 1 <= place.appliedSeq) {
      await place.disk.unlink(path)
      continue
    }
    const handle = await place.disk.open(path, 'read')
    try {
      const skipped = decodeFileHeader(await handle.read(0, JOURNAL_HEADER_BYTES))?.skipped ?? null
      listed.push({ path, firstSeq: readFileName(name) ?? 0, skipped, bytes: await handle.size() })
    } finally {
      await handle.close()
    }
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
