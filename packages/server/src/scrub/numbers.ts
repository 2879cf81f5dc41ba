/** Card and account numbers in text: found by their digits, proved by issuer, length and checksum. */
import { isAlnum, isDigit } from './characters.ts'

export interface TextSpan {
  readonly start: number
  readonly end: number
}

const CARD_DIGITS_MIN = 13
const CARD_DIGITS_MAX = 19
/** Between groups of digits: one sign, the same throughout, or two blanks. */
const SEPARATORS = ' -._/\u00a0\u2009\u202f\u2010\u2011\u2013,|'
const MAYBE_CARD = /\d[\d ._/,|\u00a0\u2009\u202f\u2010\u2011\u2013-]{11,}\d/g

/**
 * Finds the stretches of `text` that are card numbers. Each start is walked for as many digits as the longest card has.
 */
export function findCards(text: string): TextSpan[] {
  const found: TextSpan[] = []
  for (const match of text.matchAll(MAYBE_CARD)) cardsOfRun(match[0], match.index, { text, found })
  return found
}

interface Run {
  readonly text: string
  readonly found: TextSpan[]
}

/** Groups such as `4111 1111 1111 1111 12 26` hold a card from one group's start to another's end. */
function cardsOfRun(run: string, offset: number, { text, found }: Run): void {
  let at = 0
  while (at < run.length) {
    const code = run.charCodeAt(at)
    // No card begins with 0, 1 or 7, as times do.
    const isStart = code >= 0x32 && code <= 0x39 && code !== 0x37 && !isDigit(run.charCodeAt(at - 1))
    const end = isStart ? longestCard(run, at) : 0
    if (end > 0 && !isInsideWord(text, offset + at, offset + end)) {
      found.push({ start: offset + at, end: offset + end })
      at = end
    } else at++
  }
}

/** End of the longest card that begins here, or 0. Both Luhn sums run along, so that each length is proved at once. */
function longestCard(run: string, start: number): number {
  let count = 0
  let prefix = 0
  let even = 0
  let odd = 0
  let group = 0
  let separator = ''
  let best = 0
  for (let at = start; at < run.length && count <= CARD_DIGITS_MAX; at++) {
    const code = run.charCodeAt(at)
    if (!isDigit(code)) {
      const sign = run[at] ?? ''
      if (group === 0 && sign === ' ' && run[at - 2] !== ' ') continue // two blanks
      if (group < 2 || (separator !== '' && sign !== separator) || !SEPARATORS.includes(sign)) break
      separator = sign
      group = 0
      continue
    }
    const digit = code - 48
    const doubled = digit > 4 ? digit * 2 - 9 : digit * 2
    even += count % 2 === 0 ? doubled : digit
    odd += count % 2 === 1 ? doubled : digit
    group++
    if (count < 4) prefix = prefix * 10 + digit
    count++
    if (count < CARD_DIGITS_MIN || count > CARD_DIGITS_MAX || isDigit(run.charCodeAt(at + 1))) continue
    // The last digit is never doubled: of an even count, those at even places are.
    if ((count % 2 === 0 ? even : odd) % 10 === 0 && isIssued(prefix, count)) best = at + 1
  }
  return best
}

/** True for digits of a known issuer's length that pass the Luhn check. */
export function isCard(digits: string): boolean {
  return longestCard(digits, 0) === digits.length
}

/** Prefixes as four digits, from and to, with the lengths their cards have. */
const ISSUERS: readonly (readonly [from: number, to: number, lengths: readonly number[]])[] = [
  [2131, 2131, [15]],
  [2200, 2204, [16, 17, 18, 19]],
  [2221, 2720, [16]],
  [3000, 3059, [14, 16]],
  [3095, 3095, [14, 16]],
  [3400, 3499, [15]],
  [3528, 3589, [16, 17, 18, 19]],
  [3600, 3699, [14, 16]],
  [3700, 3799, [15]],
  [3800, 3999, [14, 16]],
  [4000, 4999, [13, 16, 19]],
  [5000, 5099, [16, 17, 18, 19]],
  [5100, 5599, [16]],
  [5600, 5899, [16, 17, 18, 19]],
  [6011, 6011, [16, 17, 18, 19]],
  [6060, 6099, [16]],
  [6200, 6299, [16, 17, 18, 19]],
  [6304, 6304, [16, 17, 18, 19]],
  [6360, 6390, [16, 17, 18, 19]],
  [6440, 6599, [16, 17, 18, 19]],
  [6700, 6799, [16, 17, 18, 19]],
  [8100, 8299, [16, 17, 18, 19]],
  [9792, 9792, [16]],
]

function isIssued(prefix: number, length: number): boolean {
  return ISSUERS.some(([from, to, lengths]) => prefix >= from && prefix <= to && lengths.includes(length))
}

/** Length of an IBAN by country: a checksum alone would hit one text in a hundred. */
const IBAN_LENGTH: Readonly<Record<string, number>> = {
  ...{
    AD: 24,
    AE: 23,
    AL: 28,
    AT: 20,
    AZ: 28,
    BA: 20,
    BE: 16,
    BG: 22,
    BH: 22,
    BR: 29,
    BY: 28,
    CH: 21,
    CR: 22,
    CY: 28,
  },
  ...{
    CZ: 24,
    DE: 22,
    DK: 18,
    DO: 28,
    EE: 20,
    EG: 29,
    ES: 24,
    FI: 18,
    FO: 18,
    FR: 27,
    GB: 22,
    GE: 22,
    GI: 23,
    GL: 18,
  },
  ...{
    GR: 27,
    GT: 28,
    HR: 21,
    HU: 28,
    IE: 22,
    IL: 23,
    IQ: 23,
    IS: 26,
    IT: 27,
    JO: 30,
    KW: 30,
    KZ: 20,
    LB: 28,
    LC: 32,
  },
  ...{
    LI: 21,
    LT: 20,
    LU: 20,
    LV: 21,
    LY: 25,
    MC: 27,
    MD: 24,
    ME: 22,
    MK: 19,
    MR: 27,
    MT: 31,
    MU: 30,
    NL: 18,
    NO: 15,
  },
  ...{
    PK: 24,
    PL: 28,
    PS: 29,
    PT: 25,
    QA: 29,
    RO: 24,
    RS: 22,
    SA: 24,
    SC: 31,
    SE: 24,
    SI: 19,
    SK: 24,
    SM: 27,
    SV: 28,
  },
  ...{ TL: 23, TN: 24, TR: 26, UA: 29, VA: 22, VG: 24, XK: 20 },
}
const IBAN_START = /(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}(?=[ ._\u00a0-]?[A-Za-z0-9])/g
const MAYBE_IBAN = new RegExp(IBAN_START.source)
const IBAN_SEPARATORS = ' -._\u00a0'

/** True if a country and two digits stand where a word begins. */
export function mayHoldIban(text: string): boolean {
  return MAYBE_IBAN.test(text)
}

/** Stretches of `text` that are IBANs, written together or in groups. */
export function findIbans(text: string): TextSpan[] {
  const found: TextSpan[] = []
  let end = 0
  for (const match of text.matchAll(IBAN_START)) {
    const length = IBAN_LENGTH[match[0].slice(0, 2).toUpperCase()]
    if (length === undefined || match.index < end) continue
    end = Math.max(end, ibanEnd(text, match.index, length))
    if (end > match.index) found.push({ start: match.index, end })
  }
  return found
}

/** End of the IBAN that begins at `start`, or 0: its letters and digits, one sign between groups of two or more. */
function ibanEnd(text: string, start: number, length: number): number {
  let count = 0
  let group = 0
  let plain = ''
  for (let at = start; at < text.length && count < length; at++) {
    const letter = text[at] ?? ''
    if (isAlnum(text.charCodeAt(at))) {
      plain += letter
      count++
      group++
    } else {
      if (group < 2 || !IBAN_SEPARATORS.includes(letter)) return 0
      group = 0
    }
    if (count === length) return !isAlnum(text.charCodeAt(at + 1)) && passesMod97(plain) ? at + 1 : 0
  }
  return 0
}

function passesMod97(iban: string): boolean {
  let rest = 0
  for (const letter of (iban.slice(4) + iban.slice(0, 4)).toUpperCase()) {
    const value = letter >= 'A' ? letter.charCodeAt(0) - 55 : Number(letter)
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest === 1
}

const UUID = /(?<![\da-f])[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}(?![\da-f])/gi
const UUID_CHARS = 36

/** Groups of digits that happen to make a card within a UUID. */
function isInUuid(text: string, start: number, end: number): boolean {
  const from = Math.max(0, start - UUID_CHARS)
  const around = text.slice(from, end + UUID_CHARS)
  for (const { index } of around.matchAll(UUID))
    if (from + index <= start && from + index + UUID_CHARS >= end) return true
  return false
}

/** Digits joined to letters are part of an id; an escaped line break (`\n4111…`) does not join. */
function isInsideWord(text: string, start: number, end: number): boolean {
  if (isInUuid(text, start, end)) return true
  if (/[A-Za-z0-9.]/.test(text[end] ?? '') && !/^\.(?:\D|$)/.test(text.slice(end, end + 2))) return true
  const before = text[start - 1] ?? ''
  if (/[A-Za-z]/.test(before)) return text[start - 2] !== '\\'
  return /[0-9.]/.test(before)
}
