/** JSON as clients write it: with a byte order mark, with the bare tokens of old Python clients, in broken UTF-8. */

// A string, or one of the tokens outside of strings. A string that is never closed matches nothing and costs once.
const TOKENS = /"(?:[^"\\]|\\.)*"|-?\bInfinity\b|\bNaN\b/gs
const MARK = 0xfeff

const UNICODE_ESCAPE = Buffer.from('\\u')

/** True for JSON without an escape that could write a NUL or half of a surrogate pair. */
export function isPlainJson(bytes: Uint8Array): boolean {
  return !Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(UNICODE_ESCAPE)
}

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
