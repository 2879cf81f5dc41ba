/**
 * How a batch crosses threads: one buffer, so that both hops (process → main → commit) move bytes and clone no
 * objects. What the commit looks at per event is columns of numbers; texts occur once, and a row is a line of text
 * that the commit hands on unread.
 *
 *   u32le length of the head · head (UTF-8 JSON: counts, texts, groups, outcomes) · padding to 8
 *   · columns of numbers, each padded to 8 · lines of rows · compressed blocks · quarantined bodies
 */
import { assert } from '#base/errors.ts'
import {
  type ColumnBatch,
  columnsOf,
  type EventColumns,
  LISTS,
  NUMBER_COLUMNS,
} from '#kinds/error/event-columns.ts'
import type { PayloadBlock, ProcessedBatch, ProcessedEvent, QuarantinedEnvelope } from '#model/batch.ts'
import { RowLines } from '#ports/row-lines.ts'

/** Plain data; its buffer is its own and may be transferred. */
export interface PackedBatch {
  readonly bytes: Uint8Array<ArrayBuffer>
}

interface Head
  extends Omit<ColumnBatch, 'columns' | 'lines' | 'blocks' | 'quarantined'>,
    Pick<EventColumns, 'count' | 'eventIds' | 'texts' | 'groups' | 'files'> {
  /** Entries of each list, in the order of LISTS. */
  readonly listLengths: readonly number[]
  readonly linesLength: number
  readonly blocks: readonly (Omit<PayloadBlock, 'compressed'> & { readonly length: number })[]
  readonly quarantined: readonly (Omit<QuarantinedEnvelope, 'body'> & { readonly length: number })[]
}

const LENGTH_BYTES = 4
const COLUMN_NAMES = Object.keys(NUMBER_COLUMNS) as readonly (keyof typeof NUMBER_COLUMNS)[] // keys of that very table

/** `transfer` is what `postMessage` takes as its second argument: afterwards the message is empty here. */
export function packBatch(batch: ProcessedBatch): { message: PackedBatch; transfer: ArrayBuffer[] } {
  const { columns, lines } = columnBatchOf(batch)
  const { count, eventIds, texts, groups, files } = columns
  const head: Head = {
    range: batch.range,
    outcomes: batch.outcomes,
    ...{ count, eventIds, texts, groups, files },
    listLengths: LISTS.map((name) => columns[name].length),
    linesLength: lines.length,
    blocks: batch.blocks.map(({ compressed, ...rest }) => ({ ...rest, length: compressed.length })),
    quarantined: batch.quarantined.map(({ body, ...rest }) => ({ ...rest, length: body.length })),
  }
  const headBytes = Buffer.from(JSON.stringify(head))
  const numbers = [...COLUMN_NAMES.map((name) => columns[name]), ...LISTS.map((name) => columns[name])]
  const tails = [
    lines,
    ...batch.blocks.map((block) => block.compressed),
    ...batch.quarantined.map((one) => one.body),
  ]
  const numbersAt = padded(LENGTH_BYTES + headBytes.length)
  const tailsAt = numbers.reduce((at, column) => at + padded(column.byteLength), numbersAt)
  const buffer = new ArrayBuffer(tails.reduce((at, tail) => at + tail.length, tailsAt))
  const bytes = new Uint8Array(buffer)
  new DataView(buffer).setUint32(0, headBytes.length, true)
  bytes.set(headBytes, LENGTH_BYTES)
  let at = numbersAt
  for (const column of numbers) {
    bytes.set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength), at)
    at += padded(column.byteLength)
  }
  for (const tail of tails) {
    bytes.set(tail, at)
    at += tail.length
  }
  return { message: { bytes }, transfer: [buffer] }
}

/** The batch; its columns, lines and blocks are views of the message's buffer. */
export function unpackBatch({ bytes }: PackedBatch): ColumnBatch {
  assert(bytes.byteOffset % 8 === 0, 'columns of numbers lie where eight bytes begin')
  const length = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0, true)
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + LENGTH_BYTES, length).toString('utf8')
  // Written by `packBatch` of the same build, in another thread of this process.
  const { count, eventIds, texts, groups, files, listLengths, linesLength, ...head } = JSON.parse(
    text,
  ) as Head
  let at = padded(LENGTH_BYTES + length)
  const numbers: Record<string, unknown> = {}
  const view = (
    name: string,
    Column: (typeof NUMBER_COLUMNS)[keyof typeof NUMBER_COLUMNS],
    entries: number,
  ) => {
    numbers[name] = new Column(bytes.buffer, bytes.byteOffset + at, entries)
    at += padded(entries * Column.BYTES_PER_ELEMENT)
  }
  for (const name of COLUMN_NAMES) view(name, NUMBER_COLUMNS[name], count)
  LISTS.forEach((name, index) => {
    view(name, Uint32Array, listLengths[index] ?? 0)
  })
  const take = (size: number): Uint8Array => {
    at += size
    return bytes.subarray(at - size, at)
  }
  const lines = take(linesLength)
  const columns = { ...numbers, count, eventIds, texts, groups, files } as EventColumns // all of its columns and lists
  return {
    ...head,
    columns,
    lines,
    blocks: head.blocks.map(({ length: size, ...rest }) => ({ ...rest, compressed: take(size) })),
    quarantined: head.quarantined.map(({ length: size, ...rest }) => ({ ...rest, body: take(size) })),
  }
}

/** The events in columns, their rows as lines. */
function columnBatchOf({ events }: Pick<ProcessedBatch, 'events'>): Pick<ColumnBatch, 'columns' | 'lines'> {
  const { lines, ends, jsonLines } = linesOf(events)
  return { columns: columnsOf(events, { ends, isJson: (index) => jsonLines.has(index) }), lines }
}

function linesOf(events: readonly ProcessedEvent[]): {
  readonly lines: Uint8Array
  readonly ends: Uint32Array
  readonly jsonLines: ReadonlySet<number>
} {
  const jsonLines = new Set<number>()
  const ends = new Uint32Array(events.length)
  const lines = new RowLines()
  events.forEach(({ row }, index) => {
    if (lines.add(row) === 'json') jsonLines.add(index)
    ends[index] = lines.end
  })
  return { lines: lines.finish(), ends, jsonLines }
}

/** To a multiple of eight, which every column of numbers may begin at. */
function padded(length: number): number {
  return Math.ceil(length / 8) * 8
}
