/**
 * Reads the issue search language. Never throws: what it does not understand is said in words, with the place it is in.
 *
 *     search = terms { "OR" terms }                      AND binds closer than OR
 *     terms  = term { ["AND"] term }                     between keys and groups, "or" and "and" are operators too
 *     term   = ["!"] ( key ":" value | value ) | "(" search ")"
 *     key    = letters, digits, _ . - | "tags[" any "]"
 *     value  = word | '"' any, \" for a quote '"' | "[" value { "," value } "]"        * stands for any text, \* for a star
 *
 * What a key means stands in the fields of what is searched: `fields.ts`, `trace-fields.ts`, `route-fields.ts`, or a dataset; `tags[…]` is always a tag.
 */

import { max } from '#limits/limits.ts'
import { asOwnText, needsQuotes, typedStars, withOwnStars } from '#model/text-pattern.ts'
import type { SearchProblem, SearchToken, TextRange } from '../types.ts'
import {
  ISSUE_GRAMMAR,
  isSpeltOut,
  mayLack,
  type SearchField,
  type SearchGrammar,
  spelling,
} from './fields.ts'
import { readListText, writeListText } from './list-text.ts'
import { hasTooManyStars, quotePart, termProblem, tooManyStars, type Wrong } from './term-problems.ts'

/** Every token must match, and of each list at least one. */
export interface SearchTerms {
  readonly tokens: readonly SearchToken[]
  readonly either: readonly (readonly SearchTerms[])[]
}

export interface ParsedSearch {
  readonly terms: SearchTerms
  /** Tokens of every part, in the order typed. */
  readonly tokens: readonly SearchToken[]
  readonly places: ReadonlyMap<SearchToken, TextRange>
  readonly problems: readonly SearchProblem[]
}

const KEY = /(?:tags\[([^\]\s]{1,200})\]|([A-Za-z_][A-Za-z0-9_.-]{0,199})):/y
const OPERATOR = /(?:OR|AND)(?=[\s()]|$)/y
/** Words of any case: operators where what stands around them is no text. */
const WORD = /(?:or|and)\s*(?=[\s(])/iy
const NOT = /NOT\s+(?=\S)/y
const SPACE = /\s/
const NO_TERMS: SearchTerms = { tokens: [], either: [] }

interface Cursor {
  readonly text: string
  at: number
  /** Parentheses that are open. */
  depth: number
  readonly places: Map<SearchToken, TextRange>
  readonly problems: SearchProblem[]
  readonly grammar: SearchGrammar
}

/** Terms while they are read. */
interface Part {
  readonly tokens: SearchToken[]
  readonly either: (readonly SearchTerms[])[]
}

export function parseSearch(
  text: string,
  { grammar = ISSUE_GRAMMAR }: { readonly grammar?: SearchGrammar } = {},
): ParsedSearch {
  const cursor: Cursor = { text, at: 0, depth: 0, places: new Map(), problems: [], grammar }
  const { places, problems } = cursor
  if (text.length > max('searchCharsMax')) {
    const message = `The search is longer than ${max('searchCharsMax')} characters.`
    problems.push({ message, start: max('searchCharsMax'), end: text.length })
    return { terms: NO_TERMS, tokens: [], places, problems }
  }
  const alternatives = readTerms(cursor)
  const [only = NO_TERMS, ...others] = alternatives
  const terms = others.length === 0 ? only : { tokens: [], either: [alternatives] }
  const tokens = [...places.keys()]
  const beyond = tokenBeyond(tokens)
  if (beyond !== undefined) {
    const message = `The search has more than ${max('searchTermsMax')} terms.`
    problems.push({ message, start: places.get(beyond)?.start ?? 0, end: text.length })
  }
  return { terms, tokens, places, problems }
}

/** The first token that is too many. */
function tokenBeyond(tokens: readonly SearchToken[]): SearchToken | undefined {
  let count = 0
  return tokens.find(({ among }) => {
    count += among?.length ?? 1
    return count > max('searchTermsMax')
  })
}

/** Writes a token as the parser reads it. */
export function writeToken({ key, value, negated, isTag, among }: SearchToken): string {
  // Behind a colon, `//` would make an address of key and value.
  const isWord =
    /^[^\s"!:()[][^\s"()]*$/.test(value) && value !== 'OR' && value !== 'AND' && !needsQuotes(value)
  const isPlain = isWord && (key === null ? !value.includes(':') : !value.startsWith('//'))
  const written =
    isPlain || among !== undefined ? value : `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
  const isPlainKey = isTag !== true && key !== null && /^[A-Za-z_][A-Za-z0-9_.-]*$/.test(key)
  const name = key === null ? '' : isPlainKey ? `${key}:` : `tags[${key}]:`
  return `${negated ? '!' : ''}${name}${typedStars(written)}`
}

/** Up to the end, or to the parenthesis that ends this part: its alternatives. */
function readTerms(cursor: Cursor): readonly SearchTerms[] {
  let part: Part = { tokens: [], either: [] }
  const parts = [part]
  /** Understood or not: an operator behind it has what it joins. */
  let hasTerm = false
  /** The operator that a term is still to follow. */
  let open: TextRange | null = null
  while (skipSpace(cursor) && !isGroupEnd(cursor)) {
    const operator = readOperator(cursor, part)
    if (operator === null) {
      readNot(cursor)
      readTermPart(cursor, part)
      hasTerm = true
      open = null
    } else if (open !== null || !hasTerm) {
      loneOperator(cursor, operator)
      open = null
    } else {
      open = operator
      if (cursor.text.charAt(operator.start).toUpperCase() !== 'O') continue
      part = { tokens: [], either: [] }
      parts.push(part)
      hasTerm = false
    }
  }
  if (open !== null) loneOperator(cursor, open)
  return parts.filter((one) => !isPartEmpty(one))
}

function isPartEmpty({ tokens, either }: Part): boolean {
  return tokens.length + either.length === 0
}

function readOperator(cursor: Cursor, behind: Part): TextRange | null {
  OPERATOR.lastIndex = cursor.at
  const isOperator = OPERATOR.exec(cursor.text) !== null
  if (!isOperator && !isJoining(cursor, behind)) return null
  const start = cursor.at
  cursor.at += /^or/i.test(cursor.text.slice(start, start + 2)) ? 2 : 3
  return { start, end: cursor.at }
}

/** `level:error or level:fatal`: who writes keys around a word means no text. */
function isJoining({ text, at }: Cursor, { tokens, either }: Part): boolean {
  const isGroup = text.slice(0, at).trimEnd().endsWith(')')
  const isBehind = isGroup ? tokens.length + either.length > 0 : (tokens.at(-1)?.key ?? null) !== null
  WORD.lastIndex = at
  return isBehind && WORD.exec(text) !== null && beginsWithKey(text, WORD.lastIndex)
}

function beginsWithKey(text: string, at: number): boolean {
  const start = at + (/^\s*!?/.exec(text.slice(at))?.[0].length ?? 0)
  KEY.lastIndex = start
  return text[start] === '(' || KEY.exec(text) !== null
}

/** Nothing understands it, and as a text it would find titles that say “not”. */
function readNot(cursor: Cursor): void {
  NOT.lastIndex = cursor.at
  if (NOT.exec(cursor.text) === null || !beginsWithKey(cursor.text, NOT.lastIndex)) return
  const start = cursor.at
  const message = '“NOT” is written as “!”, directly before the term: !level:error.'
  cursor.problems.push({ message, start, end: start + 3 })
  cursor.at = NOT.lastIndex
}

function loneOperator({ text, problems }: Cursor, { start, end }: TextRange): void {
  const word = text.slice(start, end)
  const message = `“${word}” stands between two terms; quote it to look for the word.`
  problems.push({ message, start, end })
}

function isGroupEnd({ text, at, depth }: Cursor): boolean {
  return depth > 0 && text[at] === ')'
}

function readTermPart(cursor: Cursor, to: Part): void {
  const { text, at } = cursor
  const start = text[at] === '!' && text[at + 1] === '(' ? at + 1 : at
  // `()` is text: of a function that was pasted.
  if (text[start] !== '(' || text[start + 1] === ')') {
    const token = readTerm(cursor)
    if (token !== null) to.tokens.push(...token)
    return
  }
  if (start > at) {
    const message = '“!” negates single terms: write it before each term in the parentheses.'
    cursor.problems.push({ message, start: at, end: start + 1 })
  }
  const group = readParenthesis(cursor, start)
  if (group.length > 1) to.either.push(group)
  else if (group[0] !== undefined) {
    to.tokens.push(...group[0].tokens)
    to.either.push(...group[0].either)
  }
}

function readParenthesis(cursor: Cursor, start: number): readonly SearchTerms[] {
  const { text, problems } = cursor
  if (cursor.depth === max('searchDepthMax')) {
    const message = `Parentheses go at most ${max('searchDepthMax')} deep.`
    problems.push({ message, start, end: text.length })
    cursor.at = text.length
    return []
  }
  cursor.at = start + 1
  cursor.depth += 1
  const group = readTerms(cursor)
  cursor.depth -= 1
  if (text[cursor.at] === ')') cursor.at += 1
  else if (problems.length === 0) {
    const message = '“(” is not closed; quote it to look for the character.'
    problems.push({ message, start, end: start + 1 })
  }
  return group
}

/** True while something is left. */
function skipSpace(cursor: Cursor): boolean {
  while (cursor.at < cursor.text.length && SPACE.test(cursor.text.charAt(cursor.at))) cursor.at += 1
  return cursor.at < cursor.text.length
}

/** Reads one term; `null` if it is not understood. */
function readTerm(cursor: Cursor): readonly SearchToken[] | null {
  const start = cursor.at
  const negated = cursor.text[cursor.at] === '!'
  if (negated) cursor.at += 1
  const isTwice = negated && cursor.text[cursor.at] === '!'
  const key = readKey(cursor)
  const list = key === null ? null : readListText(cursor.text, cursor.at)
  if (list !== null) cursor.at = list.end
  const value = list === null ? readTermValue(cursor) : writeListText(list.values)
  const range = { start, end: cursor.at }
  const part = cursor.text.slice(start, cursor.at)
  const read =
    value === null
      ? unclosedQuote(part)
      : makeToken(cursor, { key, value, negated, part, isTwice, among: list?.values })
  if (typeof read === 'string' || 'message' in read) {
    cursor.problems.push({ ...(typeof read === 'string' ? { message: read } : read), ...range })
    return null
  }
  cursor.places.set(read, range)
  return [read]
}

function unclosedQuote(part: string): string {
  return `The quote before ${quotePart(part.slice(part.indexOf('"') + 1))} is not closed.`
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
  // `https://…` is an address and `std::bad_alloc` a name: neither begins with a key.
  if (/^(?:\/\/|:)/.test(cursor.text.slice(KEY.lastIndex, KEY.lastIndex + 2))) return null
  cursor.at = KEY.lastIndex
  const [, bracketed, plain = ''] = found
  return { key: bracketed ?? plain, isBracketed: bracketed !== undefined }
}

/** A word or a quoted text; `null` after an unclosed quote, which ends the search. */
function readTermValue(cursor: Cursor): string | null {
  const { text } = cursor
  if (text[cursor.at] === '"') return readQuoted(cursor)
  const start = cursor.at
  let opened = 0
  for (; cursor.at < text.length && !SPACE.test(text.charAt(cursor.at)); cursor.at++) {
    const sign = text[cursor.at]
    // `(a OR total())`: a word keeps the parentheses that it opens itself.
    if (sign === ')' && cursor.depth > 0 && opened === 0) break
    if (sign === '(') opened += 1
    else if (sign === ')') opened -= 1
  }
  return withOwnStars(text.slice(start, cursor.at))
}

function readQuoted(cursor: Cursor): string | null {
  let value = ''
  for (let at = cursor.at + 1; at < cursor.text.length; at++) {
    const char = cursor.text.charAt(at)
    if (char === '"') {
      cursor.at = at + 1
      return value
    }
    const isEscape = char === '\\' && (cursor.text[at + 1] === '"' || cursor.text[at + 1] === '\\')
    const isStar = char === '\\' && cursor.text[at + 1] === '*'
    if (isEscape || isStar) at += 1
    value += isStar ? asOwnText('*') : isEscape ? cursor.text.charAt(at) : char
  }
  cursor.at = cursor.text.length
  return null
}

interface Read {
  readonly key: Key | null
  readonly value: string
  readonly negated: boolean
  /** Text as typed. */
  readonly part: string
  readonly isTwice: boolean
  readonly among: readonly string[] | undefined
}

/** The token, or what is wrong. */
function makeToken(cursor: Cursor, read: Read): SearchToken | string | Wrong {
  const { key, value, part } = read
  if (read.isTwice) return `${quotePart(part)}: one “!” negates; write it once, or quote the text.`
  if (key === null) return textToken(read)
  // What takes states of its own says itself what they are.
  if (key.key === 'is' && isOwnField(cursor.grammar.fieldOf('is')))
    return { key: 'is', value, negated: read.negated }
  return value === '' ? emptyToken(cursor, key, read) : keyedToken(cursor, key, read)
}

function isOwnField(field: SearchField | null): boolean {
  return field?.filter.by === 'own'
}

function textToken({ value, negated, part }: Read): SearchToken | string {
  if (value.trim() === '')
    return negated && part === '!'
      ? '“!” negates the term after it, and there is none.'
      : 'The quotes are empty.'
  return hasTooManyStars(value) ? tooManyStars(part) : { key: null, value, negated }
}

/**
 * `TypeError: x is undefined` and `NOT NULL constraint failed: users.email` are pasted titles, not keys without a value:
 * a word that names no field is free text where more text follows, and with a capital letter always.
 */
function emptyToken(
  cursor: Cursor,
  { key, isBracketed }: Key,
  { negated, part }: Read,
): SearchToken | string {
  const known = isBracketed ? null : cursor.grammar.fieldOf(key)
  // What only some datasets know is text there as well: `failed: to fetch`.
  const field = isOwnField(known) ? null : known
  // `release:""` asks for what has none.
  if (part.endsWith('""') && (field === null || mayLack(field)))
    return { key: 'has', value: field?.name ?? key, negated: !negated }
  const isMore = /\S/.test(cursor.text.slice(cursor.at))
  const isName = field === null ? isMore || /[A-Z]/.test(key) : /[A-Z]/.test(key) && isMore
  const isTitle =
    isName && !isBracketed && !(field !== null && isSpeltOut(cursor.grammar, key)) && !part.endsWith('"')
  return isTitle
    ? { key: null, value: part.slice(negated ? 1 : 0), negated }
    : `“${part}” has no value: write it directly after the colon.`
}

function keyedToken(
  { grammar }: Cursor,
  { key, isBracketed }: Key,
  read: Read,
): SearchToken | string | Wrong {
  const { negated, part } = read
  const named = grammar.fieldOf(key)
  const field = isBracketed ? null : named
  const values = (read.among ?? [read.value]).map((typed) =>
    field === null ? typed : spelling(field, typed),
  )
  if (values.includes('')) return `${quotePart(part)}: a list needs values, separated by commas.`
  const problem = values
    .map((value) => termProblem(field, value, { part, negated }))
    .find((one) => one !== null)
  // Of a list the whole would be replaced, not the value that is wrong.
  if (problem !== undefined && problem !== null)
    return typeof problem === 'string' || read.among === undefined ? problem : problem.message
  const [value = ''] = values
  const among = read.among === undefined ? {} : { value: writeListText(values), among: values }
  if (field === null) return { key, value, negated, ...(named === null ? {} : { isTag: true }), ...among }
  const isText = field.filter.by === 'text' && read.among === undefined
  return { key: isText ? null : field.name, value, negated, ...among }
}

export function isOneOf<T extends string>(values: readonly T[], value: string): value is T {
  return (values as readonly string[]).includes(value) // widening alone: `includes` asks for the narrow type
}
