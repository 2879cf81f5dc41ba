/**
 * Plans retention: what to remove, what to compact, what may be forgotten, how long the disk lasts. Pure: it
 * decides and changes nothing.
 */
import { DAY_MS } from '#base/durations.ts'
import { type Day, dayOf } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { FileName } from '#model/file-name.ts'
import { byNewest, fileStem } from '#model/file-name.ts'
import { isPast } from '#model/hidden.ts'
import type { FileBytes } from '#ports/care.ts'
import type { Deletion, DeletionMarks, FileState } from '../stores/control.ts'

/** The days whose size says how large the next ones will be. */
const DAYS_MEASURED = 7

/** Columns and payloads of each file, oldest day first; within a day the shortest kept first. */
export function sumByFile(...lists: readonly (readonly FileBytes[])[]): readonly FileBytes[] {
  const sums = new Map<string, FileBytes>()
  for (const { file, bytes } of lists.flat()) {
    const before = sums.get(fileStem(file))?.bytes ?? 0
    sums.set(fileStem(file), { file, bytes: before + bytes })
  }
  return [...sums.values()].sort((a, b) => -byNewest(a.file, b.file))
}

/** Files whose day is older than their class. */
export function expiredFiles(files: readonly FileBytes[], today: Day): readonly FileBytes[] {
  return files.filter(({ file }) => isPast(file.day, file.retentionDays, today))
}

/**
 * The oldest files, as many as bring `usedBytes` down to `maxBytes`; never one of the newest day. A day that is not yet
 * is of a clock that was wrong, and does not stand for today.
 */
export function filesBeyond(
  files: readonly FileBytes[],
  {
    usedBytes,
    maxBytes,
    today,
  }: { readonly usedBytes: number; readonly maxBytes: number; readonly today: Day },
): readonly FileBytes[] {
  const days = files.map(({ file }) => file.day).filter((day) => day <= today)
  const newest = Math.max(0, ...days)
  const gone: FileBytes[] = []
  let left = usedBytes
  for (const each of files) {
    if (left <= maxBytes || each.file.day >= newest) break
    gone.push(each)
    left -= each.bytes
  }
  return gone
}

/** True when nothing came to the file since compaction wrote it. */
export function isUnchanged(
  state: FileState | undefined,
  now: { readonly payloadBytes: number; readonly columnSeq: number },
): state is FileState {
  return state !== undefined && state.payloadBytes === now.payloadBytes && state.columnSeq === now.columnSeq
}

/** True when compaction has applied every deletion up to `marks` to the file. */
export function isFileClean({ marks }: FileState, to: DeletionMarks): boolean {
  return marks.tombstone >= to.tombstone && marks.person >= to.person
}

/**
 * Deletions of which no file holds anything any more: every file is unchanged since it was cleaned of them. Today's
 * file counts as clean of what was deleted on a day before. A deletion of less than a day ago stays: an envelope that
 * was acknowledged before it may still wait in the journal.
 */
export function droppableDeletions(
  pending: readonly Deletion[],
  files: readonly { readonly file: FileName; readonly state: FileState | undefined }[],
  nowMs: number,
): readonly Deletion[] {
  const today = dayOf(nowMs)
  return pending.filter(
    ({ kind, id, createdMs }) =>
      createdMs <= nowMs - DAY_MS &&
      files.every(
        ({ file, state }) =>
          (file.day === today && dayOf(createdMs) < today) ||
          (state !== undefined && state.marks[kind] >= id),
      ),
  )
}

/**
 * Days until `freeBytes` are used up if each day brings what the last full ones brought on average, and files go with
 * their age; `null` when that does not happen within `diskDaysShownMax`.
 */
export function daysLeft(files: readonly FileBytes[], freeBytes: number, today: Day): number | null {
  const daily = dailyBytes(files, today)
  let left = freeBytes
  for (let ahead = 1; ahead <= max('diskDaysShownMax'); ahead++) {
    for (const [retentionDays, bytes] of daily) {
      left -= bytes
      // What would have come since today goes with its age too.
      if (ahead > retentionDays + 1) left += bytes
    }
    for (const { file, bytes } of files) {
      if (file.day + file.retentionDays + 1 === today + ahead) left += bytes
    }
    if (left < 0) return ahead
  }
  return null
}

/** Bytes of a full day, per class. */
function dailyBytes(files: readonly FileBytes[], today: Day): ReadonlyMap<number, number> {
  const full = files.filter(({ file }) => file.day < today && file.day >= today - DAYS_MEASURED)
  const measured = full.length > 0 ? full : files
  const first = measured.reduce((oldest, { file }) => Math.min(oldest, file.day), Number(today))
  const days = Math.max(1, today - first)
  const sums = new Map<number, number>()
  for (const { file, bytes } of measured) {
    sums.set(file.retentionDays, (sums.get(file.retentionDays) ?? 0) + bytes)
  }
  // Divided once: a sum of quotients is not what a full day brought.
  return new Map([...sums].map(([retentionDays, bytes]) => [retentionDays, bytes / days]))
}
