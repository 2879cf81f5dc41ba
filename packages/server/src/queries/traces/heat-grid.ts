/** Divides time and duration into the cells of the picture of a search. Pure. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#base/durations.ts'
import type { HeatGrid } from '#ports/traces.ts'
import type { TimeRange } from '../time-range.ts'

const SECOND_MS = 1_000
const SLOTS_MAX = 64
/** A step of 33 %: percentiles that differ by so much are told apart. */
const PER_DECADE = 8
const STEPS: readonly number[] = [
  ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * SECOND_MS),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR_MS),
  ...[1, 2, 5, 10].map((days) => days * DAY_MS),
]

/** Round steps, at most so many that each is wide enough to be pointed at. */
export function heatGrid({ startMs, endMs }: TimeRange): HeatGrid & { readonly slots: number } {
  const step = STEPS.find((ms) => (endMs - startMs) / ms <= SLOTS_MAX - 1) ?? (endMs - startMs) / SLOTS_MAX
  const first = Math.floor(startMs / step) * step
  return {
    startMs: first,
    stepMs: step,
    perDecade: PER_DECADE,
    slots: Math.max(1, Math.ceil((endMs - first) / step)),
  }
}
