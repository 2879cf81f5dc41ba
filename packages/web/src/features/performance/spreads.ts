/** Two distributions on one axis: shares of each by duration. Pure. */
interface Bucket {
  readonly fromMs: number
  readonly toMs: number
  readonly count: number
}

/** A tenth of a decade: what the coarser of two distributions has. */
const PER_DECADE = 10

/** Returns two distributions of durations as shares of the same buckets. `null` where either has nothing. */
export function spreadsOf(was: readonly Bucket[], now: readonly Bucket[]) {
  const [before, after] = [countByBucket(was), countByBucket(now)]
  const keys = [...before.keys(), ...after.keys()]
  if (before.size === 0 || after.size === 0) return null
  const [first, last] = [Math.min(...keys), Math.max(...keys)]
  const shares = (counts: ReadonlyMap<number, number>) => {
    const all = [...counts.values()].reduce((sum, count) => sum + count, 0)
    return Array.from(
      { length: last - first + 1 },
      (_, at) => (counts.get(first + at) ?? 0) / Math.max(1, all),
    )
  }
  return {
    ...{ fromMs: 10 ** (first / PER_DECADE), toMs: 10 ** ((last + 1) / PER_DECADE) },
    ...{ was: shares(before), now: shares(after) },
  }
}

function countByBucket(buckets: readonly Bucket[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>()
  for (const { fromMs, toMs, count } of buckets) {
    if (count === 0) continue
    const at = Math.floor(Math.log10(Math.sqrt(fromMs * toMs)) * PER_DECADE)
    counts.set(at, (counts.get(at) ?? 0) + count)
  }
  return counts
}
