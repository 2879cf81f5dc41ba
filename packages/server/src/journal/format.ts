/**
 * The journal's files, byte by byte. All numbers are little-endian; a u64 is two u32, low half first.
 *
 * ```
 * journal-0000000000000001.log              mode 0600, in a directory of mode 0700
 * ┌ file header, 72 bytes: these 36 twice ─────────────────────────────────────────┐
 * │ 0 magic "ERRATAJN" │ 8 version u32 │ 12 marker u32 │ 16 seed u32 │ 20 skipped u32│
 * │ 24 firstSeq u64    │ 32 crc32 of bytes 0 to 31                                  │
 * ├ record ────────────────────────────────────────────────────────────────────────┤
 * │ 0 marker u32 │ 4 length u32 │ 8 crc32 u32 │ 12 type u32 (1 envelope, 2 outcomes) │
 * │ 16 seq u64   │ 24 receivedMs u64                                               │
 * │ 32 metaLength u32 │ 36 meta, JSON │ 36 + metaLength: body, up to 32 + length     │
 * ├ record … ──────────────────────────────────────────────────────────────────────┤
 * ```
 *
 * `length` counts the bytes behind the fixed 32; `crc32` covers everything behind itself (type, seq, receivedMs, meta
 * and body), starting from the file's `seed`. `marker` and `seed` are random for each file and never leave the disk:
 * a body cannot imitate a record, so that after damage the next record is found by looking for the marker. Without
 * them no record can be read, so the header stands there twice.
 */
import { crc32 } from 'node:zlib'
import { ErrataError } from '#base/errors.ts'
import { keyId, projectId, type Seq, seq } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { SetAside } from '#model/large-item.ts'
import type { CountedOutcome } from '#model/outcome.ts'
import type { ContentCoding, EnvelopeRecord, JournalRecord, SequencedRecord } from '#model/record.ts'

const FORMAT_VERSION = 1
const HEADER_COPY_BYTES = 36
export const JOURNAL_HEADER_BYTES = 2 * HEADER_COPY_BYTES
export const RECORD_HEADER_BYTES = 32
const MAGIC = Buffer.from('ERRATAJN', 'latin1')
const CRC_FROM = 12
const U32 = 0x1_0000_0000

/** Room for a record's meta and for a full table of counted refusals. */
const META_BYTES_MAX = 256 * 1024
export const RECORD_BYTES_MAX = RECORD_HEADER_BYTES + 4 + META_BYTES_MAX + max('bodyBytesMax')

/** Content of the file header, which every record of the file is checked against. */
export interface JournalSeal {
  readonly marker: number
  readonly seed: number
  readonly firstSeq: number
  /** Numbers right before `firstSeq` that no kept record has: a disk refused them, and their senders were told. */
  readonly skipped: number
}

export function encodeJournalHeader(seal: JournalSeal): Buffer {
  const copy = encodeHeaderCopy(seal)
  return Buffer.concat([copy, copy])
}

function encodeHeaderCopy(seal: JournalSeal): Buffer {
  const header = Buffer.alloc(HEADER_COPY_BYTES)
  MAGIC.copy(header, 0)
  header.writeUInt32LE(FORMAT_VERSION, 8)
  header.writeUInt32LE(seal.marker, 12)
  header.writeUInt32LE(seal.seed, 16)
  header.writeUInt32LE(seal.skipped, 20)
  writeU64(header, seal.firstSeq, 24)
  header.writeUInt32LE(crc32(header.subarray(0, HEADER_CRC_AT)), HEADER_CRC_AT)
  return header
}

const HEADER_CRC_AT = 32

/** From the first `FILE_HEADER_BYTES` of a file; `null` when it is no journal file of this version. */
export function decodeFileHeader(bytes: Buffer): JournalSeal | null {
  for (const at of [0, HEADER_COPY_BYTES]) {
    const copy = bytes.subarray(at, at + HEADER_COPY_BYTES)
    if (isIntactCopy(copy)) return readSeal(copy)
  }
  return null
}

function isIntactCopy(copy: Buffer): boolean {
  if (copy.length < HEADER_COPY_BYTES) return false
  if (copy.compare(MAGIC, 0, 8, 0, 8) !== 0 || copy.readUInt32LE(8) !== FORMAT_VERSION) return false
  return copy.readUInt32LE(HEADER_CRC_AT) === crc32(copy.subarray(0, HEADER_CRC_AT))
}

function readSeal(bytes: Buffer): JournalSeal {
  return {
    marker: bytes.readUInt32LE(12),
    seed: bytes.readUInt32LE(16),
    firstSeq: readU64(bytes, 24),
    skipped: bytes.readUInt32LE(20),
  }
}

/** A record but for its place in a file. */
export interface EncodedRecord {
  readonly type: 1 | 2
  readonly meta: string
  readonly metaBytes: number
  readonly body: Uint8Array
  /** Length of the whole record in the file. */
  readonly bytes: number
  readonly receivedMs: number
}

/**
 * Encodes a record of the journal.
 * @throws ErrataError('body_too_large') when body or meta exceed what a record may hold.
 */
export function encodeRecord(record: JournalRecord): EncodedRecord {
  const isEnvelope = record.type === 'envelope'
  const meta = isEnvelope ? envelopeMeta(record) : ''
  const body = isEnvelope ? record.body : Buffer.from(JSON.stringify(record.outcomes))
  const metaBytes = Buffer.byteLength(meta)
  const bytes = RECORD_HEADER_BYTES + 4 + metaBytes + body.length
  if (metaBytes > META_BYTES_MAX || bytes > RECORD_BYTES_MAX) {
    throw new ErrataError('body_too_large', `a journal record of ${bytes} bytes exceeds its limit`)
  }
  return { type: isEnvelope ? 1 : 2, meta, metaBytes, body, bytes, receivedMs: record.receivedMs }
}

/** Bytes of a record before its body. */
export function headBytes(record: EncodedRecord): number {
  return RECORD_HEADER_BYTES + 4 + record.metaBytes
}

/**
 * Writes a record at `offset` of `into`, with its body where `withBody` says so, and answers the offset behind what was
 * written. The checksum covers the body in either case.
 */
export function writeRecord(
  record: EncodedRecord,
  into: { readonly bytes: Buffer; readonly offset: number; readonly withBody: boolean },
  at: { readonly seal: JournalSeal; readonly seq: number; readonly receivedMs: number },
): number {
  const { bytes, offset, withBody } = into
  bytes.writeUInt32LE(at.seal.marker, offset)
  bytes.writeUInt32LE(record.bytes - RECORD_HEADER_BYTES, offset + 4)
  bytes.writeUInt32LE(record.type, offset + 12)
  writeU64(bytes, at.seq, offset + 16)
  writeU64(bytes, at.receivedMs, offset + 24)
  bytes.writeUInt32LE(record.metaBytes, offset + RECORD_HEADER_BYTES)
  bytes.write(record.meta, offset + RECORD_HEADER_BYTES + 4)
  const end = offset + (withBody ? record.bytes : headBytes(record))
  if (withBody) bytes.set(record.body, offset + headBytes(record))
  const sum = crc32(bytes.subarray(offset + CRC_FROM, end), at.seal.seed)
  bytes.writeUInt32LE(withBody ? sum : crc32(record.body, sum), offset + 8)
  return end
}

/** Result of reading at an offset: a whole record, the beginning of one (`need` bytes), or damage. */
export type ReadStep =
  | {
      readonly kind: 'record'
      readonly bytes: number
      readonly seq: number
      readonly receivedMs: number
    }
  | { readonly kind: 'short'; readonly need: number }
  | { readonly kind: 'bad' }

const BAD: ReadStep = { kind: 'bad' }

/** Looks at the record that begins at `at`. Never reads beyond `end`. */
export function readStep(
  bytes: Buffer,
  at: number,
  { end, seal }: { end: number; seal: JournalSeal },
): ReadStep {
  const left = end - at
  if (left < RECORD_HEADER_BYTES) return { kind: 'short', need: RECORD_HEADER_BYTES }
  if (bytes.readUInt32LE(at) !== seal.marker) return BAD
  const total = RECORD_HEADER_BYTES + bytes.readUInt32LE(at + 4)
  if (total > RECORD_BYTES_MAX || total < RECORD_HEADER_BYTES + 4) return BAD
  if (left < total) return { kind: 'short', need: total }
  if (!isSound(bytes, at, { end: at + total, seal })) return BAD
  return { kind: 'record', bytes: total, seq: readU64(bytes, at + 16), receivedMs: readU64(bytes, at + 24) }
}

/** Fixed part of a record, whether or not the record is whole. */
export interface RecordHead {
  readonly marker: number
  /** Length of the whole record. */
  readonly total: number
  readonly type: number
  readonly seq: number
}

/** Reads the head of a journal's record. `null` where fewer bytes are left, or it says what no record can be. */
export function readHead(bytes: Buffer, at: number): RecordHead | null {
  if (bytes.length - at < RECORD_HEADER_BYTES) return null
  const total = RECORD_HEADER_BYTES + bytes.readUInt32LE(at + 4)
  if (total > RECORD_BYTES_MAX || total < RECORD_HEADER_BYTES + 4) return null
  return {
    ...{ marker: bytes.readUInt32LE(at), total },
    ...{ type: bytes.readUInt32LE(at + 12), seq: readU64(bytes, at + 16) },
  }
}

/** True when a record that begins at `at` and ends at `end` is as it was written, but perhaps for marker and length. */
export function isSound(
  bytes: Buffer,
  at: number,
  { end, seal }: { end: number; seal: JournalSeal },
): boolean {
  return crc32(bytes.subarray(at + CRC_FROM, end), seal.seed) === bytes.readUInt32LE(at + 8)
}

/** Decodes a record that `readStep` found whole. `body` is a view of `bytes`. */
export function decodeRecord(
  bytes: Buffer,
  at: number,
  { total, shift = 0 }: { readonly total: number; readonly shift?: number },
): SequencedRecord {
  const place = { seq: seq(readU64(bytes, at + 16) + shift), receivedMs: readU64(bytes, at + 24) }
  const metaFrom = at + RECORD_HEADER_BYTES + 4
  const metaTo = metaFrom + bytes.readUInt32LE(at + RECORD_HEADER_BYTES)
  const body = bytes.subarray(metaTo, at + total)
  if (bytes.readUInt8(at + 12) === 2) {
    // Written by encodeRecord from CountedOutcome[] and covered by the crc.
    const outcomes = JSON.parse(body.toString()) as CountedOutcome[]
    return { type: 'outcomes', ...place, outcomes }
  }
  return decodeEnvelope({ meta: bytes.toString('utf8', metaFrom, metaTo), body, ...place })
}

/** An array, not an object: the names would be a third of a small record. */
type EnvelopeMeta = [
  projectId: number,
  keyId: number,
  clientAddress: string | null,
  userAgent: string | null,
  client: string | null,
  encodings: readonly ContentCoding[],
  format: 'envelope' | 'store',
  eventId: string | null,
  skippedItems: readonly number[],
  /** Absent where nothing was put aside, as in records of an older version. */
  setAside?: readonly SetAside[],
]

function envelopeMeta(record: EnvelopeRecord): string {
  const meta: EnvelopeMeta = [
    record.projectId,
    record.keyId,
    record.clientAddress,
    record.userAgent,
    record.client,
    record.encodings,
    record.format,
    record.eventId,
    record.skippedItems,
  ]
  if (record.setAside !== undefined && record.setAside.length > 0) meta.push(record.setAside)
  return JSON.stringify(meta)
}

function decodeEnvelope(from: {
  meta: string
  body: Uint8Array
  seq: Seq
  receivedMs: number
}): EnvelopeRecord & { readonly seq: Seq } {
  const meta = JSON.parse(from.meta) as EnvelopeMeta // written by envelopeMeta and covered by the crc
  return {
    type: 'envelope',
    seq: from.seq,
    receivedMs: from.receivedMs,
    projectId: projectId(meta[0]),
    keyId: keyId(meta[1]),
    clientAddress: meta[2],
    userAgent: meta[3],
    client: meta[4],
    encodings: meta[5],
    format: meta[6],
    eventId: meta[7],
    skippedItems: meta[8],
    ...(meta[9] !== undefined && { setAside: meta[9] }),
    body: from.body,
  }
}

function writeU64(bytes: Buffer, value: number, at: number): void {
  bytes.writeUInt32LE(value % U32, at)
  bytes.writeUInt32LE(Math.floor(value / U32), at + 4)
}

function readU64(bytes: Buffer, at: number): number {
  return bytes.readUInt32LE(at + 4) * U32 + bytes.readUInt32LE(at)
}

const FILE_NAME = /^journal-(\d{16})\.log$/

export function fileName(firstSeq: number): string {
  return `journal-${String(firstSeq).padStart(16, '0')}.log`
}

/** First seq that the name says, or `null` for any other file. */
export function readFileName(name: string): number | null {
  const match = FILE_NAME.exec(name)
  return match === null ? null : Number(match[1])
}
