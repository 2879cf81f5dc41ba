/** Numbers as searches compare them: `100`, `>=1.5s`, `<2%`, `>10MB`. Signs and units are spelt here alone. Pure. */
import { byWord } from '#base/by-word.ts'
import { HOUR_MS, MINUTE_MS } from '#base/durations.ts'

export type ComparedSign = '=' | '>' | '>=' | '<' | '<='

export interface Compared {
  /** `null`: none was written. */
  readonly sign: ComparedSign | null
  readonly value: number
}

/** Sorts of numbers; each has units of its own. */
export type ComparedUnit = 'count' | 'number' | 'duration' | 'percent' | 'bytes'

const KIB = 1_024
const UNITS: Readonly<Record<ComparedUnit, Readonly<Record<string, number>>>> = {
  count: byWord({ '': 1 }),
  number: byWord({ '': 1 }),
  duration: byWord({ '': 1, ms: 1, s: 1_000, m: MINUTE_MS, min: MINUTE_MS, h: HOUR_MS }),
  percent: byWord({ '': 1, '%': 1 }),
  bytes: byWord({
    ...{ '': 1, b: 1, kb: 1_000, mb: 1_000_000, gb: 1_000_000_000 },
    ...{ kib: KIB, mib: KIB ** 2, gib: KIB ** 3 },
  }),
}

/** Examples of what may be written, for the sentence that says what a field takes. */
export const COMPARED_WORDS: Readonly<Record<ComparedUnit, string>> = {
  count: 'a number, such as 100, >100 or <=5',
  number: 'a number, such as 100, >0.5 or <=-5',
  duration: 'a duration, such as >500ms, <=2s or 1.5m',
  percent: 'a share, such as >2% or <=0.5%',
  bytes: 'a size, such as >500KB or <=10MB',
}

/** Bounds of durations that are offered. */
export const DURATION_OFFERS: readonly string[] = ['>300ms', '>1s', '>3s', '<100ms']

const COMPARED = /^(>=|<=|>|<|=)?(-?\d{1,15}(?:\.\d{1,9})?)(%|[a-z]{1,3})?$/i

/** Reads a number with its sign and unit, in milliseconds, bytes or percent; `null` for anything else. */
export function readCompared(text: string, unit: ComparedUnit): Compared | null {
  const [, sign, digits, ending = ''] = COMPARED.exec(text) ?? []
  const factor = UNITS[unit][ending.toLowerCase()]
  if (digits === undefined || factor === undefined) return null
  const value = Number(digits)
  if (unit === 'count' && !Number.isSafeInteger(value)) return null
  if (unit !== 'number' && value < 0) return null
  return { sign: isComparedSign(sign) ? sign : null, value: value * factor }
}

function isComparedSign(text: string | undefined): text is ComparedSign {
  return text !== undefined
}

/** True if the number is as the sign says of the bound. */
export function isCompared(value: number, sign: ComparedSign, bound: number): boolean {
  switch (sign) {
    case '>':
      return value > bound
    case '>=':
      return value >= bound
    case '<':
      return value < bound
    case '<=':
      return value <= bound
    case '=':
      return value === bound
  }
}
