/**
 * Secrets that stand beside their names or in the place of an argument: `"password", "X"`, `.set('x-api-key', 'X')`,
 * `jwt.sign(payload, 'X')`, "Duplicate entry 'X' for key 'api_token'". Each match is bounded.
 */
import type { TextMode } from './assignments.ts'
import { FILTERED } from './filtered.ts'
import { isHarmlessWord, isPlaceholder } from './harmless.ts'
import { isSecretNoun } from './key-words.ts'
import type { SecretKeys } from './keys.ts'
import { isSalad, isToldBare } from './letters.ts'
import { isChosen, isListed, isOrdinary } from './ordinary.ts'
import { looksIssued } from './random.ts'

interface CallOptions {
  readonly mode: TextMode
  readonly keys: SecretKeys
  readonly onFound: (rule: string, value: string) => void
}

/** Text between a quoted name and its quoted value: a comma, a second call, a length, some words. */
const BETWEEN = String.raw`(?:\s{0,2},|:\s[Gg]ot(?: \w{1,10}){0,2}|\)\s?\{|\s\.|;s:\d{1,6}:|\)\.\w{2,16}\(|\swith(?: (?:the )?value)?|>>\s?(?:=>|,)\s?<<|\s(?:has|had|got) (?:the )?value)\s{0,16}`
const PAIR = new RegExp(
  String.raw`(\\?["'\x60])([#$:@\w.[\]= -]{2,64})\1${BETWEEN}[bN]?(\\?["'\x60](?:\\["'])?)([^"'\x60\\\n]{3,1024})(?=\3|\\["'])`,
  'g',
)
/** No literal, no element: most texts. */
const MAYBE_LITERAL = /["'`]|<\/|value[:=]/i
/** `{:password, "X"}`, `{password, "X"}`: an atom or a symbol, and a literal. */
const ATOM = /((?:(?<![\w:]):|\{)([a-z_]\w{1,40}),\s{0,4}(?:<<)?["'])([^"'\n\\]{3,1024})(?=["'])/g
/** `setOption(CURLOPT_USERPWD, "X")`: a constant, and a literal. */
const CONSTANT = /((?<![\w"'`.$])([A-Z][A-Z0-9_]{2,48}),\s{0,4}["'])([^"'\n\\]{3,1024})(?=["'])/g
/** Java asks passwords as lists of characters, and nothing else. */
const CHARACTERS = /(["'])([^"'\n\\]{4,256})(?=\1\.toCharArray\(\))/g
/** `variable "db_password" { default = "X" }`. */
const DECLARED =
  /(\bvariable\s{1,4}["']([\w-]{2,64})["']\s{0,4}\{[^{}]{0,300}?\bdefault\s{0,8}=\s{0,8}["'])([^"'\n\\]{3,1024})(?=["'])/g
const MAYBE_PAIR = /["'`](?:\s?,|: [Gg]ot |\)\s?\{|\s\.|;s:|\)\.|>>|\s(?:with|has|had|got) )/
/** The value first, as databases and validators write it. */
const VALUE_FIRST =
  /((?:entry|value|key value):?\s(["'`]))([^"'`\n]{3,1024})(?=\2\s(?:for|at|of|in)(?: (?:the|key|field|column|property|path|option|flag|argument)){0,3}\s["'`]?-{0,2}([\w.$[\]-]{2,64})["'`]?)/gi
/** `name: API_TOKEN` and, in the next line, `value: X`. */
const ENTRY =
  /(\b(?:\w{1,16}[kK]ey|\w{1,16}[nN]ame|name|key|id|field|property|attribute|param|parameter|header|variable|label|k|path|instancePath|dataPath)["']?[:=]\s?["']?\/?([\w.-]{2,64})["']?(?:,\s{0,24}["']?\w{1,24}["']?:\s?["'][^"'{}]{0,64}["']){0,2}(?:,\s{0,24}|\s{1,24})["']?(?:\w{0,16}_?value|input|val|v|content|data|actual|received|provided)["']?[:=]\s?["']?)([^\s"',}]{3,1024})/gi
const MAYBE_ENTRY = /(?:alue|nput|\bv(?:al)?|ontent|\bdata|actual|received|provided)["']?[:=]/i
/**
 * Pattern of Python validators: `'loc': ('body', 'password'), …, 'input': 'X'`, and a field's name above its
 * complaint.
 */
const LOCATED =
  /('loc': \((?:['"\w]{1,64}, ){0,6}'([\w.-]{1,64})',?\)[^{}\n]{0,300}?'input': ['"])([^'"\n]{3,1024})(?=['"])/g
const FIELD_INPUT =
  /((?<=^|\n)(?:[\w-]{1,64}\.){0,8}([\w-]{2,64})\n {2}[^\n]{0,400}?\binput_value=['"])([^'"\n]{3,1024})(?=['"])/g
/** Pattern of Spring: `on field 'password': rejected value [X]`. */
const REJECTED = /(\bfield '([\w.[\]]{2,64})': rejected value \[)([^\]\n]{3,1024})(?=\])/g
/** `"Jwt": { "Key": "X" }`, `password: { value: X }`: what a group of settings is called, and its one value. */
const GROUPED =
  /(\b([A-Za-z][\w-]{2,40})["']?\s{0,2}[:=]\s{0,2}\{\s{0,16}(?:["']?\w{1,24}["']?\s{0,2}[:=]\s{0,2}["'][^"'{}]{0,80}["'],\s{0,16}){0,3}["']?(?:[kK]ey|[vV]alue|[pP]lain|[rR]aw|[tT]ext)["']?\s{0,2}[:=]\s{0,2}["'])([^"'\s]{3,512})(?=["'])/g
const PLIST =
  /(<(?:key|name)>([\w.-]{1,64})<\/(?:key|name)>\s{0,24}<(?:string|value|data)>(?:<string>)?)([^<]{3,1024})(?=<)/gi

const MAYBE_GROUPED =
  /[:=]\s{0,2}\{[^{}]{0,160}?(?:[kK]ey|[vV]alue|[pP]lain|[rR]aw|[tT]ext)["']?\s{0,2}[:=]\s{0,2}["']/
/** Patterns in which a value stands where nothing else does. */
const OF_VALUES: ReadonlySet<RegExp> = new Set([PLIST, LOCATED, FIELD_INPUT, REJECTED, GROUPED])

export function scrubCalls(text: string, options: CallOptions): string {
  let out = / is (?:not )?an? (?:in)?valid /.test(text) ? scrubValidated(text, options) : text
  if (!MAYBE_LITERAL.test(out)) return out
  // Most lines of source hold no digit, and with it no literal that could be a key.
  if (options.mode === 'source' && !/\d/.test(out)) {
    if (/["']--\w/.test(out)) out = scrubPairs(out, options)
    return MAYBE_KEYED.test(out) ? scrubArguments(out, options) : out
  }
  if (MAYBE_PAIR.test(out)) out = scrubPairs(out, options)
  if (MAYBE_CALL.test(out)) out = scrubArguments(out, options)
  if (MAYBE_FALLBACK.test(out)) out = scrubFallbacks(out, options)
  if (/\s(?:in\s?\(|i?like)\s?'/i.test(out)) out = scrubNamed(out, COMPARED, options)
  if (/\w,\s{0,4}(?:<<)?["']/.test(out)) {
    if (/[:{][a-z_]\w{1,40},\s{0,4}(?:<<)?["']/.test(out)) out = scrubNamed(out, ATOM, options)
    if (/[A-Z\d_]{3},\s{0,4}["']/.test(out)) out = scrubNamed(out, CONSTANT, options)
  }
  if (out.includes('.toCharArray()')) {
    out = out.replace(CHARACTERS, (whole: string, quote: string, value: string) => {
      if (!isLiteralSecret(value)) return whole
      options.onFound('password', value)
      return quote + FILTERED
    })
  }
  if (out.includes('variable ') && out.includes('default')) out = scrubNamed(out, DECLARED, options)
  if (out.includes('</key>') || out.includes('</name>')) out = scrubNamed(out, PLIST, options)
  const mayBeEntry = options.mode === 'text' || out.includes('value') || out.includes('Value')
  if (mayBeEntry && MAYBE_ENTRY.test(out)) out = scrubNamed(out, ENTRY, options)
  if (options.mode === 'source') return out
  if (out.includes("': rejected value [")) out = scrubNamed(out, REJECTED, options)
  if (MAYBE_GROUPED.test(out)) out = scrubNamed(out, GROUPED, options)
  if (out.includes("'loc': (") || out.includes('input_value=')) {
    out = scrubNamed(out, LOCATED, options)
    out = scrubNamed(out, FIELD_INPUT, options)
  }
  if (/\b(?:entry|value)\s["'`]/i.test(out)) out = scrubNamed(out, VALUE_FIRST, options)
  return out
}

/** `'X' is not a valid password`. */
const VALIDATED =
  /(?<=^|\s)(["'\x60]?)([^\s"'\x60]{4,512})\1(?= is (?:not )?an? (?:in)?valid ([a-z]{2,20}(?: [a-z]{2,12})?))/gi
/** `token IN ('X')`, `token LIKE 'X'`. */
const COMPARED =
  /(?<![\w."`])(([\w."`]{2,64})\s(?:not\s)?(?:in\s?\(|i?like)\s?')([^'\n]{3,512}(?:'\s?,\s?'[^'\n]{3,512}){0,32})(?=')/gi

function scrubValidated(text: string, { keys, onFound }: CallOptions): string {
  return text.replace(VALIDATED, (whole: string, ...groups: string[]) => {
    const [quote = '', value = '', name = ''] = groups
    const rule = keys.ruleFor(name, value) ?? keys.ruleFor(name.split(' ')[0] ?? '', value)
    if (rule === null || !isLiteralSecret(value)) return whole
    onFound(rule, value)
    return quote + FILTERED + quote
  })
}

/** `i18n.t("form.password", "Enter it")`: what people are shown. */
const SHOWING =
  /(?:^|[^\w$])(?:t|tr|__?|i18n|trans(?:late)?|\w?gettext|label|text|title|placeholder|msg|message)\($/i
const SHOWING_CHARS = 16

function scrubPairs(text: string, { keys, onFound }: CallOptions): string {
  return text.replace(PAIR, (whole: string, ...groups: (string | number)[]) => {
    const [, name = '', , value = ''] = groups.map(String)
    if (
      /\s/.test(value) &&
      SHOWING.test(text.slice(Math.max(0, Number(groups[4]) - SHOWING_CHARS), Number(groups[4])))
    )
      return whole
    const rule = keys.ruleFor(name.replace(/^.*[[=]|\]$/g, ''), value)
    const isOption = name.startsWith('--') && isChosen(value)
    if (rule === null || !(isLiteralSecret(value) || isOption)) return whole
    onFound(rule, value)
    return whole.slice(0, whole.length - value.length) + FILTERED
  })
}

function scrubNamed(text: string, pattern: RegExp, { keys, onFound }: CallOptions): string {
  const valueFirst = pattern === VALUE_FIRST
  return text.replace(pattern, (whole: string, ...groups: string[]) => {
    const [before = '', second = '', value = '', last = ''] = groups
    const rule = keys.ruleFor(valueFirst ? last : second, value)
    const isWord =
      (pattern === ENTRY && (isSalad(value) || (rule === 'password' && isChosen(value)))) ||
      (OF_VALUES.has(pattern) &&
        /^[\w.@-]{3,64}$/.test(value) &&
        !(pattern === PLIST ? isListed(value) : isOrdinary(value)) &&
        !isSecretNoun(value))
    const isPlain = !valueFirst && !isWord && !value.split(/'\s?,\s?'/).every(isLiteralSecret)
    if (rule === null || isPlain || value === FILTERED) return whole
    onFound(rule, value)
    return before + FILTERED
  })
}

/** "X is your SNYK_TOKEN", "X (X-Postmark-Server-Token)": what was issued, and behind it the name of a setting or a header. */
const NAMED_BEHIND =
  /(?<![\w./:-])([\w+/=.~-]{12,256})(?= (?:is|as|for|given as|used as|set as|\()\s?(?:(?:the|your|our|my|its) )?["'`]?([A-Za-z]\w*[_-][\w-]{2,48}))/g
const MAYBE_BEHIND = / (?:(?:is|as|for) (?:(?:the|your|our|my|its) )?|\()["'`]?[A-Za-z]\w{0,40}[_-]/

export function scrubNamedBehind(
  text: string,
  { keys, onFound }: Pick<CallOptions, 'keys' | 'onFound'>,
): string {
  if (!MAYBE_BEHIND.test(text)) return text
  return text.replace(NAMED_BEHIND, (value: string, ...groups: string[]) => {
    const rule = keys.ruleFor(groups[1] ?? '', value)
    if (rule === null || !looksIssued(value)) return value
    onFound(rule, value)
    return FILTERED
  })
}

/** Not a name of something: lists of fields and of columns hold secrets' names, too. */
function isLiteralSecret(value: string): boolean {
  return (
    !/^[\p{L}_$][\p{L}_$.-]*$/u.test(value) &&
    !/^\s|\s$/.test(value) &&
    value !== FILTERED &&
    !isPlaceholder(value) &&
    !isHarmlessWord(value) &&
    !value.includes(FILTERED)
  )
}

/**
 * Default for a variable that holds nothing: `process.env.KEY ?? 'X'`, `key or "X"`, `a ? b : 'X'`,
 * `default="X"`.
 */
const FALLBACK =
  /(?:\?\?=?|\|\|=?|\?:|\bor|\belse|\?[^?:\n"'`]{1,80}:|\s\?(?=\s["'`])|\bdefault\s?[=(:])\s{0,4}(["'`])([^"'`\n]{4,512})(?=\1)/g
const MAYBE_FALLBACK =
  /(?:\?\?=?|\|\|=?|\?:|\s\?|\bor|\belse|\?[^?:\n"'`]{1,80}:|\bdefault\s?[=(:])\s{0,4}["'`]/
const BEHIND = /^["'`][)\s;,]{0,4}(?:\/\/|#)\s?([\w$-]{2,64})\s{0,4}$/
const BEHIND_CHARS = 80
const REACH = 160
const NAMES_MAX = 3

/** The value under the name of what it stands in for, or of what it is given to. */
function scrubFallbacks(text: string, { keys, onFound }: CallOptions): string {
  return text.replace(FALLBACK, (whole: string, _quote: string, value: string, at: number) => {
    if (!isLiteralSecret(value) || /\s/.test(value)) return whole
    const end = at + whole.length
    const names = [...namesBefore(text, at), BEHIND.exec(text.slice(end, end + BEHIND_CHARS))?.[1]]
    const rule = names
      .map((name) => (name === undefined ? null : keys.ruleFor(name, value)))
      .find((one) => one !== null)
    if (rule === undefined || rule === null) return whole
    onFound(rule, value)
    return whole.slice(0, whole.length - value.length) + FILTERED
  })
}

/** The operand right before `at`, and the nearest names that are given a value, past their types. */
function namesBefore(text: string, at: number): string[] {
  const names = [nameEndingAt(text, at)]
  for (let i = at - 1; i >= 0 && at - i <= REACH && names.length <= NAMES_MAX; i--) {
    const letter = text[i] ?? ''
    if (';,{}\n'.includes(letter)) break
    if (letter !== ':' && letter !== '=') continue
    const isComparison = '=>:'.includes(text[i + 1] ?? '') || '=!<>:'.includes(text[i - 1] ?? ' ')
    if (!isComparison) names.push(nameEndingAt(text, i))
  }
  return names.filter((name) => name.length > 1)
}

const BESIDE_CHARS = 8
const NAME_CHARS = 64

/** The name before `at`, past blanks, quotes and brackets. */
function nameEndingAt(text: string, at: number): string {
  let end = at
  while (end > 0 && at - end < BESIDE_CHARS && ' \t"\'])}?'.includes(text[end - 1] ?? '')) end--
  let start = end
  while (start > 0 && end - start < NAME_CHARS && /[\w$-]/.test(text[start - 1] ?? '')) start--
  return text.slice(start, end)
}

/** Functions that take keys and passwords by their place, before a literal of letters. */
const MAYBE_KEYED =
  /(?:hmac\w{0,6}|crypt\w{0,12}|make|compare\w{0,4}|verify|sign\w{0,4}|\w{0,8}parser|keyspec|sequelize|jwt\.\w{2,8}|btoa|b64encode|login|auth\w{0,4}|credentials?|_in|bind\w{0,8}|connect\w{0,6})\([^"'`]{0,40}["'`]/i
const MAYBE_CALL = /(?:[A-Za-z\d]|=\s?)\(\s?[bN]?["'`]|["'`]\s?\)|,\s?b?["'`]/
/** Functions that take keys and passwords by their place. */
const CALL =
  /(?:(hmac(?:\.new|\w{1,8})?|(?:pgp_sym_|aes_|des_)?(?:de|en)crypt\w{0,12}|\bcrypt|(?:bcrypt|argon2|jwt|jose)\.\w{2,24}|cipher\w{0,4}|pbkdf2\w{0,6}|scrypt\w{0,6}|password_(?:hash|verify)|hash::make|make_password|check_password\w{0,12}|fernet|twilio|signwith|\w{0,12}digest|cookieparser|btoa|b64encode|base64_encode|\b(?:md5|sha[12]|sha256|sha512|hash|password)|secretkeyspec|hmacshakeyfor|\b(?:sign|verify)|stripe)|((?:basic|http|digest|set)?_?(?:basic|digest)?_?auth(?:entication|entication_token)?|(?:\b|_)(?:log|sign)_?in(?:_user)?|ldap_bind|wpdb|(?:get)?connect(?:ion)?|(?:mysqli|pdo)(?:(?:->|::)\w{1,20})?|wifi\.begin|create_?user|sequelize|sqlcredential|passwordauthentication|networkcredential(?:\]::new)?|pscredential|usernamepassword\w{0,20}|credentials?)\s?=?\s?)\(|\b(?:sp_(?:addlogin|setapprole|password|addlinkedsrvlogin)|(?:basic|digest)_auth)\s/gi
const ARGUMENTS_MAX = 400
const LITERAL = /(["'`])([^"'`\\\n]{1,256})\1/g
const ALGORITHM =
  /^(?:sha|md|aes|rs|hs|es|ps|utf|base|des|rsa|ed|hmac|pbkdf|bcrypt|argon|latin|ascii|hex|http|bf|gen)(?:[-_/]?\d{1,4})?(?:[-_/][a-z0-9]{1,12}){0,3}$/i

function scrubArguments(text: string, { onFound }: CallOptions): string {
  let out = ''
  let copied = 0
  CALL.lastIndex = 0
  for (let match = CALL.exec(text); match !== null; match = CALL.exec(text)) {
    const start = CALL.lastIndex
    const inside = argumentsOf(text.slice(start, start + ARGUMENTS_MAX))
    const literals = [...inside.matchAll(LITERAL)]
    const isAccess = match[1] === undefined
    for (const [at, { 0: whole, 2: value = '', index }] of literals.entries()) {
      const isPlaced = !isAccess || at > 0
      const from = start + index + 1
      if (from < copied || !isPlaced || !isArgument(value, isAccess || isKeyed(text, match))) continue
      onFound('secret', value)
      out += text.slice(copied, from) + FILTERED
      copied = from + whole.length - 2
    }
    // What was read of one call is not read for the next: calls within it were read as its arguments.
    CALL.lastIndex = Math.max(start + inside.length, copied)
  }
  return copied === 0 ? text : out + text.slice(copied)
}

/** Up to the bracket that closes the call; brackets within are few. */
function argumentsOf(window: string): string {
  let depth = 0
  for (let at = 0; at < window.length; at++) {
    const code = window.charCodeAt(at)
    if (code === 0x28) depth++
    else if (code === 0x0a || (code === 0x29 && --depth < 0)) return window.slice(0, at)
  }
  return window
}

/** Functions that take nothing else in quotes than a key or a password. */
const KEYED =
  /^(?:hmac|(?:pgp_sym_|aes_|des_)?(?:de|en)crypt|crypt|bcrypt|argon2|jwt|jose|cipher|pbkdf2|scrypt|password_|make_p|check_p|cookiep|secretkey|signw|hmacsha|sign$|verify$|btoa|b64|base64)/i
/** `pass=MD5('X')`, `md5('X') === $user->pass`: what is hashed is a password where one is spoken of. */
const NAMING = /pass|pwd?\b|secret|kennwort|token/i
const NAMING_CHARS = 48

function isKeyed(text: string, { 1: name = '', index }: RegExpExecArray): boolean {
  if (name === '') return false
  if (KEYED.test(name)) return true
  if (!/^(?:md5|sha[125]|hash|password)/i.test(name)) return false
  return NAMING.test(text.slice(Math.max(0, index - NAMING_CHARS), index + name.length + NAMING_CHARS * 2))
}

/** True for a literal in the place of a key or password; letters and a digit are enough. */
function isArgument(value: string, isAccess: boolean): boolean {
  if (value === FILTERED) return false
  const plain = value.replace(/^[\w.@-]{1,64}:/, '')
  if (
    isAccess &&
    !ALGORITHM.test(plain) &&
    (isSalad(plain) || ((isToldBare(plain) || isChosen(plain)) && !isSecretNoun(plain)))
  )
    return true
  if (!isLiteralSecret(value) || ALGORITHM.test(value) || /^[/.#@%<{]|\s|:\/\//.test(value)) return false
  return looksIssued(value) || (isAccess && value.length >= 6 && /\d/.test(value) && /[A-Za-z]/.test(value))
}
