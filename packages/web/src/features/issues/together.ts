/** Which issues of a list began at the same time. Pure. */
import { type Bars, barsOf } from '#ui/charts/bars.ts'

interface Listed {
  readonly trend: { readonly startMs: number; readonly stepMs: number; readonly counts: readonly number[] }
}

export interface Begun<T> {
  /** Slot of the first event; `null`: it went on from before, or nothing of it is in the range. */
  readonly slot: number | null
  readonly rows: readonly { readonly row: T; readonly bars: Bars }[]
}

/** Wide enough to be pointed at. */
const BARS_MAX = 56

/** By when each began, the newest first; what went on from before is last. */
export function begunTogether<T extends Listed>(rows: readonly T[]): readonly Begun<T>[] {
  const drawn = rows.map((row) => ({ row, bars: barsOf(row.trend, BARS_MAX) }))
  const groups = Map.groupBy(drawn, ({ bars }) => firstBucket(bars.counts))
  return [...groups]
    .map(([slot, own]): Begun<T> => ({ slot, rows: own }))
    .sort((a, b) => (b.slot ?? -1) - (a.slot ?? -1))
}

/** The first slot with events after one without; `null` where the first slot already has some, or none has. */
function firstBucket(counts: readonly number[]): number | null {
  const first = counts.findIndex((count) => count > 0)
  return first <= 0 ? null : first
}
