/** Turns counts per hour into the few bars that fit, without losing one. */

export interface Bars {
  readonly startMs: number
  readonly stepMs: number
  readonly counts: readonly number[]
  readonly peak: number
}

/**
 * Joins neighbouring counts so that at most `barsMax` bars remain. Bars end at the newest count: only the first may
 * stand for fewer hours than the others.
 */
export function barsOf(
  series: { readonly startMs: number; readonly stepMs: number; readonly counts: readonly number[] },
  barsMax: number,
): Bars {
  const { counts, stepMs, startMs } = series
  const perBar = roundHours(Math.max(1, Math.ceil(counts.length / barsMax)), stepMs)
  const bars: number[] = []
  for (let end = counts.length; end > 0; end -= perBar) {
    let sum = 0
    for (let at = Math.max(0, end - perBar); at < end; at += 1) sum += counts[at] ?? 0
    bars.unshift(sum)
  }
  const first = counts.length - bars.length * perBar
  return {
    startMs: startMs + first * stepMs,
    stepMs: stepMs * perBar,
    counts: bars,
    peak: bars.reduce((peak, count) => Math.max(peak, count), 0),
  }
}

/** Whether a bar is of the time since `fromMs`, be it in part. */
export function isSince({ startMs, stepMs }: Bars, index: number, fromMs: number): boolean {
  return startMs + (index + 1) * stepMs > fromMs
}

const HOUR_MS = 3_600_000
const ROUND_HOURS = [1, 2, 3, 4, 6, 8, 12, 24, 48, 72, 96, 168]

/** The next number of counts whose width is a round number of hours, so that the axis can name it. */
function roundHours(perBar: number, stepMs: number): number {
  const hours = (perBar * stepMs) / HOUR_MS
  const round = ROUND_HOURS.find((candidate) => candidate >= hours)
  if (round === undefined) return perBar
  const counts = (round * HOUR_MS) / stepMs
  return Number.isInteger(counts) ? counts : perBar
}
