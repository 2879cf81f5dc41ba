/**
 * Secrets that a text itself names: `password=…`, `"token": "…"`, `Authorization: Bearer …`, `<password>…</…`,
 * `--api-key …`, `setToken("…")`, truncated JSON, form text, query strings, source lines. One walk over the text; at
 * each separator a bounded look back for the name, and a look ahead for the value that is never repeated.
 */
import { isBlank, isNameChar, isQuote } from './characters.ts'
import { keptCookies } from './cookies.ts'
import { FILTERED } from './filtered.ts'
import { isAsking } from './harmless.ts'
import type { SecretKeys } from './keys.ts'
import { blockAt, bufferAt, elementText, literalAt, pastTag, structure, type Value } from './literals.ts'
import { GAP_CHARS, NAME_CHARS, type Name, nameBefore, tagBefore } from './names.ts'
import { isChosen } from './ordinary.ts'
import { looksIssued } from './random.ts'
import { isBetweenWords, isHarmless } from './said-values.ts'
import { spacedEnd } from './spaced.ts'

/**
 * Mode of a text: in source code only literals are secrets, so that `token = await login(user)` stays
 * readable.
 */
export type TextMode = 'text' | 'source'

export interface AssignmentOptions {
  readonly mode: TextMode
  readonly keys: SecretKeys
  /** `value` is what was taken out, without its quotes. */
  readonly onFound: (rule: string, value: string) => void
}

const TYPE_CHARS = 60

const EQUALS = 0x3d
const COLON = 0x3a
const MORE = 0x3e
const BRACKET = 0x28
const SCHEME = /^(?:bearer|basic|token|digest|negotiate|apikey|oauth|bot|key|ntlm|aws4-hmac-sha256)$/i

/** The text with every named secret replaced. Linear in the length of the text. */
export function scrubAssignments(text: string, options: AssignmentOptions): string {
  let at = nextSeparator(text, 0)
  if (at === -1) return text
  let out = ''
  let copied = 0
  const hasTags = text.includes('<')
  for (; at !== -1; at = nextSeparator(text, at + 1)) {
    const code = text.charCodeAt(at)
    if (code === EQUALS && text.charCodeAt(at - 1) === EQUALS) continue // the first one was looked at
    if (code === MORE && !isArrow(text, at) && (!hasTags || text.charCodeAt(at - 1) === EQUALS)) continue
    const found = assignmentAt(text, at, code, options)
    if (found === null || found.value.start < copied) continue
    const { start, end } = found.value
    out += text.slice(copied, start) + replacement(found.rule, text.slice(start, end), options)
    copied = end
    at = end - 1
  }
  return copied === 0 ? text : out + text.slice(copied)
}

/** Returns the replacement of a value; cookies that hide nothing stay. */
function replacement(rule: string, value: string, { keys, onFound }: AssignmentOptions): string {
  const kept = rule === 'cookie' ? keptCookies(value, keys, (one) => onFound(rule, one)) : null
  if (kept !== null) return kept
  onFound(rule, value)
  return FILTERED
}

/** `password -> X` of a map; without blanks it is a member of something. */
function isArrow(text: string, at: number): boolean {
  return (
    text.charCodeAt(at - 1) === 0x2d && isBlank(text.charCodeAt(at - 2)) && isBlank(text.charCodeAt(at + 1))
  )
}

/** A bracket counts where a literal follows; the first of several signs is looked at, the others belong to it. */
const SEPARATOR = /[=:>]|\((?=["'`\\])/g

/** A class of characters is what the pattern engine searches for sixteen at a time: a fifth of a loop's cost. */
function nextSeparator(text: string, from: number): number {
  SEPARATOR.lastIndex = from
  return SEPARATOR.test(text) ? SEPARATOR.lastIndex - 1 : -1
}

function assignmentAt(
  text: string,
  at: number,
  code: number,
  { keys, mode }: AssignmentOptions,
): { readonly rule: string; readonly value: Value } | null {
  const arrow = code === MORE && isArrow(text, at)
  const name = code === MORE && !arrow ? tagBefore(text, at) : nameBefore(text, arrow ? at - 1 : at, code)
  if (name === null || (code === BRACKET && isAsking(text, at, name.text))) return null
  if (name.text === 'key' && /public $/i.test(text.slice(Math.max(0, name.start - 7), name.start)))
    return null
  // `pam_unix(passwd:chauthtok)`: a service, and what it does.
  if (code === COLON && /\bpam_\w{1,24}\($/.test(text.slice(Math.max(0, name.start - 32), name.start)))
    return null
  if (text[name.start - 1] === '/' && (arrow || /^["']\s?:\s?["']\//.test(text.slice(at - 1, at + 4))))
    return null // `/login -> /auth -> /login`
  const isElement = code === MORE && text[name.start - 1] === '<'
  // `reset/<token>/`: a step of a route.
  if (isElement && text[name.start - 2] === '/') return null
  // `${DB_PASSWORD:?required}` of a shell.
  if (code === COLON && text[at + 1] === '?' && text[name.start - 1] === '{') return null
  // In source nearly nothing is a literal, and nearly every name is new: what it says costs more than what it is.
  const inSource = mode === 'source' && !isElement ? sourceValueAfter(text, at) : undefined
  if (inSource === null || (mode === 'source' && (isPosition(text, at) || isSetter(text, at)))) return null
  if (code === EQUALS && text.charCodeAt(at + 1) === 0x20 && isEmptySetting(text, at, name)) return null
  const isTelling = keys.isTelling(name.text)
  // Of names that tell nothing, two forms say something: what is left is nearly every sign there is.
  if (!isTelling && name.text !== 'state' && text[name.start - 1] !== '[') return null
  if (isPosition(text, at)) return null
  if (!isTelling)
    return name.text === 'state' ? stateAt(text, at, name) : indexedAt(text, at, { name, inSource, keys })
  if (code === COLON && FAULT.test(name.text)) return null
  const certain = keys.ruleOf(name.text)
  if (isElement && isBetweenWords(text, at)) return null
  const value =
    inSource ??
    (isElement ? elementText(text, at + 1) : valueAfter(text, at, { name, rule: certain ?? 'token' }))
  if (value === null) return null
  const whole = text.slice(value.start, value.end)
  // `credentials.put("password", …)`: the name of what comes next.
  if (code === BRACKET && /^[A-Za-z_.-]{2,64}$/.test(whole) && keys.isTelling(whole)) return null
  const rule = certain ?? keys.ruleFor(name.text, whole) ?? queryRule(text, name, whole)
  if (rule === null || isHarmless(text, { name, value, rule, code })) return null
  if (code !== EQUALS && code !== COLON) return { rule, value }
  // Of a bare value: further on, where a blank cut it.
  return { rule, value: { start: value.start, end: spacedEnd(text, value, name.start) } }
}

/** `ldap.INVALID_CREDENTIALS: {…}`: what went wrong. */
const FAULT = /(?:^|[._])(?:INVALID|BAD|WRONG|MISSING|EXPIRED|UNKNOWN|NO)_[A-Z_]{3,40}$/

/** `user_pass[bob]=X`: a place of what is named before it. */
function indexedAt(
  text: string,
  at: number,
  {
    name,
    inSource,
    keys,
  }: { readonly name: Name; readonly inSource: Value | undefined; readonly keys: SecretKeys },
): { readonly rule: string; readonly value: Value } | null {
  if (text[name.start - 1] !== '[' || text[name.start + name.text.length] !== ']') return null
  const outer = nameBefore(text, name.start - 1, EQUALS)
  const rule =
    outer === null || outer.start + outer.text.length !== name.start - 1 ? null : keys.ruleOf(outer.text)
  if (rule !== 'password' || outer === null) return null
  const value = inSource ?? valueAfter(text, at, { name: outer, rule })
  return value === null || isHarmless(text, { name: outer, value, rule, code: text.charCodeAt(at) })
    ? null
    : { rule, value }
}

/** `user=app password= dbname=shop`: nothing behind the sign, and the next name. */
function isEmptySetting(text: string, at: number, { start }: Name): boolean {
  return (
    /^ {1,2}[A-Za-z_]\w{1,30}=[^=\s]/.test(text.slice(at + 1, at + 40)) &&
    /(?:^|\s)\w{1,30}=\S{0,64} $/.test(text.slice(Math.max(0, start - 100), start))
  )
}

/** `def password=(value)` */
function isSetter(text: string, at: number): boolean {
  return text[at + 1] === '(' && /\bdef [\w.]{1,64}$/.test(text.slice(Math.max(0, at - 72), at))
}

/** `auth:12:5`, `session.rb:12:in`: a line, not a secret. */
function isPosition(text: string, at: number): boolean {
  return (
    text.charCodeAt(at) === COLON && /^\d{1,7}(?::\d{1,7}(?!\d)|:in\b|\)|$)/.test(text.slice(at + 1, at + 18))
  )
}

/** `?code=…` of a query: a number of six digits is a one-time code, one of three a status. */
function queryRule(text: string, name: Name, value: string): string | null {
  const before = text[name.start - 1]
  if (before !== '?' && before !== '&' && before !== '#') return null
  return name.text.toLowerCase() === 'code' && /^\d{6,8}$/.test(value) ? 'one_time_code' : null
}

/** State of a sign-in that goes through another site: `?state=…`. */
const STATE = /^[\w.~%+/=-]{8,512}(?=$|[&#\s"'`\\])/
const STATE_CHARS = 513

function stateAt(text: string, at: number, { start }: Name): { rule: string; value: Value } | null {
  if (!/[?&#]/.test(text[start - 1] ?? '')) return null
  const value = STATE.exec(text.slice(at + 1, at + 1 + STATE_CHARS))?.[0]
  if (value === undefined || !looksIssued(value)) return null
  if (value.length < 16 && !/[?&]code=/.test(text.slice(Math.max(0, at - STATE_CHARS), at + STATE_CHARS)))
    return null
  return { rule: 'token', value: { start: at + 1, end: at + 1 + value.length } }
}

function valueAfter(
  text: string,
  at: number,
  context: { readonly name: Name; readonly rule: string },
): Value | null {
  const start = valueStart(text, at)
  // `-u "$TOKEN:"`: the quote behind the sign closes what one before the name opened.
  if (isClosedHere(text, at, context.name)) return null
  return (
    bufferAt(text, start) ??
    literalAt(text, start) ??
    blockAt(text, start) ??
    typedLiteral(text, start, context.name) ??
    bareInText(text, start, { ...context, at })
  )
}

function isClosedHere(text: string, at: number, { start, text: name }: Name): boolean {
  if (at !== start + name.length) return false
  const opened = text[start - 1]
  const isRight = isQuote(text.charCodeAt(at + 1))
  if (name.startsWith('$') || opened === '`') return isRight && (text[at + 1] === opened || opened === '`')
  // `expect "password: "; send …`: what was asked, and not what was answered.
  if (text[at] !== ':' || !isQuote(text.charCodeAt(start - 1))) return false
  const behind = skipBlanks(text, at + 1)
  return text[behind] === opened && /^(?:[;)},]|\s[\w{])/.test(text.slice(behind + 1, behind + 3))
}

const ONE_TYPE = /^&?(?:\[\])?[A-Za-z][\w<>[\]|.?]{0,40}(?: \w{1,16})?\s?=\s?["'`]/
const IS_HEADER = /authorization|cookie/i

/** `secret: string = "X"`: code within a text. */
function typedLiteral(text: string, start: number, { text: name }: Name): Value | null {
  const head = text.slice(start, start + TYPE_CHARS)
  // `auth=basic realm="shop"`: a scheme is no type.
  if (!ONE_TYPE.test(head) || IS_HEADER.test(name) || SCHEME.test(/^\w*/.exec(head)?.[0] ?? '')) return null
  const past = pastType(text, start)
  return past === start ? null : literalAt(text, past)
}

/** Whatever name stands before it. */
function sourceValueAfter(text: string, at: number): Value | null {
  // `print("token:", token)`: the literal ends here.
  if (/^ ?["'`]\s{0,2}(?:[,)+;]|\.\s?\$)/.test(text.slice(at + 1, at + 8)) && isInLiteral(text, at))
    return null
  const first = valueStart(text, at)
  // `password=X host=db`: what stands right behind the sign is no type.
  const start = first === at + 1 && text.charCodeAt(at) === EQUALS ? first : pastType(text, first)
  return literalAt(text, start) ?? bareInSource(text, at, start)
}

/** Whether the quote behind `at` closes a literal that began with this name: `"token:"`. */
function isInLiteral(text: string, at: number): boolean {
  const end = text.charCodeAt(at - 1) === 0x20 ? at - 1 : at
  let start = end
  while (start > 0 && end - start < NAME_CHARS && isNameChar(text.charCodeAt(start - 1))) start--
  const quote = text.charCodeAt(at + 1) === 0x20 ? text[at + 2] : text[at + 1]
  return start < end && text[start - 1] === quote
}

function valueStart(text: string, at: number): number {
  let start = at + 1
  while (start - at < 4 && '=>~'.includes(text[start] ?? ' ')) start++
  return pastTag(text, skipBlanks(text, start))
}

/** Source code may put a type between name and value: `password: str = "x"`. */
function pastType(text: string, start: number): number {
  const match = /^(?:&(?:'\w{1,10} )?)?[\w |<>[\].?,]{1,60}=\s{0,8}(?![=>])/.exec(
    text.slice(start, start + TYPE_CHARS + 12),
  )
  return match === null ? start : start + match[0].length
}

/** A line of settings, as of YAML, properties or an environment: nothing behind the value. */
const SETTING = /^[ \t]{0,40}(?:export[ \t]+|-[ \t]+)?["']?[\w.-]{1,64}["']?[ \t]{0,8}[:=][ \t]{0,8}$/
const EXPRESSION = /^\w+[([]|^[{$]|^#\{|\$\{|^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$]|\[|\()/

/** A bare value of source code: `KEY=value` without blanks, or a line of settings; nothing that is an expression. */
function bareInSource(text: string, at: number, start: number): Value | null {
  const value = /^[^\s,;)\]}"'`&|<>]{1,256}/.exec(text.slice(start, start + JUDGED_CHARS))?.[0]
  if (value === undefined || value.startsWith('[') || text.startsWith(FILTERED, start)) return null
  if (EXPRESSION.test(value) || /^(?:&|\*|=>?)/.test(value)) return null
  const isWord = /^[A-Za-z_$][\w$]*$/.test(value) && !/\d/.test(value)
  const end = start + value.length
  const isJoined = text[at] === '=' && start === at + 1
  if (
    isJoined &&
    isWord &&
    (isChosen(value) || OF_CONNECTION.test(text.slice(end, end + 40))) &&
    isQuotedSetting(text, start, end)
  )
    return { start, end }
  if (isJoined && isWord && isChosen(value) && isBeforeCommand(text, at, end)) return { start, end }
  if (isSettingLine(text, at, { start, end }))
    return (isWord && !(isJoined && isChosen(value) && isProperty(text, at))) || /^\d{1,3}$/.test(value)
      ? null
      : { start, end }
  if (isJoined ? isWord : !looksIssued(value)) return null
  return { start, end: value.length < JUDGED_CHARS ? end : bareSourceEnd(text, start) }
}

/** `PASSWORD=X ./deploy.sh` of a shell. */
function isBeforeCommand(text: string, at: number, end: number): boolean {
  return (
    /^ [\w./]/.test(text.slice(end, end + 2)) &&
    /^\s{0,40}(?:export )?(?:[A-Z_]{2,32}=\S{1,64} ){0,4}[A-Z][A-Z\d_]{1,40}$/.test(text.slice(0, at))
  )
}

const OF_CONNECTION = /^;\s?[A-Za-z][\w ]{1,24}=/

/** `"user=a password=X dbname=b"`: a setting within a literal, and no code. */
function isQuotedSetting(text: string, start: number, end: number): boolean {
  if (!/^(?:["'`;&]|\s["'\w])/.test(text.slice(end, end + 2))) return false
  const quotes = text.slice(Math.max(0, start - 400), start).match(/["'`]/g) ?? []
  const [first] = quotes
  return first !== undefined && quotes.length % 2 === 1 && quotes.every((quote) => quote === first)
}

/** Characters of a value that are judged; what is taken may be longer. */
const JUDGED_CHARS = 256
const SOURCE_STOP = /[\s,;)\]}"'`&|<>]/g

/** The stretch without a stop that was found last: a long one is asked for at each `name:` within it. */
let stretch = { text: '', start: 0, end: 0 }

function bareSourceEnd(text: string, start: number): number {
  if (stretch.text === text && start >= stretch.start && start <= stretch.end) return stretch.end
  SOURCE_STOP.lastIndex = start
  stretch = { text, start, end: SOURCE_STOP.exec(text)?.index ?? text.length }
  return stretch.end
}

/** `spring.datasource.password=X`: a name of three parts and more. */
function isProperty(text: string, at: number): boolean {
  return /^\s{0,40}(?!(?:this|self|window|module)\.)[a-z][\w-]{0,40}(?:\.[a-z][\w-]{0,40}){2,8}$/.test(
    text.slice(0, at),
  )
}

/** True when a line holds a name, its separator and the value, and nothing else; such lines begin a text. */
function isSettingLine(text: string, at: number, { start, end }: Value): boolean {
  return (
    start <= 160 &&
    start - at <= 9 &&
    /^\s{0,40}(?:\s[;#].{0,200})?$/.test(text.slice(end, end + 240)) &&
    SETTING.test(text.slice(0, start))
  )
}

function bareInText(
  text: string,
  start: number,
  { name, at, rule }: { readonly name: Name; readonly rule: string; readonly at: number },
): Value | null {
  if (text.startsWith(FILTERED, start)) return pastFiltered(text, start, name)
  if (/^\((?:sensitive value|known after apply)\)/.test(text.slice(start, start + 20))) return null
  const opener = text[start]
  if (opener === '{' && text[at] === '=' && text[name.start - 1] === ';') return bracedValue(text, start)
  if (opener === '{' || opener === '[' || (opener === '(' && isQuote(text.charCodeAt(start + 1))))
    return structure(text, start)
  const isHeader = text[at] === ':' && IS_HEADER.test(name.text)
  if (isHeader) {
    // A cookie has a name or is one long word; what else follows the word is a sentence.
    const head = text.slice(start, start + JUDGED_CHARS)
    const isSentence = /cookie/i.test(name.text) && !/^(?:[^\r\n=]*=|\S{12,}(?:\s|$))/.test(head)
    return isSentence ? null : headerLine(text, start, name)
  }
  if (WALLET.test(name.text)) {
    SEED_WORDS.lastIndex = start
    if (SEED_WORDS.test(text)) return { start, end: SEED_WORDS.lastIndex }
  }
  let end = bareEnd(text, start, name)
  if (
    SCHEME.test(text.slice(start, end)) &&
    (rule === 'token' || rule === 'authorization' || rule === 'api_key')
  ) {
    const next = skipBlanks(text, end)
    // `bearer expires_in=3600`: the next setting.
    if (next > end && !/^[A-Za-z_-]{1,40}=[^=\s]/.test(text.slice(next, next + 48)))
      end = Math.max(end, bareEnd(text, next, name))
  }
  return end === start ? null : { start, end }
}

/** `PWD={a;b};` of a connection string: to the brace that is not written twice, and on to the next sign. */
function bracedValue(text: string, start: number): Value {
  const near = text.slice(start, start + BRACED_CHARS)
  let close = near.indexOf('}', 1)
  while (close !== -1 && near[close + 1] === '}') close = near.indexOf('}', close + 2)
  let end = close === -1 ? near.length : close + 1
  while (close !== -1 && end < near.length && !/[;\s"'`]/.test(near[end] ?? '')) end++
  return { start, end: start + end }
}

const BRACED_CHARS = 256

/** Names of what opens a wallet: twelve words and more. */
const WALLET = /mnemonic|seed|phrase|words$/i
const SEED_WORDS = /(?:[a-z]{3,10}[ ,]{1,2}){11,23}[a-z]{3,10}/y

/** Returns the value behind our own mark, which stays; text attached to it does not. */
function pastFiltered(text: string, start: number, name: Name): Value | null {
  const end = start + FILTERED.length
  const stop = bareEnd(text, end, name)
  return stop > end && !'.:)]}'.includes(text[end] ?? '') ? { start, end: stop } : null
}

/** A header's value goes to the end of its line, or to the quote that was opened before the name. */
function headerLine(text: string, start: number, name: Name): Value | null {
  const quote = text[name.start - 1]
  const closing = quote === '"' || quote === "'" || quote === '`' ? quote : null
  let end = start
  for (; end < text.length; end++) {
    const letter = text[end]
    if (letter === '\n' || letter === '\r' || letter === closing) break
    if (letter === '\\' && /[rn"']/.test(text[end + 1] ?? '')) break
  }
  return text.slice(start, end).trim() === '' ? null : { start, end }
}

/** End of a value without quotes. In a query or form it runs to the next `&`. */
function bareEnd(text: string, start: number, name: Name): number {
  const isQuery = /[?&]/.test(text[name.start - 1] ?? '')
  let end = start
  for (; end < text.length; end++) {
    const letter = text[end] ?? ''
    if (
      letter <= ' ' ||
      letter === '&' ||
      letter === '"' ||
      letter === '`' ||
      letter === '<' ||
      letter === '>'
    )
      break
    if (letter === ')' && (text[end + 1] ?? ' ') <= ' ') break // a stack line: `at f (https://…?token=…)`
    if (isQuery) continue
    if (letter === '\\' && /[nrt"'\\]/.test(text[end + 1] ?? '')) break
    if (letter === "'" && /[\s,;)\]}]|^$/.test(text[end + 1] ?? '')) break
    if (/[,;)\]}]/.test(letter) && isListEnd(text, end + 1)) break
  }
  return end
}

/** True where a separator ends the value: before blanks, the end, another closing, or the next `name=`. */
function isListEnd(text: string, at: number): boolean {
  const next = text[at]
  if (next === undefined || next <= ' ' || /[,;)\]}"'&]/.test(next)) return true
  return /^["']?[\w.-]{1,40}["']?\s{0,4}[:=]/.test(text.slice(at, at + 50))
}

function skipBlanks(text: string, from: number): number {
  let at = from
  while (at - from < GAP_CHARS && isBlank(text.charCodeAt(at))) at++
  return at
}
