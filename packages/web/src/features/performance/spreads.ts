/** Two distributions on one axis: shares of each by duration. Pure. */
interface Bucket {
  readonly fromMs: number
  readonly toMs: number
  readonly count: number
}

/** Returns two distributions of durations as shares of the same buckets, those of the coarser one. `null` where either has nothing. */
export function spreadsOf(was: readonly Bucket[], now: readonly Bucket[]) {
  const step = Math.max(1, ...[...was, ...now].map(({ fromMs, toMs }) => toMs / fromMs))
  const [before, after] = [countByBucket(was, step), countByBucket(now, step)]
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
    ...{ fromMs: step ** first, toMs: step ** (last + 1) },
    ...{ was: shares(before), now: shares(after) },
  }
}

function countByBucket(buckets: readonly Bucket[], step: number): ReadonlyMap<number, number> {
  const counts = new Map<number, number>()
  for (const { fromMs, toMs, count } of buckets) {
    if (count === 0) continue
    const at = Math.floor(Math.log(Math.sqrt(fromMs * toMs)) / Math.log(step))
    counts.set(at, (counts.get(at) ?? 0) + count)
  }
  return counts
}
