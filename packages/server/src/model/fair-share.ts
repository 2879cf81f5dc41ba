/**
 * Picks as many rows as there is room for, in order, the first of each group before the second of any, so
 * that no group crowds out another. Pure.
 */
export function pickByTurns<T>(
  rows: readonly T[],
  limit: number,
  groupOf: (row: T) => unknown,
): readonly T[] {
  if (rows.length <= limit) return rows
  const counts = new Map<unknown, number>()
  const placed = rows.map((row, index) => {
    const group = groupOf(row)
    const place = counts.get(group) ?? 0
    counts.set(group, place + 1)
    return { row, index, place }
  })
  return placed
    .sort((a, b) => a.place - b.place || a.index - b.index)
    .slice(0, limit)
    .sort((a, b) => a.index - b.index)
    .map(({ row }) => row)
}
