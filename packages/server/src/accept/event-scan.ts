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

export interface ByteStretch {
  readonly start: number
  readonly end: number
}

/** True when objects and arrays are nested more than `levelsMax` deep. */
export function isTooDeep(bytes: Uint8Array, { start, end }: ByteStretch, levelsMax: number): boolean {
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
/** Set, these bits make one byte of all four brackets, and of `Y`, `y`, `_` and DEL, which cost a look and count nothing. */
const ALIKE_BITS = 0x2626_2626
const ALIKE = 0x7f7f_7f7f

/** By how much each byte changes the depth. */
const NESTING = new Int8Array(256)
for (const open of [BRACE_OPEN, BRACKET_OPEN]) NESTING[open] = 1
for (const close of [BRACE_CLOSE, BRACKET_CLOSE]) NESTING[close] = -1

/**
 * False when brackets, strings not told apart from the rest, never stand more than `levelsMax` deep. Four bytes at a
 * time: a quarter of what `isTooDeep` costs, and enough for what apps send. Closing brackets inside strings can hide
 * depth from it; whoever writes them gains nothing, since process reads such an event without going down.
 */
export function mayBeTooDeep(bytes: Uint8Array, { start, end }: ByteStretch, levelsMax: number): boolean {
  const deep = levelsMax - 4 // looked at every four bytes: between two looks it may have been so much deeper
  // Whole words begin where the memory's do, up to three bytes in.
  const first = start + (-(bytes.byteOffset + start) & 3)
  if (first + 4 > end) return nesting(bytes, start, end) > deep
  const words = new Int32Array(bytes.buffer, bytes.byteOffset + first, (end - first) >> 2)
  let depth = Math.max(0, nesting(bytes, start, first))
  for (let at = 0; at < words.length; at++) {
    const four = words[at] ?? 0
    const alike = (four | ALIKE_BITS) ^ ALIKE
    if ((((alike - LOW_BITS) | 0) & ~alike & HIGH_BITS) !== 0) {
      depth +=
        (NESTING[four & 0xff] ?? 0) +
        (NESTING[(four >>> 8) & 0xff] ?? 0) +
        (NESTING[(four >>> 16) & 0xff] ?? 0) +
        (NESTING[four >>> 24] ?? 0)
      if (depth > deep) return true
      if (depth < 0) depth = 0
    }
  }
  return depth + nesting(bytes, first + 4 * words.length, end) > deep
}

function nesting(bytes: Uint8Array, start: number, end: number): number {
  let depth = 0
  for (let at = start; at < end; at++) depth += NESTING[bytes[at] ?? 0] ?? 0
  return depth
}

/** The text of the string at a top-level key, as written; `null` when there is none or it has another type. */
export function topLevelString(bytes: Uint8Array, { start, end }: ByteStretch, key: string): string | null {
  let depth = 0
  let isKey = false
  let isFound = false
  for (let at = start; at < end; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) {
      const close = stringEnd(bytes, at + 1, end)
      if (depth === 1 && isFound && !isKey) return asText(bytes, at + 1, close)
      if (depth === 1 && isKey) isFound = isTextAt(bytes, { start: at + 1, end: close }, key)
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

/** Returns the index where the string that began before `from` closes; `end` if it does not. */
function stringEnd(bytes: Uint8Array, from: number, end: number): number {
  for (let at = from; at < end; at++) {
    const byte = bytes[at]
    if (byte === BACKSLASH) at++
    else if (byte === QUOTE) return at
  }
  return end
}

function isTextAt(bytes: Uint8Array, { start, end }: ByteStretch, text: string): boolean {
  if (end - start !== text.length) return false
  for (let at = 0; at < text.length; at++) if (bytes[start + at] !== text.charCodeAt(at)) return false
  return true
}

const TEXT_BYTES_MAX = 256

function asText(bytes: Uint8Array, start: number, end: number): string | null {
  return end - start > TEXT_BYTES_MAX ? null : Buffer.from(bytes.subarray(start, end)).toString('utf8')
}
