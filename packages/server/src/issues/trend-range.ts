/** Which hours a trend shows, and how many of them are one bar. Counts are per hour of the events' own time. */
import { HOUR_MS } from '#base/durations.ts'
import { max } from '#limits/limits.ts'

const DAY_HOURS = 24
const ENDS_HOURS = 2

export interface TrendRange {
  readonly startMs: number
  readonly stepMs: number
  readonly buckets: number
}

/**
 * Returns the trend range of a list row. Up to 24 hours: the 24 hours that end with the range. Longer:
 * stretches of 24 hours, the last of which ends with the range's last hour, so that no bar is part of a day.
 */
export function listTrendRange(startMs: number, endMs: number): TrendRange {
  const endHour = Math.ceil(endMs / HOUR_MS)
  const hours = Math.ceil((endMs - startMs) / HOUR_MS)
  // A day whose hours at both ends count whole is still a day.
  if (hours > DAY_HOURS && hours <= DAY_HOURS + ENDS_HOURS) {
    const startHour = Math.floor(startMs / HOUR_MS)
    return { startMs: startHour * HOUR_MS, stepMs: HOUR_MS, buckets: endHour - startHour }
  }
  const stepHours = hours <= DAY_HOURS ? 1 : DAY_HOURS
  const buckets =
    hours <= DAY_HOURS ? DAY_HOURS : Math.min(Math.ceil(hours / DAY_HOURS), max('hourBucketsDaysMax'))
  return { startMs: (endHour - buckets * stepHours) * HOUR_MS, stepMs: stepHours * HOUR_MS, buckets }
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
