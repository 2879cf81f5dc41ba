/**
 * The payload file: a header, then blocks, appended and never changed. Little-endian throughout.
 *
 * ```
 * file    0  "ERPS"            4  version u16 = 1    6  retention days u16
 *         8  day u32          12  kind, 32 bytes of ASCII, zeros behind it
 *        44  crc32 of bytes 0 to 43
 *
 * block   0  "EBLK"            4  header bytes u32    8  crc32 of the header from byte 12 to its end
 *        12  crc32 of body    16  entries u32        20  raw body bytes u32     24  body bytes u32
 *        28  first seq u64    36  last seq u64       44  last seq of the batch u64
 *        52  entries: see block-entries.ts
 *        ..  body: zstd of the items, one after the other: payload (none where it was not kept), row record
 *        ..  block bytes u32 (all of the block) · "KLBE"
 * ```
 *
 * The blocks of a batch are appended in one go and each names the batch's last seq, so that cutting at a batch's
 * boundary is exact although seqs interleave between its blocks. The trailer lets a start look at the end of a file
 * alone. The row record (model/row-record.ts) is what column files are rebuilt from. The highest bit of the number of
 * entries says that they have event ids.
 */
import { crc32 } from 'node:zlib'
import { assert } from '#base/errors.ts'
import type { EventId } from '#base/ids.ts'
import type { PayloadBlock } from '#model/batch.ts'
import type { FileName } from '#model/file-name.ts'
import type { BlockEntry } from '#ports/telemetry.ts'
import {
  type EntryList,
  hasEventId,
  isEntryList,
  packEntries,
  unpackEntries,
  visitIds,
} from './block-entries.ts'

export const SEGMENT_HEADER_BYTES = 48
export const BLOCK_HEADER_BYTES = 52
export const TRAILER_BYTES = 8
const VERSION = 1
const KIND_AT = 12
const KIND_BYTES = 32
/** Flag in the number of entries. */
const WITH_IDS = 0x8000_0000
const FILE_MAGIC = 0x53505245 // "ERPS"
const BLOCK_MAGIC = 0x4b4c4245 // "EBLK"
const TRAILER_MAGIC = 0x45424c4b // "KLBE"
/** Mark that a search for the next block after a damaged one looks for. */
export const BLOCK_MAGIC_BYTES = Buffer.from('EBLK')
const U32_MAX = 0xffff_ffff

/** A block as its header describes it. */
export interface BlockHeader {
  /** Start of the whole block in its file. */
  readonly start: number
  readonly headerBytes: number
  readonly bodyBytes: number
  readonly rawBytes: number
  readonly bodyCrc: number
  readonly count: number
  /** Least of its events. */
  readonly firstSeq: number
  readonly batchLastSeq: number
}

export function encodeSegmentHeader({ kind, day, retentionDays }: FileName): Buffer {
  const bytes = Buffer.alloc(SEGMENT_HEADER_BYTES)
  bytes.writeUInt32LE(FILE_MAGIC, 0)
  bytes.writeUInt16LE(VERSION, 4)
  bytes.writeUInt16LE(retentionDays, 6)
  bytes.writeUInt32LE(day, 8)
  assert(kind.length <= KIND_BYTES, 'the name of a kind fits the header of its files')
  bytes.write(kind, KIND_AT, 'latin1')
  bytes.writeUInt32LE(crc32(bytes.subarray(0, KIND_AT + KIND_BYTES)), KIND_AT + KIND_BYTES)
  return bytes
}

/** True for the header that this version makes for this file. */
export function isFileHeader(bytes: Buffer, file: FileName): boolean {
  return bytes.equals(encodeSegmentHeader(file))
}

/** The block as it is written: header, body and trailer. */
export function encodeBlock(
  block: PayloadBlock,
  listed: readonly BlockEntry[],
  batchLastSeq: number,
): Buffer {
  const seqs = listed.map((entry) => entry.seq)
  const firstSeq = lowestOf(seqs)
  const hasIds = listed.every(({ eventId }) => eventId !== null)
  const entries = packEntries(listed, { firstSeq, rawBytes: block.rawBytes, hasIds })
  const header = Buffer.alloc(BLOCK_HEADER_BYTES + entries.length)
  const body = block.compressed
  const bytes = header.length + body.length + TRAILER_BYTES
  assert(bytes <= U32_MAX, 'a payload block fits 32 bits')
  header.writeUInt32LE(BLOCK_MAGIC, 0)
  header.writeUInt32LE(header.length, 4)
  header.writeUInt32LE(crc32(body), 12)
  header.writeUInt32LE(listed.length + (hasIds ? WITH_IDS : 0), 16)
  header.writeUInt32LE(block.rawBytes, 20)
  header.writeUInt32LE(body.length, 24)
  writeSeq(header, firstSeq, 28)
  writeSeq(header, highestOf(seqs), 36)
  writeSeq(header, batchLastSeq, 44)
  entries.copy(header, BLOCK_HEADER_BYTES)
  header.writeUInt32LE(crc32(header.subarray(12)), 8)
  const trailer = Buffer.alloc(TRAILER_BYTES)
  trailer.writeUInt32LE(bytes, 0)
  trailer.writeUInt32LE(TRAILER_MAGIC, 4)
  return Buffer.concat([header, body, trailer], bytes)
}

/** The fixed part of a header at `start`, before its crc is known to be right; `null` where none can begin. */
export function readBlockStart(bytes: Buffer, start: number): BlockHeader | null {
  if (bytes.length < BLOCK_HEADER_BYTES || bytes.readUInt32LE(0) !== BLOCK_MAGIC) return null
  const list = entryListOf(bytes)
  if (!isEntryList(list)) return null
  return {
    start,
    headerBytes: bytes.readUInt32LE(4),
    bodyBytes: bytes.readUInt32LE(24),
    rawBytes: bytes.readUInt32LE(20),
    bodyCrc: bytes.readUInt32LE(12),
    count: list.count,
    firstSeq: readSeq(bytes, 28),
    batchLastSeq: readSeq(bytes, 44),
  }
}

function entryListOf(header: Buffer): EntryList {
  const number = header.readUInt32LE(16)
  const hasIds = number >= WITH_IDS
  const bytes = header.readUInt32LE(4) - BLOCK_HEADER_BYTES
  return { count: hasIds ? number - WITH_IDS : number, hasIds, bytes }
}

/** True when the whole header is as it was written. */
export function isHeaderIntact(header: Buffer): boolean {
  return crc32(header.subarray(12)) === header.readUInt32LE(8)
}

/** First byte after a block. */
export function blockEnd(block: BlockHeader): number {
  return block.start + block.headerBytes + block.bodyBytes + TRAILER_BYTES
}

/** Length of the block that a trailer ends, or `null` where these bytes are no trailer. */
export function readTrailer(trailer: Buffer): number | null {
  return trailer.length === TRAILER_BYTES && trailer.readUInt32LE(4) === TRAILER_MAGIC
    ? trailer.readUInt32LE(0)
    : null
}

/** The entries that an intact header lists, in the order of the body. */
export function readBlockEntries(header: Buffer): BlockEntry[] {
  return unpackEntries(entriesIn(header), entryListOf(header), readSeq(header, 28))
}

/** The first entry of this project and id that an intact header lists, or `null`. */
export function findEntry(header: Buffer, project: number, id: EventId): BlockEntry | null {
  if (!hasEventId(entriesIn(header), entryListOf(header), id)) return null
  return readBlockEntries(header).find((entry) => entry.projectId === project && entry.eventId === id) ?? null
}

/** Calls `visit` for each entry with an id of an intact header: its project, and two words of the id, the first and the last. */
export function visitEntries(
  header: Buffer,
  visit: (project: number, firstWord: number, lastWord: number) => void,
): void {
  const entries = entriesIn(header)
  visitIds(entries, entryListOf(header), (project, at) => {
    visit(project, entries.readUInt32BE(at), entries.readUInt32BE(at + 12))
  })
}

function entriesIn(header: Buffer): Buffer {
  return header.subarray(BLOCK_HEADER_BYTES)
}

/** Seqs stay below 2^53: two halves, without a bigint. */
function writeSeq(bytes: Buffer, value: number, at: number): void {
  bytes.writeUInt32LE(value % 0x1_0000_0000, at)
  bytes.writeUInt32LE(Math.floor(value / 0x1_0000_0000), at + 4)
}

function readSeq(bytes: Buffer, at: number): number {
  return bytes.readUInt32LE(at + 4) * 0x1_0000_0000 + bytes.readUInt32LE(at)
}

function lowestOf(values: readonly number[]): number {
  return values.reduce((a, b) => Math.min(a, b), values[0] ?? 0)
}

function highestOf(values: readonly number[]): number {
  return values.reduce((a, b) => Math.max(a, b), 0)
}
