/** How many took how long, in buckets that a picture can show. */
import type { Sketch } from './sketch.ts'

/** Bounds of a picture: a tenth of a decade each. */
const STEP = 10 ** 0.1

export interface DurationBucket {
  readonly fromMs: number
  readonly toMs: number
  readonly count: number
}

/** Buckets on a log scale from the shortest to the longest, those without anything between them included. */
export function durationBuckets(sketch: Sketch): readonly DurationBucket[] {
  const counts = new Map<number, number>()
  for (const { value, count } of sketch.bins()) {
    const at = Math.floor(Math.log(Math.max(value, 0.1)) / Math.log(STEP))
    counts.set(at, (counts.get(at) ?? 0) + count)
  }
  if (counts.size === 0) return []
  const [first, last] = [Math.min(...counts.keys()), Math.max(...counts.keys())]
  return Array.from({ length: last - first + 1 }, (_, at) => ({
    fromMs: STEP ** (first + at),
    toMs: STEP ** (first + at + 1),
    count: Math.round(counts.get(first + at) ?? 0),
  }))
}
