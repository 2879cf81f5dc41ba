/** Durations on a log scale, from 10 ms to 10 s or as far as they reach. Pure. */

export interface LogScale {
  readonly leastMs: number
  readonly mostMs: number
  /** Powers of ten, the least first. */
  readonly lines: readonly number[]
}

const LEAST_MS = 10
const MOST_MS = 10_000

export function logScale(durations: readonly number[]): LogScale {
  const least = durations.reduce((low, one) => Math.min(low, one), LEAST_MS)
  const most = durations.reduce((high, one) => Math.max(high, one), 0)
  const from = Math.floor(Math.log10(Math.max(1, least)))
  const to = Math.max(from + 2, Math.ceil(Math.log10(Math.max(most, MOST_MS / 10))))
  const lines = Array.from({ length: to - from + 1 }, (_, step) => 10 ** (from + step))
  return { leastMs: 10 ** from, mostMs: 10 ** to, lines }
}

/** 0 at the least, 1 at the most. */
export function logShare({ leastMs, mostMs }: LogScale, ms: number): number {
  const share = Math.log10(Math.max(ms, leastMs) / leastMs) / Math.log10(mostMs / leastMs)
  return Math.min(1, Math.max(0, share))
}
