/**
 * Frozen part of grouping version 1. What differs from occurrence to occurrence of one message is replaced by its
 * name: `user 17 not found` and `user 23 not found` are one message, whatever text it quotes. What names a cause stays:
 * an HTTP status, a quoted name of the code. For hashing only; titles stay as they came.
 *
 * Every pattern is linear: no quantifier inside another over the same characters, each with a bound, on text of at
 * most `CHARS_MAX`.
 */
import { isIPv6 } from 'node:net'
import { isHttpStatus } from './http-status.ts'
import { withoutQuotedText } from './quoted.ts'

const CHARS_MAX = 2_048
const LINES_MAX = 2

const DAY_NAME = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)(?:day|sday|nesday|rsday|urday)?'
const MONTH_NAME =
  '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)(?:uary|ruary|ch|il|e|y|ust|t|tember|ober|ember)?'
const CLOCK = '\\d{1,2}:\\d{2}(?::\\d{2}(?:[.,]\\d{1,9})?)?(?: ?[AaPp]\\.?[Mm]\\b\\.?)?'
const ZONE =
  '(?: ?(?:Z|UTC|GMT|[A-Z]{3,4}(?![A-Za-z])|(?:UTC|GMT)?[+-]\\d{2}:?\\d{2})){0,2}(?: \\([A-Za-z ]{1,48}\\))?'
const AFTER = '(?![\\w])'

// What a text holds, as `traitsOf` finds it.
const DIGIT = 1
const AT = 2
const SLASH = 4
/** `/` or a backslash. */
const PATH = 8
const DOT = 16
const COLON = 32
const DASH = 64
const EQUALS = 128
const UNDERSCORE = 256
/** A run of so many letters and digits. */
const RUN_7 = 512
const RUN_32 = 1_024
/** A run of 16 letters, digits, underscores and dashes. */
const WORD_16 = 2_048
const DAY = 4_096
const MONTH = 8_192

const DATES: readonly (readonly [needs: number, source: string])[] = [
  // Python repr, ISO 8601 and its cousins, compact ISO.
  [DOT, 'datetime\\.(?:datetime|date|time)\\([\\d, ]{1,64}(?:, ?tzinfo=[\\w.()]{1,48})?\\)'],
  [DIGIT, `\\d{4}[-/.]\\d{2}[-/.]\\d{2}(?:[T ]${CLOCK}${ZONE})?`],
  [DIGIT | RUN_7, '\\d{8}T\\d{4,6}(?:\\.\\d{1,9})?Z?'],
  // `Sat Nov 21 2026 05:26:17 GMT+0100 (CET)`, `Sat Nov 21 05:26:17 UTC 2026`, `Sat, 21 Nov 2026 05:26:17 GMT`, `Saturday, 21-Nov-26 …`.
  [DIGIT | DAY, `${DAY_NAME},? ${MONTH_NAME} {1,2}\\d{1,2}(?: \\d{4})?(?:,? ${CLOCK})?${ZONE}(?: \\d{4})?`],
  [DIGIT | MONTH, `(?:${DAY_NAME},? )?\\d{1,2}[ -]${MONTH_NAME}[ -]\\d{2,4}(?:,? ${CLOCK}${ZONE})?`],
  [DIGIT | MONTH, `${MONTH_NAME}\\.? \\d{1,2}(?:st|nd|rd|th)?,? \\d{4}(?:,?(?: at)? ${CLOCK}${ZONE})?`],
  // Web server logs, then numbers with slashes or dots, then a time alone.
  [DIGIT | MONTH, `\\d{1,2}/${MONTH_NAME}/\\d{4}(?::\\d{2}){3}(?: [+-]\\d{4})?`],
  [DIGIT, `\\d{1,2}([/.])\\d{1,2}\\1\\d{4}(?:,? ${CLOCK}${ZONE})?`],
  [DIGIT | COLON, `\\d{1,2}:\\d{2}:\\d{2}(?:[.,]\\d{1,9})?(?: ?[AaPp][Mm])?${ZONE}`],
  [DIGIT | COLON, '\\d{1,2}:\\d{2} ?[AaPp][Mm]'],
]

type Replacement = string | ((match: string, at: number, text: string) => string)

/**
 * In order of precedence: what an earlier rule took, a later one no longer sees. `needs` is what every match holds, so
 * that most rules are left out by a look at the text's characters; no replacement brings any of it into a text.
 */
const RULES: readonly (readonly [needs: number, pattern: RegExp, replacement: Replacement])[] = [
  [AT, /(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/g, '<email>'],
  [COLON | SLASH, /(?<![\w+.-])[a-z][a-z0-9+.-]{1,20}:\/\/[^\s'"<>)\]}`]{1,2048}/gi, '<url>'],
  [
    SLASH,
    /(?<![\w/.-])\/(?:[\w.@~[\]()+-]{1,128}\/){0,32}(?:_next|_nuxt|_app|_astro|assets|static|chunks|build|dist)\/[^\s'"<>)`]{1,512}/g,
    '<asset>',
  ],
  [
    PATH,
    /(?<![\w/.\\])(?:[A-Za-z]:[\\/]|\/(?:home|Users|srv|var|opt|usr|tmp|root|mnt|private|etc|workspace|app|data|proc|code)\/)[^\s'"<>:,;)`]{1,512}/g,
    pathTail,
  ],
  [
    DOT,
    /(?<![\w.-])(?:[a-z0-9-]{1,63}\.){1,8}(?:com|net|org|edu|gov|mil|io|dev|cloud|local|internal|lan|de|uk|fr|nl|eu|ch|jp|br|ru|pl|se|fi|cz|kr)(?![\w-]|\.\w|\s*[(=])/gi,
    '<hostname>',
  ],
  [DIGIT | DOT, /(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?:\/\d{1,2})?(?!\w|\.\d)/g, '<ip>'],
  [DIGIT | COLON, /(?<![\w:.])[0-9A-Fa-f:.]{2,45}(?![\w:])/g, (match) => (isAddress(match) ? '<ip>' : match)],
  [DIGIT | DASH | RUN_32, /(?<!\w)00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}(?!\w)/g, '<traceparent>'],
  [DIGIT | DASH, /(?<!\w)1-[0-9a-f]{8}-[0-9a-f]{24}(?!\w)/g, '<traceparent>'],
  [
    DASH | RUN_7,
    /(?<![0-9a-z])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![0-9a-z])/gi,
    '<uuid>',
  ],
  [RUN_32, /(?<!\w)[0-9a-f]{40}(?!\w)/gi, '<sha1>'],
  [RUN_32, /(?<!\w)[0-9a-f]{32}(?!\w)/gi, '<md5>'],
  ...DATES.map(([needs, source]): readonly [number, RegExp, string] => [
    needs,
    new RegExp(`(?<![\\w.:/-])${source}${AFTER}`, 'g'),
    '<date>',
  ]),
  [
    DIGIT,
    /(?<![\w.])\d{1,12}(?:\.\d{1,9})? ?(?:ns|µs|us|ms|secs?|seconds?|mins?|minutes?|hrs?|hours?|days?|s|m|h)(?!\w)/g,
    '<duration>',
  ],
  [DIGIT, /(?<![\w.])\d{1,12}(?:\.\d{1,9})? ?(?:bytes|[KMGTkmgt]i?[Bb]|B)(?!\w)/g, '<size>'],
  [DIGIT, /(?<!\w)0x[0-9a-f]{1,128}(?!\w)/gi, '<hex>'],
  [
    DIGIT | WORD_16,
    /(?<![\w-])[A-Za-z0-9_-]{16,128}(?![\w-])/g,
    (match) => (isIdentifier(match) ? '<id>' : match),
  ],
  [
    DIGIT | UNDERSCORE,
    /(?<![A-Za-z0-9_])[a-z]{2,10}_[A-Za-z0-9]{8,64}(?!\w)/g,
    (match) =>
      /\d/.test(match) && /[A-Za-z]\d|\d[A-Za-z]/.test(match.slice(match.indexOf('_') + 1))
        ? `${match.slice(0, match.indexOf('_'))}_<id>`
        : match,
  ],
  [
    DIGIT | RUN_7,
    /(?<!\w)(?:[0-9a-f]{8,128}|[0-9A-F]{8,128})(?!\w)/g,
    (match) => (/\d/.test(match) ? '<hex>' : match),
  ],
  [
    DIGIT | RUN_7,
    /(?<!\w)[0-9a-f]{7}(?!\w)/g,
    (match) => (/\d/.test(match) && /[a-f]/.test(match) ? '<git_sha>' : match),
  ],
  [DIGIT | DOT, /(?<![\w-])-?(?<!\d\.)\d{1,20}\.\d{1,20}(?:[eE][+-]?\d{1,4})?(?!\w|\.\d)/g, '<float>'],
  [DIGIT, /(?<![\w-])-?\d{1,20}[eE][+-]?\d{1,4}(?!\w)/g, '<float>'],
  [
    DIGIT,
    /(?:(?<![\w-])-)?(?<![A-Za-z0-9])(?<!\d\.)\d{1,64}(?!\w|\.\d)/g,
    (match, at, text) => (isHttpStatus(match, at, text) ? match : '<int>'),
  ],
  [EQUALS, /=(?:"[^"\n]{0,512}"|'[^'\n]{0,512}')/g, '=<quoted_str>'],
  [EQUALS, /=(?:true|false)(?!\w)/gi, '=<bool>'],
]

const REACT_MINIFIED = /^(?:Uncaught )?(?:Error: )?Minified React error #(\d{1,5})/

/** A variable of one or two letters where engines name one. */
const MINIFIED_NAME =
  /(?<![\w$.])[A-Za-z_$][\w$]?(?=\.[A-Za-z_$]|\[| is (?:not|undefined|null|read-only)| has already)/g

/** The first two lines that are not empty, with everything that varies replaced. */
export function parameterise(text: string): string {
  const react = REACT_MINIFIED.exec(text)
  // The number is the cause; the address behind it holds arguments.
  if (react !== null) return `Minified React error #${react[1]}`
  let plain = firstLines(text.slice(0, CHARS_MAX))
  const traits = traitsOf(plain)
  for (const [needs, pattern, replacement] of RULES) {
    if ((traits & needs) !== needs) continue
    plain =
      typeof replacement === 'string'
        ? plain.replace(pattern, replacement)
        : plain.replace(pattern, replacement)
  }
  return withoutQuotedText(plain)
}

/** `t is not a function` is `n is not a function` after the next build. For messages of minified JavaScript alone. */
export function withoutMinifiedNames(text: string): string {
  return text.slice(0, CHARS_MAX).replace(MINIFIED_NAME, '<name>')
}

const DAY_START = /Mon|Tue|Wed|Thu|Fri|Sat|Sun/
const MONTH_START = /Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec/

/** One walk over the characters leaves out most of the rules: 30 patterns cost 8 µs, the few that remain one. */
function traitsOf(text: string): number {
  let traits = 0
  let run = 0
  let word = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    const isDigit = code >= 0x30 && code <= 0x39
    if (isDigit || (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a)) {
      if (isDigit) traits |= DIGIT
      run += 1
      word += 1
      if (run === 7) traits |= RUN_7
      else if (run === 32) traits |= RUN_32
    } else {
      run = 0
      traits |= traitOf(code)
      word = code === 0x2d || code === 0x5f ? word + 1 : 0
    }
    if (word === 16) traits |= WORD_16
  }
  if ((traits & DIGIT) === 0) return traits
  return traits | (DAY_START.test(text) ? DAY : 0) | (MONTH_START.test(text) ? MONTH : 0)
}

function traitOf(code: number): number {
  switch (code) {
    case 0x2d:
      return DASH
    case 0x2e:
      return DOT
    case 0x2f:
      return SLASH | PATH
    case 0x3a:
      return COLON
    case 0x3d:
      return EQUALS
    case 0x40:
      return AT
    case 0x5c:
      return PATH
    case 0x5f:
      return UNDERSCORE
    default:
      return 0
  }
}

function firstLines(text: string): string {
  if (!text.includes('\n') && !text.includes('\r')) return text.trim()
  const lines = text
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const kept = lines.slice(0, LINES_MAX).join('\n')
  return lines.length > LINES_MAX ? `${kept}...` : kept
}

/** Another server has another folder; the file is what matters. */
function pathTail(path: string): string {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
  return name === '' ? '<path>' : `<path>/${name}`
}

/** `A::B` is a name and `12:30` a time; an address has two colons or more. */
function isAddress(text: string): boolean {
  return text.indexOf(':') !== text.lastIndexOf(':') && /\d/.test(text) && isIPv6(text)
}

/** Letters and digits in turns, as random and sortable ids have them. */
function isIdentifier(text: string): boolean {
  return /[A-Za-z]/.test(text) && (text.match(/\d{1,128}/g)?.length ?? 0) >= 3
}
