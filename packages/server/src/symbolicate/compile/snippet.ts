/**
 * Some builds put the snippet that registers a debug id before a file and leave its map as it was: every place is then
 * looked up too far down. Such a file is recognised by mappings that stand inside the snippet, where no source can be.
 */
import { mappingsOf } from './mappings.ts'
import type { MapSection } from './raw-map.ts'

interface Place {
  readonly line: number
  readonly column: number
}

/** From where the map says a mapping is to where it is in the file. Counted from 0. */
export type Shift = (place: Place) => Place

const AS_IT_IS: Shift = (place) => place

/** As the injectors write it, at the very beginning of a file or behind a hashbang or directive. */
const SNIPPET =
  /^(?:#![^\n]*\n)?(?:\s*["']use strict["'];?)?\s*(?:;?\s*!function\(\)\{try\{|;\{try\{\(function\(\)\{|!\(?function\(\)\{try\{)[^\n]{0,2000}?_sentryDebugId[^\n]{0,1200}?\}catch\(\w+\)\{\}(?:\}\(\);?|\}\)\(\);?\}?|;?\};?|\})[;\s]*?(?:\n|(?=\S)|$)/
const HEAD_CHARS = 4_096

export function shiftOf(minified: Uint8Array | null, sections: readonly MapSection[]): Shift {
  if (minified === null) return AS_IT_IS
  const head = Buffer.from(
    minified.buffer,
    minified.byteOffset,
    Math.min(minified.length, HEAD_CHARS),
  ).toString('utf8')
  const snippet = SNIPPET.exec(head)?.[0]
  if (snippet === undefined) return AS_IT_IS
  const lines = snippet.split('\n')
  const end: Place = { line: lines.length - 1, column: lines.at(-1)?.length ?? 0 }
  if (!isMappedBefore(end, sections)) return AS_IT_IS
  return ({ line, column }) => ({
    line: line + end.line,
    column: line === 0 ? column + end.column : column,
  })
}

function isMappedBefore(end: Place, sections: readonly MapSection[]): boolean {
  const [first] = sections
  if (first === undefined || first.line > 0) return false
  for (const { line, column, source } of mappingsOf(first.mappings)) {
    const behind = line === 0 ? first.column + column : column
    if (line > end.line || (line === end.line && behind >= end.column)) return false
    if (source >= 0) return true
  }
  return false
}
