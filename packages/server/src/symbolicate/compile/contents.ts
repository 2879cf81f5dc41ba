/** The text of sources in chunks that are unpacked one by one, each of whole lines. */
import { deflateRawSync } from 'node:zlib'
import { max } from '#limits/limits.ts'
import type { ByteWriter } from '../compiled/byte-writer.ts'
import { CHUNK_CHARS } from '../compiled/format.ts'

const LINE_CHARS_MAX = max('mapSourceLineCharsMax')

export interface WrittenContent {
  readonly chunks: number
  readonly lines: number
}

/** Appends the chunks of a text to `content`, and what finds them to `table` (docs: `format.ts`). */
export function writeContent(text: string, content: ByteWriter, table: number[]): WrittenContent {
  const lines = text.split(/\r\n|[\n\r\u2028\u2029]/)
  let chunks = 0
  let first = 0
  let chars = 0
  for (const [at, line] of lines.entries()) {
    chars += Math.min(line.length, LINE_CHARS_MAX) + 1
    if (chars < CHUNK_CHARS && at < lines.length - 1) continue
    const raw = Buffer.from(
      lines
        .slice(first, at + 1)
        .map((each) => each.slice(0, LINE_CHARS_MAX))
        .join('\n'),
    )
    const packed = deflateRawSync(raw)
    table.push(first, content.length, packed.length, raw.length)
    content.append(packed)
    chunks++
    first = at + 1
    chars = 0
  }
  return { chunks, lines: lines.length }
}
