/**
 * Tells whether a text may hold the name of a secret, or a word of signing in, in one walk over its characters that takes
 * a nanosecond each: the last looks at a text judge each of its words, and most texts that are looked at have none.
 * Whoever adds a word to those looks adds it here; names come from their own tables.
 */
import { codeAt } from '#base/code-at.ts'
import { GLUED, PAIRS, STEMS, WORDS } from './key-words.ts'
import { CLASS_OF, isSign, type MarkTable, markTable, WIDTH_BITS } from './marks.ts'

/** A name, or a phrase, that gives its value a rule of `STRONG`. */
export const NAMES = 1
/** Words of signing in and of what is locked. */
export const SIGNING = 2
/** Calls and lists that sign in without a word before their bracket. */
export const LISTS = 4
/** A character beyond ASCII. */
export const BEYOND_ASCII = 8
const ALL = NAMES | SIGNING | LISTS | BEYOND_ASCII

/** Rules of names that are looked around. */
export const STRONG: ReadonlySet<string> = new Set([
  'password',
  'secret',
  'api_key',
  'private_key',
  'token',
  'one_time_code',
  'project_key',
])

const strong = (table: Iterable<readonly [part: string, rule: string]>): readonly string[] =>
  [...table].filter(([, rule]) => STRONG.has(rule)).map(([part]) => part.replace(':', ''))

/** Marks here are of letters and digits alone: whatever else stands in a text is passed over, as in a folded name. */
const PARTS: Readonly<Record<number, readonly string[]>> = {
  [NAMES]: [
    ...[...strong(STEMS), ...strong(WORDS), ...strong(GLUED), ...strong(PAIRS)].filter(isPlain),
    ...'key bundle clesecr clepriv cleapi cledacc katalaluan'.split(' '),
  ],
  [SIGNING]:
    `login logon loggedin loggedon loggingin loggingon signin signedin signingin auth cred connect handshake zugangsdaten identifiants
    inloggegevens userpass userspass usernamepass usernamespass userandpass usersandpass usernameandpass usernamesandpass bind unlock decrypt
    keychain keystore sudo sftp ftp ssh ldap imap smtp smb vnc rdp kerberos`.split(/\s+/),
  [LISTS]: 'basic auth setuser login'.split(' '),
}

const {
  next: NEXT,
  bits: BITS,
  start: START,
} = passingSigns(markTable(Object.entries(PARTS).map(([bit, texts]) => ({ bit: Number(bit), texts }))))

/** Returns the bits of what a text may hold; all of them where letters beyond ASCII stand in it. */
export function partsIn(text: string): number {
  let state = START
  let found = 0
  let codes = 0
  for (let at = 0; at < text.length; at++) {
    const code = codeAt(text, at)
    codes |= code
    state = NEXT[(state << WIDTH_BITS) + (CLASS_OF[code & 127] ?? 0)] ?? 0
    found |= BITS[state] ?? 0
  }
  if (codes <= 127) return found
  return isPlain(text.replace(SYMBOLS, '')) ? found | BEYOND_ASCII : ALL
}

/** Arrows, quotes and signs of which no name is made. */
export const SYMBOLS = /[\u2010-\u205f\u2190-\u244f\u2a00-\u2bff]/g

function isPlain(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (codeAt(text, at) > 127) return false
  return true
}

/** The same table, in which a sign leaves a state as it is. */
function passingSigns({ next, bits, start }: MarkTable): MarkTable {
  const passing = Uint16Array.from(next)
  for (let place = 0; place < passing.length; place++)
    if (isSign(place & ((1 << WIDTH_BITS) - 1))) passing[place] = place >> WIDTH_BITS
  return { next: passing, bits, start }
}
