/**
 * Envelopes: one JSON line, then items of one JSON line and a payload. docs/wire.md, section "Envelope".
 *
 *   envelope = header-json [ "\n" item ]* [ "\n" ]
 *   item     = header-json "\n" payload
 *
 * Works on bytes and copies none: an item's payload is a stretch [start, end) of the input.
 */

export interface EnvelopeLimits {
  readonly headerBytesMax: number
  readonly itemHeaderBytesMax: number
  readonly itemsMax: number
}

export const ENVELOPE_LIMITS_DEFAULT: EnvelopeLimits = {
  headerBytesMax: 64 * 1024,
  itemHeaderBytesMax: 16 * 1024,
  itemsMax: 1_000,
}

export type HeaderFields = Readonly<Record<string, unknown>>

export interface EnvelopeItem {
  /** Place within the envelope, from 0. */
  readonly index: number
  readonly type: string
  readonly header: HeaderFields
  /** Payload: bytes [start, end) of the envelope. */
  readonly start: number
  readonly end: number
}

export interface Envelope {
  readonly header: HeaderFields
  readonly items: readonly EnvelopeItem[]
}

export interface EnvelopeProblem {
  readonly code:
    | 'empty'
    | 'invalid_header'
    | 'header_too_large'
    | 'invalid_item_header'
    | 'item_header_too_large'
    | 'missing_item_type'
    | 'invalid_length'
    | 'truncated'
    | 'missing_newline'
    | 'too_many_items'
  /** Words for `causes`. */
  readonly cause: string
  /** Byte where it broke. */
  readonly at: number
}

export type EnvelopeAnswer =
  | { readonly ok: true; readonly envelope: Envelope }
  | { readonly ok: false; readonly problem: EnvelopeProblem }

const NEWLINE = 0x0a
const DECODER = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true })
const ENCODER = new TextEncoder()

/** Reads an envelope whole. Any framing error refuses all of it; a payload is not looked at. */
export function readEnvelope(
  bytes: Uint8Array,
  limits: EnvelopeLimits = ENVELOPE_LIMITS_DEFAULT,
): EnvelopeAnswer {
  const first = readEnvelopeHeader(bytes, limits)
  if (!first.ok) return first
  const items: EnvelopeItem[] = []
  let at = first.next
  while (at < bytes.length) {
    if (onlyNewlines(bytes, at)) break
    if (items.length >= limits.itemsMax) {
      return broken('too_many_items', `more than ${limits.itemsMax} items`, at)
    }
    const answer = readItem(bytes, at, { index: items.length, limits })
    if (!answer.ok) return answer
    items.push(answer.item)
    at = answer.next
  }
  return { ok: true, envelope: { header: first.header, items } }
}

/** The headers of items up to where an envelope breaks, that of the broken one included where it can be read. */
export function readBrokenEnvelope(
  bytes: Uint8Array,
  limits: EnvelopeLimits = ENVELOPE_LIMITS_DEFAULT,
): readonly Pick<EnvelopeItem, 'type' | 'header'>[] {
  const items: Pick<EnvelopeItem, 'type' | 'header'>[] = []
  // Also behind a first line that is broken itself: the items are what was lost.
  for (let at = lineEnd(bytes, 0) + 1; at < bytes.length && items.length < limits.itemsMax; ) {
    const end = lineEnd(bytes, at)
    const header = end - at > limits.itemHeaderBytesMax ? null : readJsonObject(bytes, at, end)
    if (header === null || typeof header.type !== 'string') break
    items.push({ type: header.type, header })
    const stop = payloadEnd(bytes, Math.min(end + 1, bytes.length), header.length)
    if (typeof stop !== 'number') break
    at = stop + 1
  }
  return items
}

/** Reads the first line alone: what a relay looks at before it lets the rest pass. `next` is the byte after it. */
export function readEnvelopeHeader(
  bytes: Uint8Array,
  limits: EnvelopeLimits = ENVELOPE_LIMITS_DEFAULT,
):
  | { readonly ok: true; readonly header: HeaderFields; readonly next: number }
  | { readonly ok: false; readonly problem: EnvelopeProblem } {
  if (bytes.length === 0) return broken('empty', 'empty request body', 0)
  const end = lineEnd(bytes, 0)
  if (end > limits.headerBytesMax) return broken('header_too_large', 'envelope header exceeds its limit', 0)
  const header = readJsonObject(bytes, 0, end)
  if (header === null) return broken('invalid_header', 'invalid envelope header', 0)
  return { ok: true, header, next: end + 1 }
}

/** Writes an envelope; payloads go with their length, so that any bytes are safe. */
export function writeEnvelope(
  header: HeaderFields,
  items: readonly { readonly header: HeaderFields; readonly payload: Uint8Array | string }[],
): Uint8Array {
  const parts: Uint8Array[] = [ENCODER.encode(`${JSON.stringify(header)}\n`)]
  for (const item of items) {
    const payload = typeof item.payload === 'string' ? ENCODER.encode(item.payload) : item.payload
    parts.push(
      ENCODER.encode(`${JSON.stringify({ ...item.header, length: payload.length })}\n`),
      payload,
      NEWLINE_BYTES,
    )
  }
  return joinBytes(parts)
}

const NEWLINE_BYTES = new Uint8Array([NEWLINE])

type ItemAnswer =
  | { readonly ok: true; readonly item: EnvelopeItem; readonly next: number }
  | { readonly ok: false; readonly problem: EnvelopeProblem }

function readItem(
  bytes: Uint8Array,
  at: number,
  { index, limits }: { readonly index: number; readonly limits: EnvelopeLimits },
): ItemAnswer {
  const end = lineEnd(bytes, at)
  if (end - at > limits.itemHeaderBytesMax)
    return broken('item_header_too_large', 'item header exceeds its limit', at)
  const header = readJsonObject(bytes, at, end)
  if (header === null) return broken('invalid_item_header', 'invalid item header', at)
  const type = header.type
  if (typeof type !== 'string') return broken('missing_item_type', 'invalid item header: no type', at)
  // An item header that ends the bytes has an empty payload.
  const start = Math.min(end + 1, bytes.length)
  const stop = payloadEnd(bytes, start, header.length)
  if (typeof stop !== 'number') return { ok: false, problem: stop }
  return { ok: true, item: { index, type, header, start, end: stop }, next: stop + 1 }
}

function payloadEnd(bytes: Uint8Array, start: number, length: unknown): number | EnvelopeProblem {
  if (length === undefined || length === null) return lineEnd(bytes, start)
  if (typeof length !== 'number' || !Number.isSafeInteger(length) || length < 0) {
    return { code: 'invalid_length', cause: 'invalid item header: length is not a whole number', at: start }
  }
  const end = start + length
  if (end > bytes.length) return { code: 'truncated', cause: 'unexpected end of file', at: start }
  if (end < bytes.length && bytes[end] !== NEWLINE) {
    return { code: 'missing_newline', cause: 'missing newline after payload', at: end }
  }
  return end
}

function lineEnd(bytes: Uint8Array, from: number): number {
  const at = bytes.indexOf(NEWLINE, from)
  return at === -1 ? bytes.length : at
}

function onlyNewlines(bytes: Uint8Array, from: number): boolean {
  for (let at = from; at < bytes.length; at++) if (bytes[at] !== NEWLINE) return false
  return true
}

/** Returns the JSON object of a line; `null` if it is none. */
export function readJsonObject(bytes: Uint8Array, start: number, end: number): HeaderFields | null {
  try {
    const value: unknown = JSON.parse(DECODER.decode(bytes.subarray(start, end)))
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as HeaderFields) // just checked: a JSON object
      : null
  } catch {
    return null // JSON.parse throws for what is no JSON: the caller names the line
  }
}

function broken(
  code: EnvelopeProblem['code'],
  cause: string,
  at: number,
): { readonly ok: false; readonly problem: EnvelopeProblem } {
  return { ok: false, problem: { code, cause, at } }
}

/** Returns one array of all bytes. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
