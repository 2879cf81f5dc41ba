/** Steps of series of requests: no narrower than their figures are known by. */
import { DAY_MS, HOUR_MS } from '#base/durations.ts'
import { max } from '#limits/limits.ts'
import { firstHourKept } from '#requests/kept-hours.ts'

/**
 * Returns steps that figures are known by, beginning no later than `startMs`: whole hours, and whole days of UTC if the first
 * step begins before what is kept by the hour.
 */
export function stepsOfFigures(
  startMs: number,
  stepMs: number,
  nowMs: number,
): { readonly startMs: number; readonly stepMs: number } {
  const byHour = stepsOf(startMs, Math.ceil(stepMs / HOUR_MS) * HOUR_MS)
  if (byHour.startMs >= firstHourKept(nowMs) * HOUR_MS) return byHour
  return stepsOf(startMs, Math.ceil(stepMs / DAY_MS) * DAY_MS)
}

/** Returns the width of a page's steps: hours for as long as figures are kept by the hour, else days. */
export function pageStepMs(
  { startMs, endMs }: { readonly startMs: number; readonly endMs: number },
  nowMs: number,
): number {
  const isLong = endMs - startMs >= max('requestHoursKept') * HOUR_MS
  return stepsOfFigures(startMs, isLong ? DAY_MS : HOUR_MS, nowMs).stepMs
}

function stepsOf(startMs: number, stepMs: number) {
  return { startMs: Math.floor(startMs / stepMs) * stepMs, stepMs }
}
