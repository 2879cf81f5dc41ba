/** The first and the last release that an issue or a group was seen in. */
import type { ReleaseSeen } from '#ports/ingest.ts'

export function earlier(a: ReleaseSeen | null, b: ReleaseSeen | null): ReleaseSeen | null {
  if (a === null || b === null) return a ?? b
  return b.atMs < a.atMs ? b : a
}

export function later(a: ReleaseSeen | null, b: ReleaseSeen | null): ReleaseSeen | null {
  if (a === null || b === null) return a ?? b
  return b.atMs >= a.atMs ? b : a
}
