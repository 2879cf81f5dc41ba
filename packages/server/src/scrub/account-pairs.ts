/**
 * The last look at a text that signs somebody in: the word behind the account's name, in a call, a line of a protocol or a
 * sentence, is the password if no manual, log or source has such a word.
 */
import type { TextMode } from './assignments.ts'
import { FILTERED } from './filtered.ts'
import type { SecretKeys } from './keys.ts'
import { LISTS, SIGNING } from './name-parts.ts'
import { isMade, isUncommon, mayBeSecret } from './uncommon.ts'

interface PairOptions {
  readonly mode: TextMode
  readonly keys: SecretKeys
  readonly onFound: (rule: string, value: string) => void
}

const CALL =
  /(?:[\w$]{1,40}(?:\.|->|::|\\)){0,6}\w{0,40}(?:auth|log_?in|sign_?in|log_?on|credential|bind|passw|pwd|basic|attempt|setuser|(?:create|add)_?user)\w{0,40}!?(?:(?:\.|::|->)new|\.of)?\s?[( ]\s?([^()\n]{3,160})/gi
/** `request :authorization, :basic, 'bob', 'X'`, `"AUTH" "bob" "X"`. */
const LISTED = /(?::basic|:authorization|basic_auth|"AUTH"|"SETUSER"|"LOGIN"),?\s([^()\n]{3,120})/gi
/** `new Client("db.shop.example", "shop", "X")`: where, who, and the password. */
const CONNECTING =
  /(?:client|connect\w{0,10}|conn|dial|open|session|pool|mysqli|server|account)\w{0,20}(?:(?:\.|::|->)new)?\((["'`])(?:localhost|[\w-]{1,63}(?:[.:][\w-]{1,63}){1,6}|\w{2,8}:\/\/[^"'`\n]{1,100})\1,\s?((?:\d{2,5},\s?)?["'`][\w.@-]{1,64}["'`],\s?[^()\n]{3,100})/gi
/** Calls that connect, where no other mark tells. */
export const MAYBE_CONNECTING =
  /(?:lient|onn\w{0,10}|[oO]pen|[dD]ial|ession|[pP]ool|erver)\w{0,20}\(["'`][^"'`\n]{4,120}["'`],/
const MAYBE_CALL =
  /client|conn|dial|open|session|pool|server|account|auth|log_?in|sign_?in|log_?on|credential|bind|passw|pwd|basic|attempt|setuser|(?:create|add)_?user/i
const LITERAL = /^[bBuUrRfFLN@$]?(["'`])([^"'`\n]{1,128})\1/

const CONTEXT =
  /\b(?:log(?:ged|ging)?[ -]?in|sign(?:ed|ing)?[ -]?in|log(?:ged)?[ -]?on|auth\w{0,12}|credentials?|creds|connect(?:ed|ing)? (?:as|with|using)|handshake|zugangsdaten|identifiants|inloggegevens|credenciales|credenziali|user(?:name)?s?\s?(?:\/|and|&)\s?pass\w{0,8})\b/gi
const REACH = 72
/** Words of signing in that are looked around in one text. */
const CONTEXTS_MAX = 100
const PAIR = /(?<![\w./@:\\-])([A-Za-z][\w.@+-]{0,40}\s?[:/]\s?)([^\s"'`,;()<>/:]{4,64})(?![\w/:@])/g
/** A title before a colon, or a blank behind it: `Status: x`. */
const TITLED = /^[A-Z][a-zA-Z]*:|:\s/
const STRANGE = /[!#$%^&*+~?]|\d.{0,64}[A-Z]|[A-Z].{0,64}\d/
const WITH = /^.{0,40}?\b(?:as|by|for|of) [\w.@+-]{1,40} (?:with|using|and) ["'`]?([^\s"'`,;()<>]{4,64})/
const PROTOCOL =
  /(?:(?:^|[\s>"'])(?:PASS|AUTH|IDENTIFY)(?: (?:PLAIN|LOGIN|default|[a-z]{1,12}))? |\bLOGIN \S{1,64} )["']?([^\s"']{4,64})["']?(?=\s{0,2}(?:$|[\r\n]|\\[rn]))/g
const MAYBE_PROTOCOL = /(?:PASS|AUTH|IDENTIFY|LOGIN) /

interface Stretch {
  readonly start: number
  readonly end: number
}

/** `parts`: what `partsIn` tells of the text. */
export function scrubAccountPairs(text: string, parts: number, { mode, keys, onFound }: PairOptions): string {
  const patterns = patternsFor(text, parts)
  const found = [
    ...(patterns.length === 0 ? [] : argumentsIn(text, patterns, keys)),
    ...(mode === 'text' ? saidIn(text, parts, keys) : []),
  ]
  if (found.length === 0) return text
  found.sort((a, b) => a.start - b.start)
  let out = ''
  let copied = 0
  for (const { start, end } of found) {
    if (start < copied) continue
    onFound('password', text.slice(start, end))
    out += text.slice(copied, start) + FILTERED
    copied = end
  }
  return copied === 0 ? text : out + text.slice(copied)
}

/** A literal behind a comma: the arguments of a call, of which one may be a password. */
const BEHIND_COMMA = /,\s{0,3}[bBuUrRfFLN@$]?["'`]/

function patternsFor(text: string, parts: number): readonly RegExp[] {
  if (!/["'`]/.test(text)) return []
  const hasArguments = BEHIND_COMMA.test(text)
  const isListed = (parts & LISTS) !== 0
  if ((!hasArguments && !isListed) || !MAYBE_CALL.test(text)) return []
  return hasArguments ? [CALL, LISTED, CONNECTING] : [LISTED]
}

function argumentsIn(text: string, patterns: readonly RegExp[], keys: SecretKeys): Stretch[] {
  const found: Stretch[] = []
  for (const pattern of patterns) {
    for (const match of text.matchAll(pattern)) {
      const { 0: whole, index } = match
      const list = match.at(-1) ?? ''
      // `login("name" => …)`: each has a name of its own.
      if (/^\s*["'`]?[\w-]+["'`]?\s*(?:=>|:)/.test(list)) continue
      const from = index + whole.length - list.length
      const literal = passwordAmong(list, { keys, isAlone: pattern === LISTED && !list.includes(',') })
      if (literal !== null) found.push({ start: from + literal.start, end: from + literal.end })
    }
  }
  return found
}

/** The first argument that may be a password, behind at least one other. */
function passwordAmong(
  list: string,
  { keys, isAlone }: { readonly keys: SecretKeys; readonly isAlone: boolean },
): Stretch | null {
  let at = 0
  for (const [place, part] of list.split(/\s{0,3},\s{0,3}/).entries()) {
    const start = place === 0 ? 0 : list.indexOf(part, at)
    at = start + part.length
    const { 0: whole, 2: value = '' } = LITERAL.exec(part) ?? []
    if ((place === 0 && !isAlone) || whole === undefined) continue
    if (value.includes('Filtered')) return null
    if (isSecret(value, keys)) {
      const end = start + whole.length - 1
      return { start: end - value.length, end }
    }
  }
  return null
}

function isSecret(value: string, keys: SecretKeys): boolean {
  return mayBeSecret(value, keys) && (isMade(value, 'password') || isUncommon(value))
}

function saidIn(text: string, parts: number, keys: SecretKeys): Stretch[] {
  const found = (parts & SIGNING) === 0 ? [] : signedIn(text, keys)
  if (!MAYBE_PROTOCOL.test(text)) return found
  for (const { 0: whole, 1: value = '', index } of text.matchAll(PROTOCOL))
    take(found, { start: index + whole.lastIndexOf(value), raw: value }, (one) => isSecret(one, keys))
  return found
}

interface Said {
  readonly start: number
  /** With signs of the sentence at its end. */
  readonly raw: string
}

function take(found: Stretch[], { start, raw }: Said, isMeant: (value: string) => boolean): void {
  const value = raw.replace(/[.,;!?)\]]+$/, '')
  if (isMeant(value)) found.push({ start, end: start + value.length })
}

/** Words beside those of signing in. */
function signedIn(text: string, keys: SecretKeys): Stretch[] {
  const found: Stretch[] = []
  let count = 0
  for (const { 0: context, index } of text.matchAll(CONTEXT)) {
    if (++count > CONTEXTS_MAX) break
    const from = index + context.length
    const reach = text.slice(from, from + REACH).split(/[\r\n]/, 1)[0] ?? ''
    for (const { 0: pair, 1: name = '', 2: value = '', index: at } of reach.matchAll(PAIR)) {
      const isTitled = TITLED.test(pair) && !pair.includes(' : ')
      take(found, { start: from + at + name.length, raw: value }, (one) =>
        isTitled
          ? isMade(one, 'password') && STRANGE.test(one) && mayBeSecret(one, keys)
          : isSecret(one, keys),
      )
    }
    const { 0: whole = '', 1: value } = WITH.exec(reach) ?? []
    if (value !== undefined)
      take(
        found,
        { start: from + whole.length - value.length, raw: value },
        (one) => isMade(one, 'password') && mayBeSecret(one, keys),
      )
  }
  found.push(...strangeIn(text, keys))
  return found
}

/** Words of signing in and of what is locked, near which a word that is made as passwords are is one. */
const LOCKED =
  /\b(?:log(?:ged|ging)?[ -]?(?:in|on)|sign(?:ed|ing)?[ -]?in|auth(?:enticat\w{0,4})?|credentials?|creds|bind|unlock(?:ed|ing)?|decrypt(?:ed|ing|ion)?|keychain|keystore|sudo|sftp|ftp|ssh|ldap|imap|smtp|smb|vnc|rdp|kerberos|basic auth)\b/gi
const BESIDE_CHARS = 56
/** Words as `Sommer2025` and `Oatmeal9!`. */
const CHOSEN =
  /(?<![\w./:@=&?%+-])([A-Z][a-z]{3,20}\d{2,4}[!#$*]?|[A-Za-z][A-Za-z\d]{2,24}[!#$%^*&][\w!#$%^*&]{0,16})(?![\w./@-]|:\d)/g

function strangeIn(text: string, keys: SecretKeys): Stretch[] {
  if (!/[A-Z][a-z]{3,20}\d\d|\w[!#$%^*&]/.test(text)) return []
  const contexts = [...text.matchAll(LOCKED)].slice(0, CONTEXTS_MAX).map(({ 0: word, index }) => ({
    start: index,
    end: index + word.length,
  }))
  if (contexts.length === 0) return []
  return [...text.matchAll(CHOSEN)]
    .filter(
      ({ 1: value = '', index }) =>
        isStrange(value, keys) &&
        contexts.some(({ start, end }) => index > start - BESIDE_CHARS && index < end + BESIDE_CHARS),
    )
    .map(({ 1: value = '', index }) => ({ start: index, end: index + value.length }))
}

/** True for a word of no manual with digits behind it, or with a digit and a sign in it. */
function isStrange(value: string, keys: SecretKeys): boolean {
  const word = /^[A-Za-z]+/.exec(value)?.[0] ?? ''
  const isWorded = /^[A-Z][a-z]+\d+[!#$*]?$/.test(value)
  if (isWorded && !isUncommon(word)) return false
  return (isWorded || /\d/.test(value)) && isMade(value, 'password') && mayBeSecret(value, keys)
}

/** Patterns of words that `partsIn` tells of. */
export const SIGNED_BY: readonly RegExp[] = [CONTEXT, LOCKED]
