/** Which hours a trend shows, and how many of them are one bar. Counts are per hour of the events' own time. */
import { DAY_MS, HOUR_MS } from '#base/durations.ts'
import { max } from '#limits/limits.ts'

const DAY_HOURS = 24
const ENDS_HOURS = 2

export interface TrendRange {
  readonly startMs: number
  readonly stepMs: number
  readonly buckets: number
}

/** A trend whose bars together count the range, no more: what they sum up to is the number beside them. */
export interface ListTrendRange extends TrendRange {
  /** First hour that counts. The first bar is of fewer hours where that is after `startMs`, of one or two more where before. */
  readonly fromMs: number
}

/**
 * Returns the trend range of a list row. Up to 24 hours: the range's hours. Longer: stretches of 24 hours, the last of
 * which ends with the range's last hour, so that no other bar than the first is part of a day.
 */
export function listTrendRange(startMs: number, endMs: number): ListTrendRange {
  const { startHour, endHour } = hoursOfRange({ startMs, endMs })
  const fromMs = startHour * HOUR_MS
  const hours = Math.max(1, endHour - startHour)
  // Days whose hours at both ends count whole are still so many days.
  if (hours <= DAY_HOURS + ENDS_HOURS) return { startMs: fromMs, fromMs, stepMs: HOUR_MS, buckets: hours }
  const buckets = Math.min(Math.ceil((hours - ENDS_HOURS) / DAY_HOURS), max('hourBucketsDaysMax'))
  return { startMs: (endHour - buckets * DAY_HOURS) * HOUR_MS, fromMs, stepMs: DAY_MS, buckets }
}

/** Whole hours from the one that holds `startMs`; a step is at least an hour and a multiple of it. */
export function trendRange(range: {
  readonly startMs: number
  readonly endMs: number
  readonly stepMs: number
}): TrendRange {
  const startHour = Math.floor(range.startMs / HOUR_MS)
  const hours = Math.max(1, Math.ceil(range.endMs / HOUR_MS) - startHour)
  const least = Math.ceil(hours / max('trendBucketsMax'))
  const stepHours = Math.max(1, least, Math.round(range.stepMs / HOUR_MS))
  return {
    startMs: startHour * HOUR_MS,
    stepMs: stepHours * HOUR_MS,
    buckets: Math.ceil(hours / stepHours),
  }
}

/** A range of time in whole hours since 1970: those at both ends count whole. `endHour` is the first beyond it. */
export function hoursOfRange({ startMs, endMs }: { readonly startMs: number; readonly endMs: number }): {
  readonly startHour: number
  readonly endHour: number
} {
  return { startHour: Math.floor(startMs / HOUR_MS), endHour: Math.ceil(endMs / HOUR_MS) }
}
