/** How long figures of requests are known by the hour: older ones are one row a day, which stands at its first hour. */
import { hourOf } from '#base/durations.ts'
import { max } from '#limits/limits.ts'

const DAY_HOURS = 24

/** From this hour since 1970 on figures are kept by hour, before by day. */
export function firstHourKept(nowMs: number): number {
  return Math.floor((hourOf(nowMs) - max('requestHoursKept')) / DAY_HOURS) * DAY_HOURS
}
