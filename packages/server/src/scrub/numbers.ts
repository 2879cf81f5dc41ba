/** Card and account numbers in text: found by their digits, proved by their checksums. */

export interface Span {
  readonly start: number
  readonly end: number
}

const CARD_DIGITS_MIN = 13
const CARD_DIGITS_MAX = 19
// A run of digits with single spaces or dashes between them; bounded, and each run is looked at once.
const DIGIT_RUN = /\d(?:[ -]?\d){12,63}/g

/** Stretches of `text` that are card numbers: a known issuer, its length, and the Luhn check. */
export function findCards(text: string): Span[] {
  const found: Span[] = []
  for (const match of text.matchAll(DIGIT_RUN)) {
    if (isInsideWord(text, match.index, match.index + match[0].length)) continue
    cardsOfRun(match[0], match.index, found)
  }
  return found
}

/** Groups such as `4111 1111 1111 1111 12 26` hold a card from one group's start to another's end. */
function cardsOfRun(run: string, offset: number, found: Span[]): void {
  let from = 0
  while (from < run.length) {
    const end = longestCard(run, from)
    if (end > 0) found.push({ start: offset + from, end: offset + end })
    const next = run.slice(end > 0 ? end : from).search(/[ -]\d/)
    if (next === -1) return
    from = (end > 0 ? end : from) + next + 1
  }
}

function longestCard(run: string, from: number): number {
  let digits = ''
  let best = 0
  for (let at = from; at < run.length && digits.length < CARD_DIGITS_MAX; at++) {
    const letter = run[at] ?? ''
    if (letter === ' ' || letter === '-') continue
    digits += letter
    const after = run[at + 1]
    const isGroupEnd = after === undefined || after === ' ' || after === '-'
    if (isGroupEnd && digits.length >= CARD_DIGITS_MIN && isCard(digits)) best = at + 1
  }
  return best
}

/** True for digits of a known issuer's length that pass the Luhn check. */
export function isCard(digits: string): boolean {
  return isIssued(digits) && passesLuhn(digits)
}

function isIssued(digits: string): boolean {
  const length = digits.length
  const two = Number(digits.slice(0, 2))
  const four = Number(digits.slice(0, 4))
  if (digits.startsWith('4')) return length === 13 || length === 16 || length === 19
  if ((two >= 51 && two <= 55) || (four >= 2221 && four <= 2720)) return length === 16
  if (two === 34 || two === 37) return length === 15
  if (two === 36 || two === 38 || two === 39 || (four >= 3000 && four <= 3059))
    return length === 14 || length === 16
  if (four >= 3528 && four <= 3589) return length >= 16
  if (two === 60 || two === 64 || two === 65 || two === 62 || two === 81) return length >= 16
  return (two === 50 || (two >= 56 && two <= 69)) && length >= 16
}

function passesLuhn(digits: string): boolean {
  let sum = 0
  for (let at = 0; at < digits.length; at++) {
    const digit = digits.charCodeAt(digits.length - 1 - at) - 48
    const counted = at % 2 === 1 ? digit * 2 : digit
    sum += counted > 9 ? counted - 9 : counted
  }
  return sum % 10 === 0
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
const IBAN_START = /(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}(?=[ A-Za-z0-9])/g
const MAYBE_IBAN = new RegExp(IBAN_START.source)
const IBAN_SPREAD_MAX = 48

/** Stretches of `text` that are IBANs, written together or in groups. */
export function findIbans(text: string): Span[] {
  const found: Span[] = []
  // A third of what `matchAll` costs where there is none, which is nearly always.
  if (!MAYBE_IBAN.test(text)) return found
  for (const match of text.matchAll(IBAN_START)) {
    const length = IBAN_LENGTH[match[0].slice(0, 2).toUpperCase()]
    if (length === undefined) continue
    const end = ibanEnd(text, match.index, length)
    if (end > 0) found.push({ start: match.index, end })
  }
  return found
}

function ibanEnd(text: string, start: number, length: number): number {
  let plain = ''
  for (let at = start; at < text.length && at - start < IBAN_SPREAD_MAX; at++) {
    const letter = text[at] ?? ''
    if (letter === ' ' && text[at - 1] !== ' ') continue
    if (!/[A-Za-z0-9]/.test(letter)) return 0
    plain += letter
    if (plain.length === length)
      return !/[A-Za-z0-9]/.test(text[at + 1] ?? '') && passesMod97(plain) ? at + 1 : 0
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

/** Digits joined to letters are part of an id; an escaped line break (`\n4111…`) does not join. */
function isInsideWord(text: string, start: number, end: number): boolean {
  if (/[A-Za-z0-9_.]/.test(text[end] ?? '') && !/^\.(?:\D|$)/.test(text.slice(end, end + 2))) return true
  const before = text[start - 1] ?? ''
  if (/[A-Za-z]/.test(before)) return text[start - 2] !== '\\'
  return /[0-9_.]/.test(before)
}
