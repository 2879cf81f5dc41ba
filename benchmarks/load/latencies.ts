/** Latencies of a run, kept as counts in buckets of 1 %: any number of them in the same few kilobytes. */

export interface LatencySummary {
  /** Milliseconds. */
  readonly p50: number
  readonly p95: number
  readonly p99: number
  readonly max: number
  readonly count: number
}

const GROWTH = Math.log(1.01)
const LEAST_MS = 0.001
const BUCKETS = 2_400

export class Latencies {
  readonly #buckets = new Float64Array(BUCKETS)
  #count = 0
  #max = 0

  add(ms: number): void {
    const place = ms <= LEAST_MS ? 0 : Math.floor(Math.log(ms / LEAST_MS) / GROWTH)
    const bucket = Math.min(place, BUCKETS - 1)
    this.#buckets[bucket] = (this.#buckets[bucket] ?? 0) + 1
    this.#count++
    if (ms > this.#max) this.#max = ms
  }

  /** The value that `part` (0 to 1) of them do not exceed, to 1 %; 0 without any. */
  percentile(part: number): number {
    const wanted = Math.ceil(part * this.#count)
    let seen = 0
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      seen += this.#buckets[bucket] ?? 0
      if (seen >= wanted && wanted > 0) return Math.min(this.#max, LEAST_MS * Math.exp((bucket + 1) * GROWTH))
    }
    return this.#max
  }

  summary(): LatencySummary {
    const round = (ms: number) => Math.round(ms * 100) / 100
    return {
      p50: round(this.percentile(0.5)),
      p95: round(this.percentile(0.95)),
      p99: round(this.percentile(0.99)),
      max: round(this.#max),
      count: this.#count,
    }
  }
}

/** `null` where nothing was acknowledged: there is no latency then, not one of 0 ms. */
export function latencyOf(summary: LatencySummary, part: 'p50' | 'p99'): number | null {
  return summary.count === 0 ? null : summary[part]
}

/** Exact percentile of a few values. */
export function percentileOf(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? 0
}

export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  const [low, high] = [sorted[Math.ceil(middle) - 1] ?? 0, sorted[Math.floor(middle)] ?? 0]
  return (low + high) / 2
}
