/** Between which values a chart of a measure stands. */
import { roundUp } from '#ui/number-text.ts'

/**
 * Returns where a chart's axis begins and ends. `most`: what no value exceeds, where there is such. Values of which
 * all are high leave the zero out.
 */
export function boundsOf(
  values: readonly (number | null)[],
  most: number | undefined,
): { readonly base: number; readonly top: number } {
  const known = values.flatMap((value) => value ?? [])
  const high = Math.max(...known, 0)
  const low = Math.min(...known, high)
  if (high === 0) return { base: 0, top: 1 }
  if (low <= high / 2) return { base: 0, top: Math.min(most ?? Number.POSITIVE_INFINITY, roundUp(high)) }
  const room = Math.max(high - low, high / 100) / 4
  const step = 10 ** Math.floor(Math.log10(room))
  const top = Math.ceil((high + room) / step) * step
  return {
    base: tidy(Math.floor((low - room) / step) * step),
    top: tidy(most !== undefined && high <= most ? Math.min(most, top) : top),
  }
}

/** Without what sums of fractions leave behind. */
function tidy(value: number): number {
  return Number(value.toPrecision(6))
}
