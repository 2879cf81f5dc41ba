/** Which notices go, once a day: by age, and beyond `noticesPerProjectMax` of a project the oldest. */
import { DAY_MS, HOUR_MS } from '#base/durations.ts'
import { max } from '#limits/limits.ts'

export function oldestNoticeMs(nowMs: number): number {
  return nowMs - max('noticeDays') * DAY_MS
}

/** Returns the hour since 1970 by which held back notices are counted. */
export function heldBackHour(ms: number): number {
  return Math.floor(ms / HOUR_MS)
}
