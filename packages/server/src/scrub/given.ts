/**
 * Literals that code gives to a secret's name: as what stands in where a setting is missing, as what it is set to, as its
 * partner in a pair. The name decides: the literal may be a word as any other. Each look is bounded.
 */
import type { TextMode } from './assignments.ts'
import { FILTERED } from './filtered.ts'
import { hidesNothing, isHarmlessWord, isPlaceholder } from './harmless.ts'
import type { SecretKeys } from './keys.ts'

interface GivenOptions {
  readonly mode: TextMode
  readonly keys: SecretKeys
  readonly onFound: (rule: string, value: string) => void
}

/** Parts of names of secrets: nothing else of a line is looked at without one. */
const MAYBE_NAME =
  /pass|p(?:wd|sw|in\b)|secret|token|key|cred|auth|salt|licen|phrase|pepper|code|bind|[cd][cn]=|jwt|dsn|session|cookie/i

const VALUE = String.raw`([^"'\x60\\\s]{4,512})`
/** Behind a value: the quote that it began with. */
const LITERAL = String.raw`[bBuUrRfFL@]?(["'\x60])${VALUE}(?=\2)`
const CALLEE = String.raw`([\w.:>$@]{1,60}|[\w.:>$]{1,40}<\w{1,20}>)(?:\(\s{0,4}|\s(?=["']))`
/** `getenv("NAME", "X")`, `config('NAME', default='X')`, `put("NAME", "X")`. */
const CALL = new RegExp(
  String.raw`${CALLEE}["'\x60]([\w.:/-]{2,80})["'\x60]\s{0,2},\s{0,4}(?:(?:default|fallback|value|cast)\w{0,8}\s?[:=]\s?)?[bBuUrRfFL@]?(["'\x60])${VALUE}(?=\3)`,
  'g',
)
/** What reads a setting, or makes one. */
const SETTING =
  /(?:env(?:iron(?:ment)?)?(?:\.\w{1,12})?|get_?env\w{0,8}|fetch|get_?or_?\w{2,8}|(?:get|set|with|add|append)_?(?:prop(?:erty)?|value|string|str|var|variable|config|setting|option|header|request_?header|secret|param(?:eter)?|default|attribute|item|credential)s?|(?:config(?:uration)?|conf|settings?|options?|params?|props|properties|secrets?|variables?|headers?|vault|store|cfg|viper|context|ctx|request|req|client|builder|session|cookies|storage)\.\w{2,20}|config|conf|setting|option|secret|set_?default|put|define|from_?environment|lookup|flag\.\w{2,12}|string_?var|add_?argument|set|default|var|dotenv|secretmanager\.\w{2,20})(?:<\w{1,20}>)?$/i
/** What shows a name to people, or says something of it. */
const SHOWING =
  /(?:^|[.:>$])(?:t|tr|__|_|i18n|trans(?:late)?|gettext|msg|label|text|title|errors?|adderror|seterror|set_error|validate\w*|register|route|router|get|post|path|url|has_?many|belongs_?to|permit|only|except|pluck|select|where|order_?by|column|field|input|assert\w*|expect|equal\w*|log\w*|warn|info|debug|print\w*|format|replace\w*|includes|starts_?with|ends_?with|split|import|require|test|it|describe|emit|on|once|bind|add_?event_?listener|get_?element\w*|query_?selector\w*)$/i
const UPPER = /^[A-Z][A-Z\d]*(?:_[A-Z\d]+)+$/

/** `process.env.KEY || "X"`, `ENV['KEY'] or 'X'`, `var("KEY").unwrap_or("X")`, `fetch('KEY') { 'X' }`. */
const FALLBACK = new RegExp(
  String.raw`(?:\?\?=?|\|\|=?|\?:|\bor|\/\/|\.(?:unwrap_or|or_?else|get_?or_?else|or_?default|value_or|or)(?:_else)?\(\s?(?:\|\w{0,12}\|\s?|\(\)\s?(?:=>|->)\s?)?|\)\s?\{|\?\?\(|\bdefault(?:_?[vV]alue)?\s?[=(:])\s{0,4}${LITERAL.replaceAll('\\2', '\\1')}`,
  'g',
)
const MAYBE_FALLBACK =
  /(?:\?\?|\|\||\?:|\bor|\/\/|\.(?:unwrap|or_?|get_?or|value_or)\w{0,12}\(|\)\s?\{|default\w{0,6}\s?[=(:])/i
/** `Password { get; set; } = "X"`. */
const ACCESSOR =
  /(\b([A-Za-z]\w{2,40})\s?\{\s?(?:get|set|init)[^{}"'\n]{0,40}\}\s?=\s?["'])([^"'\\\s]{4,512})(?=["'])/g
/** `${NAME:-X}` of a shell, `${name:X}` of Spring. */
const SUBSTITUTED = /(\$\{([\w.-]{2,64}):[-=]?)([^}"'`\s$]{4,256})(?=\})/g
/** `('password', 'X')`: a pair of a list. */
const PAIR =
  /((?<![\w$\])"'])\(\s?[bu]?["']([\w.-]{2,64})["'],\s{0,2}[bu]?["'])([^"'\\\s]{4,1024})(?=["']\s?\))/g
/** `["reset_token", "X"]` within another list. */
const PAIR_OF_LIST =
  /((?<=\[|,\s?)\[\s?["']([\w.-]{2,64})["'],\s{0,2}["'])([^"'\\\s]{4,1024})(?=["']\s?\]\s?[,\]])/g
/** What a directory is told behind a distinguished name. */
const BIND =
  /((["'])(?:cn|uid|ou|dc|o|sn|mail|samaccountname|userprincipalname|userid)=[^"'\n]{1,300}\2\s{0,2},\s{0,4}["'])([^"'\n]{1,256})(?=["'])/gi
/** `-H "X-Auth-Token: X"`. */
const HEADER = /((["'])([A-Za-z]\w{0,24}(?:-\w{1,24}){1,5}):\s{0,2})([^"'\s{}$]{4,1024})(?=\2)/g
/** Functions that sign in, and take a name and a password. */
const ACCESS =
  /(\b(?:networkcredential|usernamepassword\w{0,20}|passwordauthentication|pscredential|sqlcredential|log_?in|sign_?in|auth\s?=\s?|(?:http)?_?basic_?auth(?:entication)?|set_?basic_?auth)\(\s?["']([^"'\n]{1,128})["'],\s{0,4}["'])([^"'\\\s]{4,256})(?=["']\s?[),])/gi
/** A whole line of YAML. */
const YAML = /^(\s{0,80}(?:- )?([\w.-]{3,64}): )([a-z]{8,64})$/
const TYPES =
  /^(?:boolean|datetime|timestamp|undefined|function|interface|structure|reference|protected|decimal|varchar|multiline|text(?:area|field)|password|generated|encrypted|disabled|requires?|mandatory|nullable)$/

export function scrubGiven(text: string, options: GivenOptions): string {
  if (!MAYBE_NAME.test(text)) return text
  let out = text
  if (text.includes(',')) {
    out = scrubCalls(out, options)
    out = scrubNamed(out, PAIR, options)
    if (out.includes('[')) out = scrubNamed(out, PAIR_OF_LIST, options)
    out = scrubAlways(out, BIND, options)
    out = scrubAlways(out, ACCESS, options)
  }
  if (MAYBE_FALLBACK.test(out)) out = scrubFallbacks(out, options)
  if (out.includes('{')) {
    out = scrubNamed(out, ACCESSOR, options)
    if (out.includes('${')) out = scrubNamed(out, SUBSTITUTED, options)
  }
  if (out.includes('-') && out.includes(': ')) out = scrubHeaders(out, options)
  return out
}

/** Of source, a line without any quote. */
export function scrubSetting(text: string, options: GivenOptions): string {
  const [, before = '', name = '', value = ''] = YAML.exec(text) ?? []
  if (value === '' || TYPES.test(value)) return text
  const rule = options.keys.ruleOf(name)
  if (rule === null || !isGiven(value, { name, rule, keys: options.keys })) return text
  options.onFound(rule, value)
  return before + FILTERED
}

interface Naming {
  readonly name: string
  readonly rule: string
  readonly keys: SecretKeys
}

/** Words of forms and of accounts: what something is called, or nobody. */
const ORDINARY: ReadonlySet<string> = new Set(
  `email username user name login text string hidden submit number field label value type anonymous guest localhost
  unauthenticated unauthorized authenticated placeholder undefined optional bearer basic oauth oauth2 session cookie header query
  body json form local memory redis database sha256 sha512 md5 hs256 rs256 es256 bcrypt argon2 utf-8 utf8 ascii base64 hex latin1
  development production staging test testing example disabled enabled default unknown`.split(/\s+/),
)
const NAMES_A_THING =
  /(?:Controller|Handler|Page|View|Field|Input|Type|Provider|Service|Error|Exception|Event|Model|Screen|Form|Dialog)$/

function isGiven(value: string, { name, rule, keys }: Naming): boolean {
  if (value.includes(FILTERED) || isPlaceholder(value) || isHarmlessWord(value)) return false
  const low = value.toLowerCase()
  if (ORDINARY.has(low) || /^[/.#@%<{$:*]|[(){}<>]|:\/\//.test(value)) return false
  if (low === name.toLowerCase() || hidesNothing(rule, value) || NAMES_A_THING.test(value)) return false
  // A name of another secret: lists of fields, labels, settings that say where one is.
  return /\d/.test(value) || /[^\w.-]/.test(value) || keys.ruleOf(value) === null
}

function scrubNamed(text: string, pattern: RegExp, { keys, onFound }: GivenOptions): string {
  return text.replace(pattern, (whole: string, before: string, name: string, value: string) => {
    const rule = keys.ruleOf(name)
    if (rule === null || !isGiven(value, { name, rule, keys })) return whole
    onFound(rule, value)
    return before + FILTERED
  })
}

function scrubAlways(text: string, pattern: RegExp, { keys, onFound }: GivenOptions): string {
  return text.replace(pattern, (whole: string, before: string, other: string, value: string) => {
    if (!isGiven(value, { name: other, rule: 'password', keys })) return whole
    onFound('password', value)
    return before + FILTERED
  })
}

function scrubCalls(text: string, { keys, onFound }: GivenOptions): string {
  return text.replace(CALL, (whole: string, callee: string, name: string, _quote: string, value: string) => {
    const rule = keys.ruleOf(name) ?? keys.ruleOf(name.replace(/^.*[.:/]/, ''))
    if (rule === null) return whole
    const isSetting = UPPER.test(name) || SETTING.test(callee)
    if (!isSetting || (!UPPER.test(name) && SHOWING.test(callee))) return whole
    if (!isGiven(value, { name, rule, keys })) return whole
    onFound(rule, value)
    return whole.slice(0, whole.length - value.length) + FILTERED
  })
}

function scrubHeaders(text: string, { keys, onFound }: GivenOptions): string {
  return text.replace(
    HEADER,
    (whole: string, before: string, _quote: string, name: string, value: string) => {
      const rule = keys.ruleOf(name)
      if (rule === null || rule === 'authorization' || !isGiven(value, { name, rule, keys })) return whole
      onFound(rule, value)
      return before + FILTERED
    },
  )
}

const REACH = 160
const NAME_BEFORE = /([\w$-]{2,64})["'\])}?\s]{0,8}$/
/** `config('NAME', default=`, `Field(`. */
const QUOTED_BEFORE = /["']([\w.:-]{2,64})["'],[^"']{0,60}$/
const ASSIGNED_BEFORE = /([\w$-]{2,64})(?:\s?:\s?[\w[\]|<>. ]{1,40})?\s?[=:]\s?[\w.]{1,40}\([^"']{0,80}$/

/** By the name of what it stands in for. */
function scrubFallbacks(text: string, { keys, onFound }: GivenOptions): string {
  return text.replace(FALLBACK, (whole: string, _quote: string, value: string, at: number) => {
    const before = text.slice(Math.max(0, at - REACH), at)
    const isDefault = whole.startsWith('default')
    // A comment, and no operator of Perl.
    if (whole.startsWith('//') && !/[\]}]\s$/.test(before)) return whole
    if (whole.startsWith(')') && !/\b(?:fetch|getOrElse|get_or|dig)\W/.test(before)) return whole
    const names = isDefault
      ? [QUOTED_BEFORE.exec(before)?.[1], ASSIGNED_BEFORE.exec(before)?.[1]]
      : [NAME_BEFORE.exec(before)?.[1]]
    for (const name of names) {
      const rule = name === undefined ? null : keys.ruleOf(name)
      if (name === undefined || rule === null || !isGiven(value, { name, rule, keys })) continue
      onFound(rule, value)
      return whole.slice(0, whole.length - value.length) + FILTERED
    }
    return whole
  })
}
