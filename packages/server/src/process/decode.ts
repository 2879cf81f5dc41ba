/** Bytes as received to one envelope: content codings undone within a bound, both framings read alike. */
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, zstdDecompressSync } from 'node:zlib'
import type { Envelope } from '@errata/protocol'
import type { KeptGunzip } from '#base/kept-gunzip.ts'
import { max } from '#limits/limits.ts'
import { readFraming } from '#model/framing.ts'
import type { ContentCoding, EnvelopeRecord } from '#model/record.ts'

export type DecodeAnswer =
  | { readonly ok: true; readonly bytes: Uint8Array; readonly envelope: Envelope }
  | {
      readonly ok: false
      readonly reason: 'invalid_encoding' | 'too_large' | 'invalid_envelope'
      /** Cause in words, without text of the body. */
      readonly cause: string
    }

const BYTES_MAX = max('bodyInflatedBytesMax')
const EVENT_BYTES_MAX = max('eventBytesMax')

/** Never throws. `bytes` is what the items' stretches point into. `kept` may be one that is used for many. */
export function decodeEnvelopeRecord(record: EnvelopeRecord, kept: KeptGunzip | null = null): DecodeAnswer {
  const inflated = inflateBody(record.body, record.encodings, kept)
  if (!inflated.ok) return inflated
  if (record.format === 'store') return storeEnvelope(inflated.bytes)
  const answer = readFraming(inflated.bytes)
  if (answer.ok) return { ok: true, bytes: inflated.bytes, envelope: answer.envelope }
  return { ok: false, reason: 'invalid_envelope', cause: answer.problem.cause }
}

type InflateAnswer =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly reason: 'invalid_encoding' | 'too_large'; readonly cause: string }

/** Undoes the codings, the last applied first. */
export function inflateBody(
  body: Uint8Array,
  encodings: readonly ContentCoding[],
  kept: KeptGunzip | null = null,
): InflateAnswer {
  let bytes = body
  for (const coding of encodings.toReversed()) {
    try {
      bytes = (coding === 'gzip' ? gunzipKept(bytes, kept) : null) ?? inflateOne(bytes, coding, BYTES_MAX)
    } catch (cause) {
      // zlib throws for what the client sent: that is an answer, not a failure of ours.
      return isTooLarge(cause)
        ? { ok: false, reason: 'too_large', cause: `more than ${BYTES_MAX} bytes decompressed` }
        : { ok: false, reason: 'invalid_encoding', cause: `not ${coding}` }
    }
  }
  return { ok: true, bytes }
}

/** `null`: it goes the usual way, which says what is wrong with it. */
function gunzipKept(bytes: Uint8Array, kept: KeptGunzip | null): Uint8Array | null {
  const said = saidBytes(bytes)
  if (kept === null || said === null) return null
  return said > bytes.length * RATIO_MAX || said > CHUNK_BYTES_MAX ? null : kept.gunzip(bytes, said)
}

function inflateOne(bytes: Uint8Array, coding: ContentCoding, maxOutputLength: number): Uint8Array {
  const options = { maxOutputLength }
  if (coding === 'gzip') return gunzipSync(bytes, { maxOutputLength, chunkSize: gzipChunkSize(bytes) })
  if (coding === 'br') return brotliDecompressSync(bytes, options)
  if (coding === 'zstd') return zstdDecompressSync(bytes, options)
  try {
    return inflateSync(bytes, options)
  } catch (cause) {
    if (isTooLarge(cause)) throw cause
    return inflateRawSync(bytes, options) // some clients send deflate without its zlib wrapper
  }
}

const CHUNK_BYTES_MIN = 1_024
const CHUNK_BYTES_MAX = max('inflateSyncOutputBytesMax')
/** Greatest ratio by which JSON shrinks, nearly always; a trailer that states more is not believed. */
const RATIO_MAX = 40

/**
 * Returns the chunk size that holds the whole output by gzip's trailer: two thirds of the cost of joining
 * chunks of 16 KiB. A trailer that lies costs more chunks, nothing else.
 */
function gzipChunkSize(bytes: Uint8Array): number {
  const told = saidBytes(bytes)
  if (told === null) return CHUNK_BYTES_MIN
  // One more byte than needed: a chunk that is full to the brim asks for another one.
  const wanted = Math.min(told + 1, bytes.length * RATIO_MAX, CHUNK_BYTES_MAX)
  return Math.max(wanted, CHUNK_BYTES_MIN)
}

/** Returns the length that gzip's trailer states. */
function saidBytes(bytes: Uint8Array): number | null {
  if (bytes.length < 18) return null
  return new DataView(bytes.buffer, bytes.byteOffset + bytes.length - 4, 4).getUint32(0, true)
}

function isTooLarge(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'ERR_BUFFER_TOO_LARGE'
}

/** Builds an envelope of one item from an event of the older endpoint. */
function storeEnvelope(body: Uint8Array): DecodeAnswer {
  const bytes = unwrapStore(body)
  if (bytes === null) {
    return { ok: false, reason: 'too_large', cause: `more than ${EVENT_BYTES_MAX} bytes decompressed` }
  }
  const item = { index: 0, type: 'event', header: {}, start: 0, end: bytes.length }
  return { ok: true, bytes, envelope: { header: {}, items: [item] } }
}

const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/

/** JSON, base64 of JSON, base64 of zlib of JSON, or zlib of it; `null` when it is too large. */
function unwrapStore(body: Uint8Array): Uint8Array | null {
  if (startsObject(body)) return body
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
    .toString('latin1')
    .replace(/\s+/g, '')
  const decoded = BASE64.test(text) ? Buffer.from(text, 'base64') : body
  if (startsObject(decoded)) return decoded
  try {
    return inflateOne(decoded, 'deflate', EVENT_BYTES_MAX)
  } catch (cause) {
    return isTooLarge(cause) ? null : body // not zlib either: its reader says "not JSON"
  }
}

function startsObject(bytes: Uint8Array): boolean {
  for (const byte of bytes) {
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return byte === 0x7b
  }
  return false
}
