/** Lengths of time that everybody counts with, in milliseconds. */
export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** Returns the hour of a time, counted from 1970 in UTC. */
export function hourOf(atMs: number): number {
  return Math.floor(atMs / HOUR_MS)
}
