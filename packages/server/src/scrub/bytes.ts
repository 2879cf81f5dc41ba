/**
 * Scrubs bytes that could not be processed, by patterns alone: nothing of them is parsed as an event. Bytes that are
 * no text pass through unchanged in place.
 */
import type { ScrubOptions } from '#ports/projects.ts'
import { FILTERED } from './filtered.ts'
import { SecretKeys } from './keys.ts'
import { scrubPrivateKeys } from './patterns.ts'
import { scrubText, type TextScrubOptions } from './text.ts'

const LINE_CHARS_MAX = 1_048_576
const NEWLINE = '\n'
const DEFAULT_OPTIONS: Pick<ScrubOptions, 'extraKeys' | 'allowedKeys'> = { extraKeys: [], allowedKeys: [] }

/** Never throws; a line that resists is replaced whole. */
export function scrubBytes(
  bytes: Uint8Array,
  options: Pick<ScrubOptions, 'extraKeys' | 'allowedKeys'> = DEFAULT_OPTIONS,
): Uint8Array {
  const patterns: TextScrubOptions = {
    mode: 'text',
    keys: new SecretKeys(options),
    addresses: [],
    onFound: () => {},
    onRule: () => {},
    json: (value) => value,
    spend: () => true,
  }
  // Latin-1 keeps every byte: a secret's pattern is ASCII, and what is not comes back as it was.
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  const lines = scrubPrivateKeys(text, () => {}).split(NEWLINE)
  const scrubbed = lines.map((line) => scrubLine(line, patterns))
  return Buffer.from(scrubbed.join(NEWLINE), 'latin1')
}

function scrubLine(line: string, options: TextScrubOptions): string {
  if (line.length > LINE_CHARS_MAX) return FILTERED
  try {
    return scrubText(line, options)
  } catch {
    return FILTERED // the envelope is here because it broke something: it must not break this as well
  }
}
