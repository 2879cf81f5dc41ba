/**
 * Two questions about an event that need no JSON.parse, answered byte by byte: about 1 ns a byte, no recursion, no
 * allocation. What is no JSON at all gets some answer here; process finds out and counts it.
 */
const QUOTE = 0x22
const BACKSLASH = 0x5c
const BRACE_OPEN = 0x7b
const BRACE_CLOSE = 0x7d
const BRACKET_OPEN = 0x5b
const BRACKET_CLOSE = 0x5d
const COLON = 0x3a
const COMMA = 0x2c

export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** True when objects and arrays are nested more than `levelsMax` deep. */
export function isTooDeep(bytes: Uint8Array, { start, end }: ByteRange, levelsMax: number): boolean {
  let depth = 0
  for (let at = start; at < end; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) at = stringEnd(bytes, at + 1, end)
    else if (byte === BRACE_OPEN || byte === BRACKET_OPEN) {
      if (++depth > levelsMax) return true
    } else if (byte === BRACE_CLOSE || byte === BRACKET_CLOSE) depth--
  }
  return false
}

const LOW_BITS = 0x0101_0101
const HIGH_BITS = 0x8080_8080 | 0
const CASE_BITS = 0x2020_2020
const OPENS = 0x7b7b_7b7b
const CLOSES = 0x7d7d_7d7d

/**
 * False when brackets, strings not told apart from the rest, never stand more than `levelsMax` deep. Four bytes at a
 * time: a quarter of what `isTooDeep` costs, and enough for what apps send. Closing brackets inside strings can hide
 * depth from it; whoever writes them gains nothing, since process reads such an event without going down.
 */
export function mayBeTooDeep(bytes: Uint8Array, { start, end }: ByteRange, levelsMax: number): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const deep = levelsMax - 4 // looked at every four bytes: between two looks it may have been so much deeper
  let depth = 0
  let at = start
  for (; at + 4 <= end; at += 4) {
    // `[` and `{` differ in the one bit that is set here, as do `]` and `}`.
    const four = view.getInt32(at, true) | CASE_BITS
    const opens = four ^ OPENS
    const closes = four ^ CLOSES
    if ((((opens - LOW_BITS) & ~opens) | ((closes - LOW_BITS) & ~closes)) & HIGH_BITS) {
      for (let one = at; one < at + 4; one++) depth += nesting(bytes[one])
      if (depth > deep) return true
      if (depth < 0) depth = 0
    }
  }
  for (; at < end; at++) depth += nesting(bytes[at])
  return depth > deep
}

function nesting(byte: number | undefined): number {
  if (byte === BRACE_OPEN || byte === BRACKET_OPEN) return 1
  return byte === BRACE_CLOSE || byte === BRACKET_CLOSE ? -1 : 0
}

/** The text of the string at a top-level key, as written; `null` when there is none or it has another type. */
export function topLevelString(bytes: Uint8Array, { start, end }: ByteRange, key: string): string | null {
  let depth = 0
  let isKey = false
  let isFound = false
  for (let at = start; at < end; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) {
      const close = stringEnd(bytes, at + 1, end)
      if (depth === 1 && isFound && !isKey) return asText(bytes, at + 1, close)
      if (depth === 1 && isKey) isFound = isText(bytes, { start: at + 1, end: close }, key)
      at = close
    } else if (byte === BRACE_OPEN || byte === BRACKET_OPEN) {
      depth++
      isKey = depth === 1 && byte === BRACE_OPEN
      if (depth === 2) isFound = false
    } else if (byte === BRACE_CLOSE || byte === BRACKET_CLOSE) depth--
    else if (depth === 1 && byte === COLON) isKey = false
    else if (depth === 1 && byte === COMMA) {
      isKey = true
      isFound = false
    }
  }
  return null
}

/** Where the string that began before `from` closes; `end` when it does not. */
function stringEnd(bytes: Uint8Array, from: number, end: number): number {
  for (let at = from; at < end; at++) {
    const byte = bytes[at]
    if (byte === BACKSLASH) at++
    else if (byte === QUOTE) return at
  }
  return end
}

function isText(bytes: Uint8Array, { start, end }: ByteRange, text: string): boolean {
  if (end - start !== text.length) return false
  for (let at = 0; at < text.length; at++) if (bytes[start + at] !== text.charCodeAt(at)) return false
  return true
}

const TEXT_BYTES_MAX = 256

function asText(bytes: Uint8Array, start: number, end: number): string | null {
  return end - start > TEXT_BYTES_MAX ? null : Buffer.from(bytes.subarray(start, end)).toString('utf8')
}
