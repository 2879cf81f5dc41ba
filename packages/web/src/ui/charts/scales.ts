/** Places of values on a chart, and the values that an axis names. Pure. */
import { numberText, shortNumberText } from '../number-text.ts'
import { durationText } from '../time-text.ts'
import type { ChartTick, ChartY } from './chart-types.ts'

const STEPS = [1, 2, 2.5, 5, 10] as const
/** Above zero: with it, an axis has three ticks or four. */
const INTERVALS_MAX = 3
const TICKS_MIN = 3
/** Written out, it is wider than the place beside an axis. */
const LONG_COUNT = 1_000_000

/** From zero to above `peak`, in whole numbers. `unit`: `per h`. */
export function countScale(peak: number, unit = ''): ChartY {
  const step = Math.max(1, niceStep(peak / INTERVALS_MAX, 1))
  const steps = Math.max(2, Math.ceil(peak / step))
  const text = (value: number) => `${numberText(value)}${unit === '' ? '' : ` ${unit}`}`
  const short = step * steps >= LONG_COUNT ? shortNumberText : numberText
  return linear({ base: 0, top: step * steps, text, ticks: evenly(0, step, steps, short) })
}

/** From zero to above `peak` milliseconds. */
export function durationScale(peakMs: number): ChartY {
  const peak = Math.max(peakMs, 1)
  const step = CLOCK_STEPS.find((one) => one >= peak / INTERVALS_MAX) ?? niceStep(peak / INTERVALS_MAX)
  const fine = peak < 1_000 ? niceStep(peak / INTERVALS_MAX) : step
  const steps = Math.max(2, Math.ceil(peak / fine))
  const ticks = evenly(0, fine, steps, shortDurationText)
  return linear({ base: 0, top: fine * steps, text: durationText, ticks })
}

/** Round lengths of time from a second on. */
const CLOCK_STEPS = [
  ...[0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1_800, 3_600],
  ...[2, 6, 12, 24, 48, 120, 240].map((hours) => hours * 3_600),
].map((seconds) => seconds * 1_000)

/** Any measure between two values. */
export function valueScale(options: {
  readonly base: number
  readonly top: number
  readonly text: (value: number) => string
  readonly ticks?: readonly ChartTick[]
}): ChartY {
  const { base, top, text } = options
  const ticks =
    options.ticks !== undefined && options.ticks.length >= TICKS_MIN
      ? options.ticks
      : [base, (base + top) / 2, top].map((value) => ({ value, text: text(value) }))
  return linear({ base, top, text, ticks })
}

/** Durations on a log scale, with powers of ten or, of a short range, round values between. */
export function durationLogScale(fromMs: number, toMs: number): ChartY {
  const [from, to] = [Math.max(fromMs, 0.1), Math.max(toMs, fromMs * 1.01, 0.2)]
  return {
    place: (ms) => placeOn(ms, from, to),
    valueAt: (place) => from * (to / from) ** Math.min(1, Math.max(0, place)),
    ticks: ticksBetween(from, to, 6).map((value) => ({ value, text: shortDurationText(value) })),
    text: durationText,
  }
}

function linear(options: {
  readonly base: number
  readonly top: number
  readonly text: (value: number) => string
  readonly ticks: readonly ChartTick[]
}): ChartY {
  const { base, top, text, ticks } = options
  return {
    place: (value) => Math.min(1, Math.max(0, (value - base) / (top - base || 1))),
    valueAt: (place) => base + (top - base) * Math.min(1, Math.max(0, place)),
    ...{ ticks, text },
  }
}

function evenly(
  first: number,
  step: number,
  steps: number,
  text: (value: number) => string,
): readonly ChartTick[] {
  return Array.from({ length: steps + 1 }, (_, at) => {
    const value = Number((first + at * step).toPrecision(9))
    return { value, text: text(value) }
  })
}

/** The least of 1, 2, 2.5, 5 and their tens that is not below; never finer than `least`. */
function niceStep(value: number, least = 0): number {
  if (!(value > 0)) return Math.max(1, least)
  const magnitude = 10 ** Math.floor(Math.log10(value))
  const fits = (step: number) =>
    step * magnitude >= value * 0.999_999 && (least === 0 || isWhole(step * magnitude))
  return (STEPS.find(fits) ?? 10) * magnitude
}

function isWhole(value: number): boolean {
  return Math.abs(value - Math.round(value)) < 1e-6
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** `10 ms`, `0.5 s`, `2 min`, `6 h`: names of an axis. */
export function shortDurationText(ms: number): string {
  const text = (value: number) => String(Number(value.toPrecision(4)))
  if (ms >= 2 * DAY_MS && ms % DAY_MS === 0) return `${text(ms / DAY_MS)} d`
  if (ms >= 2 * HOUR_MS && ms % HOUR_MS === 0) return `${text(ms / HOUR_MS)} h`
  if (ms >= 120_000 && ms % 60_000 === 0) return `${text(ms / 60_000)} min`
  if (ms === 0) return '0'
  return ms >= 1_000 || (ms >= 500 && ms % 500 === 0) ? `${text(ms / 1_000)} s` : `${text(ms)} ms`
}

/** From 0 to 1; what lies outside is at the end. */
export function placeOn(ms: number, fromMs: number, toMs: number): number {
  if (ms <= fromMs) return 0
  if (ms >= toMs) return 1
  return Math.log(ms / fromMs) / Math.log(toMs / fromMs)
}

/** Names nearer to each other would overlap in a narrow window. */
const APART_MIN = 0.11

const MINUTE_MS = 60_000
/** Beyond a minute the round values of a clock, about as far from each other as powers of ten. */
const LONG = [MINUTE_MS, 10 * MINUTE_MS, 2 * HOUR_MS, DAY_MS, 10 * DAY_MS, 100 * DAY_MS]
const LONG_FINEST = [
  ...[1, 2, 5, 10, 20, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 5, 12].map((hours) => hours * HOUR_MS),
  ...[1, 2, 5, 10, 20, 50, 100].map((days) => days * DAY_MS),
]

/** Round durations within the bounds: at least three of them, as many as fit, none on another. */
export function ticksBetween(fromMs: number, toMs: number, ticksMax: number): readonly number[] {
  const tens = Array.from({ length: 6 }, (_, power) => 10 ** (power - 1))
  const powers = [...tens, ...LONG]
  const finest = [...tens.flatMap((ten) => [1, 2, 5].map((step) => step * ten)), ...LONG_FINEST]
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

/** Returns ticks for a range that is short beside its values: three to eight steps of equal length. */
function evenTicks(fromMs: number, toMs: number): readonly number[] {
  const least = (toMs - fromMs) / 7
  if (!(least > 0)) return [fromMs]
  const magnitude = 10 ** Math.floor(Math.log10(least))
  const step = ([1, 2, 2.5, 5, 10].find((one) => one * magnitude >= least) ?? 10) * magnitude
  const first = Math.ceil(fromMs / step - 1e-9)
  const count = Math.floor(toMs / step + 1e-9) - first + 1
  return Array.from({ length: count }, (_, at) => Number(((first + at) * step).toPrecision(6)))
}
