/** Places on a log scale. Pure. */

/** Of the strips: one scale for all rows. */
export const STRIP_FROM_MS = 10
export const STRIP_TO_MS = 10_000
export const STRIP_TICKS = [
  { ms: 10, label: '10 ms' },
  { ms: 100, label: '100' },
  { ms: 1_000, label: '1 s' },
  { ms: 10_000, label: '10 s' },
] as const

/** From 0 to 1; what lies outside is at the end. */
export function placeOn(ms: number, fromMs: number, toMs: number): number {
  if (ms <= fromMs) return 0
  if (ms >= toMs) return 1
  return Math.log(ms / fromMs) / Math.log(toMs / fromMs)
}

const STEPS = [1, 2, 5]

/** Round durations within the bounds, as many as fit. */
export function ticksBetween(fromMs: number, toMs: number, ticksMax: number): readonly number[] {
  const all = Array.from({ length: 12 }, (_, power) => 10 ** (power - 1))
  const fine = all.flatMap((ten) => STEPS.map((step) => step * ten))
  for (const ticks of [fine, all]) {
    const inside = ticks.filter((ms) => ms >= fromMs && ms <= toMs)
    if (inside.length <= ticksMax) return inside
  }
  return all.filter((ms, at) => at % 2 === 0 && ms >= fromMs && ms <= toMs)
}
