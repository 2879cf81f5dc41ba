/**
 * Names of the files that hold one kind, one day of receipt and one retention class: `error-2026-11-21.90`, to which each
 * store adds its own ending. The same words everywhere, so that a person finds what belongs together.
 */
import { DAY_MS } from '#base/durations.ts'
import { type Day, day as dayId } from '#base/ids.ts'

/**
 * Name of a kind: `error`, later `span`, `log`, `check-in`. Lower-case letters and dashes, since it names
 * files.
 */
export type KindName = string

/** Days that a file is kept at least. Few classes, so that there are few files. */
export type RetentionDays = 30 | 90 | 365
export const RETENTION_DAYS: readonly RetentionDays[] = [30, 90, 365]

/** The smallest class of files that holds `days` (whole, 1 to 365; more counts as 365). */
export function retentionClassOf(days: number): RetentionDays {
  return RETENTION_DAYS.find((known) => days <= known) ?? 365
}

/** Name of a column file and of the payload file beside it; a query names the few it needs. */
export interface FileName {
  readonly kind: KindName
  /** Day of receipt. */
  readonly day: Day
  readonly retentionDays: RetentionDays
}

const STEM = /^([a-z][a-z-]{0,30})-(\d{4}-\d{2}-\d{2})\.(\d{2,3})$/

/** `error-2026-11-21.90`. */
export function fileStem({ kind, day, retentionDays }: FileName): string {
  return `${kind}-${new Date(day * DAY_MS).toISOString().slice(0, 10)}.${retentionDays}`
}

/** The file that a stem names, or `null` for any other text. */
export function readFileStem(text: string): FileName | null {
  const [, kind = '', date = '', days = ''] = STEM.exec(text) ?? []
  return fileNameOf({ kind, day: Date.parse(`${date}T00:00:00Z`) / DAY_MS, retentionDays: Number(days) })
}

/** A file's name as it was stored. */
export interface FileWords {
  readonly kind: string
  readonly day: number
  readonly retentionDays: number
}

/** The file that stored words name; `null` where one of them is none that this version writes. */
export function fileNameOf(words: FileWords): FileName | null {
  const retentionDays = RETENTION_DAYS.find((known) => known === words.retentionDays)
  if (words.kind === '' || !Number.isInteger(words.day) || retentionDays === undefined) return null
  return { kind: words.kind, day: dayId(words.day), retentionDays }
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
  return a.day === b.day && a.retentionDays === b.retentionDays && a.kind === b.kind
}

/** Newest day first; within a day the longest kept first, and kinds in alphabetical order. */
export function byNewest(a: FileName, b: FileName): number {
  const byKind = a.kind < b.kind ? -1 : a.kind > b.kind ? 1 : 0
  return b.day - a.day || b.retentionDays - a.retentionDays || byKind
}

/**
 * Returns the files that may still be written to: those of today and the day before, or of the newest two
 * days before that, newest first; others change by compaction alone. Days in the future come from a wrong
 * clock and count beside them.
 */
export function ofNewestDays(files: readonly FileName[], today: Day): readonly FileName[] {
  const sorted = [...files].sort(byNewest)
  const newest = sorted.find(({ day }) => day <= today)?.day ?? 0
  return sorted.filter(({ day }) => day >= newest - 1)
}
