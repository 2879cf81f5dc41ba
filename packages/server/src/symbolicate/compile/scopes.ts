/**
 * Functions of sources as the map itself tells them: `scopes` (ECMA-426, the proposal of that name) and Metro's
 * `x_facebook_sources`. Of what they say, the functions and their places alone; bounded like those that are read from a
 * source, and never a reason to refuse a map.
 */
import { isObject } from '#base/json.ts'
import { max } from '#limits/limits.ts'
import type { FunctionSpan } from './functions.ts'
import { DamagedMap } from './raw-map.ts'
import { SEMICOLON, VLQ_COMMA, VlqReader } from './vlq.ts'

/** By number of the source; a hole for one of which the map tells nothing. */
export type FunctionsBySource = readonly (readonly FunctionSpan[] | undefined)[]

const FUNCTIONS_MAX = max('mapFunctionsMax')
const SOURCES_MAX = max('mapSourcesMax')
const DEPTH_MAX = max('mapScopeDepthMax')

const TAG = { empty: 0, scopeStart: 1, scopeEnd: 2, rangeStart: 4, rangeStartBefore: 5 } as const
const FLAG = { hasName: 1, hasKind: 2, isStackFrame: 4 } as const

/** Returns functions of encoded scopes, up to anything that cannot be read. */
export function functionsOfScopes(scopes: string, names: readonly string[]): FunctionsBySource {
  const decoder = new ScopeDecoder(scopes, names)
  try {
    decoder.decode()
  } catch (cause) {
    if (!(cause instanceof DamagedMap)) throw cause
  }
  return decoder.found
}

interface OpenScope {
  readonly startLine: number
  readonly startColumn: number
  readonly name: string
  readonly isFunction: boolean
}

class ScopeDecoder {
  readonly found: (readonly FunctionSpan[] | undefined)[] = []
  readonly #reader: VlqReader
  readonly #names: readonly string[]
  readonly #open: OpenScope[] = []
  #functions: FunctionSpan[] = []
  #line = 0
  #column = 0
  #name = 0

  constructor(scopes: string, names: readonly string[]) {
    this.#reader = new VlqReader(scopes, 'scopes')
    this.#names = names
  }

  decode(): void {
    const reader = this.#reader
    while (!reader.isAtEnd && this.found.length < SOURCES_MAX) {
      const tag = reader.code === VLQ_COMMA ? TAG.empty : reader.unsigned()
      // Ranges of what ran come behind all scopes; an older form of the proposal counts them one further.
      if (tag === TAG.rangeStart || tag === TAG.rangeStartBefore) return
      if (tag === TAG.scopeStart) this.#begin()
      else if (tag === TAG.scopeEnd) this.#end()
      else if (tag === TAG.empty && this.#open.length === 0) this.found.push(undefined)
      while (!reader.isItemEnd()) reader.unsigned()
      reader.skip()
    }
  }

  #begin(): void {
    const reader = this.#reader
    const flags = reader.unsigned()
    this.#move()
    const isNamed = (flags & FLAG.hasName) !== 0
    if (isNamed) this.#name += reader.signed()
    if (this.#open.length >= DEPTH_MAX) throw new DamagedMap('scopes nested too deeply')
    this.#open.push({
      ...{ startLine: this.#line, startColumn: this.#column },
      name: isNamed ? (this.#names[this.#name] ?? '') : '',
      isFunction: (flags & FLAG.isStackFrame) !== 0,
    })
  }

  #end(): void {
    this.#move()
    const scope = this.#open.pop()
    if (scope === undefined) throw new DamagedMap('the end of a scope that did not begin')
    const { isFunction, ...begun } = scope
    if (isFunction && this.#functions.length < FUNCTIONS_MAX) {
      this.#functions.push({ ...begun, endLine: this.#line, endColumn: this.#column })
    }
    if (this.#open.length > 0) return
    this.found.push(sortFunctions(this.#functions))
    this.#functions = []
    this.#line = 0
    this.#column = 0
  }

  #move(): void {
    const lines = this.#reader.unsigned()
    const columns = this.#reader.unsigned()
    this.#line += lines
    this.#column = lines === 0 ? this.#column + columns : columns
  }
}

/** Metro's list: for each source a list whose first entry is where which function begins. */
export function functionsOfMetro(sources: unknown): FunctionsBySource {
  if (!Array.isArray(sources)) return []
  return sources.slice(0, SOURCES_MAX).map((source: unknown) => {
    const first: unknown = Array.isArray(source) ? source[0] : null
    if (!isObject(first) || typeof first.mappings !== 'string' || !Array.isArray(first.names))
      return undefined
    try {
      return functionsOfPieces(first.mappings, first.names)
    } catch (cause) {
      if (!(cause instanceof DamagedMap)) throw cause
      return undefined
    }
  })
}

/** A piece goes to where the next begins: a function around another one is one of several pieces. */
function functionsOfPieces(mappings: string, names: readonly unknown[]): readonly FunctionSpan[] {
  const reader = new VlqReader(mappings, 'function map')
  const functions: FunctionSpan[] = []
  let [line, column, name] = [0, 0, 0]
  let before: { readonly line: number; readonly column: number; readonly name: string | null } | null = null
  const close = (endLine: number, endColumn: number) => {
    if (before === null || before.name === null) return
    const { line: startLine, column: startColumn, name: own } = before
    functions.push({ startLine, startColumn, endLine, endColumn, name: own })
  }
  while (!reader.isAtEnd && functions.length < FUNCTIONS_MAX) {
    column += reader.signed()
    name += reader.signed()
    if (!reader.isItemEnd()) line += reader.signed()
    close(line, column)
    before = { line, column, name: metroName(names[name]) }
    if (reader.code === SEMICOLON) column = 0
    reader.skip()
  }
  close(NOWHERE, 0)
  return sortFunctions(functions)
}

/** Behind the last line of any source. */
const NOWHERE = 2 ** 31 - 1

/** Returns the name as V8 would; `null` outside of functions. */
function metroName(name: unknown): string | null {
  if (typeof name !== 'string' || name === '<global>') return null
  if (name === '<anonymous>') return ''
  return name.replace(/(^|[.#])[gs]et__/, '$1').replace('#', '.')
}

function sortFunctions(functions: readonly FunctionSpan[]): readonly FunctionSpan[] {
  return functions.toSorted((a, b) => a.startLine - b.startLine || a.startColumn - b.startColumn)
}
