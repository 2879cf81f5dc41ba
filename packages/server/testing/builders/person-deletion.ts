import type { LostCounts } from '#ports/care.ts'

/** Counts of deleted events: zeros, as when retention removed them before. */
export function lostCounts(change: Partial<LostCounts> = {}): LostCounts {
  return { events: 0, mirrors: 0, hours: new Map(), tags: [], ...change }
}
