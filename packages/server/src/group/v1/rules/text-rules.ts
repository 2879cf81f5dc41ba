/**
 * Part of grouping version 1. What differs from occurrence to occurrence of one message, in order of precedence: what a row
 * took, a later one no longer sees. What names a cause stays: a status, a code of an error, a host, a port, a column, a key.
 *
 * Every pattern is linear: no quantifier inside another over the same characters, each with a bound.
 */
import { isIPv6 } from 'node:net'
import { addressShape, hostNameShape, pathShape } from '../addresses-in-text.ts'
import { isCode, isHttpStatus, isPort } from '../kept-numbers.ts'
import { withoutHashesIn } from '../paths.ts'
import { isIdentifier, isRandomPart } from '../random-names.ts'
import { withoutFields, withoutGoFields } from '../spelled-objects.ts'

// What a text holds, as `traitsOf` finds it.
export const DIGIT = 1
export const AT = 2
export const SLASH = 4
/** `/` or a backslash. */
export const PATH = 8
export const DOT = 16
export const COLON = 32
export const DASH = 64
export const EQUALS = 128
export const UNDERSCORE = 256
/** A run of so many letters and digits. */
export const RUN_7 = 512
export const RUN_32 = 1_024
/** A run of 16 letters, digits, underscores and dashes. */
export const WORD_16 = 2_048
export const DAY = 4_096
export const MONTH = 8_192
/** `<`: no text has it that no row wrote into, but those of Erlang and of markup. */
export const ANGLE = 16_384
export const ROUND = 32_768
export const CURLY = 65_536
export const PERCENT = 131_072
/** A mark of a currency, or a word that stands for one. */
export const MONEY = 262_144
export const QUESTION = 524_288
/** Words of a statement. */
export const SQL = 1_048_576
export const PLUS = 2_097_152

type Replacement = string | ((match: string, at: number, text: string) => string)

export interface TextRule {
  /** What every match holds, so that most rows are left out by a look at the characters. */
  readonly needs: number
  readonly what: string
  readonly pattern: RegExp
  readonly to: Replacement
  readonly example: string
  readonly gives: string
}

type Told = readonly [
  needs: number,
  what: string,
  pattern: RegExp,
  to: Replacement,
  example: string,
  gives: string,
]

const row = (...[needs, what, pattern, to, example, gives]: Told): TextRule => ({
  needs,
  what,
  pattern,
  to,
  example,
  gives,
})

const DAY_NAME = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)(?:day|sday|nesday|rsday|urday)?'
const MONTH_NAME =
  '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)(?:uary|ruary|ch|il|e|y|ust|t|tember|ober|ember)?'
const CLOCK = '\\d{1,2}:\\d{2}(?::\\d{2}(?:[.,]\\d{1,9})?)?(?: ?[AaPp]\\.?[Mm]\\b\\.?)?'
const ZONE =
  '(?: ?(?:Z|UTC|GMT|[A-Z]{3,4}(?![A-Za-z])|(?:UTC|GMT)?[+-]\\d{2}:?\\d{2})){0,2}(?: \\([A-Za-z ]{1,48}\\))?'

const date = (needs: number, what: string, source: string, example: string) =>
  row(needs, what, new RegExp(`(?<![\\w.:/-])${source}(?![\\w])`, 'g'), '<date>', example, '<date>')

const SQL_ROWS: readonly TextRule[] = [
  row(
    SQL | ROUND,
    'values of a statement',
    /\bvalues ?\((?:[^()]|\([^()]{0,200}\)){0,1000}\)(?:, ?\((?:[^()]|\([^()]{0,200}\)){0,1000}\)){0,50}/gi,
    'values (<values>)',
    'insert into `users` (`name`) values (Anna)',
    'insert into `users` (`name`) values (<values>)',
  ),
  row(
    SQL | ROUND,
    'values of a list',
    /\bin \((?!select\b)[^()]{1,1000}\)/gi,
    'in (<values>)',
    'select * from users where name in (Anna, Ben)',
    'select * from users where name in (<values>)',
  ),
  row(
    SQL,
    'value of a condition',
    /(?<=[\w`"\]])( ?= ?| (?:<>|!=|>=|<=|>|<|like) )(?! ?["'`<?$:@(]|[\w]{1,60}\.[\w]{1,60}(?: |$))[^,()\n]{1,200}?(?= (?:and|or|where|limit|order|group|having|returning|for|on)\b|[,;)\n]|$)/gi,
    '$1<value>',
    'select * from users where name = Anna Smith limit 1',
    'select * from users where name = <value> limit <int>',
  ),
]

export const TEXT_RULES: readonly TextRule[] = [
  row(
    ANGLE,
    'process, reference, port of Erlang',
    /#(PID|Reference|Ref|Port)<[\d.]{1,80}>|(?<![\w#])<\d{1,9}\.\d{1,9}\.\d{1,9}>/g,
    (_, __, ___) => '<pid>',
    'no reply of #PID<0.9201.0>',
    'no reply of <pid>',
  ),
  row(
    ANGLE,
    'function of Erlang',
    /#Function<[^<>]{1,200}>/g,
    '<function>',
    'bad #Function<6.128620087/0 in Shop.pay>',
    'bad <function>',
  ),
  row(
    EQUALS | ROUND,
    'values of a key, as PostgreSQL tells them',
    /\)=\((?:[^()\n]|\([^()\n]{0,200}\)){0,500}\)/g,
    ')=(<value>)',
    'Key (slug)=(blue shoes) already exists',
    'Key (slug)=(<value>) already exists',
  ),
  row(
    ROUND,
    'row that PostgreSQL refused',
    /\b(Failing row contains )\(.{0,1500}\)/g,
    '$1(<values>)',
    'Failing row contains (1, Anna, null).',
    'Failing row contains (<values>).',
  ),
  row(
    0,
    'parameters of a statement',
    /\b(parameters|params|bindings)(:? ?)[[({].{0,1500}$/gim,
    '$1$2<values>',
    "executing a statement with params ['Anna', 12]:",
    'executing a statement with params <values>',
  ),
  ...SQL_ROWS,
  row(
    DOT | WORD_16,
    'token',
    /(?<![\w.-])eyJ[\w-]{5,1000}\.[\w-]{5,1000}(?:\.[\w-]{0,1000})?/g,
    '<jwt>',
    'bad token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-_1',
    'bad token <jwt>',
  ),
  row(
    COLON | SLASH,
    'ids and query of an address',
    /(?<![\w+.-])[a-z][a-z0-9+.-]{1,20}:\/\/[^\s'"<>)\]}`,|]{1,2048}/gi,
    addressShape,
    'GET https://api.shop.test/orders/7?token=1 failed',
    'GET https://api.shop.test/orders/<int> failed',
  ),
  row(
    AT,
    'address of a mailbox',
    /(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/g,
    '<email>',
    'mail to anna.b+x@shop.example failed',
    'mail to <email> failed',
  ),
  row(
    COLON,
    'data in an address',
    /(?<!\w)data:[\w/+.-]{1,60}(?:;[\w=-]{1,60}){0,4},[^\s'"<>)]{1,2048}/gi,
    '<data>',
    'cannot load data:image/png;base64,iVBORw0',
    'cannot load <data>',
  ),
  row(
    SLASH,
    'file of a build',
    /(?<![\w/.-])\/(?:[\w.@~[\]()+-]{1,128}\/){0,32}(?:_next|_nuxt|_app|_astro|assets|static|chunks|build|dist)\/[^\s'"<>)`]{1,512}/g,
    '<asset>',
    'cannot load /_next/static/chunks/0ab12cd34ef56.js',
    'cannot load <asset>',
  ),
  row(
    PATH,
    'folder of a server',
    /(?<![\w/.\\])(?:[A-Za-z]:[\\/]|\/(?:home|Users|srv|var|opt|usr|tmp|root|mnt|private|etc|workspace|app|data|proc|code)\/)[^\s'"<>:,;)`]{1,512}/g,
    pathTail,
    'cannot open /srv/a/releases/9/config.json',
    'cannot open <path>/config.json',
  ),
  row(
    SLASH | QUESTION,
    'query of a path',
    /(?<![\w/.:<>-])\/[\w./~%@+-]{0,512}\?[^\s'"<>)`]{0,1024}/g,
    (match) => pathShape(match.slice(0, match.indexOf('?'))),
    'bad redirect to /search?q=shoes',
    'bad redirect to /search',
  ),
  row(
    DOT,
    'number of a machine in its name',
    /(?<![\w./:@-])(?:[a-z0-9][a-z0-9-]{0,62}\.){1,8}(?:com|net|org|edu|gov|mil|io|dev|app|cloud|local|internal|lan|svc|test|example|de|uk|fr|nl|eu|ch|jp|br|ru|pl|se|fi|cz|kr)(?![\w-]|\.\w|\s*[(=])/gi,
    hostNameShape,
    'getaddrinfo ENOTFOUND ip-10-0-1-23.shop.internal',
    'getaddrinfo ENOTFOUND ip-<int>.shop.internal',
  ),
  row(
    DIGIT | DOT,
    'address of a machine',
    /(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?:\/\d{1,2})?(?!\w|\.\d)/g,
    '<ip>',
    'connect ECONNREFUSED 10.0.0.12:5432',
    'connect ECONNREFUSED <ip>:5432',
  ),
  row(
    DIGIT | COLON,
    'address of a machine',
    /(?<![\w:.])\[?[0-9A-Fa-f:.]{2,45}\]?(?![\w:])/g,
    ipv6,
    'connect ECONNREFUSED ::1:5432',
    'connect ECONNREFUSED <ip>:5432',
  ),
  row(
    DIGIT | DASH | RUN_32,
    'trace',
    /(?<!\w)00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}(?!\w)/g,
    '<traceparent>',
    '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    '<traceparent>',
  ),
  row(
    DIGIT | DASH,
    'trace',
    /(?<!\w)1-[0-9a-f]{8}-[0-9a-f]{24}(?!\w)/g,
    '<traceparent>',
    '1-67891233-abcdef012345678912345678',
    '<traceparent>',
  ),
  row(
    DASH | RUN_7,
    'UUID',
    /(?<![0-9a-z])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![0-9a-z])/gi,
    '<uuid>',
    'order 6F9619FF-8B86-D011-B42D-00CF4FC964FF gone',
    'order <uuid> gone',
  ),
  row(
    RUN_32,
    'hash',
    /(?<!\w)[0-9a-f]{40}(?!\w)/gi,
    '<sha1>',
    'blob da39a3ee5e6b4b0d3255bfef95601890afd80709',
    'blob <sha1>',
  ),
  row(
    RUN_32,
    'hash',
    /(?<!\w)[0-9a-f]{32}(?!\w)/gi,
    '<md5>',
    'etag d41d8cd98f00b204e9800998ecf8427e',
    'etag <md5>',
  ),
  date(
    DOT,
    'time as Python writes it',
    'datetime\\.(?:datetime|date|time)\\([\\d, ]{1,64}(?:, ?tzinfo=[\\w.()]{1,48})?\\)',
    'datetime.datetime(2026, 11, 21, 5, 26)',
  ),
  date(
    DIGIT,
    'time by ISO 8601 and kin',
    `\\d{4}[-/.]\\d{2}[-/.]\\d{2}(?:[T ]${CLOCK}${ZONE})?`,
    '2026-11-21T05:26:17.123Z',
  ),
  date(DIGIT | RUN_7, 'time by ISO 8601, compact', '\\d{8}T\\d{4,6}(?:\\.\\d{1,9})?Z?', '20261121T052617Z'),
  date(
    DIGIT | DAY,
    'time as JavaScript writes it',
    `${DAY_NAME},? ${MONTH_NAME} {1,2}\\d{1,2}(?: \\d{4})?(?:,? ${CLOCK})?${ZONE}(?: \\d{4})?`,
    'Sat Nov 21 2026 05:26:17 GMT+0100 (CET)',
  ),
  date(
    DIGIT | MONTH,
    'time by RFC 5322 and kin',
    `(?:${DAY_NAME},? )?\\d{1,2}[ -]${MONTH_NAME}[ -]\\d{2,4}(?:,? ${CLOCK}${ZONE})?`,
    'Sat, 21 Nov 2026 05:26:17 GMT',
  ),
  date(
    DIGIT | MONTH,
    'date in words',
    `${MONTH_NAME}\\.? \\d{1,2}(?:st|nd|rd|th)?,? \\d{4}(?:,?(?: at)? ${CLOCK}${ZONE})?`,
    'Nov 21, 2026',
  ),
  date(
    DIGIT | MONTH,
    'time of web servers',
    `\\d{1,2}/${MONTH_NAME}/\\d{4}(?::\\d{2}){3}(?: [+-]\\d{4})?`,
    '21/Nov/2026:05:26:17 +0000',
  ),
  date(DIGIT, 'date in numbers', `\\d{1,2}([/.])\\d{1,2}\\1\\d{4}(?:,? ${CLOCK}${ZONE})?`, '21.11.2026'),
  date(
    DIGIT | COLON,
    'time of day',
    `\\d{1,2}:\\d{2}:\\d{2}(?:[.,]\\d{1,9})?(?: ?[AaPp][Mm])?${ZONE}`,
    '05:26:17',
  ),
  date(DIGIT | COLON, 'time of day', '\\d{1,2}:\\d{2} ?[AaPp][Mm]', '3:04PM'),
  row(
    DIGIT | MONEY,
    'money',
    /(?<![\w.,])(?:(?:[A-Z]{1,2})?[$€£¥₹₩₽₺₴₫₪฿₦]|(?:USD|EUR|GBP|CHF|JPY|CNY|AUD|CAD|SEK|NOK|DKK|PLN|CZK|HUF|BRL|INR|TRY|MXN|ZAR|SGD|HKD|NZD|KRW)(?![A-Z])) ?-?\d{1,12}(?:[.,'’\u00a0\u202f]\d{1,3}){0,6}(?![\w])/g,
    (match, at, text) => (isPlaceholder(match, at, text) ? match : '<money>'),
    'charge of €1,249.00 refused',
    'charge of <money> refused',
  ),
  row(
    DIGIT | MONEY,
    'money',
    /(?<![\w.,])-?\d{1,12}(?:[.,'’\u00a0\u202f ]\d{1,3}){0,6} ?(?:[€£¥₹₩₽₺₴₫₪฿₦$]|(?:USD|EUR|GBP|CHF|JPY|CNY|AUD|CAD|SEK|NOK|DKK|PLN|CZK|HUF|BRL|INR|TRY|MXN|ZAR|SGD|HKD|NZD|KRW|kr|zł|Kč|Ft|lei|лв|грн|руб)(?![\w]))/g,
    '<money>',
    'charge of 12,50 € refused',
    'charge of <money> refused',
  ),
  row(
    DIGIT | PERCENT,
    'percent',
    /(?<![\w.-])-?\d{1,12}(?:[.,]\d{1,9})? ?%(?!\w)/g,
    '<percent>',
    'disk 97.5% full',
    'disk <percent> full',
  ),
  row(
    DIGIT,
    'duration',
    /(?<![\w.])\d{1,12}(?:\.\d{1,9})? ?(?:ns|µs|us|ms|secs?|seconds?|mins?|minutes?|hrs?|hours?|days?|milliseconds?|s|m|h)(?!\w)/g,
    '<duration>',
    'timeout of 1200ms exceeded',
    'timeout of <duration> exceeded',
  ),
  row(
    DIGIT,
    'size',
    /(?<![\w.])\d{1,12}(?:\.\d{1,9})? ?(?:bytes|[KMGTkmgt]i?[Bb]|B)(?!\w)/g,
    '<size>',
    'body of 12.5MB refused',
    'body of <size> refused',
  ),
  row(
    DIGIT | PLUS,
    'telephone number',
    /(?<![\w+])\+\d{1,3}(?:[ .()/-]{0,2}\d{2,14}){2,6}(?!\w)/g,
    '<phone>',
    'cannot call +49 170 1234567',
    'cannot call <phone>',
  ),
  row(
    DIGIT | WORD_16,
    'bank account',
    /(?<!\w)[A-Z]{2}\d{2}[A-Z0-9]{11,30}(?!\w)/g,
    '<iban>',
    'bad account DE89370400440532013000',
    'bad account <iban>',
  ),
  row(
    DIGIT,
    'address in memory, and codes that are none',
    /(?<!\w)0x[0-9a-f]{1,128}(?!\w)/gi,
    (match, at, text) => (isCode(match, at, text) ? match : '<hex>'),
    'object at 0x7f9697eb2405',
    'object at <hex>',
  ),
  row(
    AT,
    'address of an object of Java',
    /(?<=[A-Z][\w$;]{0,100})@[0-9a-f]{1,8}(?![\w.@-])/g,
    '@<hash>',
    'cannot lock com.shop.Order@5e9f',
    'cannot lock com.shop.Order@<hash>',
  ),
  row(
    EQUALS,
    'fields of an object',
    /(?<=[({[,] ?)([\w.-]{1,40})=([^,()[\]{}=]{1,200})(?=[,)\]}])/g,
    withoutFields,
    'invalid Order(id=12, name=Anna)',
    'invalid Order(id=<value>, name=<value>)',
  ),
  row(
    EQUALS | CURLY,
    'fields of a record of C#',
    /(?<=[{,] )(\w{1,40}) = ([^,{}=]{1,200}?)(?= \}|,)/g,
    withoutFields,
    'invalid Order { Id = 12, Name = Anna }',
    'invalid Order { Id = <value>, Name = <value> }',
  ),
  row(
    COLON | CURLY,
    'fields of a struct of Go',
    /\{[A-Z]\w{0,40}:[^\s{}]{0,100}(?: [A-Z]\w{0,40}:[^\s{}]{0,100}){0,50}\}/g,
    withoutGoFields,
    'invalid {ID:12 Name:Anna}',
    'invalid {ID:<value> Name:<value>}',
  ),
  row(
    DOT,
    'hash in the name of a file',
    /(?<![\w/.@-])[\w.~-]{6,200}\.(?:[cm]?js|css|map|wasm|woff2?|ttf|png|jpe?g|webp|avif|svg|gif|json|ico|mp4|webm)(?![\w-])/g,
    withoutHash,
    'cannot run index-DbQ2xY9p.js',
    'cannot run index.js',
  ),
  row(
    EQUALS | WORD_16,
    'bytes as text',
    /(?<![\w+/])[A-Za-z0-9+/]{22,1000}={1,2}(?![\w=])/g,
    '<base64>',
    'bad key MTIzNDU2Nzg5MDEyMzQ1Njc4OQ==',
    'bad key <base64>',
  ),
  row(
    UNDERSCORE,
    'id behind its kind',
    /(?<![A-Za-z0-9_])([a-z]{2,10}(?:_[a-z]{2,10})?)_([A-Za-z0-9]{8,64})(?!\w)/g,
    withoutIdentifier,
    'no such customer: cus_NffrFeUfNV2Hib',
    'no such customer: cus_<id>',
  ),
  row(
    WORD_16,
    'id',
    /(?<![\w-])[A-Za-z0-9_-]{16,128}(?![\w-])/g,
    (match) => (isIdentifier(match) ? '<id>' : match),
    'cart kXyPqRsTuVwXyZaBcDe_f missing',
    'cart <id> missing',
  ),
  row(
    DIGIT | RUN_7,
    'hex',
    /(?<!\w)(?:[0-9a-f]{8,128}|[0-9A-F]{8,128})(?!\w)/g,
    (match) => (/\d/.test(match) ? '<hex>' : match),
    'number 123456789',
    'number <hex>',
  ),
  row(
    DIGIT | RUN_7,
    'commit',
    /(?<!\w)[0-9a-f]{7}(?!\w)/g,
    (match) => (/\d/.test(match) && /[a-f]/.test(match) ? '<git_sha>' : match),
    'commit 1a2b3c4 missing',
    'commit <git_sha> missing',
  ),
  row(
    DIGIT | DOT,
    'number with a fraction',
    /(?<![\w-])-?(?<!\d\.)\d{1,20}\.\d{1,20}(?:[eE][+-]?\d{1,4})?(?!\w|\.\d)/g,
    '<float>',
    'ratio 0.25',
    'ratio <float>',
  ),
  row(
    DIGIT,
    'number with an exponent',
    /(?<![\w-])-?\d{1,20}[eE][+-]?\d{1,4}(?!\w)/g,
    '<float>',
    'ratio 1e6',
    'ratio <float>',
  ),
  row(
    DIGIT,
    'number',
    /(?:(?<![\w-])-)?(?<![A-Za-z0-9])(?<!\d\.)\d{1,64}(?!\w|\.\d)/g,
    (match, at, text) => (isKeptNumber(match, at, text) ? match : '<int>'),
    'user 17 not found',
    'user <int> not found',
  ),
  row(
    EQUALS,
    'text of a setting',
    /=(?:"[^"\n]{0,512}"|'[^'\n]{0,512}')/g,
    '=<quoted_str>',
    "name='Bob' is taken",
    'name=<quoted_str> is taken',
  ),
  row(
    EQUALS,
    'yes or no',
    /=(?:true|false)(?!\w)/gi,
    '=<bool>',
    'force=true is refused',
    'force=<bool> is refused',
  ),
]

/** One value, or a list of them: `<int>, <int> and <int>`. */
export const LIST = /(<[a-z_0-9]{1,20}>)(?:(?:, ?| and | or |; ?)(?:and |or )?\1){1,300}/g

function isKeptNumber(match: string, at: number, text: string): boolean {
  // `$1` that is no money is a place in a statement.
  if (text[at - 1] === '$') return true
  return isHttpStatus(match, at, text) || isPort(match, at, text) || isCode(match, at, text)
}

/** `$1` of a statement is a place, not money. */
function isPlaceholder(match: string, at: number, text: string): boolean {
  return (
    /^\$\d{1,2}$/.test(match) &&
    /(?:\bparameter |\bargument |[(=<>,] ?)$/.test(text.slice(Math.max(0, at - 12), at))
  )
}

/** Another server has another folder; the file is what matters. */
function pathTail(path: string): string {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
  return name === '' ? '<path>' : `<path>/${name}`
}

/** `A::B` is a name and `12:30` a time; an address has two colons or more. `::1:5432` has a port, as Node writes it. */
function ipv6(match: string): string {
  const text = match.replace(/^\[|\]$/g, '')
  if (text.indexOf(':') === text.lastIndexOf(':') || !/\d/.test(text) || !isIPv6(text)) return match
  const port = /^::1:(\d{2,5})$/.exec(text)?.[1]
  return port === undefined ? '<ip>' : `<ip>:${port}`
}

function withoutHash(name: string): string {
  const plain = withoutHashesIn(name)
  return plain === name.toLowerCase() ? name : plain
}

function withoutIdentifier(match: string): string {
  const cut = match.lastIndexOf('_')
  return isRandomPart(match.slice(cut + 1)) ? `${match.slice(0, cut)}_<id>` : match
}
