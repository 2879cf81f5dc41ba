/** Looks places up in a compiled map, reading no more of it than they need. */
import { inflateRawSync } from 'node:zlib'
import { max } from '#limits/limits.ts'
import type { OriginalPlace, OriginalPlaces, SourceContext } from '#model/map-lookup.ts'
import { ByteReader } from './byte-writer.ts'
import {
  BLOCK_NUMBERS,
  CHUNK_CHARS,
  CHUNK_NUMBERS,
  decodeHeader,
  HEADER_BYTES,
  type Header,
  MAP_TOKEN,
  numbersOf,
  SOURCE_IGNORED,
  SOURCE_NUMBERS,
} from './format.ts'
import { MapMemory, type MapPart } from './map-memory.ts'

/** A file that is read in pieces; synchronous, since a step waits for nothing. */
export interface MapFile {
  /** Fewer bytes than asked for where the file ends. */
  read(at: number, bytes: number): Uint8Array
}

const CONTEXT_LINES = 5
const AWAIT = 'await '
const LINE_CHARS_MAX = max('contextLineCharsMax')
const PLACES_MAX = max('mapPlacesRememberedMax')
/** A chunk ends with the line that fills it, and a character takes at most three bytes. */
const CHUNK_BYTES_MAX = 3 * (CHUNK_CHARS + max('mapSourceLineCharsMax') + 1)
/** Memory for a line beside its characters, and for a function of a source. */
const LINE_BYTES = 48
const FUNCTION_BYTES = 80
const SOURCE_BYTES = 400

/**
 * Opens a compiled source map to look up places. `null` for a file that is no compiled map of this version, or not a
 * whole one. What is read of it is remembered in `memory`, which several maps may share.
 */
export function openCompiledMap(
  file: MapFile,
  memory: MapMemory = new MapMemory(max('mapMemoryBytesMax')),
): OriginalPlaces | null {
  const header = decodeHeader(file.read(0, HEADER_BYTES))
  if (header === null || file.read(header.end - 1, 1).length !== 1) return null
  const index = numbersOf(file.read(header.indexAt, (header.blocks + 1) * BLOCK_NUMBERS * 4))
  return new CompiledMap(file, { header, index, memory })
}

/** A mapping. */
interface Token {
  /**
   * Column where it begins in the file that ran; `next` is where the next one on its line does, -1 behind the
   * last.
   */
  readonly column: number
  readonly nextColumn: number
  /** False for code that no source stands behind. */
  readonly isMapped: boolean
  readonly hasName: boolean
  readonly source: number
  readonly sourceLine: number
  readonly sourceColumn: number
  readonly name: number
}

interface Source {
  readonly name: string
  readonly isIgnored: boolean
  readonly functions: readonly SourceFunction[] | null
  /** Chunks: first line, start, length, length when unpacked. */
  readonly chunks: Uint32Array
  readonly chunkFirst: number
}

interface SourceFunction {
  readonly startLine: number
  readonly startColumn: number
  readonly endLine: number
  readonly endColumn: number
  readonly name: number
}

interface Opened {
  readonly header: Header
  readonly index: Uint32Array
  readonly memory: MapMemory
}

type FoundPlace = Omit<OriginalPlace, 'context'> & { readonly sourceNumber: number }

class CompiledMap implements OriginalPlaces {
  readonly #file: MapFile
  readonly #header: Header
  /** Line, column and start of each block, and where the last one ends. */
  readonly #index: Uint32Array
  /** Without their lines, which would keep the text of their sources. */
  readonly #places = new Map<string, FoundPlace | null>()
  readonly #sources: MapPart<Source>
  readonly #chunks: MapPart<readonly string[]>
  #lastChunk: { readonly number: number; readonly lines: readonly string[] } = { number: -1, lines: [] }

  constructor(file: MapFile, { header, index, memory }: Opened) {
    this.#file = boundFile(file, header.end)
    this.#header = header
    this.#index = index
    this.#sources = memory.part()
    this.#chunks = memory.part()
  }

  find(line: number, column: number): OriginalPlace | null {
    const key = `${line}:${column}`
    const known = this.#places.get(key)
    const found = known === undefined ? this.#findPlace(line, column) : known
    if (known === undefined) remember(this.#places, { key, value: found, most: PLACES_MAX })
    if (found === null) return null
    const { sourceNumber, ...place } = found
    return { ...place, context: this.#contextOf(this.#source(sourceNumber), place) }
  }

  #findPlace(line: number, column: number): FoundPlace | null {
    const token = this.#tokenFor(line - 1, column - 1)
    return token?.isMapped !== true ? null : this.#placeOf(token)
  }

  /** The mapping that stands for a place: mostly the last one before it, save where minifiers leave one out. */
  #tokenFor(line: number, column: number): Token | null {
    const token = this.#tokenAt(line, column)
    if (token?.isMapped !== true || token.nextColumn < 0) return token
    const awaited = this.#awaitedAt(token, line, column)
    if (awaited !== null) return awaited
    return column > token.column && this.#isClosingBrace(token) ? this.#behindBrace(token, line) : token
  }

  /**
   * Terser and Oxc write what is used once where it is used, `return(await load()).rows`, and map nothing of the `await`,
   * which is where an engine says that a function waits; what was mapped last is the statement it was moved to. What is
   * waited for is mapped, right behind.
   */
  #awaitedAt({ nextColumn, ...token }: Token, line: number, column: number): Token | null {
    const behind = column + AWAIT.length
    // Tools that divide mappings by words repeat the last one for the space.
    if (nextColumn !== behind && nextColumn !== behind - 1) return null
    const awaited = this.#tokenAt(line, behind)
    if (awaited?.isMapped !== true || awaited.column !== behind) return null
    const before = this.#line(this.#source(awaited.source), awaited.sourceLine)?.slice(
      0,
      awaited.sourceColumn,
    )
    const isAwaited = before?.endsWith(AWAIT) === true && awaited.sourceLine !== token.sourceLine
    return isAwaited ? { ...awaited, sourceColumn: awaited.sourceColumn - AWAIT.length } : null
  }

  /**
   * SWC writes a function that is used once where it is called, `(()=>{…})()`, and maps nothing of the call; what was
   * mapped last is the brace that closes the function, where nothing runs. What comes next is an argument, or what
   * follows the call.
   */
  #behindBrace(token: Token, line: number): Token {
    const next = this.#tokenAt(line, token.nextColumn)
    // One back: the call may be the last of the function it is in.
    return next?.isMapped === true ? { ...next, sourceColumn: Math.max(0, next.sourceColumn - 1) } : token
  }

  #isClosingBrace({ source: number, sourceLine: line, sourceColumn: column }: Token): boolean {
    const source = this.#source(number)
    // The text first: it is shown anyway, and there are thousands of functions.
    if (source.functions === null || this.#line(source, line)?.[column] !== '}') return false
    return source.functions.some(({ endLine, endColumn }) => endLine === line && endColumn === column + 1)
  }

  /** The last mapping at or before the place, on its line. */
  #tokenAt(line: number, column: number): Token | null {
    const block = this.#blockOf(line, column)
    if (block < 0) return null
    const [startLine = 0, startColumn = 0, start = 0] = this.#index.subarray(block * BLOCK_NUMBERS)
    const end = this.#index[(block + 1) * BLOCK_NUMBERS + 2] ?? start
    const tokens = new TokenReader(
      this.#file.read(this.#header.tokensAt + start, end - start),
      startLine,
      startColumn,
    )
    const token = tokens.lastBefore(line, column)
    if (token === null || token.nextColumn >= 0) return token
    const [nextLine, nextColumn = -1] = this.#index.subarray((block + 1) * BLOCK_NUMBERS)
    return block + 1 < this.#header.blocks && nextLine === line ? { ...token, nextColumn } : token
  }

  /** The last block that begins at or before the place; -1 where none does. */
  #blockOf(line: number, column: number): number {
    let low = 0
    let high = this.#header.blocks - 1
    while (low <= high) {
      const middle = (low + high) >> 1
      const blockLine = this.#index[middle * BLOCK_NUMBERS] ?? 0
      const blockColumn = this.#index[middle * BLOCK_NUMBERS + 1] ?? 0
      if (blockLine < line || (blockLine === line && blockColumn <= column)) low = middle + 1
      else high = middle - 1
    }
    return high
  }

  #placeOf(token: Token): FoundPlace {
    const source = this.#source(token.source)
    return {
      sourceNumber: token.source,
      source: source.name,
      line: token.sourceLine + 1,
      column: token.sourceColumn + 1,
      functionName: this.#functionAround(source, token),
      name: token.hasName ? this.#name(token.name) : null,
      isIgnored: source.isIgnored,
    }
  }

  #functionAround({ functions }: Source, { sourceLine: line, sourceColumn: column }: Token): string | null {
    if (functions === null) return null
    const innermost = innermostAt(functions, line, column)
    return innermost === null ? MODULE : this.#name(innermost.name)
  }

  #contextOf(
    source: Source,
    { line: lineNumber, column }: Pick<OriginalPlace, 'line' | 'column'>,
  ): SourceContext | null {
    const sourceLine = lineNumber - 1
    const lineAt = (line: number) => this.#line(source, line)
    const line = lineAt(sourceLine)
    if (line === null) return null
    const around = (from: number, count: number) =>
      Array.from({ length: count }, (_, at) => lineAt(from + at)).filter((each) => each !== null)
    const before = Math.min(CONTEXT_LINES, sourceLine)
    return {
      before: around(sourceLine - before, before).map((each) => each.slice(0, LINE_CHARS_MAX)),
      line: cropLine(line, column - 1),
      after: around(sourceLine + 1, CONTEXT_LINES).map((each) => each.slice(0, LINE_CHARS_MAX)),
    }
  }

  #line({ chunks, chunkFirst }: Source, line: number): string | null {
    for (let at = chunks.length - CHUNK_NUMBERS; at >= 0; at -= CHUNK_NUMBERS) {
      const first = chunks[at] ?? 0
      if (first > line) continue
      return this.#chunk(chunkFirst + at / CHUNK_NUMBERS, chunks.subarray(at + 1))[line - first] ?? null
    }
    return null
  }

  #chunk(number: number, [at = 0, bytes = 0, rawBytes = 0]: Uint32Array): readonly string[] {
    if (number === this.#lastChunk.number) return this.#lastChunk.lines // of eleven lines, mostly
    const known = this.#chunks.get(number)
    const lines = known ?? linesOf(this.#file.read(this.#header.contentAt + at, bytes), rawBytes)
    if (known === undefined) this.#chunks.set(number, lines, rawBytes + lines.length * LINE_BYTES)
    this.#lastChunk = { number, lines }
    return lines
  }

  #source(number: number): Source {
    const known = this.#sources.get(number)
    if (known !== undefined) return known
    const at = this.#header.sourcesAt + number * SOURCE_NUMBERS * 4
    const [name = 0, hasFunctions = 0, flags = 0, functionsAt = 0, functionsBytes = 0, ...rest] = numbersOf(
      this.#file.read(at, SOURCE_NUMBERS * 4),
    )
    const [chunkFirst = 0, chunkCount = 0] = rest
    const chunksAt = this.#header.chunksAt + chunkFirst * CHUNK_NUMBERS * 4
    const functions = this.#file.read(this.#header.functionsAt + functionsAt, functionsBytes)
    const source: Source = {
      name: this.#name(name),
      isIgnored: (flags & SOURCE_IGNORED) !== 0,
      functions: hasFunctions === 1 ? readFunctions(functions) : null,
      // A copy: what was read may be a view of a larger piece of memory.
      chunks: numbersOf(this.#file.read(chunksAt, chunkCount * CHUNK_NUMBERS * 4)).slice(),
      chunkFirst,
    }
    this.#sources.set(number, source, SOURCE_BYTES + (source.functions?.length ?? 0) * FUNCTION_BYTES)
    return source
  }

  #name(number: number): string {
    const [start = 0, end = 0] = numbersOf(this.#file.read(this.#header.namesAt + number * 4, 8))
    const text = this.#file.read(this.#header.textsAt + start, end - start)
    return Buffer.from(text.buffer, text.byteOffset, text.byteLength).toString('utf8')
  }
}

/** The file of a map whose bytes went bad on disk names places and lengths that are not there. */
function boundFile(file: MapFile, end: number): MapFile {
  return { read: (at, bytes) => file.read(at, Math.max(0, Math.min(bytes, end - at))) }
}

/** None where the chunk is damaged: the frame shows its place without the lines around it. */
function linesOf(packed: Uint8Array, rawBytes: number): readonly string[] {
  if (rawBytes > CHUNK_BYTES_MAX) return []
  try {
    // One chunk of output, a byte longer than needed: one that is full to the brim asks for another.
    const bounds = { chunkSize: Math.max(64, rawBytes + 1), maxOutputLength: rawBytes + 1 }
    return inflateRawSync(packed, bounds).toString('utf8').split('\n')
  } catch {
    return []
  }
}

/** Name of the code that runs when a module is loaded. */
const MODULE = '<module>'
/** Goes through the tokens of a block. Fields that change, not an object a token: a block has hundreds. */
class TokenReader {
  readonly #bytes: ByteReader
  #line: number
  #column: number
  #source = 0
  #sourceLine = 0
  #sourceColumn = 0
  #name = 0

  constructor(bytes: Uint8Array, line: number, column: number) {
    this.#bytes = new ByteReader(bytes)
    this.#line = line
    this.#column = column
  }

  lastBefore(line: number, column: number): Token | null {
    const bytes = this.#bytes
    let kind = -1
    let after = -1
    while (!bytes.isAtEnd) {
      const lines = bytes.unsigned()
      const columns = bytes.unsigned()
      const nextLine = this.#line + lines
      const nextColumn = lines === 0 ? this.#column + columns : columns
      if (nextLine > line || (nextLine === line && nextColumn > column)) {
        if (nextLine === line) after = nextColumn
        break
      }
      this.#line = nextLine
      this.#column = nextColumn
      kind = bytes.unsigned()
      if (kind !== MAP_TOKEN.unmapped) this.#move(kind)
    }
    return kind === -1 || this.#line !== line ? null : this.#token(kind, after)
  }

  #move(kind: number): void {
    const bytes = this.#bytes
    if (kind === MAP_TOKEN.otherSource || kind === MAP_TOKEN.otherSourceNamed) this.#source += bytes.signed()
    this.#sourceLine += bytes.signed()
    this.#sourceColumn += bytes.signed()
    if (kind === MAP_TOKEN.sameSourceNamed || kind === MAP_TOKEN.otherSourceNamed)
      this.#name += bytes.signed()
  }

  #token(kind: number, nextColumn: number): Token {
    return {
      column: this.#column,
      nextColumn,
      isMapped: kind !== MAP_TOKEN.unmapped,
      hasName: kind === MAP_TOKEN.sameSourceNamed || kind === MAP_TOKEN.otherSourceNamed,
      source: this.#source,
      sourceLine: this.#sourceLine,
      sourceColumn: this.#sourceColumn,
      name: this.#name,
    }
  }
}

function readFunctions(bytes: Uint8Array): readonly SourceFunction[] {
  const reader = new ByteReader(bytes)
  const functions: SourceFunction[] = []
  let line = 0
  while (!reader.isAtEnd) {
    const startLine = line + reader.unsigned()
    const startColumn = reader.unsigned()
    const endLine = startLine + reader.unsigned()
    functions.push({
      ...{ startLine, startColumn, endLine },
      endColumn: reader.unsigned(),
      name: reader.unsigned(),
    })
    line = startLine
  }
  return functions
}

/** The one that begins last of those around the place; they are sorted by where they begin. */
function innermostAt(
  functions: readonly SourceFunction[],
  line: number,
  column: number,
): SourceFunction | null {
  let low = 0
  let high = functions.length
  while (low < high) {
    const middle = (low + high) >> 1
    const each = functions[middle]
    const isBehind = each === undefined || each.startLine > line
    if (isBehind || (each.startLine === line && each.startColumn > column)) high = middle
    else low = middle + 1
  }
  for (let at = low - 1; at >= 0; at--) {
    const each = functions[at]
    if (each === undefined) break
    if (each.endLine > line || (each.endLine === line && each.endColumn > column)) return each
  }
  return null
}

/** The part of a long line around the column. */
function cropLine(line: string, column: number): string {
  if (line.length <= LINE_CHARS_MAX) return line
  const start = Math.max(0, Math.min(column - LINE_CHARS_MAX / 2, line.length - LINE_CHARS_MAX))
  return line.slice(start, start + LINE_CHARS_MAX)
}

function remember<Key, Value>(
  known: Map<Key, Value>,
  { key, value, most }: { readonly key: Key; readonly value: Value; readonly most: number },
): void {
  // The older half goes at once: what is asked for again is soon back.
  if (known.size >= most) for (const old of [...known.keys()].slice(0, most / 2)) known.delete(old)
  known.set(key, value)
}
