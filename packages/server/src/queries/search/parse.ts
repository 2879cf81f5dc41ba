/**
 * Reads the issue search language. Never throws: what it does not understand is said in words that name the part.
 *
 *     term   = ["!"] ( key ":" value | value )
 *     key    = letters, digits, _ . - | "tags[" any "]"
 *     value  = word | '"' any, \" for a quote '"'        * stands for any text
 *
 * What a key means stands in `fields.ts`; `tags[…]` is always a tag.
 */

import { max } from '#limits/limits.ts'
import { hasWildcard, patternParts } from '#model/text-pattern.ts'
import type { SearchToken } from '../types.ts'
import { countRange, fieldOf, isSpeltOut, type SearchField, spelling } from './fields.ts'
import { nearestWord } from './nearest-word.ts'
import { releaseProblem } from './release-terms.ts'

export interface ParsedSearch {
  readonly tokens: readonly SearchToken[]
  readonly problems: readonly string[]
}

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
export function writeToken({ key, value, negated, isTag }: SearchToken): string {
  // Behind a colon, `//` would make an address of key and value.
  const isWord = /^[^\s"!:][^\s"]*$/.test(value)
  const isPlain = isWord && (key === null ? !value.includes(':') : !value.startsWith('//'))
  const written = isPlain ? value : `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
  const isPlainKey = isTag !== true && key !== null && /^[A-Za-z_][A-Za-z0-9_.-]*$/.test(key)
  const name = key === null ? '' : isPlainKey ? `${key}:` : `tags[${key}]:`
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
  else if (value === '') addEmpty(cursor, { ...key, negated, part })
  else addKeyed(cursor, { ...key, value, negated, part })
}

interface Key {
  readonly key: string
  /** Written as `tags[…]`. */
  readonly isBracketed: boolean
}

function readKey(cursor: Cursor): Key | null {
  KEY.lastIndex = cursor.at
  const found = KEY.exec(cursor.text)
  if (found === null) return null
  // `https://…` is an address, not a key.
  if (cursor.text.startsWith('//', KEY.lastIndex)) return null
  cursor.at = KEY.lastIndex
  const [, bracketed, plain = ''] = found
  return { key: bracketed ?? plain, isBracketed: bracketed !== undefined }
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
  } else if (hasTooManyStars(value)) cursor.problems.push(tooManyStars(part))
  else cursor.tokens.push({ key: null, value, negated })
}

/**
 * `TypeError: x is undefined` is a pasted title, not a key without a value: a word with a capital letter and more
 * text behind it is free text.
 */
function addEmpty(cursor: Cursor, { key, negated, part }: Omit<Read, 'value'> & Key): void {
  const isTitle = /[A-Z]/.test(key) && !isSpeltOut(key) && !part.endsWith('"') && skipSpace(cursor)
  if (isTitle) cursor.tokens.push({ key: null, value: part.slice(negated ? 1 : 0), negated })
  else cursor.problems.push(`“${part}” has no value: write it directly after the colon.`)
}

function addKeyed(cursor: Cursor, { key, isBracketed, value: typed, negated, part }: Read & Key): void {
  const named = fieldOf(key)
  const field = isBracketed ? null : named
  const value = field === null ? typed : spelling(field, typed)
  const problem = (field === null ? null : fieldProblem(field, value, part)) ?? valueProblem(value, part)
  if (problem !== null) cursor.problems.push(problem)
  else if (field === null)
    cursor.tokens.push({ key, value, negated, ...(named === null ? {} : { isTag: true }) })
  else cursor.tokens.push({ key: field.filter.by === 'text' ? null : field.name, value, negated })
}

function fieldProblem({ name, filter, values }: SearchField, value: string, part: string): string | null {
  if (filter.by === 'nothing') return `${shown(part)}: “${name}:” can’t be searched; ${filter.instead}.`
  if (filter.by === 'count' && countRange(value) === null) {
    return `${shown(part)}: “${name}:” takes a number, such as 100, >100 or <=5.`
  }
  const isPattern = (filter.by === 'tag' && hasWildcard(value)) || (filter.by === 'release' && value === '*')
  if (values !== null && !isPattern && !values.includes(value)) {
    const nearest = nearestWord(value, values)
    const meant = nearest === null ? '' : ` Did you mean ${nearest}?`
    return `${shown(part)}: “${name}:” takes ${values.join(', ')}.${meant}`
  }
  const problem = releaseProblem(filter, value)
  return problem === null ? null : `${shown(part)}: “${name}:” ${problem}.`
}

function valueProblem(value: string, part: string): string | null {
  if (value.startsWith('[') && value.endsWith(']')) {
    return `${shown(part)}: lists of values are not supported; write one value.`
  }
  return hasTooManyStars(value) ? tooManyStars(part) : null
}

function hasTooManyStars(value: string): boolean {
  return patternParts(value).length - 1 > max('searchStarsMax')
}

function tooManyStars(part: string): string {
  return `${shown(part)}: a value takes at most ${max('searchStarsMax')} “*”.`
}

export function isOneOf<T extends string>(values: readonly T[], value: string): value is T {
  return (values as readonly string[]).includes(value) // widening alone: `includes` asks for the narrow type
}

function shown(part: string): string {
  return `“${part.length > 60 ? `${part.slice(0, 60)}…` : part}”`
}
