/** How many took how long, in buckets that a picture can show. */
import type { DurationBucket } from '#ports/requests.ts'
import { binGroupOf, binGroupStart, type DurationSketch } from './sketch.ts'
import type { RequestSum } from './sums.ts'

/**
 * Bins of a sketch in each: about a tenth of a decade; of many requests half of that, which of few is mostly gaps. Whole
 * bins, so that a search between the bounds finds what was counted.
 */
const [STEP, FINE_STEP] = [12, 6]
const MANY = 500

/** Buckets on a log scale from the shortest to the longest, those without anything between them included. */
export function durationBuckets({
  sketch,
  failedSketch,
}: Pick<RequestSum, 'sketch' | 'failedSketch'>): readonly DurationBucket[] {
  const step = sketch.count < MANY ? STEP : FINE_STEP
  const counts = countsOf(sketch, step)
  if (counts.size === 0) return []
  const failed = failedSketch === null ? new Map<number, number>() : countsOf(failedSketch, step)
  const [first, last] = [Math.min(...counts.keys()), Math.max(...counts.keys())]
  return Array.from({ length: last - first + 1 }, (_, at) => {
    const count = Math.round(counts.get(first + at) ?? 0)
    return {
      fromMs: binGroupStart(first + at, step),
      toMs: binGroupStart(first + at + 1, step),
      count,
      // One that an error told of is known by whole milliseconds: at a bound it may be a bucket further.
      failed: Math.min(count, Math.round(failed.get(first + at) ?? 0)),
    }
  })
}

function countsOf(sketch: DurationSketch, step: number): ReadonlyMap<number, number> {
  const counts = new Map<number, number>()
  for (const { value, count } of sketch.bins()) {
    const at = binGroupOf(value, step)
    counts.set(at, (counts.get(at) ?? 0) + count)
  }
  return counts
}
