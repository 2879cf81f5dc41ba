/** Round times along an axis that is shorter than days. Pure. */
import type { Zone } from '../time-text.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const STEPS: readonly number[] = [
  ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * 1_000),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 3, 4, 6, 12].map((hours) => hours * HOUR_MS),
]
const TICKS_MIN = 3
const TICKS_MAX = 6
/** Share of the axis that is kept free beside what stands at its end. */
const CLEAR_OF_END = 0.92

/** Shares of the axis, 0 to 1, at the full hours, quarters or minutes of the reader. */
export function timeTicks(
  { startMs, endMs }: { readonly startMs: number; readonly endMs: number },
  zone: Zone,
): readonly number[] {
  const offset = zone === 'utc' ? 0 : new Date(startMs).getTimezoneOffset() * MINUTE_MS
  const partsBy = (step: number) => {
    const first = Math.ceil((startMs - offset) / step) * step + offset
    const count = Math.max(0, Math.floor((endMs - first) / step) + 1)
    if (count > 4 * TICKS_MAX) return null
    return Array.from({ length: count }, (_, at) => (first + at * step - startMs) / (endMs - startMs)).filter(
      (part) => part < CLEAR_OF_END,
    )
  }
  const fitting = STEPS.map(partsBy).filter((parts) => parts !== null && parts.length <= TICKS_MAX)
  const found = fitting.find((parts) => parts !== null && parts.length >= TICKS_MIN) ?? null
  return found ?? [0, 1 / 3, 2 / 3]
}
