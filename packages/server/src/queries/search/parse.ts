/**
 * Reads the issue search language. Never throws: what it does not understand is said in words that name the part.
 *
 *     term   = ["!"] ( key ":" value | value )
 *     key    = letters, digits, _ . - | "tags[" any "]"
 *     value  = word | '"' any, \" for a quote '"'        a trailing * matches any ending
 */

import { max } from '#limits/limits.ts'
import { LEVELS } from '#model/event.ts'
import type { SearchToken } from '../types.ts'

export interface ParsedSearch {
  readonly tokens: readonly SearchToken[]
  readonly problems: readonly string[]
}

/** What `is:` takes. */
export const IS_VALUES = [
  'unresolved',
  'resolved',
  'archived',
  'ignored',
  'new',
  'ongoing',
  'regressed',
  'escalating',
  'for_review',
  'assigned',
  'unassigned',
  'unhandled',
] as const
export type IsValue = (typeof IS_VALUES)[number]

/** Keys with a meaning of their own; every other one is a tag. */
export const SEARCH_KEYS = ['is', 'level', 'project', 'environment', 'release', 'assigned', 'has'] as const

const TEXT_KEYS: readonly string[] = ['title', 'message']
const UNSUPPORTED_KEYS: readonly string[] = [
  'firstseen',
  'lastseen',
  'timesseen',
  'first_seen',
  'last_seen',
  'times_seen',
  'userseen',
  'age',
  'date',
  'timestamp',
  'event.timestamp',
  'bookmarks',
  'subscribed',
]
const KEY = /(?:tags\[([^\]\s]{1,200})\]|([A-Za-z_][A-Za-z0-9_.-]{0,199})):/y
const SPACE = /\s/

interface Cursor {
  readonly text: string
  at: number
  readonly tokens: SearchToken[]
  readonly problems: string[]
}

export function parseSearch(text: string): ParsedSearch {
  if (text.length > max('searchCharsMax')) {
    return { tokens: [], problems: [`The search is longer than ${max('searchCharsMax')} characters.`] }
  }
  const cursor: Cursor = { text, at: 0, tokens: [], problems: [] }
  while (skipSpace(cursor)) readTerm(cursor)
  if (cursor.tokens.length > max('searchTermsMax')) {
    cursor.problems.push(`The search has more than ${max('searchTermsMax')} terms.`)
  }
  return { tokens: cursor.tokens, problems: cursor.problems }
}

/** Writes a token as the parser reads it. */
export function writeToken({ key, value, negated }: SearchToken): string {
  // Behind a colon, `//` would make an address of key and value.
  const isWord = /^[^\s"!:][^\s"]*$/.test(value)
  const isPlain = isWord && (key === null ? !value.includes(':') : !value.startsWith('//'))
  const written = isPlain ? value : `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
  const name = key === null ? '' : /^[A-Za-z_][A-Za-z0-9_.-]*$/.test(key) ? `${key}:` : `tags[${key}]:`
  return `${negated ? '!' : ''}${name}${written}`
}

/** True while something is left. */
function skipSpace(cursor: Cursor): boolean {
  while (cursor.at < cursor.text.length && SPACE.test(cursor.text.charAt(cursor.at))) cursor.at += 1
  return cursor.at < cursor.text.length
}

function readTerm(cursor: Cursor): void {
  const start = cursor.at
  const negated = cursor.text[cursor.at] === '!'
  if (negated) cursor.at += 1
  const isTwice = negated && cursor.text[cursor.at] === '!'
  const key = readKey(cursor)
  const value = readValue(cursor)
  if (value === null) return
  const part = cursor.text.slice(start, cursor.at)
  if (isTwice) cursor.problems.push(`${shown(part)}: one “!” negates; write it once, or quote the text.`)
  else if (key === null) addText(cursor, { value, negated, part })
  else if (value === '') addEmpty(cursor, { key, negated, part })
  else addKeyed(cursor, { key, value, negated, part })
}

function readKey(cursor: Cursor): string | null {
  KEY.lastIndex = cursor.at
  const found = KEY.exec(cursor.text)
  if (found === null) return null
  // `https://…` is an address, not a key.
  if (cursor.text.startsWith('//', KEY.lastIndex)) return null
  cursor.at = KEY.lastIndex
  return found[1] ?? found[2] ?? null
}

/** A word or a quoted text; `null` after an unclosed quote, which ends the search. */
function readValue(cursor: Cursor): string | null {
  if (cursor.text[cursor.at] === '"') return readQuoted(cursor)
  const start = cursor.at
  while (cursor.at < cursor.text.length && !SPACE.test(cursor.text.charAt(cursor.at))) cursor.at += 1
  return cursor.text.slice(start, cursor.at)
}

function readQuoted(cursor: Cursor): string | null {
  const start = cursor.at
  let value = ''
  for (let at = start + 1; at < cursor.text.length; at++) {
    const char = cursor.text.charAt(at)
    if (char === '"') {
      cursor.at = at + 1
      return value
    }
    const isEscape = char === '\\' && (cursor.text[at + 1] === '"' || cursor.text[at + 1] === '\\')
    if (isEscape) at += 1
    value += isEscape ? cursor.text.charAt(at) : char
  }
  cursor.at = cursor.text.length
  cursor.problems.push(`The quote before ${shown(cursor.text.slice(start + 1))} is not closed.`)
  return null
}

interface Read {
  readonly value: string
  readonly negated: boolean
  /** As typed. */
  readonly part: string
}

function addText(cursor: Cursor, { value, negated, part }: Read): void {
  if (value.trim() === '') {
    cursor.problems.push(
      negated && part === '!' ? '“!” negates the term that follows it; none does.' : 'The quotes are empty.',
    )
  } else if (value === 'OR' || value === 'AND') {
    cursor.problems.push(`“${value}” is not supported: every term must match.`)
  } else cursor.tokens.push({ key: null, value, negated })
}

/**
 * `TypeError: x is undefined` is a pasted title, not a key without a value: a word with a capital letter and more
 * text behind it is free text.
 */
function addEmpty(cursor: Cursor, { key, negated, part }: Omit<Read, 'value'> & { key: string }): void {
  const isTitle = /[A-Z]/.test(key) && !isUnsupported(key) && !part.endsWith('"') && skipSpace(cursor)
  if (isTitle) cursor.tokens.push({ key: null, value: part.slice(negated ? 1 : 0), negated })
  else cursor.problems.push(`“${part}” has no value: write it directly behind the colon.`)
}

function addKeyed(cursor: Cursor, { key, value, negated, part }: Read & { readonly key: string }): void {
  const problem = problemOf(key, value, part)
  if (problem !== null) cursor.problems.push(problem)
  else if (TEXT_KEYS.includes(key)) cursor.tokens.push({ key: null, value, negated })
  else cursor.tokens.push({ key: key === 'assignee' ? 'assigned' : key, value, negated })
}

function problemOf(key: string, value: string, part: string): string | null {
  if (isUnsupported(key))
    return `${shown(part)}: searching by “${key}:” is not supported; use the time range.`
  if (key === 'is' && !isOneOf(IS_VALUES, value)) {
    return `${shown(part)}: “is:” takes ${IS_VALUES.join(', ')}.`
  }
  if (key === 'level' && !isOneOf(LEVELS, value))
    return `${shown(part)}: “level:” takes ${LEVELS.join(', ')}.`
  if (key === 'release' && value === 'latest') {
    return `${shown(part)}: releases are not ordered by this version; name the release.`
  }
  if (value.startsWith('[') && value.endsWith(']')) {
    return `${shown(part)}: lists of values are not supported; write one value.`
  }
  const star = value.indexOf('*')
  if (star !== -1 && star < value.length - 1)
    return `${shown(part)}: “*” is understood at the end of a value only.`
  return null
}

function isUnsupported(key: string): boolean {
  return UNSUPPORTED_KEYS.includes(key.toLowerCase())
}

export function isOneOf<T extends string>(values: readonly T[], value: string): value is T {
  return (values as readonly string[]).includes(value) // widening alone: `includes` asks for the narrow type
}

function shown(part: string): string {
  return `“${part.length > 60 ? `${part.slice(0, 60)}…` : part}”`
}
