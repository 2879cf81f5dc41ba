/**
 * Terms about time: `-24h` within the last day, `+7d` longer ago than a week, `<-7d` and `>=2026-11-01`
 * compared, `2026-11-01` that day (UTC). Pure.
 */
import { byWord } from '#base/by-word.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#base/durations.ts'

/** From the first on, before the second; `null`: no end there. */
export interface TimeBounds {
  readonly fromMs: number | null
  readonly untilMs: number | null
}

const UNITS: Readonly<Record<string, number>> = byWord({
  s: 1_000,
  m: MINUTE_MS,
  h: HOUR_MS,
  d: DAY_MS,
  w: 7 * DAY_MS,
})
const RELATIVE = /^(>=|<=|>|<)?([+-])?(\d{1,6})([smhdw])$/
const ABSOLUTE =
  /^(>=|<=|>|<)?(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})?)?$/i

/**
 * Reads a time of a search as bounds. `null` for what says no time. `age`: it is a length of time that is compared,
 * not a moment.
 */
export function timeBounds(
  value: string,
  { nowMs, isAge }: { readonly nowMs: number; readonly isAge: boolean },
): TimeBounds | null {
  const relative = RELATIVE.exec(value)
  return relative === null ? absoluteBounds(value) : relativeBounds(relative, { nowMs, isAge })
}

function relativeBounds(
  [, sign, direction, digits, unit = '']: RegExpExecArray,
  { nowMs, isAge }: { readonly nowMs: number; readonly isAge: boolean },
): TimeBounds | null {
  const atMs = nowMs - Number(digits) * (UNITS[unit] ?? 0)
  if (sign === undefined) {
    if (direction === undefined) return null
    return direction === '-' ? { fromMs: atMs, untilMs: null } : { fromMs: null, untilMs: atMs }
  }
  // `age:>24h` is older, `firstSeen:>-24h` is later.
  if (isAge && direction === undefined) return comparedBounds(atMs, sign.startsWith('<') ? '>=' : '<')
  return direction === '-' ? comparedBounds(atMs, sign) : null
}

function absoluteBounds(value: string): TimeBounds | null {
  const [, sign, date = '', time] = ABSOLUTE.exec(value) ?? []
  if (date === '') return null
  const hasZone = time !== undefined && /(?:Z|[+-]\d{2}:\d{2})$/i.test(time)
  const atMs = Date.parse(`${date}${time ?? 'T00:00'}${hasZone ? '' : 'Z'}`)
  // The calendar corrects a 31st of November to the 1st of December, which nobody meant.
  if (Number.isNaN(atMs) || Number(date.slice(8)) !== new Date(Date.parse(`${date}T00:00Z`)).getUTCDate())
    return null
  if (sign !== undefined) return comparedBounds(atMs, sign)
  return { fromMs: atMs, untilMs: atMs + (time === undefined ? DAY_MS : MINUTE_MS) }
}

function comparedBounds(atMs: number, sign: string): TimeBounds {
  const isInclusive = sign.endsWith('=')
  return sign.startsWith('>')
    ? { fromMs: isInclusive ? atMs : atMs + 1, untilMs: null }
    : { fromMs: null, untilMs: isInclusive ? atMs + 1 : atMs }
}
