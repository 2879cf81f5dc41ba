/** Filters of SCIM (RFC 7644, section 3.4.2.2). Pure. */
import { max } from '#limits/limits.ts'
import { attributePath, ScimError } from './values.ts'

const COMPARISONS = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le', 'pr'] as const

interface Term {
  /** Lower case. */
  readonly attribute: string
  readonly is: (typeof COMPARISONS)[number]
  /** Value to compare; empty for `pr`. */
  readonly value: string
}

type Filter =
  | Term
  | { readonly not: Filter }
  | { readonly all: readonly Filter[] }
  | { readonly any: readonly Filter[] }

const TOKEN = /\s*(?:([()[\]])|("(?:[^"\\]|\\.)*")|(\.?[A-Za-z$][\w.:$-]*|-?\d[\d.eE+-]*))/y

/** `null`: everything is asked for. */
export function readFilter(text: string | null): Filter | null {
  if (text === null || text.trim() === '') return null
  if (text.length > max('providerTextCharsMax')) throw badFilter()
  const reader = new FilterReader(tokensOf(text))
  const filter = reader.any('')
  if (!reader.isDone) throw badFilter()
  return filter
}

function badFilter(): ScimError {
  return new ScimError(
    400,
    'Filters are like userName eq "name@example.com", with eq, ne, co, sw, ew, gt, ge, lt, le, pr, and, or, not.',
    'invalidFilter',
  )
}

function tokensOf(text: string): readonly string[] {
  const tokens: string[] = []
  const whole = text.trimEnd()
  let at = 0
  while (at < whole.length) {
    TOKEN.lastIndex = at
    const found = TOKEN.exec(whole)
    if (found === null) throw badFilter()
    tokens.push(found[1] ?? found[2] ?? found[3] ?? '')
    at = TOKEN.lastIndex
  }
  return tokens
}

/** `or` binds least, `not` most; `path[…]` holds terms about parts of `path`. */
class FilterReader {
  readonly #tokens: readonly string[]
  #at = 0
  #depth = 0

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens
  }

  get isDone(): boolean {
    return this.#at === this.#tokens.length
  }

  any(within: string): Filter {
    const parts = [this.#all(within)]
    while (this.#takes('or')) parts.push(this.#all(within))
    const [only] = parts
    return parts.length === 1 && only !== undefined ? only : { any: parts }
  }

  #all(within: string): Filter {
    const parts = [this.#one(within)]
    while (this.#takes('and')) parts.push(this.#one(within))
    const [only] = parts
    return parts.length === 1 && only !== undefined ? only : { all: parts }
  }

  #one(within: string): Filter {
    if (++this.#depth > max('scimFilterDepthMax')) throw badFilter()
    const filter = this.#inner(within)
    this.#depth--
    return filter
  }

  #inner(within: string): Filter {
    if (this.#takes('(')) return this.#closed(within, ')')
    const word = this.#next()
    if (word.toLowerCase() === 'not' && this.#takes('(')) return { not: this.#closed(within, ')') }
    if (!/^[A-Za-z]/.test(word)) throw badFilter()
    const attribute = within === '' ? attributePath(word) : `${within}.${attributePath(word)}`
    if (within === '' && this.#takes('[')) return this.#ofParts(attribute)
    return this.#compared(attribute)
  }

  /** `emails[type eq "work"]`, and `emails[type eq "work"].value eq "x"`: the parts are of one value. */
  #ofParts(attribute: string): Filter {
    const parts = this.#closed(attribute, ']')
    const sub = this.#tokens[this.#at]
    if (sub === undefined || !sub.startsWith('.')) return parts
    this.#at++
    return { all: [parts, this.#compared(`${attribute}${sub.toLowerCase()}`)] }
  }

  #compared(attribute: string): Filter {
    const operator = this.#next().toLowerCase()
    const is = COMPARISONS.find((each) => each === operator)
    if (is === undefined) throw badFilter()
    return { attribute, is, value: is === 'pr' ? '' : literalOf(this.#next()) }
  }

  #closed(within: string, by: ')' | ']'): Filter {
    const inner = this.any(within)
    if (!this.#takes(by)) throw badFilter()
    return inner
  }

  #takes(word: string): boolean {
    if (this.#tokens[this.#at]?.toLowerCase() !== word) return false
    this.#at++
    return true
  }

  #next(): string {
    const token = this.#tokens[this.#at]
    if (token === undefined) throw badFilter()
    this.#at++
    return token
  }
}

function literalOf(token: string): string {
  if (!token.startsWith('"')) {
    if (/^(?:true|false|null)$/i.test(token)) return token.toLowerCase() === 'null' ? '' : token.toLowerCase()
    if (/^-?\d/.test(token)) return token
    throw badFilter()
  }
  try {
    return String(JSON.parse(token))
  } catch {
    throw badFilter() // a back slash before a letter that JSON has no meaning for
  }
}

/** True if the values of attributes are as the filter says; ids are compared with case. */
export function isFound(filter: Filter, valuesOf: (attribute: string) => readonly string[]): boolean {
  if ('attribute' in filter) return holds(filter, valuesOf(filter.attribute))
  if ('not' in filter) return !isFound(filter.not, valuesOf)
  // Every attribute is looked at: one that there is not is told even where another term settles it.
  if ('all' in filter) return filter.all.map((one) => isFound(one, valuesOf)).every(Boolean)
  return filter.any.map((one) => isFound(one, valuesOf)).some(Boolean)
}

function holds({ attribute, is, value }: Term, values: readonly string[]): boolean {
  const isExact = attribute === 'id' || attribute === 'externalid' || attribute === 'members.value'
  const fold = (text: string) => (isExact ? text : text.toLowerCase())
  const wanted = fold(value)
  const any = (check: (given: string) => boolean) => values.some((given) => check(fold(given)))
  switch (is) {
    case 'eq':
      return value === '' ? values.every((given) => given === '') : any((given) => given === wanted)
    case 'ne':
      return !any((given) => given === wanted)
    case 'co':
      return any((given) => given.includes(wanted))
    case 'sw':
      return any((given) => given.startsWith(wanted))
    case 'ew':
      return any((given) => given.endsWith(wanted))
    case 'gt':
      return any((given) => compareValues(given, wanted) > 0)
    case 'ge':
      return any((given) => compareValues(given, wanted) >= 0)
    case 'lt':
      return any((given) => compareValues(given, wanted) < 0)
    case 'le':
      return any((given) => compareValues(given, wanted) <= 0)
    case 'pr':
      return values.some((given) => given !== '')
  }
}

const TIME = /^\d{4}-\d{2}-\d{2}t/i

/** Times by when they are, everything else by letters. */
function compareValues(a: string, b: string): number {
  if (TIME.test(a) && TIME.test(b)) return Date.parse(a) - Date.parse(b)
  return a < b ? -1 : a > b ? 1 : 0
}
