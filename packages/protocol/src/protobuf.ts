/**
 * Reads the wire format of Protocol Buffers, field by field and without a schema: the caller knows what a number means.
 * Works on bytes and copies none. A field that breaks off, or of a wire type that nobody writes any more, ends the
 * message.
 */

/** A field as it stands in the bytes. */
export interface ProtobufField {
  readonly number: number
  /** Of a varint its value, of a fixed field its bits; 0 for bytes. */
  readonly bits: bigint
  /** Of text, bytes and nested messages; `null` for numbers. */
  readonly bytes: Uint8Array | null
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
const VARINT_BYTES_MAX = 10
const UINT_64 = 0xffff_ffff_ffff_ffffn

/** The fields of a message, in the order in which they stand. @throws ProtobufError where the bytes are none. */
export function* protobufFields(message: Uint8Array): Generator<ProtobufField> {
  const view = new DataView(message.buffer, message.byteOffset, message.byteLength)
  const at = { offset: 0 }
  while (at.offset < message.length) {
    const tag = Number(readVarint(message, at))
    const number = Math.floor(tag / 8)
    if (number < 1 || number > 0x1fff_ffff) throw new ProtobufError('a field without a number')
    yield readField(number, tag % 8, { message, view, at })
  }
}

interface Place {
  readonly message: Uint8Array
  readonly view: DataView
  readonly at: { offset: number }
}

function readField(number: number, wireType: number, { message, view, at }: Place): ProtobufField {
  if (wireType === VARINT) return { number, bits: readVarint(message, at), bytes: null }
  const start = wireType === BYTES ? -1 : at.offset
  if (wireType === FIXED_64) {
    take(message, at, 8)
    return { number, bits: view.getBigUint64(start, true), bytes: null }
  }
  if (wireType === FIXED_32) {
    take(message, at, 4)
    return { number, bits: BigInt(view.getUint32(start, true)), bytes: null }
  }
  if (wireType !== BYTES) throw new ProtobufError(`a field of wire type ${wireType}`)
  const length = readVarint(message, at)
  if (length > BigInt(message.length)) throw new ProtobufError('a field that breaks off')
  const from = at.offset
  take(message, at, Number(length))
  return { number, bits: 0n, bytes: message.subarray(from, at.offset) }
}

function take(message: Uint8Array, at: { offset: number }, length: number): void {
  at.offset += length
  if (at.offset > message.length) throw new ProtobufError('a field that breaks off')
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
