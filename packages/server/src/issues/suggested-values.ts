/**
 * Values of a tag key that a project suggests: those seen last, for a new release must be suggested, however many there
 * were before.
 */
import { max } from '#limits/limits.ts'

export interface SeenValue {
  readonly count: number
  readonly lastMs: number
}

/** Seen last first, then the more frequent. */
function bySuggestion(a: SeenValue, b: SeenValue): number {
  return b.lastMs - a.lastMs || b.count - a.count
}

/**
 * Chooses which of a batch's new values are written, with the events of the others. At the bound, most of a
 * batch's new values would be replaced by the next batch.
 */
export function chooseSuggestions<T extends SeenValue>(
  fresh: readonly T[],
  known: number,
): { readonly chosen: readonly T[]; readonly other: number } {
  const room = Math.max(max('facetValuesPerProjectMax') - known, max('facetValuesNewPerBatchMax'))
  if (fresh.length <= room) return { chosen: fresh, other: 0 }
  const ordered = fresh.toSorted(bySuggestion)
  const other = ordered.slice(room).reduce((sum, { count }) => sum + count, 0)
  return { chosen: ordered.slice(0, room), other }
}
