/**
 * How a batch crosses threads: one buffer, so that both hops (process → main → commit) move bytes and clone no
 * objects. What the commit looks at per row is columns of numbers; texts occur once, and a row is a line of text that
 * the commit hands on unread.
 *
 *   u32le length of the head · head (UTF-8 JSON: what is no number) · padding to 8
 *   · columns of numbers, each padded to 8 · lines of rows · compressed blocks · quarantined bodies
 */
import { assert } from '#base/errors.ts'
import type { ArrivedPart, Kinds, NumberColumn } from '#kinds/kind.ts'
import {
  ROW_NUMBERS,
  type RowColumns,
  type RowLines,
  type RowNumbers,
  rowColumns,
} from '#kinds/row-columns.ts'
import type { BatchPart, PayloadBlock, ProcessedBatch, QuarantinedEnvelope } from '#model/batch.ts'
import type { RowTable } from '#model/fields.ts'
import type { RowEncoding } from '#ports/telemetry.ts'

/** Plain data; its buffer is its own and may be transferred. */
export interface PackedBatch {
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** A batch as the commit takes it. */
export interface ArrivedBatch extends Omit<ProcessedBatch, 'parts'> {
  readonly parts: readonly ArrivedPart[]
}

export interface PackingOptions {
  readonly kinds: Kinds
  /** The column store's. */
  readonly encoding: RowEncoding
}

const COLUMN_TYPES = { f64: Float64Array, u32: Uint32Array, u64: BigUint64Array } as const
type ColumnType = keyof typeof COLUMN_TYPES

interface ColumnHead {
  readonly name: string
  readonly type: ColumnType
  readonly length: number
}

interface PartHead
  extends Pick<RowColumns, 'count' | 'eventIds' | 'files' | 'categories'>,
    Pick<BatchPart, 'kind'> {
  readonly sums: unknown
  readonly sumColumns: readonly ColumnHead[]
  readonly linesLength: number
  readonly blocks: readonly (Omit<PayloadBlock, 'compressed'> & { readonly length: number })[]
}

interface Head extends Pick<ProcessedBatch, 'range' | 'outcomes'> {
  readonly parts: readonly PartHead[]
  readonly quarantined: readonly (Omit<QuarantinedEnvelope, 'body'> & { readonly length: number })[]
}

const LENGTH_BYTES = 4
const ROW_NAMES = Object.keys(ROW_NUMBERS) as readonly (keyof typeof ROW_NUMBERS)[] // keys of that very table

/**
 * Packs a processed batch as bytes that go to another thread without a copy. `transfer` is what `postMessage` takes as
 * its second argument: afterwards the message is empty here.
 */
export function packBatch(
  batch: ProcessedBatch,
  options: PackingOptions,
): { message: PackedBatch; transfer: ArrayBuffer[] } {
  const parts = batch.parts.map((part) => packedPart(part, options))
  const head: Head = {
    range: batch.range,
    outcomes: batch.outcomes,
    parts: parts.map((part) => part.head),
    quarantined: batch.quarantined.map(({ body, ...rest }) => ({ ...rest, length: body.length })),
  }
  const headBytes = Buffer.from(JSON.stringify(head))
  const numbers = parts.flatMap((part) => part.numbers)
  const tails = [...parts.flatMap((part) => part.tails), ...batch.quarantined.map(({ body }) => body)]
  const numbersAt = padTo8(LENGTH_BYTES + headBytes.length)
  const tailsAt = numbers.reduce((at, column) => at + padTo8(column.byteLength), numbersAt)
  const buffer = new ArrayBuffer(tails.reduce((at, tail) => at + tail.length, tailsAt))
  const bytes = new Uint8Array(buffer)
  new DataView(buffer).setUint32(0, headBytes.length, true)
  bytes.set(headBytes, LENGTH_BYTES)
  let at = numbersAt
  for (const column of numbers) {
    bytes.set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength), at)
    at += padTo8(column.byteLength)
  }
  for (const tail of tails) {
    bytes.set(tail, at)
    at += tail.length
  }
  return { message: { bytes }, transfer: [buffer] }
}

interface PackedPart {
  readonly head: PartHead
  readonly numbers: readonly NumberColumn[]
  readonly tails: readonly Uint8Array[]
}

function packedPart({ kind, rows, blocks }: BatchPart, { kinds, encoding }: PackingOptions): PackedPart {
  const { table, sum } = kinds.stored(kind)
  const { lines, ...ended } = encodeLines(rows, table, encoding)
  const columns = rowColumns(kind, rows, ended)
  const sums = sum.pack(rows)
  const own = Object.entries(sums.columns)
  const { count, eventIds, files, categories } = columns
  return {
    head: {
      ...{ kind, count, eventIds, files, categories, sums: sums.head, linesLength: lines.length },
      sumColumns: own.map(([name, column]) => ({
        name,
        type: numberColumnType(column),
        length: column.length,
      })),
      blocks: blocks.map(({ compressed, ...rest }) => ({ ...rest, length: compressed.length })),
    },
    numbers: [...ROW_NAMES.map((name) => columns[name]), ...own.map(([, column]) => column)],
    tails: [lines, ...blocks.map(({ compressed }) => compressed)],
  }
}

function numberColumnType(column: NumberColumn): ColumnType {
  return column instanceof Float64Array ? 'f64' : column instanceof Uint32Array ? 'u32' : 'u64'
}

function encodeLines(rows: BatchPart['rows'], table: RowTable, encoding: RowEncoding): RowLines {
  const encoder = encoding(table)
  const ends = new Uint32Array(rows.length)
  const forms = new Uint32Array(rows.length)
  rows.forEach(({ row }, place) => {
    forms[place] = encoder.add(row)
    ends[place] = encoder.end
  })
  return { lines: encoder.finish(), ends, forms }
}

/** The batch; its columns, lines and blocks are views of the message's buffer. */
export function unpackBatch({ bytes }: PackedBatch, kinds: Kinds): ArrivedBatch {
  assert(bytes.byteOffset % 8 === 0, 'columns of numbers lie where eight bytes begin')
  const length = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0, true)
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + LENGTH_BYTES, length).toString('utf8')
  // Written by `packBatch` of the same build, in another thread of this process.
  const { parts, quarantined, ...head } = JSON.parse(text) as Head
  const reader = new BufferReader(bytes, padTo8(LENGTH_BYTES + length))
  const numbers = parts.map((part) => partNumbers(part, reader))
  const arrived = parts.map(({ kind, sums, linesLength, ...part }, index): ArrivedPart => {
    const { count, eventIds, files, categories } = part
    const { rows, own } = numbers[index] ?? { rows: {}, own: {} }
    return {
      kind,
      // Every column of the table of row numbers, in its order.
      columns: { ...(rows as RowNumbers), count, eventIds, files, categories },
      sums: kinds.stored(kind).sum.unpack({ head: sums, columns: own }),
      lines: reader.take(linesLength),
      blocks: part.blocks.map(({ length: size, ...rest }) => ({ ...rest, compressed: reader.take(size) })),
    }
  })
  const bodies = quarantined.map(({ length: size, ...rest }) => ({ ...rest, body: reader.take(size) }))
  return { ...head, parts: arrived, quarantined: bodies }
}

function partNumbers({ count, sumColumns }: PartHead, reader: BufferReader) {
  const rows = ROW_NAMES.map((name) => [name, reader.column(ROW_NUMBERS[name], count)] as const)
  const own = sumColumns.map(
    ({ name, type, length }) => [name, reader.column(COLUMN_TYPES[type], length)] as const,
  )
  return { rows: Object.fromEntries(rows), own: Object.fromEntries(own) }
}

class BufferReader {
  readonly #bytes: Uint8Array<ArrayBuffer>
  #at: number

  constructor(bytes: Uint8Array<ArrayBuffer>, at: number) {
    this.#bytes = bytes
    this.#at = at
  }

  column(Column: (typeof COLUMN_TYPES)[ColumnType], entries: number): NumberColumn {
    const column = new Column(this.#bytes.buffer, this.#bytes.byteOffset + this.#at, entries)
    this.#at += padTo8(column.byteLength)
    return column
  }

  take(size: number): Uint8Array {
    this.#at += size
    return this.#bytes.subarray(this.#at - size, this.#at)
  }
}

/** Rounds up to a multiple of eight, where every column of numbers may begin. */
function padTo8(length: number): number {
  return Math.ceil(length / 8) * 8
}
