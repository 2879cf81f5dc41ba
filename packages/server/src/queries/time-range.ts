import { HOUR_MS } from '#base/durations.ts'

/** A stretch of time that a page or a call is about. */
export interface TimeRange {
  readonly startMs: number
  readonly endMs: number
}

/** Returns the same question about the period before. Sums are of whole hours: the one that both touch is of the range itself. */
export function periodBefore<Query extends TimeRange>(query: Query): Query {
  const endMs = Math.floor(query.startMs / HOUR_MS) * HOUR_MS
  return { ...query, startMs: 2 * query.startMs - query.endMs, endMs }
}
