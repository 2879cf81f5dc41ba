/** What the stores of groups and issues share about time and releases. */
import type { ReleaseSeen } from '#ports/ingest.ts'

export const HOUR_MS = 3_600_000

export function earlier(a: ReleaseSeen | null, b: ReleaseSeen | null): ReleaseSeen | null {
  if (a === null || b === null) return a ?? b
  return b.atMs < a.atMs ? b : a
}

export function later(a: ReleaseSeen | null, b: ReleaseSeen | null): ReleaseSeen | null {
  if (a === null || b === null) return a ?? b
  return b.atMs >= a.atMs ? b : a
}
