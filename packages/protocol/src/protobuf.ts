/**
 * Reads the wire format of Protocol Buffers, field by field and without a schema: the caller knows what a number means.
 * Works on bytes and copies none. A field that breaks off, or of a wire type that nobody writes any more, ends the
 * message.
 */

/** A field as it stands in the bytes. */
export interface ProtobufField {
  readonly number: number
  /** Value of a varint, bits of a fixed field; 0 for bytes. */
  readonly bits: bigint
  /** Bytes of texts, bytes and nested messages; `null` for numbers. */
  readonly bytes: Uint8Array | null
  /** Fields left of all messages that are read with it. */
  readonly left: FieldsLeft
}

/** How many fields may still be read: what is nearly nothing in the bytes may be a lot of work. */
export interface FieldsLeft {
  fields: number
}

export class ProtobufError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ProtobufError'
  }
}

const VARINT = 0
const FIXED_64 = 1
const BYTES = 2
const FIXED_32 = 5
/** Bytes of a value by its wire type; none for what tells its own length. */
const FIXED_BYTES: readonly (number | undefined)[] = [0, 8, undefined, undefined, undefined, 4]
const VARINT_BYTES_MAX = 10
const UINT_64 = 0xffff_ffff_ffff_ffffn

/**
 * The fields of a message, in the order in which they stand. @throws ProtobufError where the bytes are none, or none are
 * left to be read.
 */
export function* protobufFields(message: Uint8Array, left: FieldsLeft): Generator<ProtobufField> {
  const view = new DataView(message.buffer, message.byteOffset, message.byteLength)
  const at = { offset: 0 }
  while (at.offset < message.length) {
    takeOne(left)
    const tag = readTag(message, at)
    yield readField(Math.floor(tag / 8), tag % 8, { message, view, at, left })
  }
}

/** @throws ProtobufError where none are left. */
export function takeOne(left: FieldsLeft): void {
  if (--left.fields < 0) throw new ProtobufError('more fields than are read')
}

/** Place of a nested message among the bytes. */
export interface ProtobufRange {
  start: number
  end: number
}

/**
 * Goes through the fields of the message between `at.start` and `end` without making anything of them: `at.start` moves
 * to behind the next field. Answers its number, and in `found` where its bytes are; what has none, a number, is at -1.
 * @throws ProtobufError where the bytes are none.
 */
export function nextProtobufField(message: Uint8Array, at: ProtobufRange, found: ProtobufRange): number {
  const place = { offset: at.start }
  const tag = readTag(message, place)
  const wireType = tag % 8
  if (wireType === VARINT) readUint(message, place)
  const length = wireType === BYTES ? readLength(message, place) : (FIXED_BYTES[wireType] ?? null)
  if (length === null) throw new ProtobufError(`a field of wire type ${wireType}`)
  found.start = wireType === BYTES ? place.offset : -1
  found.end = place.offset + length
  if (found.end > at.end) throw new ProtobufError('a field that breaks off')
  at.start = found.end
  return Math.floor(tag / 8)
}

interface Place {
  readonly message: Uint8Array
  readonly view: DataView
  readonly at: { offset: number }
  readonly left: FieldsLeft
}

function readField(number: number, wireType: number, { message, view, at, left }: Place): ProtobufField {
  if (wireType === VARINT) return { number, bits: readVarint(message, at), bytes: null, left }
  const start = wireType === BYTES ? -1 : at.offset
  if (wireType === FIXED_64) {
    take(message, at, 8)
    return { number, bits: view.getBigUint64(start, true), bytes: null, left }
  }
  if (wireType === FIXED_32) {
    take(message, at, 4)
    return { number, bits: BigInt(view.getUint32(start, true)), bytes: null, left }
  }
  if (wireType !== BYTES) throw new ProtobufError(`a field of wire type ${wireType}`)
  const length = readLength(message, at)
  const from = at.offset
  take(message, at, length)
  return { number, bits: 0n, bytes: message.subarray(from, at.offset), left }
}

function take(message: Uint8Array, at: { offset: number }, length: number): void {
  at.offset += length
  if (at.offset > message.length) throw new ProtobufError('a field that breaks off')
}

function readTag(message: Uint8Array, at: { offset: number }): number {
  const tag = readUint(message, at)
  if (tag < 8 || tag > 0xffff_ffff) throw new ProtobufError('a field without a number')
  return tag
}

function readLength(message: Uint8Array, at: { offset: number }): number {
  const length = readUint(message, at)
  if (length > message.length) throw new ProtobufError('a field that breaks off')
  return length
}

/** A varint as a number: what is beyond 2^53 is inexact, and too much for whatever it counts. */
function readUint(message: Uint8Array, at: { offset: number }): number {
  let value = 0
  for (let nth = 0; nth < VARINT_BYTES_MAX; nth++) {
    const byte = message[at.offset++]
    if (byte === undefined) throw new ProtobufError('a number that breaks off')
    value += (byte & 0x7f) * 2 ** (7 * nth)
    if (byte < 0x80) return value
  }
  throw new ProtobufError('a number of more than ten bytes')
}

function readVarint(message: Uint8Array, at: { offset: number }): bigint {
  let small = 0
  // Most are below 2^28: those need no big number on the way.
  for (let nth = 0; nth < 4; nth++) {
    const byte = message[at.offset++]
    if (byte === undefined) throw new ProtobufError('a number that breaks off')
    small += (byte & 0x7f) * 2 ** (7 * nth)
    if (byte < 0x80) return BigInt(small)
  }
  let value = BigInt(small)
  for (let nth = 4; nth < VARINT_BYTES_MAX; nth++) {
    const byte = message[at.offset++]
    if (byte === undefined) throw new ProtobufError('a number that breaks off')
    value |= BigInt(byte & 0x7f) << BigInt(7 * nth)
    if (byte < 0x80) return value & UINT_64
  }
  throw new ProtobufError('a number of more than ten bytes')
}
