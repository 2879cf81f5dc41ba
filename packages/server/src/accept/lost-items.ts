/** Kinds of what was refused unread: whoever sent a replay that broke did not lose an error. */
import {
  brotliDecompressSync,
  constants,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  zstdDecompressSync,
} from 'node:zlib'
import { categoryOf, OTLP_TRACES, readBrokenEnvelope } from '@errata/protocol'
import { max } from '#limits/limits.ts'
import { ATTACHMENT_NAME } from '#model/large-item.ts'
import type { ContentCoding } from '#model/record.ts'
import { readEncodings } from './inflate.ts'
import type { OutlineItem } from './outline.ts'
import type { Quantity } from './refusal.ts'
import { signalOf } from './signals.ts'
import type { RefusedBody } from './types.ts'

/** Counted as an error if nobody can tell: most of what is sent is one. */
const UNKNOWN_ITEMS: readonly Quantity[] = [{ category: 'error', quantity: 1 }]

/** By the address, else by the first bytes: what one says costs next to nothing. */
export function lostItems({ sent, begun = null }: Pick<RefusedBody, 'sent' | 'begun'>): readonly Quantity[] {
  if (sent?.signal !== undefined) return [categoryOf(signalOf(sent.signal).itemType, {})]
  if (sent?.format === 'otlp') return [categoryOf(OTLP_TRACES, {})]
  if (begun === null || begun.length === 0) return UNKNOWN_ITEMS
  const items = brokenItems(unpackedBeginning(begun, sent?.contentEncoding ?? null))
  return items ?? UNKNOWN_ITEMS
}

/** Returns the items of a broken envelope up to where it breaks; `null` if there are none. */
export function brokenItems(bytes: Uint8Array): readonly OutlineItem[] | null {
  const headers = readBrokenEnvelope(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), {
    headerBytesMax: max('envelopeHeaderBytesMax'),
    itemHeaderBytesMax: max('itemHeaderBytesMax'),
    itemsMax: max('envelopeItemsMax'),
  })
  if (headers.length === 0) return null
  return headers.map(({ type, header }, index) => {
    const item = { index, type, ...categoryOf(type, header) }
    return type === ATTACHMENT_NAME ? { ...item, bytes: saidLength(header.length) } : item
  })
}

/** Returns the length that an attachment states which did not come whole, within what may be sent. */
function saidLength(length: unknown): number {
  return typeof length === 'number' && length > 0
    ? Math.min(Math.floor(length), max('attachmentBytesMax'))
    : 0
}

/** Returns the readable beginning of a body; empty if there is none. */
function unpackedBeginning(body: Uint8Array, contentEncoding: string | null): Uint8Array {
  const encodings = readEncodings(contentEncoding) ?? []
  if (encodings.length === 0) return body.subarray(0, max('lostBytesReadMax'))
  const [coding] = encodings
  if (coding === undefined || encodings.length > 1) return NOTHING
  try {
    return unpack(body.subarray(0, max('lostPackedBytesReadMax')), coding)
  } catch {
    return NOTHING // not of that coding, or a bomb: nobody can tell what it was
  }
}

const NOTHING = new Uint8Array()

/** Inflates a stream that does not end, as far as it goes. */
function unpack(bytes: Uint8Array, coding: ContentCoding): Uint8Array {
  const maxOutputLength = max('lostBytesReadMax')
  const zlib = { maxOutputLength, finishFlush: constants.Z_SYNC_FLUSH }
  if (coding === 'gzip') return gunzipSync(bytes, zlib)
  if (coding === 'br') {
    return brotliDecompressSync(bytes, { maxOutputLength, finishFlush: constants.BROTLI_OPERATION_FLUSH })
  }
  if (coding === 'zstd')
    return zstdDecompressSync(bytes, { maxOutputLength, finishFlush: constants.ZSTD_e_flush })
  try {
    return inflateSync(bytes, zlib)
  } catch {
    return inflateRawSync(bytes, zlib) // some clients send no wrapper
  }
}
