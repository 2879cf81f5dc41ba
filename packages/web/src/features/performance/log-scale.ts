/** Places on a log scale. Pure. */

/** Of the strips: one scale for all rows. */
export const STRIP_FROM_MS = 10
export const STRIP_TO_MS = 10_000
export const STRIP_TICKS = [
  { ms: 10, label: '10 ms' },
  { ms: 100, label: '0.1 s' },
  { ms: 1_000, label: '1 s' },
  { ms: 10_000, label: '10 s' },
] as const

/** From 0 to 1; what lies outside is at the end. */
export function placeOn(ms: number, fromMs: number, toMs: number): number {
  if (ms <= fromMs) return 0
  if (ms >= toMs) return 1
  return Math.log(ms / fromMs) / Math.log(toMs / fromMs)
}

const TICKS_MIN = 3
/** Names nearer to each other would overlap in a narrow window. */
const APART_MIN = 0.11

/** Round durations within the bounds: at least three of them, as many as fit, none on another. */
export function ticksBetween(fromMs: number, toMs: number, ticksMax: number): readonly number[] {
  const powers = Array.from({ length: 12 }, (_, power) => 10 ** (power - 1))
  const finest = powers.flatMap((ten) => [1, 2, 5].map((step) => step * ten))
  const isApart = (ticks: readonly number[]) =>
    ticks.every((ms, at) => {
      const before = ticks[at - 1]
      return before === undefined || placeOn(ms, fromMs, toMs) - placeOn(before, fromMs, toMs) >= APART_MIN
    })
  const fits = (ticks: readonly number[]) => ticks.length <= ticksMax && isApart(ticks)
  const inside = (ticks: readonly number[]) => ticks.filter((ms) => ms >= fromMs && ms <= toMs)
  const coarse = [finest, powers, powers.filter((_, at) => at % 2 === 0)].map(inside).find(fits) ?? []
  return coarse.length >= TICKS_MIN ? coarse : evenTicks(fromMs, toMs)
}

/** Of a range that is short beside its values: three to eight steps of equal length. */
function evenTicks(fromMs: number, toMs: number): readonly number[] {
  const least = (toMs - fromMs) / 7
  if (!(least > 0)) return [fromMs]
  const magnitude = 10 ** Math.floor(Math.log10(least))
  const step = ([1, 2, 2.5, 5, 10].find((one) => one * magnitude >= least) ?? 10) * magnitude
  const first = Math.ceil(fromMs / step - 1e-9)
  const count = Math.floor(toMs / step + 1e-9) - first + 1
  return Array.from({ length: count }, (_, at) => Number(((first + at) * step).toPrecision(6)))
}
