/** Measures growth: how many more events the second half of a range has than the first. */
import { HOUR_MS } from '#base/durations.ts'

/** Sort values are whole numbers that are not negative: cursors hold them so. */
const NOTHING_CHANGED = 1_000_000_000_000

/**
 * Returns what the issue list sorts trends by: greater the more events the second half of the range has than the
 * first. `later`: of all events in the range those in its second half.
 */
export function trendKey({ all, later }: { readonly all: number; readonly later: number }): number {
  return NOTHING_CHANGED + 2 * later - all
}

/** Returns where the second half begins: on the hour, since events are counted by it. */
export function middleOf(startMs: number, endMs: number): number {
  const middle = startMs + (endMs - startMs) / 2
  return Math.ceil(middle / HOUR_MS) * HOUR_MS
}
