/**
 * Part of grouping version 1. What differs from occurrence to occurrence of one message, in order of precedence: what a row
 * took, a later one no longer sees. What names a cause stays: a status, a code of an error, a host, a port, a column, a key.
 *
 * Every pattern is linear: no quantifier inside another over the same characters, each with a bound.
 */
import { isIPv6 } from 'node:net'
import { addressShape, hostNameShape, pathShape } from '../addresses-in-text.ts'
import { isCode, isKeptNumber } from '../kept-numbers.ts'
import { withoutHashesIn } from '../paths.ts'
import { isIdentifier } from '../random-names.ts'
import { withoutFields, withoutGoFields, withoutLists, withoutText } from '../spelled-objects.ts'
import { DATE_RULES } from './date-rules.ts'
import { DURATION_RULES } from './duration-rules.ts'
import { ID_RULES } from './id-rules.ts'
import { RUBY_RULES } from './ruby-rules.ts'
import { SQL_RULES } from './sql-rules.ts'
import { row, type TextRule } from './text-rule.ts'
import {
  ANGLE,
  COLON,
  CURLY,
  DASH,
  DIGIT_TRAIT,
  DOT,
  EQUALS,
  MONEY,
  PATH,
  PERCENT,
  PLUS,
  QUESTION,
  ROUND,
  RUN_7,
  RUN_32,
  SIGN_AT,
  SLASH,
  WORD_16,
} from './text-traits.ts'

export const TEXT_RULES: readonly TextRule[] = [
  row(
    ANGLE,
    'process, reference, port of Erlang',
    /#(PID|Reference|Ref|Port)<[\d.]{1,80}>|(?<![\w#])<\d{1,9}\.\d{1,9}\.\d{1,9}>/g,
    (_, __, ___) => '<pid>',
    'no reply of #PID<0.9201.0>',
    'no reply of <pid>',
    'Erlang reference manual, “Data Types”; Inspect of Elixir',
  ),
  row(
    ANGLE,
    'function of Erlang',
    /#Function<[^<>]{1,200}>/g,
    '<function>',
    'bad #Function<6.128620087/0 in Shop.pay>',
    'bad <function>',
    'Inspect of Elixir',
  ),
  row(
    EQUALS | ROUND,
    'values of a key, as PostgreSQL tells them',
    /\)=\((?:[^()\n]|\([^()\n]{0,200}\)){0,500}\)/g,
    ')=(<value>)',
    'Key (slug)=(blue shoes) already exists',
    'Key (slug)=(<value>) already exists',
    'PostgreSQL, BuildIndexValueDescription',
  ),
  row(
    ROUND,
    'value of a key, as SQL Server tells it',
    /\b(duplicate key value is )\([^\n]{0,500}\)/g,
    '$1(<value>)',
    'The duplicate key value is (17, blue).',
    'The duplicate key value is (<value>).',
    'SQL Server, error 2627',
  ),
  row(
    ROUND,
    'row that PostgreSQL refused',
    /\b(Failing row contains )\(.{0,1500}\)/g,
    '$1(<values>)',
    'Failing row contains (1, Anna, null).',
    'Failing row contains (<values>).',
    'PostgreSQL, ExecConstraints',
  ),
  row(
    0,
    'parameters of a statement',
    /\b(parameters|params|bindings)(:? ?)[[({].{0,1500}$/gim,
    '$1$2<values>',
    "executing a statement with params ['Anna', 12]:",
    'executing a statement with params <values>',
    'SQLAlchemy, StatementError; Doctrine DBAL; Hibernate',
  ),
  ...RUBY_RULES,
  ...SQL_RULES,
  row(
    DOT | WORD_16,
    'token',
    /(?<![\w.-])eyJ[\w-]{5,1000}\.[\w-]{5,1000}(?:\.[\w-]{0,1000})?/g,
    '<jwt>',
    'bad token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-_1',
    'bad token <jwt>',
    'RFC 7519',
  ),
  row(
    COLON | SLASH,
    'ids and query of an address',
    /(?<![\w+.-])[a-z][a-z0-9+.-]{1,20}:\/\/[^\s'"<>)\]}`,|]{1,2048}/gi,
    addressShape,
    'GET https://api.shop.test/orders/7?token=1 failed',
    'GET https://api.shop.test/orders/<int> failed',
    'RFC 3986',
  ),
  row(
    SIGN_AT,
    'address of a mailbox',
    /(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/g,
    '<email>',
    'mail to anna.b+x@shop.example failed',
    'mail to <email> failed',
    'RFC 5322',
  ),
  row(
    COLON,
    'data in an address',
    /(?<!\w)data:[\w/+.-]{1,60}(?:;[\w=-]{1,60}){0,4},[^\s'"<>)]{1,2048}/gi,
    '<data>',
    'cannot load data:image/png;base64,iVBORw0',
    'cannot load <data>',
    'RFC 2397',
  ),
  row(
    SLASH,
    'file of a build',
    /(?<![\w/.-])\/(?:[\w.@~[\]()+-]{1,128}\/){0,32}(?:_next|_nuxt|_app|_astro|assets|static|chunks|build|dist)\/[^\s'"<>)`]{1,512}/g,
    '<asset>',
    'cannot load /_next/static/chunks/0ab12cd34ef56.js',
    'cannot load <asset>',
    'webpack, Vite, Next.js, Nuxt, SvelteKit, Astro: output folders',
  ),
  row(
    PATH,
    'folder of a server',
    /(?<![\w/.\\])(?:[A-Za-z]:[\\/]|\/(?:home|Users|srv|var|opt|usr|tmp|root|mnt|private|etc|workspace|app|data|proc|code)\/)[^\s'"<>:,;)`]{1,512}/g,
    pathTail,
    'cannot open /srv/a/releases/9/config.json',
    'cannot open <path>/config.json',
    'Filesystem Hierarchy Standard; Windows paths',
  ),
  row(
    SLASH | QUESTION,
    'query of a path',
    /(?<![\w/.:<>-])\/[\w./~%@+-]{0,512}\?[^\s'"<>)`]{0,1024}/g,
    (match) => pathShape(match.slice(0, match.indexOf('?'))),
    'bad redirect to /search?q=shoes',
    'bad redirect to /search',
    'RFC 3986',
  ),
  row(
    DOT,
    'number of a machine in its name',
    /(?<![\w./:@-])(?:[a-z0-9][a-z0-9-]{0,62}\.){1,8}(?:com|net|org|edu|gov|mil|io|dev|app|cloud|local|internal|lan|svc|test|example|de|uk|fr|nl|eu|ch|jp|br|ru|pl|se|fi|cz|kr)(?![\w-]|\.\w|\s*[(=])/gi,
    hostNameShape,
    'getaddrinfo ENOTFOUND ip-10-0-1-23.shop.internal',
    'getaddrinfo ENOTFOUND ip-<int>.shop.internal',
    'Kubernetes, names of pods; EC2 private DNS',
  ),
  row(
    DIGIT_TRAIT,
    'version',
    /\b(version:? v?)\d{1,6}(?:\.\d{1,9}){2,4}(?:[-+][\w.]{1,40})?/gi,
    '$1<version>',
    'DB::Exception (version 24.3.1.2672)',
    'DB::Exception (version <version>)',
    'Semantic Versioning; ClickHouse',
  ),
  row(
    DIGIT_TRAIT | DOT,
    'address of a machine',
    /(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?:\/\d{1,2})?(?!\w|\.\d)/g,
    '<ip>',
    'connect ECONNREFUSED 10.0.0.12:5432',
    'connect ECONNREFUSED <ip>:5432',
    'RFC 791, RFC 4291; Node, net',
  ),
  row(
    DIGIT_TRAIT | COLON,
    'address of a machine',
    /(?<![\w:.])\[?[0-9A-Fa-f:.]{2,45}\]?(?![\w:])/g,
    ipv6,
    'connect ECONNREFUSED ::1:5432',
    'connect ECONNREFUSED <ip>:5432',
    'RFC 791, RFC 4291; Node, net',
  ),
  row(
    DIGIT_TRAIT | DASH | RUN_32,
    'trace',
    /(?<!\w)00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}(?!\w)/g,
    '<traceparent>',
    '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    '<traceparent>',
    'W3C Trace Context; AWS X-Ray',
  ),
  row(
    DIGIT_TRAIT | DASH,
    'trace',
    /(?<!\w)1-[0-9a-f]{8}-[0-9a-f]{24}(?!\w)/g,
    '<traceparent>',
    '1-67891233-abcdef012345678912345678',
    '<traceparent>',
    'W3C Trace Context; AWS X-Ray',
  ),
  row(
    DASH | RUN_7,
    'UUID',
    /(?<![0-9a-z])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![0-9a-z])/gi,
    '<uuid>',
    'order 6F9619FF-8B86-D011-B42D-00CF4FC964FF gone',
    'order <uuid> gone',
    'RFC 9562',
  ),
  row(
    RUN_32,
    'hash',
    /(?<!\w)[0-9a-f]{40}(?!\w)/gi,
    '<sha1>',
    'blob da39a3ee5e6b4b0d3255bfef95601890afd80709',
    'blob <sha1>',
    'FIPS 180; RFC 1321',
  ),
  row(
    RUN_32,
    'hash',
    /(?<!\w)[0-9a-f]{32}(?!\w)/gi,
    '<md5>',
    'etag d41d8cd98f00b204e9800998ecf8427e',
    'etag <md5>',
    'FIPS 180; RFC 1321',
  ),
  row(
    COLON | DIGIT_TRAIT,
    'address of a network card',
    /(?<![\w:-])[0-9a-f]{2}([:-])[0-9a-f]{2}(?:\1[0-9a-f]{2}){4}(?![\w:-])/gi,
    '<mac>',
    'device 00:1B:44:11:3A:B7 offline',
    'device <mac> offline',
    'IEEE 802',
  ),
  row(
    DIGIT_TRAIT,
    'id of a request',
    /\b((?:request|host|trace|correlation|operation|activity|invocation|session|transaction)[ _-]?id)(["']?\s?[:=]\s?["']?)([\w+/=.-]{6,200})/gi,
    withoutRequestId,
    'status code: 404, request id: 4442587FB7D0A2F9',
    'status code: 404, request id: <id>',
    'AWS SDKs; Azure SDKs; x-request-id',
  ),
  row(
    DIGIT_TRAIT,
    'bytes that came',
    /\bwith \d{1,15} (?:out of \d{1,15} )?bytes received\b/g,
    'with <size> received',
    'Operation timed out after 5 with 12 out of 400 bytes received',
    'Operation timed out after <int> with <size> received',
    'libcurl, lib/multi.c',
  ),
  ...DATE_RULES,
  row(
    DIGIT_TRAIT | MONEY,
    'money',
    /(?<![\w.,])(?:(?:[A-Z]{1,2})?[$€£¥₹₩₽₺₴₫₪฿₦]|(?:USD|EUR|GBP|CHF|JPY|CNY|AUD|CAD|SEK|NOK|DKK|PLN|CZK|HUF|BRL|INR|TRY|MXN|ZAR|SGD|HKD|NZD|KRW)(?![A-Z])) ?-?\d{1,12}(?:[.,'’\u00a0\u202f]\d{1,3}){0,6}(?![\w])/g,
    (match, at, text) => (isSqlPlaceholder(match, at, text) ? match : '<money>'),
    'charge of €1,249.00 refused',
    'charge of <money> refused',
    'ISO 4217; Unicode CLDR, currency patterns',
  ),
  row(
    DIGIT_TRAIT | MONEY,
    'money',
    /(?<![\w.,])-?\d{1,12}(?:[.,'’\u00a0\u202f ]\d{1,3}){0,6} ?(?:[€£¥₹₩₽₺₴₫₪฿₦$]|(?:USD|EUR|GBP|CHF|JPY|CNY|AUD|CAD|SEK|NOK|DKK|PLN|CZK|HUF|BRL|INR|TRY|MXN|ZAR|SGD|HKD|NZD|KRW|kr|zł|Kč|Ft|lei|лв|грн|руб)(?![\w]))/g,
    '<money>',
    'charge of 12,50 € refused',
    'charge of <money> refused',
    'ISO 4217; Unicode CLDR, currency patterns',
  ),
  row(
    DIGIT_TRAIT | PERCENT,
    'percent',
    /(?<![\w.-])-?\d{1,12}(?:[.,]\d{1,9})? ?%(?!\w)/g,
    '<percent>',
    'disk 97.5% full',
    'disk <percent> full',
    'Unicode CLDR, percent patterns',
  ),
  ...DURATION_RULES,
  row(
    DIGIT_TRAIT,
    'place in a row',
    /(?<![\w.])\d{0,8}(?:1st|2nd|3rd|\dth)(?!\w)/g,
    '<int>',
    'the 22nd attempt failed',
    'the <int> attempt failed',
    'people',
  ),
  row(
    DIGIT_TRAIT,
    'size',
    /(?<![\w.])\d{1,12}(?:\.\d{1,9})? ?(?:bytes|[KMGTkmgt]i?[Bb]|B)(?!\w)/g,
    '<size>',
    'body of 12.5MB refused',
    'body of <size> refused',
    'IEC 80000-13',
  ),
  row(
    DIGIT_TRAIT | PLUS,
    'telephone number',
    /(?<![\w+])\+\d{1,3}(?:[ .()/-]{0,2}\d{2,14}){2,6}(?!\w)/g,
    '<phone>',
    'cannot call +49 170 1234567',
    'cannot call <phone>',
    'ITU-T E.164',
  ),
  row(
    DIGIT_TRAIT | WORD_16,
    'bank account',
    /(?<!\w)[A-Z]{2}\d{2}[A-Z0-9]{11,30}(?!\w)/g,
    '<iban>',
    'bad account DE89370400440532013000',
    'bad account <iban>',
    'ISO 13616',
  ),
  row(
    DIGIT_TRAIT,
    'address in memory, and codes that are none',
    /(?<!\w)0x[0-9a-f]{1,128}(?!\w)/gi,
    (match, at, text) => (isCode(match, at, text) ? match : '<hex>'),
    'object at 0x7f9697eb2405',
    'object at <hex>',
    'C, %p; HRESULT and errno stay',
  ),
  row(
    SIGN_AT,
    'address of an object of Java',
    /(?<=[A-Z][\w$;]{0,100})@[0-9a-f]{1,8}(?![\w.@-])/g,
    '@<hash>',
    'cannot lock com.shop.Order@5e9f',
    'cannot lock com.shop.Order@<hash>',
    'Java, Object.toString',
  ),
  row(
    EQUALS,
    'fields of an object',
    /(?<=[({[,] ?)([\w.-]{1,40})=([^,()[\]{}=]{1,200})(?=[,)\]}])/g,
    withoutFields,
    'invalid Order(id=12, name=Anna)',
    'invalid Order(id=<value>, name=<value>)',
    'Java records, Lombok, Kotlin data classes, Python dataclasses',
  ),
  row(
    EQUALS,
    'list in an object',
    /(?<=[({,] ?)[\w.-]{1,40}=\[(?:[^[\]\n]|\[[^[\]\n]{0,200}\]){0,1000}\]/g,
    withoutLists,
    'invalid Order(id=1, lines=[Line(sku=A)])',
    'invalid Order(id=<value>, lines=<value>)',
    'Java, AbstractCollection.toString; Kotlin data classes',
  ),
  row(
    EQUALS | CURLY,
    'fields of a record of C#',
    /(?<=[{,] )(\w{1,40}) = ([^,{}=]{1,200}?)(?= \}|,)/g,
    withoutFields,
    'invalid Order { Id = 12, Name = Anna }',
    'invalid Order { Id = <value>, Name = <value> }',
    'C# records, PrintMembers',
  ),
  row(
    COLON | CURLY,
    'fields of a struct of Go',
    /\{[A-Z]\w{0,40}:[^\s{}]{0,100}(?: [A-Z]\w{0,40}:[^\s{}]{0,100}){0,50}\}/g,
    withoutGoFields,
    'invalid {ID:12 Name:Anna}',
    'invalid {ID:<value> Name:<value>}',
    'Go, fmt %+v',
  ),
  row(
    DOT,
    'hash in the name of a file',
    /(?<![\w/.@-])[\w.~-]{6,200}\.(?:[cm]?js|css|map|wasm|woff2?|ttf|png|jpe?g|webp|avif|svg|gif|json|ico|mp4|webm)(?![\w-])/g,
    withoutNameHash,
    'cannot run index-DbQ2xY9p.js',
    'cannot run index.js',
    'webpack, Rollup, esbuild, Turbopack: hashed file names',
  ),
  ...ID_RULES,
  row(
    DIGIT_TRAIT | DOT,
    'number with a fraction',
    /(?<![\w-])-?(?<!\d\.)\d{1,20}\.\d{1,20}(?:[eE][+-]?\d{1,4})?(?!\w|\.\d)/g,
    '<float>',
    'ratio 0.25',
    'ratio <float>',
    'IEEE 754, decimal notation',
  ),
  row(
    DIGIT_TRAIT,
    'number with an exponent',
    /(?<![\w-])-?\d{1,20}[eE][+-]?\d{1,4}(?!\w)/g,
    '<float>',
    'ratio 1e6',
    'ratio <float>',
    'IEEE 754, decimal notation',
  ),
  row(
    DIGIT_TRAIT,
    'number',
    /(?:(?<![\w-])-)?(?<![A-Za-z0-9])(?<!\d\.)\d{1,64}(?!\w|\.\d)/g,
    (match, at, text) => (isKeptNumber(match, at, text) ? match : '<int>'),
    'user 17 not found',
    'user <int> not found',
    'what counts and identifies; statuses, codes and ports stay',
  ),
  row(
    EQUALS,
    'text of a setting',
    /(?:(?<![\w.-])[\w.-]{1,40})?=(?:"[^"\n]{0,512}"|'[^'\n]{0,512}')/g,
    withoutText,
    "name='Bob' is taken",
    'name=<quoted_str> is taken',
    'logfmt',
  ),
  row(
    EQUALS,
    'yes or no',
    /=(?:true|false)(?!\w)/gi,
    '=<bool>',
    'force=true is refused',
    'force=<bool> is refused',
    'logfmt',
  ),
]

/** Matches one value or a list: `<int>, <int> and <int>`. */
export const LIST = /(<[a-z_0-9]{1,20}>)(?:(?:, ?| and | or |; ?)(?:and |or )?\1){1,300}/g

/** `$1` of a statement is a place, not money. */
function isSqlPlaceholder(match: string, at: number, text: string): boolean {
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

function withoutNameHash(name: string): string {
  const plain = withoutHashesIn(name)
  return plain === name.toLowerCase() ? name : plain
}

function withoutRequestId(match: string): string {
  const [, name = '', between = '', id = ''] =
    /^([\w -]{1,40}?)(["']?\s?[:=]\s?["']?)(.*)$/s.exec(match) ?? []
  return /\d/.test(id) || isIdentifier(id) ? `${name}${between}<id>` : match
}
