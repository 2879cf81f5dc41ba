/** Whether what stands behind a name gives it a secret: no word of a sentence, of code, of a status, no placeholder. */
import { isQuote } from './characters.ts'
import { FILTERED } from './filtered.ts'
import {
  hidesNothing,
  isComputed,
  isHarmlessWord,
  isPlaceholder,
  isPlainUnder,
  isSchemeAlone,
  isSentence,
  isWordUnder,
  isWorkingDirectory,
  repeatsName,
} from './harmless.ts'
import { isSecretNoun } from './key-words.ts'
import type { Value } from './literals.ts'
import type { Name } from './names.ts'
import { isChosen, isOrdinary } from './ordinary.ts'
import { FINGERPRINT, isPinOfLetters, NAMES_ONE } from './worth.ts'

const EQUALS = 0x3d
const COLON = 0x3a
const BRACKET = 0x28
/** A sentence or a small structure is shorter. */
const PLAIN_CHARS_MAX = 400

export interface Found {
  readonly name: Name
  readonly value: Value
  readonly rule: string
  readonly code: number
}

export function isHarmless(text: string, { name, value, rule, code }: Found): boolean {
  const word = text.slice(value.start, Math.min(value.end, value.start + 300))
  const plain = word.trim().replace(/[.,;:!?)\]}]+$/, '')
  if (rule === 'api_key' && /^\w$/.test(plain)) return true // `accessKey: "s"` of a menu
  if (rule === 'token' && /^[a-z_]{1,3}$/i.test(plain)) return true // `token == "if"`
  // `passphrase: correct horse battery staple`
  if (
    plain === 'correct' &&
    /phrase$/i.test(name.text) &&
    /^(?: [a-z]{3,12}){2,7}$/.test(text.slice(value.end, value.end + 80))
  )
    return false
  if (plain === '' || word === FILTERED || isHarmlessWord(plain) || isSecretNoun(plain)) return true
  if (/^(?:is|must|can't|cannot|should|has|may|needs|too|does)(?: [a-z']{1,20}){2,8}$/.test(plain))
    return true
  // `auth: rootPassword: X`: the next name.
  if (code === COLON && /^[A-Za-z][\w-]{1,63}:$/.test(word)) return true
  // `SESSION_KEY = 'user'`: what it is stored under.
  if (
    (rule === 'session' || rule === 'token') &&
    /key$/i.test(name.text) &&
    /^[a-z_-]+$/i.test(plain) &&
    isOrdinary(plain)
  )
    return true
  // `NextAuth: NO_SECRET`: what went wrong.
  if (code === COLON && rule === 'authorization' && /^[A-Z]{2,16}(?:_[A-Z]{2,16}){1,4}$/.test(plain))
    return true
  // `expect_token('RPAREN')` of a parser.
  if (code === BRACKET && rule === 'token' && /^[A-Z_]{2,24}$/.test(plain)) return true
  if (/token_?ids?$/i.test(name.text) && /^\d{1,9}$/.test(plain)) return true
  // `auth("api")`: what is asked, and no header.
  if (code === BRACKET && rule === 'authorization' && /^[a-z]{2,12}$/.test(plain)) return true
  const own = text[name.start - 1] === ';' ? (plain.split('/')[0] ?? '') : plain // `;token=X/next` of a path
  if (hidesNothing(rule, own === plain ? word.trim() : own) || hidesNothing(rule, own)) return true
  if (isSentence(plain, text.slice(value.end, value.end + 48), code)) return true
  if (isPlaceholder(word) && !isBraced(word, code) && !isBracketed(word, code)) return true
  if (isSchemeAlone(word.trim()) || (word.length <= 3 && !/[\p{L}\p{N}]/u.test(word))) return true
  if (!isQuote(text.charCodeAt(value.start - 1)) && isSaidOfCode(text, { name, value, rule, code }, plain))
    return true
  // `gcloud secrets versions access latest --secret=shop-db`: which one.
  if (rule === 'secret' && /(?:^|-)secret$/.test(name.text) && NAMES_SECRET.test(text.slice(0, name.start)))
    return true
  // `"test:auth": "vitest run tests/auth"`: a script.
  if (rule === 'authorization' && /:/.test(name.text + (text[name.start - 1] ?? '')) && SCRIPT.test(word))
    return true
  // `pass: 12` of a test run; a password that is a number stands in a form or behind `=`.
  if (code === COLON && name.text.toLowerCase() === 'pass' && /^\d{1,6}$/.test(plain)) return true
  if (isOfProgram(text, { name, value, rule, code }, plain)) return true
  const isQuery = /[?&]/.test(text[name.start - 1] ?? '')
  if (isQuery && rule === 'session' && /^[a-z]{2,16}(?:-[a-z]{2,16}){0,4}(?:-(?:19|20)\d\d)?$/.test(plain))
    return true
  return (
    (!isQuery &&
      value.end - value.start <= PLAIN_CHARS_MAX &&
      isPlainUnder(rule, text.slice(value.start, value.end))) ||
    isWorkingDirectory(name.text, word)
  )
}

/** True for members of an enum, resources, keys of a cache, rules of a linter, and a verb that is called as a secret is. */
function isOfProgram(text: string, { name, value, rule, code }: Found, plain: string): boolean {
  // `case invalidToken = "invalid_token"`
  if (/[a-z][A-Z]|[A-Za-z][_-][A-Za-z]/.test(name.text) && isSameName(name.text, plain)) return true
  if (NAMES_ONE.test(name.text) && /^[a-z][a-z/_-]{0,40}$/i.test(plain)) return true
  if (/(?:gpg|pgp)_?key$/i.test(name.text) && FINGERPRINT.test(plain)) return true
  // `imagePullSecrets: regcred not found`
  if (
    code === COLON &&
    rule !== 'password' &&
    /^[a-z][\w./-]*$/.test(plain) &&
    JUDGED.test(text.slice(value.end, value.end + 24))
  )
    return true
  if (isPinOfLetters(name.text, plain)) return true
  // `hardcoded password: B105 at app.py:44`: a rule of a linter.
  if (
    code === COLON &&
    /^[A-Z]{1,4}\d{3,5}$/.test(plain) &&
    /^:? (?:at|in|on) \S/.test(text.slice(value.end, value.end + 8))
  )
    return true
  // `random_password.db: Refreshing state`: a resource, and what becomes of it.
  if (
    code === COLON &&
    RESOURCE.test(name.text) &&
    /^[A-Z][a-z]+(?:\.\.\.)?$/.test(plain) &&
    /^(?: [a-z]|\.\.\.|$)/.test(text.slice(value.end, value.end + 3))
  )
    return true
  if (rule === 'api_key' && CACHED.test(text.slice(Math.max(0, name.start - 40), name.start))) return true
  // `<Token: Token object (3)>`
  if (
    code === COLON &&
    /^\w{2,40} object$/.test(`${plain}${/^ object\b/.exec(text.slice(value.end, value.end + 8))?.[0] ?? ''}`)
  )
    return true
  // `2 of 3 checks pass: lint`: a verb.
  if (
    code === COLON &&
    name.text === 'pass' &&
    PASSING.test(text.slice(Math.max(0, name.start - 24), name.start))
  )
    return true
  return false
}

/** True where letters alone tell no name from the other. */
function isSameName(name: string, value: string): boolean {
  if (!/^[A-Za-z]+(?:[ _.:-]?[A-Za-z]+){1,6}$/.test(value)) return false
  const letters = (text: string): string => text.toLowerCase().replace(/[^a-z]/g, '')
  return letters(name.replace(/^.*\./, '')) === letters(value)
}

const JUDGED =
  /^["']? (?:not found|is missing|missing|does not|doesn't|already exists|could not|cannot|is not|was not|has been|in use|not present)/
const RESOURCE = /^(?:module\.[\w-]{1,40}\.)?[a-z]+(?:_[a-z\d]+)+\.[\w-]{1,60}$/
const CACHED = /\b(?:cached?|caching|restor(?:ed|ing)|sav(?:ed|ing)|hit|miss)\b[^\n=]{0,30} $/i
const PASSING =
  /\b(?:\d{1,6}|all|must|should|to|will|would|can|cannot|did(?:n't| not)?|do(?:es)?(?:n't| not)?|not|[a-z]{3,16}s|first|second|third|last|next|test|check|spec|job|suite|each|every|this|one|build|single|render|optimization|compiler) $/i
const SCRIPT =
  /^(?!(?:basic|bearer|token|digest|negotiate|apikey|key|oauth|bot|hawk|dpop)\b)[a-z][\w.-]{1,24} [\w./:-]/i
const NAMES_SECRET =
  /\bsecrets? (?:versions|access|get|describe|list|delete|rm|unset|rotate|grant)\b[^|;&\n]{0,200}$/

/** `expected <Token> to be <Null>`: two words in angles, and no element. */
export function isBetweenWords(text: string, at: number): boolean {
  return text[at + 1] === ' ' && /^ [^<\n]{1,80} <(?!\/)/.test(text.slice(at + 1, at + 84))
}

/** `PWD={X};` of a connection string: braces stand for quotes there. */
function isBraced(word: string, code: number): boolean {
  return (
    code === EQUALS &&
    /^\{(?!\{)(?:(?=[^}]*\d)(?=[^}]*[A-Za-z])[^{}\s]{6,}|[^}\n]*[^\w\s.}][^\n]*)\}/.test(word)
  )
}

/** `passwd=[X]` of a log. */
function isBracketed(word: string, code: number): boolean {
  return code === EQUALS && /^\[[a-z]{5,40}\]$/.test(word) && isChosen(word.slice(1, -1))
}

/** A scope: `token:read`. */
const PERMISSION = /^(?:read|write|create|delete|list|manage|admin|revoke|rotate|all|edit|show)$/

/**
 * True for a bare value that is code, a sentence, the name again, a comparison with another word, or a count
 * of tokens.
 */
function isSaidOfCode(text: string, { name, value, rule, code }: Found, plain: string): boolean {
  const before = text.slice(Math.max(0, value.start - 4), value.start)
  if (isComputed(plain, before, text.slice(value.end, value.end + 8))) return true
  if (/^tokens$/i.test(name.text) && /^\d{1,7}$/.test(plain)) return true
  // `pin: 12`, `secrets: 3`: a count.
  if (rule !== 'credit_card' && /^\d{1,3}$/.test(plain) && (code === COLON || rule === 'session')) return true
  if (/[!=]=\s?$/.test(before) && /^\d{1,3}$/.test(plain)) return true
  if (code === COLON && isWordUnder(rule, plain) && !/^x-|basic|userp/i.test(name.text)) return true
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
