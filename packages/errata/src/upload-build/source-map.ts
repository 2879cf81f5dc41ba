/** A source map as a bundler wrote it: read within bounds, moved down a line, given a debug id. */
import { max } from '@errata/server/limits'

export type SourceMapJson = Readonly<Record<string, unknown>>

/** Problem of a map, as the end of a sentence. */
export class BrokenMap extends Error {}

/** @throws BrokenMap */
export function parseMap(text: string): SourceMapJson {
  if (text.length > max('mapBytesMax')) throw new BrokenMap(`it is larger than ${max('mapBytesMax')} bytes`)
  let map: unknown
  try {
    map = JSON.parse(text.startsWith(")]}'") ? text.slice(text.indexOf('\n') + 1) : text)
  } catch {
    throw new BrokenMap('it isn’t JSON')
  }
  if (!isObject(map)) throw new BrokenMap('it isn’t a JSON object')
  if (map.version !== 3 && map.version !== '3') throw new BrokenMap('it isn’t a source map of version 3')
  for (const section of sectionsOf(map)) checkPlain(section.map)
  if (map.sections === undefined) checkPlain(map)
  return map
}

interface Section {
  readonly line: number
  readonly column: number
  readonly map: SourceMapJson
}

/** Returns the sections of an index map; none for a plain one. @throws BrokenMap */
function sectionsOf(map: SourceMapJson): readonly Section[] {
  if (map.sections === undefined) return []
  if (!Array.isArray(map.sections)) throw new BrokenMap('its sections aren’t a list')
  return map.sections.map((section: unknown) => {
    const { offset, map: inner } = isObject(section) ? section : {}
    if (!isObject(offset) || !isObject(inner) || inner.sections !== undefined)
      throw new BrokenMap('one of its sections has no offset or no map')
    const { line, column } = offset
    if (typeof line !== 'number' || typeof column !== 'number' || line < 0 || line > max('mapLinesMax'))
      throw new BrokenMap('one of its sections has no position')
    return { line, column, map: inner }
  })
}

function checkPlain({ mappings, sources }: SourceMapJson): void {
  if (typeof mappings !== 'string') throw new BrokenMap('it has no mappings')
  if (!Array.isArray(sources)) throw new BrokenMap('it has no list of sources')
}

/** Returns the map for a script with one more line before line `at` (from 0). */
export function withLineBefore(map: SourceMapJson, at: number): SourceMapJson {
  if (map.sections === undefined) return plainWithLineBefore(map, at)
  const sections = sectionsOf(map).map(({ line, column, map: inner }) => {
    const isBehind = line >= at
    const moved = isBehind ? inner : plainWithLineBefore(inner, at - line)
    return { offset: { line: isBehind ? line + 1 : line, column }, map: moved }
  })
  return { ...map, sections }
}

/** Columns begin anew in each line and everything else counts on across lines: an empty one changes no other. */
function plainWithLineBefore({ mappings, ...rest }: SourceMapJson, at: number): SourceMapJson {
  // What describes ranges of what ran by lines of its own would say the wrong ones.
  const { scopes: _scopes, ...others } = rest
  if (typeof mappings !== 'string') return { ...others, mappings }
  let start = 0
  for (let line = 0; line < at; line++) {
    const end = mappings.indexOf(';', start)
    if (end === -1) return { ...others, mappings } // nothing is mapped from there on
    start = end + 1
  }
  return { ...others, mappings: `${mappings.slice(0, start)};${mappings.slice(start)}` }
}

/** True if a map says anything of a line (from 0) of its script. */
export function isLineMapped(map: SourceMapJson, line: number): boolean {
  if (map.sections !== undefined)
    return sectionsOf(map).some((each) => each.line <= line && isLineMapped(each.map, line - each.line))
  const { mappings } = map
  return typeof mappings === 'string' && (mappings.split(';', line + 1)[line] ?? '') !== ''
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Returns the map's debug id in lower case; `null` if it has none. */
export function debugIdOf({ debugId, debug_id: older }: SourceMapJson): string | null {
  const id = [debugId, older].find((each) => typeof each === 'string' && UUID.test(each))
  return typeof id === 'string' ? id.toLowerCase() : null
}

/** Under both names that tools read. */
export function withDebugId(map: SourceMapJson, debugId: string): SourceMapJson {
  return { ...map, debugId, debug_id: debugId }
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
