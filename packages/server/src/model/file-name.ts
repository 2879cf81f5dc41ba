/**
 * Names of the files that hold one day of receipt and one retention class: `events-2026-11-21.90`, to which each
 * store adds its own ending. The same words everywhere, so that a person finds what belongs together.
 */
import { type Day, day as dayId } from '#base/ids.ts'
import { RETENTION_DAYS, type RetentionDays } from './batch.ts'

/** A column file is named by its day of receipt and retention class; a query names the few it needs. */
export interface FileName {
  readonly day: Day
  readonly retentionDays: RetentionDays
}

const DAY_MS = 86_400_000
const STEM = /^events-(\d{4}-\d{2}-\d{2})\.(\d{2,3})$/

/** `events-2026-11-21.90`. */
export function fileStem({ day, retentionDays }: FileName): string {
  return `events-${new Date(day * DAY_MS).toISOString().slice(0, 10)}.${retentionDays}`
}

/** The file that a stem names, or `null` for any other text. */
export function readFileStem(text: string): FileName | null {
  const match = STEM.exec(text)
  if (match === null) return null
  const timeMs = Date.parse(`${match[1]}T00:00:00Z`)
  const retentionDays = RETENTION_DAYS.find((known) => known === Number(match[2]))
  if (Number.isNaN(timeMs) || retentionDays === undefined) return null
  return { day: dayId(timeMs / DAY_MS), retentionDays }
}

/** Files that a directory listing names with `ending`, newest first. */
export function filesWithEnding(names: readonly string[], ending: string): FileName[] {
  return names
    .filter((name) => name.endsWith(ending))
    .map((name) => readFileStem(name.slice(0, -ending.length)))
    .filter((file) => file !== null)
    .sort(byNewest)
}

export function isSameFile(a: FileName, b: FileName): boolean {
  return a.day === b.day && a.retentionDays === b.retentionDays
}

/** Newest day first; within a day the longest kept first. */
export function byNewest(a: FileName, b: FileName): number {
  return b.day - a.day || b.retentionDays - a.retentionDays
}

/**
 * Those of today and the day before, or of the newest two days before that, newest first: no other is written to, but
 * by compaction. Days that are not yet are of a clock that was wrong, and count beside them.
 */
export function ofNewestDays(files: readonly FileName[], today: Day): readonly FileName[] {
  const sorted = [...files].sort(byNewest)
  const newest = sorted.find(({ day }) => day <= today)?.day ?? 0
  return sorted.filter(({ day }) => day >= newest - 1)
}
