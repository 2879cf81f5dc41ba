/** How high a chart has to be for what stands beside its bars. Pure. */

/** Bars stay at least so much of the height. */
const BARS_SHARE_MIN = 1 / 3

/**
 * Returns the peak that the height must hold: the bars, and those limits beside them that leave the bars
 * readable.
 */
export function peakWith(peak: number, limits: readonly number[]): number {
  return Math.max(peak, ...limits.filter((limit) => limit <= Math.max(1, peak) / BARS_SHARE_MIN))
}
