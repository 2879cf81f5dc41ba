/** Beginnings of days on the axis of a chart. Pure. */
import type { Zone } from '../time-text.ts'

const DAY_MS = 86_400_000
const LABELS_MAX = 5
/** Shares of the axis that a label needs beside its start, and beside what stands at its end. */
const CLEAR_OF_START = 0.04
const CLEAR_OF_END = 0.88

/** Shares of the axis, 0 to 1: at most five days, as far from each other. */
export function dayTicks(
  { startMs, endMs }: { readonly startMs: number; readonly endMs: number },
  zone: Zone,
): readonly number[] {
  const step = Math.max(1, Math.ceil((endMs - startMs) / DAY_MS / LABELS_MAX))
  const first = midnight(startMs, zone, 0) === startMs ? 0 : 1
  const parts = Array.from({ length: LABELS_MAX + 1 }, (_, nth) => {
    const atMs = midnight(startMs, zone, first + nth * step)
    return (atMs - startMs) / (endMs - startMs)
  })
  return parts.filter((part) => part === 0 || (part >= CLEAR_OF_START && part <= CLEAR_OF_END))
}

/** So many days after the day of `atMs` began. By the calendar: a day may have 23 hours. */
function midnight(atMs: number, zone: Zone, days: number): number {
  const at = new Date(atMs)
  return zone === 'utc'
    ? Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate() + days)
    : new Date(at.getFullYear(), at.getMonth(), at.getDate() + days).getTime()
}
