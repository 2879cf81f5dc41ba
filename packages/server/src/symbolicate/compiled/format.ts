/**
 * A source map in the form in which a frame is looked up: tables of fixed width that are read where they stand, and
 * blocks of a few hundred mappings. Opening one reads its header and one number triple a block, whatever its size.
 *
 *   header · tokens · block index · functions · names · texts · sources · chunks of source text · chunk table
 *
 * Numbers of tables are 32 bit, little endian. The content hash of map and file names a compiled map, so that a new
 * version of this form only has to change `FORMAT_VERSION`.
 */
export const FORMAT_VERSION = 1
const MAGIC = 0x50414d45 // "EMAP"
const HEADER_NUMBERS = 16
export const HEADER_BYTES = HEADER_NUMBERS * 4

/** Mappings of one block. */
export const BLOCK_TOKENS = 256
/** Line and column of what ran, counted from 0, and where the block begins among the tokens. */
export const BLOCK_NUMBERS = 3
/** Number of its name, 1 where its functions are known, flags, functions (start, length), chunks (first, count), lines. */
export const SOURCE_NUMBERS = 8
/** First line counted from 0, start, length, length when unpacked. */
export const CHUNK_NUMBERS = 4
/** Source text of one chunk, about. */
export const CHUNK_CHARS = 8 * 1024

export const SOURCE_IGNORED = 1

/** Fields of a token, in the order they are written. */
export const MAP_TOKEN = {
  /** Generated code that no source stands behind. */
  unmapped: 0,
  sameSource: 1,
  sameSourceNamed: 2,
  otherSource: 3,
  otherSourceNamed: 4,
} as const

export interface Header {
  readonly blocks: number
  readonly sources: number
  readonly names: number
  readonly chunks: number
  readonly tokensAt: number
  readonly indexAt: number
  readonly functionsAt: number
  readonly namesAt: number
  readonly textsAt: number
  readonly sourcesAt: number
  readonly contentAt: number
  readonly chunksAt: number
  readonly end: number
}

export function encodeHeader(header: Header): Uint8Array {
  const numbers = [
    ...[MAGIC, FORMAT_VERSION, header.blocks, header.sources, header.names, header.chunks],
    ...[header.tokensAt, header.indexAt, header.functionsAt, header.namesAt, header.textsAt],
    ...[header.sourcesAt, header.contentAt, header.chunksAt, header.end, 0],
  ]
  return tableOf(numbers)
}

/** Reads the header of a compiled source map. `null` for bytes that are no compiled map of this version. */
export function decodeHeader(bytes: Uint8Array): Header | null {
  if (bytes.length < HEADER_BYTES) return null
  const at = numbersOf(bytes.subarray(0, HEADER_BYTES))
  const number = (place: number): number => at[place] ?? 0
  if (number(0) !== MAGIC || number(1) !== FORMAT_VERSION) return null
  return {
    ...{ blocks: number(2), sources: number(3), names: number(4), chunks: number(5) },
    ...{ tokensAt: number(6), indexAt: number(7), functionsAt: number(8), namesAt: number(9) },
    ...{ textsAt: number(10), sourcesAt: number(11), contentAt: number(12), chunksAt: number(13) },
    end: number(14),
  }
}

/** Numbers as a table. */
export function tableOf(numbers: readonly number[] | Uint32Array): Uint8Array {
  const table = Uint32Array.from(numbers)
  return new Uint8Array(table.buffer, table.byteOffset, table.byteLength)
}

/** A table as numbers; a copy where its bytes do not stand at a multiple of four. */
export function numbersOf(bytes: Uint8Array): Uint32Array {
  const count = bytes.length >> 2
  if (bytes.byteOffset % 4 === 0) return new Uint32Array(bytes.buffer, bytes.byteOffset, count)
  return new Uint32Array(Uint8Array.from(bytes).buffer, 0, count)
}
