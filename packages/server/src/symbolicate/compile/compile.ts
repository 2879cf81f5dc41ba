/** A source map as it was uploaded to the form in which frames are looked up (`compiled/format.ts`). */
import { max } from '#limits/limits.ts'
import { ByteWriter } from '../compiled/byte-writer.ts'
import {
  BLOCK_TOKENS,
  encodeHeader,
  HEADER_BYTES,
  MAP_TOKEN,
  SOURCE_IGNORED,
  tableOf,
} from '../compiled/format.ts'
import { writeContent } from './contents.ts'
import { type FunctionSpan, functionsOf } from './functions.ts'
import { type Mapping, mappingsOf } from './mappings.ts'
import { DamagedMap, type MapSection, readRawMap } from './raw-map.ts'
import { type FunctionsBySource, functionsOfMetro, functionsOfScopes } from './scopes.ts'
import { type Shift, shiftOf } from './snippet.ts'

const NAME_CHARS_MAX = max('mapSourceNameCharsMax')
const NUMBER_MAX = 2 ** 31 - 1

export interface MapToCompile {
  /** JSON of the source map. */
  readonly map: Uint8Array
  /** The file it describes, where that was uploaded too. */
  readonly minified: Uint8Array | null
  /** Text of a source that the map names without holding it; `null` where nobody has it. */
  readonly sourceText?: (source: string) => string | null
}

/**
 * Takes time and memory by the size of the map: not for a thread that carries ingest.
 * @throws DamagedMap for what is no source map, or beyond its limits
 */
export function compileMap({ map, minified, sourceText = () => null }: MapToCompile): Uint8Array {
  const sections = readRawMap(map)
  const compiler = new Compiler(shiftOf(minified, sections))
  for (const [at, section] of sections.entries()) {
    compiler.add(section, { sourceText, before: sections[at + 1] ?? NOWHERE })
  }
  return compiler.finish()
}

interface Place {
  readonly line: number
  readonly column: number
}

interface AddedSource {
  readonly text: string | null
  readonly functions: readonly FunctionSpan[] | null
  readonly isIgnored: boolean
}

const NOWHERE: Place = { line: Number.POSITIVE_INFINITY, column: 0 }

interface Adding {
  readonly sourceText: (source: string) => string | null
  /** Place where the next section begins: this section says nothing true of places behind it. */
  readonly before: Place
}

class Compiler {
  readonly #shift: Shift
  readonly #tokens = new TokenWriter()
  readonly #functions = new ByteWriter()
  readonly #texts = new ByteWriter()
  readonly #names: number[] = [0]
  readonly #namesKnown = new Map<string, number>()
  readonly #sources: number[] = []
  readonly #content = new ByteWriter()
  readonly #chunks: number[] = []
  #sourceCount = 0

  constructor(shift: Shift) {
    this.#shift = shift
  }

  add(section: MapSection, { sourceText, before }: Adding): void {
    const sourcesBefore = this.#sourceCount
    const told = toldFunctions(section)
    for (const [at, source] of section.sources.entries()) {
      const text = section.contents[at] ?? (source === null ? null : sourceText(source))
      const functions = functionsIn(told, at, { text, source: source ?? '' })
      this.#addSource(source ?? '', { text, functions, isIgnored: section.ignored.has(at) })
    }
    const names = section.names.map((name) => this.#nameNumber(name))
    for (const mapping of mappingsOf(section.mappings)) {
      if (mapping.source >= section.sources.length || mapping.name >= names.length) {
        throw new DamagedMap('a mapping to a source or name that is not there')
      }
      const place = placeInSection(mapping, section)
      if (isAtOrBehind(place, before)) break
      // A source without a name says as little as none.
      const isMapped = mapping.source >= 0 && section.sources[mapping.source] !== null
      this.#tokens.add({
        ...this.#shift(place),
        source: isMapped ? sourcesBefore + mapping.source : -1,
        ...{ sourceLine: mapping.sourceLine, sourceColumn: mapping.sourceColumn },
        name: names[mapping.name] ?? -1,
      })
    }
  }

  finish(): Uint8Array {
    const { blocks, index, bytes: tokens } = this.#tokens.finish()
    const parts = [
      ...[tokens, tableOf(index), this.#functions.bytes(), tableOf(this.#names)],
      ...[this.#texts.bytes(), tableOf(this.#sources), this.#content.bytes(), tableOf(this.#chunks)],
    ].map(padTo4)
    const starts: number[] = []
    let end = HEADER_BYTES
    for (const part of parts) {
      starts.push(end)
      end += part.length
    }
    const [tokensAt = 0, indexAt = 0, functionsAt = 0, namesAt = 0, ...rest] = starts
    const [textsAt = 0, sourcesAt = 0, contentAt = 0, chunksAt = 0] = rest
    const counts = { blocks, sources: this.#sourceCount, names: this.#names.length - 1 }
    const header = encodeHeader({
      ...counts,
      chunks: this.#chunks.length / 4,
      ...{ tokensAt, indexAt, functionsAt, namesAt, textsAt, sourcesAt, contentAt, chunksAt, end },
    })
    return Buffer.concat([header, ...parts], end)
  }

  #addSource(source: string, { text, functions, isIgnored }: AddedSource): void {
    this.#sourceCount++
    const name = this.#nameNumber(source)
    const functionsAt = this.#functions.length
    if (functions !== null) this.#addFunctions(functions)
    const firstChunk = this.#chunks.length / 4
    const content = text === null ? { chunks: 0, lines: 0 } : writeContent(text, this.#content, this.#chunks)
    this.#sources.push(
      ...[name, functions === null ? 0 : 1, isIgnored ? SOURCE_IGNORED : 0],
      ...[functionsAt, this.#functions.length - functionsAt, firstChunk, content.chunks, content.lines],
    )
  }

  #addFunctions(functions: readonly FunctionSpan[]): void {
    let line = 0
    for (const each of functions) {
      this.#functions.unsigned(each.startLine - line)
      this.#functions.unsigned(each.startColumn)
      this.#functions.unsigned(each.endLine - each.startLine)
      this.#functions.unsigned(each.endColumn)
      this.#functions.unsigned(this.#nameNumber(each.name))
      line = each.startLine
    }
  }

  #nameNumber(name: string): number {
    const text = name.length > NAME_CHARS_MAX ? name.slice(0, NAME_CHARS_MAX) : name
    const known = this.#namesKnown.get(text)
    if (known !== undefined) return known
    const number = this.#names.length - 1
    this.#texts.append(Buffer.from(text))
    this.#names.push(this.#texts.length)
    this.#namesKnown.set(text, number)
    return number
  }
}

interface ToldFunctions {
  readonly scopes: FunctionsBySource
  readonly metro: FunctionsBySource
}

function toldFunctions({ scopes, names, metroSources }: MapSection): ToldFunctions {
  return { scopes: functionsOfScopes(scopes, names), metro: functionsOfMetro(metroSources) }
}

/**
 * Returns the functions of the map's scopes, else of the source's text, else of Metro's list; `null` if there
 * are none.
 */
function functionsIn(
  { scopes, metro }: ToldFunctions,
  at: number,
  { text, source }: { readonly text: string | null; readonly source: string },
): readonly FunctionSpan[] | null {
  return scopes[at] ?? (text === null ? null : functionsOf(text, source)) ?? metro[at] ?? null
}

/** Returns the place of a section's mapping in the whole file that ran. */
function placeInSection({ line, column }: Mapping, section: MapSection): Place {
  return { line: section.line + line, column: line === 0 ? section.column + column : column }
}

function isAtOrBehind(place: Place, other: Place): boolean {
  return place.line > other.line || (place.line === other.line && place.column >= other.column)
}

class TokenWriter {
  readonly #bytes = new ByteWriter()
  readonly #index: number[] = []
  #inBlock = 0
  #before: Mapping = START

  add(token: Mapping): void {
    if (token.line > NUMBER_MAX || token.column > NUMBER_MAX) throw new DamagedMap('a mapping at no place')
    if (this.#inBlock === 0) {
      this.#index.push(token.line, token.column, this.#bytes.length)
      this.#before = { ...START, line: token.line, column: token.column }
    }
    this.#write(token)
    this.#inBlock = (this.#inBlock + 1) % BLOCK_TOKENS
  }

  finish(): { readonly blocks: number; readonly index: readonly number[]; readonly bytes: Uint8Array } {
    const blocks = this.#index.length / 3
    return { blocks, index: [...this.#index, 0, 0, this.#bytes.length], bytes: this.#bytes.bytes() }
  }

  #write(token: Mapping): void {
    const before = this.#before
    const bytes = this.#bytes
    bytes.unsigned(token.line - before.line)
    bytes.unsigned(token.line === before.line ? token.column - before.column : token.column)
    if (token.source < 0) {
      bytes.unsigned(MAP_TOKEN.unmapped)
      this.#before = { ...before, line: token.line, column: token.column }
      return
    }
    const isNamed = token.name >= 0
    if (token.source === before.source) {
      bytes.unsigned(isNamed ? MAP_TOKEN.sameSourceNamed : MAP_TOKEN.sameSource)
    } else {
      bytes.unsigned(isNamed ? MAP_TOKEN.otherSourceNamed : MAP_TOKEN.otherSource)
      bytes.signed(token.source - before.source)
    }
    bytes.signed(token.sourceLine - before.sourceLine)
    bytes.signed(token.sourceColumn - before.sourceColumn)
    if (isNamed) bytes.signed(token.name - before.name)
    this.#before = isNamed ? token : { ...token, name: before.name }
  }
}

const START: Mapping = { line: 0, column: 0, source: 0, sourceLine: 0, sourceColumn: 0, name: 0 }

/** Pads to a multiple of four: tables of numbers are read in place. */
function padTo4(bytes: Uint8Array): Uint8Array {
  const over = bytes.length % 4
  return over === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(4 - over)])
}
