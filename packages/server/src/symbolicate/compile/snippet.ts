/**
 * Some builds put the snippet that registers a debug id into a file and leave its map as it was: every place is then
 * looked up too far to the right or down. Such a file is recognised by mappings that stand inside the snippet, where no
 * source can be.
 */
import { bannerLength } from './banner.ts'
import { mappingsOf } from './mappings.ts'
import type { MapSection } from './raw-map.ts'

interface Place {
  readonly line: number
  readonly column: number
}

/** From where the map says a mapping is to where it is in the file. Counted from 0. */
export type Shift = (place: Place) => Place

interface Snippet {
  readonly start: Place
  readonly end: Place
}

const AS_IT_IS: Shift = (place) => place
/** Bundlers' plugins write the packages of a build into it too. */
const HEAD_BYTES = 64 * 1024
/** Injectors leave what must come first where it is: a hashbang, directives, comments. */
const FIRST = /^(?:#![^\n]*\n)?(?:\s|\/\/[^\n]*\n|\/\*[\s\S]*?\*\/|"use [^"\n]*";?|'use [^'\n]*';?)*/
const START = /^(?:!\(?function\(\)\{try\{|;?\{try\{)/
const MARK = '_sentryDebugIds'
const END = /\}catch\(\w{1,8}\)\{\}(?:\}\(\);|\}\)\(\);|\};)\n?/g

export function shiftOf(minified: Uint8Array | null, sections: readonly MapSection[]): Shift {
  if (minified === null) return AS_IT_IS
  const banner = bannerLength(minified, sections)
  const shift = shiftBySnippet(minified.subarray(banner), sections)
  if (banner === 0) return shift
  return (place) => {
    const { line, column } = shift(place)
    return { line, column: line === 0 ? column + banner : column }
  }
}

function shiftBySnippet(minified: Uint8Array, sections: readonly MapSection[]): Shift {
  const snippet = snippetOf(minified)
  if (snippet === null || !isMappedWithin(snippet, sections)) return AS_IT_IS
  const { start, end } = snippet
  const lines = end.line - start.line
  return (place) => {
    if (isBefore(place, start)) return place
    const column = place.line === start.line ? place.column - start.column + end.column : place.column
    return { line: place.line + lines, column }
  }
}

function snippetOf(minified: Uint8Array): Snippet | null {
  const { buffer, byteOffset, length } = minified
  const head = Buffer.from(buffer, byteOffset, Math.min(length, HEAD_BYTES)).toString('utf8')
  const startAt = FIRST.exec(head)?.[0].length ?? 0
  if (!START.test(head.slice(startAt, startAt + 32))) return null
  const mark = head.indexOf(MARK, startAt)
  if (mark === -1) return null
  END.lastIndex = mark
  const found = END.exec(head)
  return found === null
    ? null
    : { start: placeIn(head, startAt), end: placeIn(head, found.index + found[0].length) }
}

function placeIn(text: string, at: number): Place {
  const before = text.slice(0, at).split('\n')
  return { line: before.length - 1, column: before.at(-1)?.length ?? 0 }
}

/** A bundler that moves its map along may say of all of the snippet what it says of the place it was put to. */
function isMappedWithin({ start, end }: Snippet, sections: readonly MapSection[]): boolean {
  let before = ''
  for (const section of sections) {
    if (!isBefore(section, end)) return false
    for (const { line, column, source, sourceLine, sourceColumn } of mappingsOf(section.mappings)) {
      const place = { line: section.line + line, column: line === 0 ? section.column + column : column }
      if (!isBefore(place, end)) break
      if (source < 0 || isBefore(place, start)) continue
      const original = `${source}:${sourceLine}:${sourceColumn}`
      if (before !== '' && original !== before) return true
      before = original
    }
  }
  return false
}

function isBefore(one: Place, other: Place): boolean {
  return one.line < other.line || (one.line === other.line && one.column < other.column)
}
