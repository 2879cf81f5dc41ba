/**
 * Frozen part of grouping version 1. What differs from occurrence to occurrence of one message is replaced by its
 * name: `user 17 not found` and `user 23 not found` are one message. For hashing only; titles stay as they came.
 *
 * Every pattern is linear: no quantifier inside another over the same characters, each with a bound, on text of at
 * most `CHARS_MAX`.
 */
import { isIPv6 } from 'node:net'

const CHARS_MAX = 2_048
const LINES_MAX = 2

const DAY_NAME = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)(?:day|sday|nesday|rsday|urday)?'
const MONTH_NAME =
  '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)(?:uary|ruary|ch|il|e|y|ust|t|tember|ober|ember)?'
const CLOCK = '\\d{1,2}:\\d{2}(?::\\d{2}(?:[.,]\\d{1,9})?)?(?: ?[AaPp]\\.?[Mm]\\b\\.?)?'
const ZONE =
  '(?: ?(?:Z|UTC|GMT|[A-Z]{3,4}(?![A-Za-z])|(?:UTC|GMT)?[+-]\\d{2}:?\\d{2})){0,2}(?: \\([A-Za-z ]{1,48}\\))?'
const AFTER = '(?![\\w])'

const DATES: readonly string[] = [
  // Python repr, ISO 8601 and its cousins, compact ISO.
  'datetime\\.(?:datetime|date|time)\\([\\d, ]{1,64}(?:, ?tzinfo=[\\w.()]{1,48})?\\)',
  `\\d{4}[-/.]\\d{2}[-/.]\\d{2}(?:[T ]${CLOCK}${ZONE})?`,
  '\\d{8}T\\d{4,6}(?:\\.\\d{1,9})?Z?',
  // `Sat Nov 21 2026 05:26:17 GMT+0100 (CET)`, `Sat Nov 21 05:26:17 UTC 2026`, `Sat, 21 Nov 2026 05:26:17 GMT`, `Saturday, 21-Nov-26 …`.
  `${DAY_NAME},? ${MONTH_NAME} {1,2}\\d{1,2}(?: \\d{4})?(?:,? ${CLOCK})?${ZONE}(?: \\d{4})?`,
  `(?:${DAY_NAME},? )?\\d{1,2}[ -]${MONTH_NAME}[ -]\\d{2,4}(?:,? ${CLOCK}${ZONE})?`,
  `${MONTH_NAME}\\.? \\d{1,2}(?:st|nd|rd|th)?,? \\d{4}(?:,?(?: at)? ${CLOCK}${ZONE})?`,
  // Web server logs, then numbers with slashes or dots, then a time alone.
  `\\d{1,2}/${MONTH_NAME}/\\d{4}(?::\\d{2}){3}(?: [+-]\\d{4})?`,
  `\\d{1,2}([/.])\\d{1,2}\\1\\d{4}(?:,? ${CLOCK}${ZONE})?`,
  `\\d{1,2}:\\d{2}:\\d{2}(?:[.,]\\d{1,9})?(?: ?[AaPp][Mm])?${ZONE}`,
  '\\d{1,2}:\\d{2} ?[AaPp][Mm]',
]

type Replacement = string | ((match: string) => string)

/** In order of precedence: what an earlier rule took, a later one no longer sees. */
const RULES: readonly (readonly [pattern: RegExp, replacement: Replacement])[] = [
  [/(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/g, '<email>'],
  [/(?<![\w+.-])[a-z][a-z0-9+.-]{1,20}:\/\/[^\s'"<>)\]}`]{1,2048}/gi, '<url>'],
  [
    /(?<![\w/.-])\/(?:[\w.@~[\]()+-]{1,128}\/){0,32}(?:_next|_nuxt|_app|_astro|assets|static|chunks|build|dist)\/[^\s'"<>)`]{1,512}/g,
    '<asset>',
  ],
  [
    /(?<![\w/.\\])(?:[A-Za-z]:[\\/]|\/(?:home|Users|srv|var|opt|usr|tmp|root|mnt|private|etc|workspace|app|data|proc|code)\/)[^\s'"<>:,;)`]{1,512}/g,
    pathTail,
  ],
  [
    /(?<![\w.-])(?:[a-z0-9-]{1,63}\.){1,8}(?:com|net|org|edu|gov|mil|io|dev|cloud|local|internal|lan|de|uk|fr|nl|eu|ch|jp|br|ru|pl|se|fi|cz|kr)(?![\w-]|\.\w|\s*[(=])/gi,
    '<hostname>',
  ],
  [/(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?:\/\d{1,2})?(?!\w|\.\d)/g, '<ip>'],
  [/(?<![\w:.])[0-9A-Fa-f:.]{2,45}(?![\w:])/g, (match) => (isAddress(match) ? '<ip>' : match)],
  [/(?<!\w)00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}(?!\w)/g, '<traceparent>'],
  [/(?<!\w)1-[0-9a-f]{8}-[0-9a-f]{24}(?!\w)/g, '<traceparent>'],
  [/(?<![0-9a-z])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![0-9a-z])/gi, '<uuid>'],
  [/(?<!\w)[0-9a-f]{40}(?!\w)/gi, '<sha1>'],
  [/(?<!\w)[0-9a-f]{32}(?!\w)/gi, '<md5>'],
  ...DATES.map((source): readonly [RegExp, string] => [
    new RegExp(`(?<![\\w.:/-])${source}${AFTER}`, 'g'),
    '<date>',
  ]),
  [
    /(?<![\w.])\d{1,12}(?:\.\d{1,9})? ?(?:ns|µs|us|ms|secs?|seconds?|mins?|minutes?|hrs?|hours?|days?|s|m|h)(?!\w)/g,
    '<duration>',
  ],
  [/(?<![\w.])\d{1,12}(?:\.\d{1,9})? ?(?:bytes|[KMGTkmgt]i?[Bb]|B)(?!\w)/g, '<size>'],
  [/(?<!\w)0x[0-9a-f]{1,128}(?!\w)/gi, '<hex>'],
  [/(?<![\w-])[A-Za-z0-9_-]{16,128}(?![\w-])/g, (match) => (isIdentifier(match) ? '<id>' : match)],
  [
    /(?<![A-Za-z0-9_])[a-z]{2,10}_[A-Za-z0-9]{8,64}(?!\w)/g,
    (match) =>
      /\d/.test(match) && /[A-Za-z]\d|\d[A-Za-z]/.test(match.slice(match.indexOf('_') + 1))
        ? `${match.slice(0, match.indexOf('_'))}_<id>`
        : match,
  ],
  [/(?<!\w)(?:[0-9a-f]{8,128}|[0-9A-F]{8,128})(?!\w)/g, (match) => (/\d/.test(match) ? '<hex>' : match)],
  [/(?<!\w)[0-9a-f]{7}(?!\w)/g, (match) => (/\d/.test(match) && /[a-f]/.test(match) ? '<git_sha>' : match)],
  [/(?<![\w-])-?(?<!\d\.)\d{1,20}\.\d{1,20}(?:[eE][+-]?\d{1,4})?(?!\w|\.\d)/g, '<float>'],
  [/(?<![\w-])-?\d{1,20}[eE][+-]?\d{1,4}(?!\w)/g, '<float>'],
  [/(?:(?<![\w-])-)?(?<![A-Za-z0-9])(?<!\d\.)\d{1,64}(?!\w|\.\d)/g, '<int>'],
  [/=(?:"[^"\n]{0,512}"|'[^'\n]{0,512}')/g, '=<quoted_str>'],
  [/=(?:true|false)(?!\w)/gi, '=<bool>'],
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
  for (const [pattern, replacement] of RULES) {
    plain =
      typeof replacement === 'string'
        ? plain.replace(pattern, replacement)
        : plain.replace(pattern, replacement)
  }
  return plain
}

/** `t is not a function` is `n is not a function` after the next build. For messages of minified JavaScript alone. */
export function withoutMinifiedNames(text: string): string {
  return text.slice(0, CHARS_MAX).replace(MINIFIED_NAME, '<name>')
}

function firstLines(text: string): string {
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

/** `A::B` is a name and `12:30` a time. */
function isAddress(text: string): boolean {
  return text.includes(':') && /\d/.test(text) && isIPv6(text)
}

/** Letters and digits in turns, as random and sortable ids have them. */
function isIdentifier(text: string): boolean {
  return /[A-Za-z]/.test(text) && (text.match(/\d{1,128}/g)?.length ?? 0) >= 3
}
