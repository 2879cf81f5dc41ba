/**
 * Literals that code gives to a secret's name: as what stands in where a setting is missing, as what it is set to, as its
 * partner in a pair. The name decides: the literal may be a word as any other. Each look is bounded.
 */
import type { TextMode } from './assignments.ts'
import { FILTERED } from './filtered.ts'
import { hidesNothing, isHarmlessWord, isPlaceholder } from './harmless.ts'
import { isSecretNoun } from './key-words.ts'
import type { SecretKeys } from './keys.ts'
import { isSalad, isToldBare } from './letters.ts'
import { scrubNamedCalls } from './named-calls.ts'
import { scrubNear } from './near.ts'
import { isChosen, isOrdinary } from './ordinary.ts'
import { looksIssued } from './random.ts'

interface GivenOptions {
  readonly mode: TextMode
  readonly keys: SecretKeys
  readonly onFound: (rule: string, value: string) => void
}

const VALUE = String.raw`([^"'\x60\\\s]{4,512})`
/** Behind a value: the quote that it began with. */
const LITERAL = String.raw`[bBuUrRfFL@]?(["'\x60])${VALUE}(?=\2)`
const CALLEE = String.raw`([\w.:>$@]{1,60}|[\w.:>$]{1,40}<\w{1,20}>)(?:\((?:[\w.:$&\s]{1,40},)?\s{0,4}|\s(?=["']))`
/** `getenv("NAME", "X")`, `config('NAME', default='X')`, `put("NAME", "X")`. */
const CALL = new RegExp(
  String.raw`${CALLEE}["'\x60][@#$]?([\w.:/-]{2,80})["'\x60]\s{0,2},\s{0,4}(?:(?:default|fallback|value|cast|unset)\w{0,8}\s?[:=]\s?)?[bBuUrRfFL@]?(["'\x60])${VALUE}(?=\3)`,
  'g',
)
/** Functions that read a setting, or make one. */
const SETTING =
  /(?:env(?:iron(?:ment)?)?(?:\.\w{1,12})?|get_?env\w{0,8}|fetch|get_?or_?\w{2,8}|(?:get|set|with|add|append)_?(?:prop(?:erty)?|value|string|str|var|variable|config|setting|option|header|request_?header|secret|param(?:eter)?|default|attribute|item|credential)s?|(?:config(?:uration)?|conf|settings?|options?|params?|props|properties|secrets?|variables?|headers?|vault|store|cfg|viper|context|ctx|request|req|client|builder|session|cookies|storage)\.\w{2,20}|config|conf|setting|option|secret|set_?default|add_?with_?value|bind_?(?:param|value)|fill\w{0,8}|type|enter_?text|(?:set|stub|mock|put)_?env|(?:set|get)_?environment_?variable|header|put|define|from_?environment|lookup|flag\.\w{2,12}|string_?var|add_?argument|set|put_?\w{1,8}|save\w{0,8}|store|write|persist|remember|default|var|dotenv|secretmanager\.\w{2,20})(?:<\w{1,20}>)?$/i
/** Functions that show a name to people, or say something about it. */
const SHOWING =
  /(?:^|[.:>$])(?:t|tr|__|_|i18n|trans(?:late)?|gettext|msg|label|text|title|errors?|adderror|seterror|set_error|validate\w*|register|route|router|get|post|path|url|has_?many|belongs_?to|permit|only|except|pluck|select|where|order_?by|column|field|input|assert\w*|expect|equal\w*|log\w*|warn|info|debug|print\w*|format|replace\w*|includes|starts_?with|ends_?with|split|import|require|test|it|describe|emit|on|once|bind|add_?event_?listener|get_?element\w*|query_?selector\w*)$/i
const OF_SETTINGS =
  /(?:config\w{0,8}|conf|settings?|env\w{0,8}|options?|props|properties|vault|secrets?|cfg|viper)\.\w{2,20}$/i
const UPPER = /^[A-Z][A-Z\d]*(?:_[A-Z\d]+)+$/

/** `process.env.KEY || "X"`, `ENV['KEY'] or 'X'`, `var("KEY").unwrap_or("X")`, `fetch('KEY') { 'X' }`. */
const FALLBACK = new RegExp(
  String.raw`(?:\?\?=?|\|\|=?|\?:|\?[^?:\n"'\x60]{1,80}:|\bor|\belse|\/\/|\.(?:unwrap_or|or_?[eE]lse|get_?[oO]r_?[eE]lse|or_?[dD]efault|value_or|or)(?:_else)?\(\s?(?:\|\w{0,12}\|\s?|\(\)\s?(?:=>|->)\s?)?|\)\s?\{|\?\?\(|\?\s(?=[\x22'][^\x22'\n]{4,80}[\x22']\s:)|\bdefault(?:_?[vV]alue)?\s?[=(:])\s{0,4}(?:[\w:.]{1,24}\()?${LITERAL.replaceAll('\\2', '\\1')}`,
  'g',
)
const MAYBE_FALLBACK =
  /(?:\?\?|\|\||\?:|\?\s[\x22']|\?[^?:\n"'`]{1,80}:|\bor|\belse|\/\/|\.(?:unwrap|or_?|get_?or|value_or)\w{0,12}\(|\)\s?\{|default\w{0,6}\s?[=(:])/i
/** `Password { get; set; } = "X"`. */
const ACCESSOR =
  /(\b([A-Za-z]\w{2,40})\s?\{\s?(?:get|set|init)[^{}"'\n]{0,40}\}\s?=\s?["'])([^"'\\\s]{4,512})(?=["'])/g
/** `${NAME:-X}` of a shell, `${name:X}` of Spring. */
const SUBSTITUTED = /(\$\{([\w.-]{2,64}):[-=]?)([^}"'`\s$?+][^}"'`\s$]{3,255})(?=\})/g
/** `('password', 'X')`: a pair of a list. */
const PAIR =
  /((?<![\w$\])"'])\(\s?[bu]?["']([\w.-]{2,64})["'],\s{0,2}[bu]?["'])([^"'\\\s]{4,1024})(?=["']\s?\))/g
/** `["reset_token", "X"]` within another list. */
const PAIR_OF_LIST =
  /((?<=\[|,\s?)\[\s?["']([\w.-]{2,64})["'],\s{0,2}["'])([^"'\\\s]{4,1024})(?=["']\s?\]\s?[,\]])/g
/** Calls that tell a directory something behind a distinguished name. */
const BIND =
  /((["'])(?:cn|uid|ou|dc|o|sn|mail|samaccountname|userprincipalname|userid)=[^"'\n]{1,300}\2\s{0,2},\s{0,4}["'])([^"'\n]{1,256})(?=["'])/gi
/** `-H "X-Auth-Token: X"`. */
const HEADER = /((["'])([A-Za-z]\w{0,24}(?:-\w{1,24}){1,5}):\s{0,2})([^"'\s{}$]{4,1024})(?=\2)/g
/** Functions that sign in, and take a name and a password. */
const ACCESS =
  /(\b(?:networkcredential|usernamepassword\w{0,20}|passwordauthentication|pscredential|sqlcredential|credentials?|log_?in\w{0,8}|sign_?in\w{0,8}|authenticate\w{0,8}|attempt|(?:check|verify|validate)_?(?:login|password|user|credentials?)\w{0,8}|auth\s?=\s?|(?:http)?_?basic_?auth(?:entication)?|set_?(?:basic_?)?auth|auth\(\)\.(?:preemptive\(\)\.)?basic)\(\s?["']([^"'\n]{1,128})["'],\s{0,4}(?:Some\()?["'])([^"'\\\s]{4,256})(?=["']\s?[),])/gi
/** A whole line of YAML, or of an environment. */
const YAML = /^(\s{0,80}(?:- )?([\w.-]{3,64}): )([a-z]{8,64})$/
const ENVIRONMENT =
  /^(\s{0,80}(?:(?:- |export |ENV |ARG |set |readonly |declare -x )?([A-Z][A-Z\d]*(?:_[A-Z\d]+)+|PASSWORD|PASSWD|PASSPHRASE|SECRET|APIKEY)(?:=|: | \?= )|ENV ([A-Z][A-Z\d]*(?:_[A-Z\d]+)+) ))([A-Za-z][\w-]{3,128})$/
/** `{password, "X"}` of Erlang, `fetch(:api_token, "X")`. */
const ATOM = /([{,]\s?:?([a-z_]\w{2,40}),\s{0,4}(?:<<)?["'])([^"'\\\s]{4,512})(?=["'](?:>>)?[},])/g
const SYMBOL =
  /((?:fetch|get_env|put_env|set|config|dig)\(?[^"'()\n]{0,60}?:([a-z_]\w{2,40}),\s{0,4}["'])([^"'\\\s]{4,512})(?=["'])/g
/** `'API_SECRET=X'` as one literal. */
const JOINED = /((["'])([A-Z][A-Z\d]*(?:_[A-Z\d]+)+)=)([^"'\s$]{4,512})(?=\2)/g
/** `os.Getenv("API_KEY"), "X"`. */
const BESIDE =
  /((?:env|environ|property|lookup)\w{0,12}\(["']([\w.:-]{2,80})["']\)\s{0,2},\s{0,4}["'])([^"'\\\s]{4,512})(?=["']\s?\))/gi
/** `env:"API_KEY" envDefault:"X"` of a struct's tag. */
const TAGGED =
  /(\b(?:env|name|key|long|json|yaml|mapstructure):"([\w.:,-]{2,80})"(?:\s\w{1,20}:"[^"]{0,80}"){0,3}\s(?:envDefault|default):")([^"\\\s]{4,512})(?=")/g
/** `"password" to "X"`. */
const INFIX = /(["']([\w.-]{2,64})["']\s(?:to|->|:=|~>)\s["'])([^"'\\\s]{4,512})(?=["'])/g
/** `Map.of("user", "bob", "password", "X")`. */
const OF_MAP = /(["']([\w.-]{2,64})["'],\s{0,4}["'])([^"'\\\s]{1,512})(?=["'])/g
/** Dumps of PHP: `["password":protected]=> string(8) "X"`, `s:8:"password";s:8:"X"`. */
const DUMPED =
  /(\["([\w.-]{2,64})"(?::(?:protected|private|"[^"\n]{1,80}":private))?\]=>\s{0,8}string\(\d{1,6}\) "|s:\d{1,4}:\\?"([\w.-]{2,64})\\?";s:\d{1,6}:\\?")([^"\\\n]{3,1024})/g
/** `;Password=X`, `?api_key=X` within a literal. */
const INLINE = /([;?&]\s?([\w.-]{2,64})=)([A-Za-z]{4,128})(?=[;&"'\x60])/g
/** `set password "X"`, `-define(SECRET, "X")`. */
const SET_QUOTED = /((?:\bset\s|define\(\s?)([\w-]{2,64}),?\s(?:<<)?["'])([^"'\\\s]{4,512})(?=["'])/g
/** `password: String::from("X")`. */
const MADE =
  /(\b([\w-]{2,64})["']?\s?[:=]\s?(?:new\s)?(?:&?(?:String|str|bytes|Some|Just|SecretStr(?:ing)?|SecureString|Secret|Buffer|CString|Cow|Optional|Text|Sensitive|Redacted|Zeroizing)(?:(?:::|\.)\w{1,16})?)\(\s?b?["'])([^"'\\\s]{4,512})(?=["'])/g
/** `keyring.set_password("svc", "bob", "X")`: what the function is called. */
const SAVED =
  /(\b\w{0,24}(?:password|secret|token|credentials?|api_?key)\w{0,12}\((?:[^()"'\n]{0,60}["'][^"'\n]{0,80}["'],\s{0,4}){1,3}["'])([A-Za-z\d]{8,128})(?=["']\s?\))/gi
/** `env.put(Context.SECURITY_CREDENTIALS, "X")`. */
const CONSTANT =
  /((?:put|set\w{0,12}|define|add\w{0,12}|\w{0,6}setopt\w{0,8})\((?:[\w.$]{1,40},\s?)?(?:[\w]{1,40}(?:\.|::))?([A-Z][A-Z\d]*(?:_[A-Z\d]+)+),\s{0,4}["'])([^"'\\\s]{4,512})(?=["'])/g
/** `new SymmetricSecurityKey(Encoding.UTF8.GetBytes("X"))`. */
const KEY_MADE =
  /(\b(AES\.new|DES3?\.new|Blowfish\.new|SecretKeySpec|SymmetricSecurityKey|SigningKey|SecretKey|bcrypt|Hash::make|password_hash|make_password|generate_password_hash|hash_?[pP]assword|hashpw|HMACSHA\d{1,3}|Fernet|hmacShaKeyFor|(?<=->|\.)auth)\((?:[\w.:]{1,40}\()?b?["'])([^"'\\\s]{6,512})(?=["'])/g
/** Functions that take a password behind others: which literal, from the end of those before it. */
const PLACED =
  /(\b(?:new\s)?(?:networkcredential|usernamepassword\w{0,20}|passwordauthentication|pscredential|sqlcredential|jwt\.(?:sign|verify|encode|decode)|jose\.\w{2,12}|createhmac|hmac\.(?:hex)?digest|hmac\.new|smtp\w{0,8}\.login|server\.login|imap\w{0,4}\.login|session\.login|credentials::new|wifi\.begin|wifi\w{0,8}\.addap)\([\w.$>[\]'"-]{1,60}(?:\.into\(\))?,\s{0,4}["']|:(?:basic_auth|authorization, :basic),\s{0,4}["'][^"'\n]{1,80}["'],\s{0,4}["']|\b(?:simple_?)?bind\w{0,8}\((?:\w{0,24}dn|user\w{0,12}|[\w.]{1,40}\.dn),\s{0,4}["']|\b(?:(?:plain|login|cram_?md5)_?auth|dbi->connect(?:_cached)?|pdo|set_password|getconnection|mysqli(?:_connect)?|pg_connect|ftp_login|ssh2_auth_password|imap_open|oci_connect|sqlsrv_connect|ldap_bind|sequelize|directoryentry|create_?(?:super)?user)\((?:[\w.$>[\]-]{1,60}|["'][^"'\n]{0,120}["']),\s{0,4}(?:[\w.$>[\]-]{1,60}|["'][^"'\n]{0,80}["']),\s{0,4}["'])([^"'\\\s]{4,256})(?=["'])/gi
/** `buildConfigField 'String', 'API_KEY', '"X"'` */
const BUILD =
  /(\b(?:buildConfigField|resValue)\s{0,2}\(?\s?["'][^"'\n]{1,40}["']\s{0,2},\s{0,2}["']([\w.-]{2,64})["']\s{0,2},\s{0,2}["'](?:\\?["'])?)([^"'\\\s]{4,512})/g
/** `keyStore.load(in, "X".toCharArray())`: what nobody does with another text. */
const AS_CHARS =
  /(\b([kK]ey[sS]tore|[kK]s|PBEKeySpec|PasswordProtection|\w{0,24}[pP]ass\w{0,16}|kmf?|keyManagerFactory)\b[^"\n]{0,80}")([^"\\\s]{4,256})(?="\s?\.toCharArray)/g
const TYPES =
  /^(?:boolean|datetime|timestamp|undefined|function|interface|structure|reference|protected|decimal|varchar|multiline|text(?:area|field)|password|generated|encrypted|disabled|requires?|mandatory|nullable)$/

const MAYBE_PAIR = /\(\s?[bu]?["'][\w.-]{2,64}["'],/
const MAYBE_ACCESS =
  /(?:credential|attempt|(?:check|verify|validate)_?user\w{0,8}|password\w{0,20}|log_?in\w{0,8}|sign_?in\w{0,8}|auth\w{0,12}(?:\s?=\s?)?|\.basic)\(\s?["']/i

/** Scrubs texts that hold a part of a secret's name. */
export function scrubGiven(text: string, options: GivenOptions): string {
  if (!/["'`]/.test(text)) return scrubBare(text, options)
  let out = text
  if (/,\s{0,4}(?:<<)?["'`]|["'`]\s{0,2},/.test(out)) {
    if (/[\w>]\(|\w\s["']/.test(out)) out = scrubCalls(out, options)
    if (MAYBE_PAIR.test(out)) out = scrubNamed(out, PAIR, options)
    if (/\[\s?["']/.test(out)) out = scrubNamed(out, PAIR_OF_LIST, options)
    if (/=[^"'\n]{1,300}["']\s?,/.test(out)) out = scrubAlways(out, BIND, options)
    if (MAYBE_ACCESS.test(out)) out = scrubAlways(out, ACCESS, options)
    out = scrubSaved(scrubPlaced(out, options), options)
    if (/[{,]\s?:?[a-z_]\w{2,40},\s{0,4}(?:<<)?["']/.test(out)) out = scrubNamed(out, ATOM, options)
    if (/:[a-z_]\w{2,40},/.test(out)) out = scrubNamed(out, SYMBOL, options)
    if (/env|property|lookup/i.test(out)) out = scrubNamed(out, BESIDE, options)
    if (/[A-Z\d]{2},\s{0,4}["']/.test(out)) out = scrubNamed(out, CONSTANT, options)
    if (/buildConfigField|resValue/.test(out)) out = scrubNamed(out, BUILD, options)
    if (out.includes('ap.of(')) out = scrubNamed(out, OF_MAP, options)
  }
  out = scrubNamedCalls(out, { ...options, isGiven })
  if (
    /Key|HMAC|Fernet|bcrypt|hashpw|Hash::make|hash_?[pP]assw|password_hash|[AS3h]\.new\(|[.>]auth\(/.test(out)
  )
    out = scrubAlways(out, KEY_MADE, options)
  if (out.includes('.toCharArray')) out = scrubAlways(out, AS_CHARS, options)
  if (out.includes(' password ') && /\b(?:login|account) /.test(out)) out = scrubAlways(out, NETRC, options)
  if (/[A-Z]=/.test(out)) out = scrubJoined(out, options)
  if (/[;?&]\s?[\w.-]{2,64}=/.test(out)) out = scrubNamed(out, INLINE, options)
  if (/\bset\s|define\(/.test(out)) out = scrubNamed(out, SET_QUOTED, options)
  if (/[:=]\s?(?:new\s)?&?[A-Zbs]\w{2,20}(?:(?:::|\.)\w{1,16})?\(/.test(out))
    out = scrubNamed(out, MADE, options)
  if (/\s(?:default|envDefault):"/.test(out)) out = scrubNamed(out, TAGGED, options)
  if (/["']\s(?:to|->|:=|~>)\s["']/.test(out)) out = scrubNamed(out, INFIX, options)
  if (out.includes('string(') || out.includes(';s:')) out = scrubDumped(out, options)
  if (MAYBE_FALLBACK.test(out)) out = scrubFallbacks(out, options)
  if (out.includes('{')) {
    if (/[gs]et\b/.test(out)) out = scrubNamed(out, ACCESSOR, options)
    if (out.includes('${')) out = scrubNamed(out, SUBSTITUTED, options)
  }
  if (/["'][\w-]{3,100}: /.test(out)) out = scrubHeaders(out, options)
  return options.mode === 'source' ? scrubBeside(scrubNear(out, { ...options, isGiven }), options) : out
}

/** `aws configure set aws_secret_access_key X`, `npm config set //host/:_authToken X`. */
const SET_BARE =
  /(\b(?:configure|config|dotenv|vars?|variables?|secrets?|env|option|kv)\s(?:set|add|put|create)\s(?:--?\w{1,20}\s)?(?:\S{0,80}[:/.])?([\w-]{3,64})(?: --(?:body|value|data)[ =]|[ =]))([^\s"'=-][^\s"']{3,512})/g
/** A line of `.netrc`. */
const NETRC = /(\b(login|account) \S{1,128}\s{1,4}password )([^\s"']{4,512})/g

const SALAD = /(["'`])([A-Za-z]{8,64})\1/g
const ISSUED = /(["'`])(?=[A-Za-z]{0,40}\d)([A-Za-z\d]{12,64})\1/g
const NAMES = /[A-Za-z_][\w-]{2,63}/g
const NAMES_MAX = 40

/** Letters that no language has, or what was issued, as a literal of a line that names a secret. */
function scrubBeside(text: string, { keys, onFound }: GivenOptions): string {
  let rule: string | null | undefined
  const take = (whole: string, quote: string, value: string): string => {
    if (!isSalad(value) && !(/\d/.test(value) && looksIssued(value))) return whole
    if (rule === undefined) rule = ruleWithin(text, keys)
    if (rule === null || keys.ruleOf(value) !== null) return whole
    onFound(rule, value)
    return quote + FILTERED + quote
  }
  const out = text.replace(SALAD, take)
  return /\d/.test(out) ? out.replace(ISSUED, take) : out
}

function ruleWithin(text: string, keys: SecretKeys): string | null {
  for (const name of (text.match(NAMES) ?? []).slice(0, NAMES_MAX)) {
    const rule = keys.ruleOf(name)
    if (rule !== null) return rule
  }
  return null
}

/** `- { name: DB_PASSWORD, value: X }` of YAML. */
const FLOW =
  /(\{\s?(?:name|key): ([A-Z][A-Z\d]*(?:_[A-Z\d]+)+), (?:value|data): )([^\s"'{}$&*!][^\s"'{}]{2,512})(?=\s?\})/g

/** Without any quote: an expansion of a shell, a line of YAML, a command. */
function scrubBare(text: string, options: GivenOptions): string {
  let out = text.includes('${') ? scrubNamed(text, SUBSTITUTED, options) : text
  if (/\S(?: {2,}|\t)\S/.test(out)) out = scrubKeywords(out, options)
  if (options.mode === 'source' || out.startsWith('ENV '))
    return scrubSetting(out.includes('{ ') ? scrubNamed(out, FLOW, options) : out, options)
  const set = /\s(?:set|add|put|create)\s/.test(out) ? scrubNamed(out, SET_BARE, options) : out
  return set.includes(' password ') ? scrubAlways(set, NETRC, options) : set
}

/**
 * Lines of Robot Framework: cells stand two blanks apart. `Input Password    id:pw    X`, `${TOKEN}=    Set
 * Variable    X`.
 */
const KEYWORD =
  /((?:\b(?:Input|Type|Fill|Enter|Set)(?: \w{1,12}){0,2}? (Password|Secret|Passphrase|Token|Pin)(?:(?: {2,8}|\t)\S{1,160}?)?|[$&@]\{([\w -]{2,64})\} ?=?(?:(?: {2,8}|\t)(?:Set(?: \w{1,8})? Variable|Convert To String|Catenate|Create Secret))?)(?: {2,8}|\t))([^\s$&@{}]\S{2,255})(?=\s{0,8}$)/g

function scrubKeywords(text: string, { keys, onFound }: GivenOptions): string {
  return text.replace(KEYWORD, (whole: string, before: string, ...groups: (string | undefined)[]) => {
    const [verb, variable, value = ''] = groups
    const name = (verb ?? variable ?? '').replace(/ /g, '_')
    const rule = keys.ruleOf(name)
    if (rule === null || !isGiven(value, { name, rule, keys })) return whole
    onFound(rule, value)
    return before + FILTERED
  })
}

/** A whole line of YAML. */
function scrubSetting(text: string, options: GivenOptions): string {
  const yaml = YAML.exec(text)
  const [, before = '', first, second, last] = yaml ?? ENVIRONMENT.exec(text) ?? []
  const name = first ?? (yaml === null ? second : undefined) ?? ''
  const value = (yaml === null ? last : second) ?? ''
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
  if (value.length < 4 || value.includes(FILTERED) || isPlaceholder(value) || isHarmlessWord(value))
    return false
  const low = value.toLowerCase()
  if (ORDINARY.has(low) || /^[/.#@%<{$:*]|[(){}<>]|:\/\//.test(value)) return false
  if (low === name.toLowerCase() || hidesNothing(rule, value) || NAMES_A_THING.test(value)) return false
  // A name of another secret: lists of fields, labels, settings that say where one is.
  if (isSecretNoun(value)) return false
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

function scrubJoined(text: string, { keys, onFound }: GivenOptions): string {
  return text.replace(JOINED, (whole: string, ...groups: (string | number)[]) => {
    const [before = '', , name = '', value = ''] = groups.map(String)
    const rule = keys.ruleOf(name)
    if (rule === null || !isGiven(value, { name, rule, keys })) return whole
    onFound(rule, value)
    return before + FILTERED
  })
}

function scrubDumped(text: string, { keys, onFound }: GivenOptions): string {
  return text.replace(DUMPED, (whole: string, before: string, ...groups: (string | undefined)[]) => {
    const [dumped, serialised, value = ''] = groups
    const name = dumped ?? serialised ?? ''
    const rule = keys.ruleOf(name)
    if (rule === null || value.includes(FILTERED) || isHarmlessWord(value)) return whole
    onFound(rule, value)
    return before + FILTERED
  })
}

function scrubPlaced(text: string, { keys, onFound }: GivenOptions): string {
  if (
    !/bind|credential|usernamepassword|passwordauth|jwt|jose|pdo|dbi->|plain_?auth|login_?auth|getconn|mysqli|sequelize|_connect|_login|ssh2|imap_o|hmac|wifi|\.login|set_password|credentials::|directoryentry|create_?(?:super)?user|:basic/i.test(
      text,
    )
  )
    return text
  return text.replace(PLACED, (whole: string, before: string, value: string) => {
    if (ALGORITHM.test(value) || !isGiven(value, { name: '', rule: 'password', keys })) return whole
    if (/bind\w{0,8}\([^"']*["']$/i.test(before) && isOrdinary(value)) return whole
    onFound('password', value)
    return before + FILTERED
  })
}

function scrubSaved(text: string, { keys, onFound }: GivenOptions): string {
  if (!/(?:password|secret|token|credentials?|key)\w{0,12}\(/i.test(text)) return text
  return text.replace(SAVED, (whole: string, before: string, value: string) => {
    if (
      !(
        isChosen(value) ||
        isToldBare(value) ||
        isSalad(value) ||
        looksIssued(value) ||
        /[a-z]\d/i.test(value)
      ) ||
      !isGiven(value, { name: '', rule: 'password', keys })
    )
      return whole
    onFound('password', value)
    return before + FILTERED
  })
}

const ALGORITHM = /^(?:sha|md|hs|rs|es|ps|aes)-?\d{1,3}$/i
/** Words about what is looked for in a directory: a scope, and no password. */
const SEARCHING = /(?:search|query|find|modify|add|delete|compare|rename|entry|base)\w{0,12}\(\s?$/i

function scrubAlways(text: string, pattern: RegExp, { keys, onFound }: GivenOptions): string {
  return text.replace(pattern, (whole: string, before: string, ...rest: (string | number)[]) => {
    const [other = '', value = ''] = rest.map(String)
    const at = Number(rest[2])
    if (pattern === BIND && SEARCHING.test(text.slice(Math.max(0, at - 40), at))) return whole
    if (!isGiven(value, { name: other, rule: 'password', keys })) return whole
    onFound('password', value)
    return before + FILTERED
  })
}

function scrubCalls(text: string, { keys, onFound }: GivenOptions): string {
  return text.replace(CALL, (whole: string, ...groups: (string | number)[]) => {
    const [callee = '', name = '', , value = ''] = groups.map(String)
    const rule = keys.ruleOf(name) ?? keys.ruleOf(name.replace(/^.*[.:/]/, ''))
    if (rule === null) return whole
    const isSetting = UPPER.test(name) || SETTING.test(callee)
    if (!isSetting || (!UPPER.test(name) && SHOWING.test(callee) && !OF_SETTINGS.test(callee))) return whole
    if (!isGiven(value, { name, rule, keys })) return whole
    onFound(rule, value)
    return whole.slice(0, whole.length - value.length) + FILTERED
  })
}

function scrubHeaders(text: string, { keys, onFound }: GivenOptions): string {
  return text.replace(HEADER, (whole: string, ...groups: (string | number)[]) => {
    const [before = '', , name = '', value = ''] = groups.map(String)
    const rule = keys.ruleOf(name)
    if (rule === null || rule === 'authorization' || !isGiven(value, { name, rule, keys })) return whole
    onFound(rule, value)
    return before + FILTERED
  })
}

const REACH = 160
const NAME_BEFORE = /([\w$-]{2,64})["'\])}?\s]{0,8}$/
/** A path in brackets, such as `["Jwt:Key"]`, whose end alone says little. */
const PATH_BEFORE = /([A-Za-z]\w{1,40}[.:](?:\w{1,40}[.:]){0,3}\w{0,24}[Kk]ey)["'\])}?\s]{0,8}$/
/** `ENV.fetch('REDIS_PASSWORD', nil)`. */
const READ_BEFORE = /["']([A-Z][A-Z\d]*(?:_[A-Z\d]+)+)["'][^"'{};]{0,24}$/
/** `config('NAME', default=`, `Field(`. */
const QUOTED_BEFORE = /["']([\w.:-]{2,64})["'][,)|\s][^"']{0,60}$/
const ASSIGNED_BEFORE =
  /([\w$-]{2,64})(?:\s?:\s?[\w[\]|<>. ]{1,40})?\s?[=:]\s?(?:[\w.]{1,40}\([^"']{0,80}|\{[^"'{}]{0,80})$/

/** Target that a line assigns: `const key = a.b ?? `, `PASSWORD: ${{ … || `. */
const TARGET =
  /^\s{0,80}(?:(?:- |export |const |let |var |val |my |our |local |final |static |private |public |readonly |protected )\s{0,4}){0,4}(?:[\w$]{1,40}\.){0,4}[$@]?([A-Za-z_][\w-]{1,63})["']?\s{0,4}(?::\s?[\w<>[\]?| ]{1,40}=|:?=|:|=>)(?!=)/

function targetOf(text: string, at: number): string | undefined {
  const from = text.lastIndexOf('\n', at) + 1
  return at - from > REACH * 2 ? undefined : TARGET.exec(text.slice(from, at))?.[1]
}

/** By the name of what it stands in for. */
function scrubFallbacks(text: string, { keys, onFound }: GivenOptions): string {
  return text.replace(FALLBACK, (whole: string, _quote: string, value: string, at: number) => {
    const before = text.slice(Math.max(0, at - REACH), at)
    const isDefault = whole.startsWith('default')
    // A comment, and no operator of Perl.
    if (whole.startsWith('//') && !/[\]}]\s$/.test(before)) return whole
    if (whole.startsWith(')') && !/\b(?:fetch|getOrElse|get_or|dig)\W/.test(before)) return whole
    // `token ? "X" : …`: what is asked is no name of the answer.
    const isChoice = /^\?\s/.test(whole)
    const names = isChoice
      ? [targetOf(text, at)]
      : isDefault
        ? [QUOTED_BEFORE.exec(before)?.[1], ASSIGNED_BEFORE.exec(before)?.[1]]
        : [
            NAME_BEFORE.exec(before)?.[1],
            PATH_BEFORE.exec(before)?.[1],
            READ_BEFORE.exec(before)?.[1],
            targetOf(text, at),
          ]
    for (const name of names) {
      const rule = name === undefined ? null : keys.ruleOf(name)
      if (name === undefined || rule === null || !isGiven(value, { name, rule, keys })) continue
      onFound(rule, value)
      return whole.slice(0, whole.length - value.length) + FILTERED
    }
    return whole
  })
}
