/** A stretch of time that was chosen on a chart: `from` and `to` of an address. Pure. */
import { dateText, hourText, type Zone } from '#ui/time-text.ts'
import { type RangeKey, rangeOf } from './ranges.ts'

export interface ChosenRange {
  readonly startMs: number
  readonly endMs: number
}

const MINUTE_MS = 60_000
const DAYS_MAX = 92 * 86_400_000

/** `null` where the address names none, or nothing that has a length. */
function readChosenRange(search: URLSearchParams): ChosenRange | null {
  const [startMs, endMs] = [timeOf(search.get('from')), timeOf(search.get('to'))]
  if (startMs === null || endMs === null || endMs <= startMs || endMs - startMs > DAYS_MAX) return null
  return { startMs, endMs }
}

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?Z$/

function timeOf(text: string | null): number | null {
  if (text === null || !TIME.test(text)) return null
  const ms = Date.parse(text)
  return Number.isFinite(ms) ? ms : null
}

/** Returns the range as an address has it, to the second: what was dragged over lies within. */
export function chosenQuery(chosen: ChosenRange | null): {
  readonly from: string | null
  readonly to: string | null
} {
  if (chosen === null) return { from: null, to: null }
  return {
    from: timeText(Math.floor(chosen.startMs / 1_000) * 1_000),
    to: timeText(Math.ceil(chosen.endMs / 1_000) * 1_000),
  }
}

/** Returns the part of a slot that a page reads: the first of an axis may begin before its range, the last end after it. */
export function withinRange({ startMs, endMs }: ChosenRange, range: ChosenRange): ChosenRange {
  return { startMs: Math.max(startMs, range.startMs), endMs: Math.min(endMs, range.endMs) }
}

/** `2026-11-28T22:00:00Z`. */
export function timeText(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z')
}

/** Returns the range that a page with such an address reads. */
export function chosenOrBack(
  { chosen, range }: { readonly chosen: ChosenRange | null; readonly range: RangeKey },
  nowMs: number,
): ChosenRange {
  return chosen ?? { startMs: nowMs - rangeOf(range).ms, endMs: nowMs }
}

/** Entry of a page's table for the part of a chart that was chosen, in place of its `range`. */
export const CHOSEN = {
  type: 'own',
  first: null,
  resetBy: ['range'],
  read: readChosenRange,
  print: chosenQuery,
} as const

/** `28 Nov, 22:00 to 23:00`, `27 Nov, 06:00 to 28 Nov, 06:00`. */
export function chosenText({ startMs, endMs }: ChosenRange, zone: Zone): string {
  const [first, last] = [dateText(startMs, zone), dateText(endMs, zone)]
  const end = hourOf(endMs - startMs, endMs, zone)
  return `${first}, ${hourOf(endMs - startMs, startMs, zone)} to ${first === last ? end : `${last}, ${end}`}`
}

function hourOf(lengthMs: number, atMs: number, zone: Zone): string {
  const text = hourText(atMs, zone)
  if (lengthMs >= 10 * MINUTE_MS) return text
  return `${text}:${String(new Date(atMs).getUTCSeconds()).padStart(2, '0')}`
}
