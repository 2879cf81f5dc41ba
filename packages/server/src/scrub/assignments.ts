/**
 * Secrets that a text itself names: `password=…`, `"token": "…"`, `Authorization: Bearer …`, `<password>…</…`,
 * `--api-key …`, `setToken("…")`, truncated JSON, form text, query strings, source lines. One walk over the text; at
 * each separator a bounded look back for the name, and a look ahead for the value that is never repeated.
 */
import { isBlank, isNameChar, isQuote } from './characters.ts'
import { keptCookies } from './cookies.ts'
import { FILTERED } from './filtered.ts'
import {
  hidesNothing,
  isAsking,
  isComputed,
  isHarmlessWord,
  isPlaceholder,
  isPlainUnder,
  isSchemeAlone,
  isWordUnder,
  isWorkingDirectory,
  repeatsName,
} from './harmless.ts'
import { isSecretNoun } from './key-words.ts'
import type { SecretKeys } from './keys.ts'
import { blockAt, bufferAt, elementText, literalAt, pastTag, structure, type Value } from './literals.ts'
import { looksIssued } from './random.ts'

/** In source code only literals are secrets: `token = await login(user)` stays readable. */
export type TextMode = 'text' | 'source'

export interface AssignmentOptions {
  readonly mode: TextMode
  readonly keys: SecretKeys
  /** `value` is what was taken out, without its quotes. */
  readonly onFound: (rule: string, value: string) => void
}

const NAME_CHARS = 96
const GAP_CHARS = 8
const TYPE_CHARS = 60
const TAG_CHARS = 128

const EQUALS = 0x3d
const COLON = 0x3a
const MORE = 0x3e
const SLASH = 0x2f
const BRACKET = 0x28
const SCHEME = /^(?:bearer|basic|token|digest|negotiate|apikey|oauth|bot|key|ntlm|aws4-hmac-sha256)$/i

interface Name {
  readonly text: string
  readonly start: number
}

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

/** Of cookies, those that hide nothing stay. */
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
  const isElement = code === MORE && text[name.start - 1] === '<'
  // `${DB_PASSWORD:?required}` of a shell.
  if (code === COLON && text[at + 1] === '?' && text[name.start - 1] === '{') return null
  // In source nearly nothing is a literal, and nearly every name is new: what it says costs more than what it is.
  const inSource = mode === 'source' && !isElement ? sourceValueAfter(text, at) : undefined
  if (inSource === null || (mode === 'source' && isPosition(text, at))) return null
  const isTelling = keys.isTelling(name.text)
  if ((!isTelling && name.text !== 'state') || isPosition(text, at)) return null
  if (!isTelling) return stateAt(text, at, name)
  const certain = keys.ruleOf(name.text)
  const value =
    inSource ??
    (isElement ? elementText(text, at + 1) : valueAfter(text, at, { name, rule: certain ?? 'token' }))
  if (value === null) return null
  const whole = text.slice(value.start, value.end)
  // `credentials.put("password", …)`: the name of what comes next.
  if (code === BRACKET && /^[A-Za-z_.-]{2,64}$/.test(whole) && keys.isTelling(whole)) return null
  const rule = certain ?? keys.ruleFor(name.text, whole) ?? queryRule(text, name, whole)
  if (rule === null || isHarmless(text, { name, value, rule, code })) return null
  return { rule, value }
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

/** What a sign-in that goes through another site is known by: `?state=…`. */
const STATE = /^[\w.~%+/=-]{16,512}(?=$|[&#\s"'`\\])/
const STATE_CHARS = 513

function stateAt(text: string, at: number, { start }: Name): { rule: string; value: Value } | null {
  if (!/[?&#]/.test(text[start - 1] ?? '')) return null
  const value = STATE.exec(text.slice(at + 1, at + 1 + STATE_CHARS))?.[0]
  if (value === undefined || !looksIssued(value)) return null
  return { rule: 'token', value: { start: at + 1, end: at + 1 + value.length } }
}

/** The name before a separator, past blanks, closing quotes and brackets: `"name" :`, `['name'] =`. */
function nameBefore(text: string, at: number, code: number): Name | null {
  const next = text.charCodeAt(at + 1)
  // `userPassword:: dGVz…` of LDIF; without a blank it is a member of something.
  if (code === COLON && (next === COLON || (text.charCodeAt(at - 1) === COLON && !isBlank(next)))) return null
  if (code === COLON && next === SLASH && text.charCodeAt(at + 2) === SLASH) return null
  let end = at
  while (end > 0 && at - end < 3 && isOperator(text.charCodeAt(end - 1))) end--
  const blank = end
  while (end > 0 && blank - end < GAP_CHARS && isBlank(text.charCodeAt(end - 1))) end--
  const quote = end
  while (end > 0 && quote - end < 6 && isClosing(text.charCodeAt(end - 1))) end--
  let start = end
  while (start > 0 && end - start < NAME_CHARS && isNameChar(text.charCodeAt(start - 1))) start--
  // `arn:…:secret:shop`: a part of a path of names.
  const isPath = code === COLON && end === at && text.charCodeAt(start - 1) === COLON && !isBlank(next)
  if (start === end || isPath) return null
  // `-Dsonar.login=X` of a virtual machine.
  if (text.charCodeAt(start) === 0x2d && /^-[DP](?=[a-z])/.test(text.slice(start, start + 3))) start += 2
  const name = { text: text.slice(start, end), start }
  return code === EQUALS && TYPE_WORD.test(name.text) ? (typedName(text, start) ?? name) : name
}

export const TYPE_WORD = /^(?:string|str|text|char|byte|auto)$/i

/** `var token string = …`: the name stands before its type. */
function typedName(text: string, start: number): Name | null {
  const before = /([\w.-]{2,64})[ \t]{1,4}(?:[Aa]s[ \t]{1,4})?$/.exec(
    text.slice(Math.max(0, start - NAME_CHARS - GAP_CHARS), start),
  )
  const name = before?.[1]
  return name === undefined || before === null ? null : { text: name, start: start - before[0].length }
}

/** The element that a tag such as `<name attr="x">` opens. `=>` was seen at its `=`. */
function tagBefore(text: string, at: number): Name | null {
  const before = text[at - 1]
  const from = Math.max(0, at - TAG_CHARS)
  const open = text.slice(from, at).lastIndexOf('<')
  if (open === -1) return null
  const start = from + open + 1
  let end = start
  while (end < at && (isNameChar(text.charCodeAt(end)) || text.charCodeAt(end) === COLON)) end++
  const local = text.slice(start, end)
  return local === '' || before === '/' ? null : { text: local, start }
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
  return text[behind] === opened && /^(?:[;)}]|\s[\w{])/.test(text.slice(behind + 1, behind + 3))
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
  if (
    isQuote(text.charCodeAt(at + 1)) &&
    /["'`]\s{0,2}[,)+;]/.test(text.slice(at + 1, at + 5)) &&
    isInLiteral(text, at)
  )
    return null
  const first = valueStart(text, at)
  // `password=X host=db`: what stands right behind the sign is no type.
  const start = first === at + 1 && text.charCodeAt(at) === EQUALS ? first : pastType(text, first)
  return literalAt(text, start) ?? bareInSource(text, at, start)
}

/** Whether the quote behind `at` closes a literal that began with this name: `"token:"`. */
function isInLiteral(text: string, at: number): boolean {
  let start = at
  while (start > 0 && at - start < NAME_CHARS && isNameChar(text.charCodeAt(start - 1))) start--
  return start < at && text[start - 1] === text[at + 1]
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
const EXPRESSION = /^\w+[([]|^[{$]|\$\{|^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$]|\[|\()/

/** A bare value of source code: `KEY=value` without blanks, or a line of settings; nothing that is an expression. */
function bareInSource(text: string, at: number, start: number): Value | null {
  const value = /^[^\s,;)\]}"'`&|<>]{1,256}/.exec(text.slice(start, start + JUDGED_CHARS))?.[0]
  if (value === undefined || value.startsWith('[') || text.startsWith(FILTERED, start)) return null
  if (EXPRESSION.test(value) || /^(?:&|\*|=>?)/.test(value)) return null
  const isWord = /^[A-Za-z_$][\w$]*$/.test(value) && !/\d/.test(value)
  const end = start + value.length
  const isJoined = text[at] === '=' && start === at + 1
  if (isSettingLine(text, at, { start, end }))
    return isWord || /^\d{1,3}$/.test(value) ? null : { start, end }
  if (isJoined ? isWord : !looksIssued(value)) return null
  return { start, end: value.length < JUDGED_CHARS ? end : bareSourceEnd(text, start) }
}

/** A sentence or a small structure is shorter. */
const PLAIN_CHARS_MAX = 400
/** What is judged of a value; what is taken may be longer. */
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

/** True when a line holds a name, its separator and the value, and nothing else; such lines begin a text. */
function isSettingLine(text: string, at: number, { start, end }: Value): boolean {
  return (
    start <= 160 &&
    start - at <= 9 &&
    text.slice(end, end + 40).trim() === '' &&
    SETTING.test(text.slice(0, start))
  )
}

function bareInText(
  text: string,
  start: number,
  { name, at, rule }: { readonly name: Name; readonly rule: string; readonly at: number },
): Value | null {
  if (text.startsWith(FILTERED, start)) return pastFiltered(text, start, name)
  const opener = text[start]
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

/** Names of what opens a wallet: twelve words and more. */
const WALLET = /mnemonic|seed|phrase|words$/i
const SEED_WORDS = /(?:[a-z]{3,10}[ ,]{1,2}){11,23}[a-z]{3,10}/y

/** What we wrote ourselves stays; text hung on to it does not. */
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

interface Found {
  readonly name: Name
  readonly value: Value
  readonly rule: string
  readonly code: number
}

function isHarmless(text: string, { name, value, rule, code }: Found): boolean {
  const word = text.slice(value.start, Math.min(value.end, value.start + 300))
  const plain = word.trim().replace(/[.,;:!?)\]}]+$/, '')
  if (rule === 'api_key' && /^\w$/.test(plain)) return true // `accessKey: "s"` of a menu
  if (plain === '' || word === FILTERED || isHarmlessWord(plain) || isSecretNoun(plain)) return true
  if (/^(?:is|must|can't|cannot|should|has|may|needs|too|does)(?: [a-z']{1,20}){2,8}$/.test(plain))
    return true
  // `auth("api")`: what is asked, and no header.
  if (code === BRACKET && rule === 'authorization' && /^[a-z]{2,12}$/.test(plain)) return true
  if (hidesNothing(rule, word.trim()) || hidesNothing(rule, plain)) return true
  if (isPlaceholder(word) && !isBraced(word, code)) return true
  if (isSchemeAlone(word.trim()) || (word.length <= 3 && !/[\p{L}\p{N}]/u.test(word))) return true
  if (!isQuote(text.charCodeAt(value.start - 1)) && isSaidOfCode(text, { name, value, rule, code }, plain))
    return true
  // `pass: 12` of a test run; a password that is a number stands in a form or behind `=`.
  if (code === COLON && name.text.toLowerCase() === 'pass' && /^\d{1,6}$/.test(plain)) return true
  const isQuery = /[?&]/.test(text[name.start - 1] ?? '')
  if (isQuery && rule === 'session' && /^[a-z]{2,12}$/.test(plain)) return true
  return (
    (!isQuery &&
      value.end - value.start <= PLAIN_CHARS_MAX &&
      isPlainUnder(rule, text.slice(value.start, value.end))) ||
    isWorkingDirectory(name.text, word)
  )
}

/** `PWD={X};` of a connection string: braces stand for quotes there. */
function isBraced(word: string, code: number): boolean {
  return code === EQUALS && /^\{(?=[^}]*\d)(?=[^}]*[A-Za-z])[^{}\s]{6,}\}$/.test(word)
}

/** A scope: `token:read`. */
const PERMISSION = /^(?:read|write|create|delete|list|manage|admin|revoke|rotate|all|edit|show)$/

/** Of a bare value: code, a sentence, the name once more, a comparison with another word, a count of tokens. */
function isSaidOfCode(text: string, { name, value, rule, code }: Found, plain: string): boolean {
  const before = text.slice(Math.max(0, value.start - 4), value.start)
  if (isComputed(plain, before, text.slice(value.end, value.end + 8))) return true
  if (code === COLON && /^tokens$/i.test(name.text) && /^\d{1,7}$/.test(plain)) return true
  // `pin: 12`, `secrets: 3`: a count.
  if (rule !== 'credit_card' && /^\d{1,3}$/.test(plain) && (code === COLON || rule === 'session')) return true
  if (/[!=]=\s?$/.test(before) && /^\d{1,3}$/.test(plain)) return true
  if (code === COLON && isWordUnder(rule, plain) && !/^x-/i.test(name.text)) return true
  // `Invalid Refresh Token: Refresh Token Not Found`
  const isTitle = rule === 'token' && /^[A-Z][a-z]{2,15}$/.test(plain)
  if (isTitle && code === COLON && /^ [A-Z][a-z]/.test(text.slice(value.end, value.end + 3))) return true
  if (!/^[A-Za-z_$]+$/.test(plain)) return false
  if (repeatsName(name.text, plain)) return true
  if (code === COLON && before.endsWith(':') && PERMISSION.test(plain)) return true
  // A parser's: `token: IDENT`.
  if (code === COLON && /^[A-Z_]{2,16}$/.test(plain) && name.text.toLowerCase() === 'token') return true
  if (/[!=]==?\s$/.test(before)) return true
  if (/^(?:invalid|expired|missing|unknown|no|bad)|(?:Exception|Error)$/i.test(name.text)) return true
  return /\s$/.test(before) && name.text.toLowerCase().endsWith(plain.toLowerCase()) && code === EQUALS
}

function skipBlanks(text: string, from: number): number {
  let at = from
  while (at - from < GAP_CHARS && isBlank(text.charCodeAt(at))) at++
  return at
}

/** `=`, `!`, `:`, `?`, `+`, `|` before a separator: `:=`, `!=`, `??=`. */
function isOperator(code: number): boolean {
  return code === EQUALS || code === 0x21 || code === COLON || code === 0x3f || code === 0x2b || code === 0x7c
}

/** Quotes, backslashes, brackets and `?` between a name and its separator. */
function isClosing(code: number): boolean {
  return isQuote(code) || code === 0x5c || code === 0x5d || code === 0x3f || code === 0x29
}
