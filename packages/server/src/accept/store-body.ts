/** The older store endpoint's body: one event as JSON, or base64 of zlib of it. docs/wire.md, section "Store". */
import { inflateSync } from 'node:zlib'
import { isObject } from '#base/json.ts'
import { max } from '#limits/limits.ts'
import { isTooDeep } from './event-scan.ts'
import { Refused } from './refusal.ts'

export interface StoreEvent {
  /** The event as JSON text: the input itself, or what was inside its base64. */
  readonly bytes: Uint8Array
  /** True when `bytes` is not the input. */
  readonly isUnwrapped: boolean
  readonly fields: Readonly<Record<string, unknown>>
}

const BRACE_OPEN = 0x7b
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/

/**
 * Reads one event. These requests are rare and old, so that they are parsed here and bad JSON is refused at once.
 * @throws Refused
 */
export function readStoreBody(body: Uint8Array): StoreEvent {
  const bytes = unwrap(body)
  checkSize(bytes.length)
  if (isTooDeep(bytes, { start: 0, end: bytes.length }, max('jsonDepthMax'))) {
    throw new Refused({
      code: 'event_invalid',
      detail: 'invalid event envelope',
      causes: ['nested too deeply'],
      reason: 'too_deep',
    })
  }
  const fields = parseLenient(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8'))
  if (!isObject(fields)) {
    throw new Refused({
      code: 'event_invalid',
      detail: 'invalid event envelope',
      causes: ['the body is not a JSON object'],
      reason: fields === undefined ? 'invalid_json' : 'not_an_object',
    })
  }
  return { bytes, isUnwrapped: bytes !== body, fields }
}

/** Base64, zlib and neither, told apart by the first byte, as the wire has it. */
function unwrap(body: Uint8Array): Uint8Array {
  if (startsObject(body)) return body
  // Base64 of an event that is already compressed: twice its limit leaves room for padding and line ends.
  checkSize(body.length / 2)
  const text = Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1').replace(/\s+/g, '')
  if (!BASE64.test(text)) return body
  const decoded = Buffer.from(text, 'base64')
  if (startsObject(decoded)) return decoded
  try {
    return inflateSync(decoded, { maxOutputLength: max('eventBytesMax') })
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ERR_BUFFER_TOO_LARGE')
      throw refuseTooLarge()
    return body // not zlib either: what it is will be said as "not JSON"
  }
}

function startsObject(bytes: Uint8Array): boolean {
  const first = bytes.findIndex((byte) => byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09)
  return first >= 0 && bytes[first] === BRACE_OPEN
}

function checkSize(bytes: number): void {
  if (bytes > max('eventBytesMax')) throw refuseTooLarge()
}

function refuseTooLarge(): Refused {
  return new Refused({
    code: 'body_too_large',
    detail: `envelope exceeded size limits for type 'event' (at most ${max('eventBytesMax')} bytes)`,
    reason: 'too_large',
  })
}

/** JSON, or JSON with the bare tokens that old Python clients write. `undefined` for what is neither. */
function parseLenient(text: string): unknown {
  return tryParse(text) ?? tryParse(replaceNonFinite(text))
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // JSON.parse throws for what is no JSON: the caller says so
  }
}

/** `NaN`, `Infinity` and `-Infinity` outside of strings become `null`. */
function replaceNonFinite(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"|-?\bInfinity\b|\bNaN\b/gs, (token) =>
    token.startsWith('"') ? token : 'null',
  )
}
