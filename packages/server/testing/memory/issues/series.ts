import { HOUR_MS } from '#base/durations.ts'
import type { TrendRange } from '#issues/trend-range.ts'
import type { Series } from '#ports/issues.ts'
import type { GroupRow } from '../tables.ts'

/** Events over time, with zeros where nothing happened. */
export function seriesOf(groups: readonly GroupRow[], { startMs, stepMs, buckets }: TrendRange): Series {
  const counts = new Array<number>(buckets).fill(0)
  for (const { hours } of groups) {
    for (const [hour, count] of hours) {
      const bucket = Math.floor((hour * HOUR_MS - startMs) / stepMs)
      if (bucket >= 0 && bucket < buckets) counts[bucket] = (counts[bucket] ?? 0) + count
    }
  }
  return { startMs, stepMs, counts }
}
