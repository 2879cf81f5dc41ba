/**
 * Part of grouping version 1. What differs from occurrence to occurrence of one message is replaced by its name: `user 17
 * not found` and `user 23 not found` are one message, whatever text it quotes. `rules/text-rules.ts` says what varies. For
 * hashing only; titles stay as they came.
 */
import { Memo } from '#base/memo.ts'
import { withoutColours } from './colours.ts'
import { MEMO_LIMITS } from './memo-limits.ts'
import { withoutQuotedText } from './quoted.ts'
import { LIST, TEXT_RULES } from './rules/text-rules.ts'
import * as traits from './rules/text-traits.ts'

const CHARS_MAX = 2_048
const LINES_MAX = 2

const REACT_MINIFIED = /^(?:Uncaught )?(?:Error: )?Minified React error #(\d{1,5})/

/** A variable of one or two letters where engines name one. */
const MINIFIED_NAME =
  /(?<![\w$.])[A-Za-z_$][\w$]?(?=\.[A-Za-z_$]|\[| is (?:not|undefined|null|read-only)| has already)/g
/** dart2js names a type so in the text of an error. */
const DART_NAME = /\bminified:\w{1,20}/g

/** A digit of another script, as `toLocaleString` and people write it. */
const OTHER_DIGIT = /[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u09e6-\u09ef\u0e50-\u0e59\uff10-\uff19]/g
/** Zero of each of these rows; its other digits follow it. */
const ZEROS = [0x660, 0x6f0, 0x966, 0x9e6, 0xe50, 0xff10]

/** The first two lines that are not empty, with everything that varies replaced. */
export function parameterise(text: string): string {
  return PLAIN.of(text)
}

// Dozens of patterns a text, and most messages of an app come again as they were.
const PLAIN = new Memo(readPlain, MEMO_LIMITS)

function readPlain(text: string): string {
  const react = REACT_MINIFIED.exec(text)
  // The number is the cause; the address behind it holds arguments.
  if (react !== null) return `Minified React error #${react[1]}`
  let plain = firstLines(withAsciiDigits(withoutColours(text.slice(0, CHARS_MAX))))
  const held = traitsOf(plain)
  for (const { needs, pattern, to } of TEXT_RULES) {
    if ((held & needs) !== needs) continue
    plain = typeof to === 'string' ? plain.replace(pattern, to) : plain.replace(pattern, to)
  }
  const unquoted = withoutQuotedText(plain)
  return unquoted.includes('>') ? unquoted.replace(LIST, '$1') : unquoted
}

/** `t is not a function` is `n is not a function` after the next build. For messages of minified JavaScript alone. */
export function withoutMinifiedNames(text: string): string {
  return text.slice(0, CHARS_MAX).replace(MINIFIED_NAME, '<name>')
}

/** `Instance of 'minified:hS'` */
export function withoutDartNames(text: string): string {
  return text.includes('minified:') ? text.replace(DART_NAME, 'minified') : text
}

const DAY_START = /Mon|Tue|Wed|Thu|Fri|Sat|Sun/
const MONTH_START = /Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec/
const YEAR = / (?:19|20)\d\d(?!\w)/
const SQL_WORDS = /\b(?:select|insert|update|delete|SQL)\b/i
const CURRENCY =
  /[€£¥₹₩₽₺₴₫₪฿₦]|\b(?:USD|EUR|GBP|CHF|JPY|CNY|AUD|CAD|SEK|NOK|DKK|PLN|CZK|HUF|BRL|INR|TRY|MXN|ZAR|SGD|HKD|NZD|KRW|kr|Ft|lei)\b|zł|Kč|лв|грн|руб/

/**
 * Returns traits of a text by one walk over its characters. They rule out most rules: 50 patterns cost 12 µs,
 * the few that remain one.
 */
function traitsOf(text: string): number {
  let held = 0
  let run = 0
  let word = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    const isDigit = code >= 0x30 && code <= 0x39
    if (isDigit || (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a)) {
      if (isDigit) held |= traits.DIGIT_TRAIT
      run += 1
      word += 1
      if (run === 7) held |= traits.RUN_7
      else if (run === 32) held |= traits.RUN_32
    } else {
      run = 0
      held |= code < 0x80 ? (TRAITS[code] ?? 0) : traits.MONEY
      word = code === 0x2d || code === 0x5f ? word + 1 : 0
    }
    if (word === 16) held |= traits.WORD_16
  }
  return held | traitsOfWords(text, held)
}

/** Adds traits of words, if the characters allow any. */
function traitsOfWords(text: string, held: number): number {
  const isDigit = (held & traits.DIGIT_TRAIT) !== 0
  const sql = (held & (traits.ROUND | traits.EQUALS)) !== 0 && SQL_WORDS.test(text) ? traits.SQL : 0
  if (!isDigit) return sql
  const money = (held & traits.MONEY) === 0 && CURRENCY.test(text) ? traits.MONEY : 0
  const day = DAY_START.test(text) ? traits.DAY_NAME_TRAIT : 0
  const year = YEAR.test(text) ? traits.YEAR : 0
  return sql | money | day | year | (MONTH_START.test(text) ? traits.MONTH : 0)
}

/** By the code of a character. */
const TRAITS = traitsByCode({
  '-': traits.DASH,
  '.': traits.DOT,
  '/': traits.SLASH | traits.PATH,
  '\\': traits.PATH,
  ':': traits.COLON,
  '=': traits.EQUALS,
  '@': traits.SIGN_AT,
  _: traits.UNDERSCORE,
  '<': traits.ANGLE,
  '(': traits.ROUND,
  '{': traits.CURLY,
  '%': traits.PERCENT,
  $: traits.MONEY,
  '?': traits.QUESTION,
  '+': traits.PLUS,
})

function traitsByCode(byCharacter: Readonly<Record<string, number>>): Int32Array {
  const byCode = new Int32Array(0x80)
  for (const [character, held] of Object.entries(byCharacter)) byCode[character.charCodeAt(0)] = held
  return byCode
}

/** Lines of PostgreSQL that show part of a statement, and the mark below the place. */
const EXCERPT = /^(?:LINE \d{1,6}: |\^$)/

function firstLines(text: string): string {
  if (!text.includes('\n') && !text.includes('\r')) return text.trim()
  const lines = text
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !EXCERPT.test(line))
  const kept = lines.slice(0, LINES_MAX).join('\n')
  return lines.length > LINES_MAX ? `${kept}...` : kept
}

/** Writes Arabic, Persian, Devanagari, Bengali, Thai and full-width digits as those of ASCII, so that rules see numbers. */
function withAsciiDigits(text: string): string {
  return text.replace(OTHER_DIGIT, (digit) => {
    const code = digit.charCodeAt(0)
    return String(code - (ZEROS.findLast((zero) => zero <= code) ?? code))
  })
}
