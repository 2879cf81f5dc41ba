/**
 * Events that an issue may have in an hour before it escalates: a forecast from its own past week.
 *
 *     expected = mean of the hours around this one (one before, itself, one after) on the seven days before
 *     spread   = standard deviation of all hours of the week
 *     limit    = max(10, 2 × expected + 3 × spread), rounded up
 *
 * An issue younger than a week has its own hours alone, and below a day none: what is new is no escalation. Twice what is
 * usual at this time of day absorbs ordinary growth, three deviations absorb bursts that the week has seen already.
 */
import { HOUR_MS } from '#base/durations.ts'
import { max } from '#limits/limits.ts'

const DAY = 24
const WEEK = 7 * DAY

/** Events by hour since 1970; hours without any may be absent. */
export type HourCounts = ReadonlyMap<number, number>

/**
 * Returns how many events an hour may have before the issue escalates. `null`: there is too little history.
 * `firstHour`: of the first event.
 */
export function escalationLimit(counts: HourCounts, hour: number, firstHour: number): number | null {
  const from = Math.max(hour - WEEK, firstHour)
  const known = hour - from
  if (known < max('alertForecastHoursMin')) return null
  const count = (at: number) => (at >= from && at < hour ? (counts.get(at) ?? 0) : null)
  const around: number[] = []
  for (let days = 1; days <= 7; days++)
    for (const beside of [-1, 0, 1]) {
      const one = count(hour - days * DAY + beside)
      if (one !== null) around.push(one)
    }
  const all = Array.from({ length: known }, (_, index) => count(from + index) ?? 0)
  const mean = meanOf(all)
  const spread = Math.sqrt(meanOf(all.map((value) => (value - mean) ** 2)))
  const expected = around.length === 0 ? mean : meanOf(around)
  return Math.max(max('alertEscalationEventsMin'), Math.ceil(2 * expected + 3 * spread))
}

/** The limits of the hours of each step, added up. */
export function forecastSteps(
  counts: HourCounts,
  range: {
    readonly firstHour: number
    readonly startMs: number
    readonly endMs: number
    readonly stepMs: number
  },
): readonly (number | null)[] {
  const { firstHour, startMs, endMs, stepMs } = range
  const hours = Math.max(1, Math.round(stepMs / HOUR_MS))
  return Array.from({ length: Math.max(0, Math.ceil((endMs - startMs) / stepMs)) }, (_, index) => {
    const first = Math.floor((startMs + index * stepMs) / HOUR_MS)
    let sum = 0
    for (let hour = first; hour < first + hours; hour++) {
      const limit = escalationLimit(counts, hour, firstHour)
      if (limit === null) return null
      sum += limit
    }
    return sum
  })
}

function meanOf(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length
}
