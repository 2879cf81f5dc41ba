/** Names with counts, kept as a JSON object in one column. */

export type Counts = ReadonlyMap<string, number>

const NO_COUNTS: Counts = new Map()

/** Reads what `writeCounts` wrote. */
export function readCounts(json: string): Counts {
  if (json === '{}') return NO_COUNTS
  return new Map(Object.entries(JSON.parse(json) as Record<string, number>)) // written by writeCounts
}

export function writeCounts(counts: Counts): string {
  if (counts.size === 0) return '{}'
  return JSON.stringify(Object.fromEntries(counts))
}

/** Both together; at most `namesMax` names, where those of `first` come first. */
export function sumCounts(first: Counts, second: Counts, namesMax: number): Counts {
  if (second.size === 0) return first
  const sum = new Map(first)
  for (const [name, count] of second) {
    const before = sum.get(name)
    if (before !== undefined || sum.size < namesMax) sum.set(name, (before ?? 0) + count)
  }
  return sum
}

/** Most frequent first, then by name. */
export function mostFrequent(counts: Counts): readonly (readonly [string, number])[] {
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
}
