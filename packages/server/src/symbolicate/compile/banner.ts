/**
 * `@sentry/*` 11 writes a line before the code of a server's entries when webpack has made their maps already: every
 * place on that line is looked up too far to the right.
 */
import { mappingsOf } from './mappings.ts'
import type { MapSection } from './raw-map.ts'

const BANNER = /^;\(function\(\)\{var g=globalThis\.__SENTRY_ORCHESTRION__[ -~]{1,4096}?\}\)\(\);/
const BANNER_BYTES_MAX = 8192
/** Mappings that are compared with the text. */
const COMPARED = 256
const WORD = /[\w$]/

/** How many bytes stand before what the map is of, all on the first line. */
export function bannerLength(minified: Uint8Array, sections: readonly MapSection[]): number {
  const head = textOf(minified, BANNER_BYTES_MAX)
  const length = BANNER.exec(head)?.[0].length ?? 0
  if (length === 0) return 0
  const columns = firstColumns(sections)
  const text = textOf(minified, length + (columns.at(-1) ?? 0) + 1)
  return withinWords(text.slice(length), columns) < withinWords(text, columns) ? length : 0
}

function textOf({ buffer, byteOffset, length }: Uint8Array, bytes: number): string {
  return Buffer.from(buffer, byteOffset, Math.min(length, bytes)).toString('latin1')
}

function firstColumns(sections: readonly MapSection[]): readonly number[] {
  const columns: number[] = []
  for (const section of sections) {
    if (section.line > 0) break
    for (const { line, column, source } of mappingsOf(section.mappings)) {
      if (line > 0 || columns.length === COMPARED) break
      if (source >= 0) columns.push(section.column + column)
    }
  }
  return columns
}

/** Mappings begin words: how many stand in the middle of one. */
function withinWords(text: string, columns: readonly number[]): number {
  return columns.filter((column) => WORD.test(text[column] ?? '') && WORD.test(text[column - 1] ?? '')).length
}
