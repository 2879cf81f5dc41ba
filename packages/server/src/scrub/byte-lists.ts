/** Texts that Node wrote as lists of bytes. */

/** Longer ones are files. */
const BYTES_MAX = 16_384
const BYTES_MIN = 6

/** Reads a list of bytes as text. `null` of what is no list of bytes; a text too short for a secret is an empty one. */
export function textOfBytes(value: unknown): string | null {
  if (!Array.isArray(value) || value.length > BYTES_MAX || !value.every(isByte)) return null
  const text = new TextDecoder().decode(Uint8Array.from(value, Number))
  return text.length < BYTES_MIN ? '' : text
}

function isByte(value: unknown): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 256
}
