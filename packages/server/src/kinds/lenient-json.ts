/** JSON as clients write it: with a byte order mark, with the bare tokens of old Python clients, in broken UTF-8. */

import { max } from '#limits/limits.ts'

// A string, or one of the tokens outside of strings. A string that is never closed matches nothing and costs once.
const TOKENS = /"(?:[^"\\]|\\.)*"|-?\bInfinity\b|\bNaN\b/gs
const MARK = 0xfeff

const UNICODE_ESCAPE = Buffer.from('\\u')

/** True for JSON without an escape that could write a NUL or half of a surrogate pair. */
export function isPlainJson(bytes: Uint8Array): boolean {
  return !Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(UNICODE_ESCAPE)
}

/**
 * True for what would be many times its size in memory, once parsed: `{},{},…`. Commas and brackets within texts count
 * as well, so that one look at the bytes is enough; short ones need none.
 */
export function hasTooManyValues(bytes: Uint8Array): boolean {
  const valuesMax = max('jsonValuesMax')
  if (bytes.length <= valuesMax) return false
  let count = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === COMMA || byte === BRACE || byte === BRACKET) count++
  }
  return count > valuesMax
}

const [COMMA, BRACE, BRACKET] = [0x2c, 0x7b, 0x5b]

/** The value, or `undefined` when the bytes are no JSON. Never throws. */
export function readLenientJson(bytes: Uint8Array): unknown {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
  const plain = text.charCodeAt(0) === MARK ? text.slice(1) : text
  const value = parseJson(plain)
  if (value !== undefined || !(plain.includes('NaN') || plain.includes('Infinity'))) return value
  return parseJson(plain.replace(TOKENS, (token) => (token.startsWith('"') ? token : 'null')))
}

/** The value of strict JSON, or `undefined`. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // JSON.parse throws for what is no JSON: the caller counts it
  }
}
