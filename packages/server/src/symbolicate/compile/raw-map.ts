/** A source map as its tool wrote it (ECMA-426), checked and bounded before anything is made of it. */
import { isObject } from '#base/json.ts'
import { max } from '#limits/limits.ts'
import { withWebpackScheme } from './webpack-scheme.ts'

/** Map within an index map, or the only one of a plain map. */
export interface MapSection {
  /** Line in the file that ran where it begins, counted from 0. */
  readonly line: number
  readonly column: number
  readonly mappings: string
  /** With `sourceRoot` before them; `null` where the map names none. */
  readonly sources: readonly (string | null)[]
  readonly contents: readonly (string | null)[]
  readonly names: readonly string[]
  /** `scopes` as they are written; empty where there are none. */
  readonly scopes: string
  /** `x_facebook_sources`, unread. */
  readonly metroSources: unknown
  /** Indices of sources. */
  readonly ignored: ReadonlySet<number>
}

/** A map that cannot be read, and what is wrong with it. */
export class DamagedMap extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'DamagedMap'
  }
}

const SECTIONS_MAX = max('mapSectionsMax')
const LINES_MAX = max('mapLinesMax')
const SOURCES_MAX = max('mapSourcesMax')
const NAMES_MAX = max('mapNamesMax')
const COLUMNS_MAX = 2 ** 31 - 1
const ABSOLUTE = /^(?:[a-z][a-z0-9+.-]*:|\/)/i

/**
 * Reads a source map as it was uploaded.
 * @throws DamagedMap
 */
export function readRawMap(bytes: Uint8Array): readonly MapSection[] {
  if (bytes.length > max('mapBytesMax')) throw new DamagedMap(`larger than ${max('mapBytesMax')} bytes`)
  const map = parse(bytes)
  if (map.sections === undefined) return [readSection(map, { line: 0, column: 0 })]
  if (!Array.isArray(map.sections)) throw new DamagedMap('its sections are no list')
  if (map.sections.length > SECTIONS_MAX) throw new DamagedMap(`more than ${SECTIONS_MAX} sections`)
  const sections = map.sections.map(readIndexedSection)
  for (const [at, section] of sections.entries()) {
    const before = sections[at - 1]
    if (before !== undefined && !isBehind(section, before)) throw new DamagedMap('its sections are unsorted')
  }
  if (sum(sections, ({ sources }) => sources.length) > SOURCES_MAX)
    throw refuseTooMany('sources', SOURCES_MAX)
  if (sum(sections, ({ names }) => names.length) > NAMES_MAX) throw refuseTooMany('names', NAMES_MAX)
  return sections
}

function parse(bytes: Uint8Array): Readonly<Record<string, unknown>> {
  let map: unknown
  try {
    map = JSON.parse(withoutGuard(new TextDecoder('utf-8', { fatal: true }).decode(bytes)))
  } catch {
    throw new DamagedMap('no JSON')
  }
  if (!isObject(map)) throw new DamagedMap('no JSON object')
  if (map.version !== 3 && map.version !== '3') throw new DamagedMap('not a source map of version 3')
  return map
}

/** Some servers put `)]}'` before JSON, so that no script tag can read it. */
function withoutGuard(text: string): string {
  return text.startsWith(")]}'") ? text.slice(text.indexOf('\n') + 1) : text
}

function readIndexedSection(section: unknown): MapSection {
  if (!isObject(section) || !isObject(section.offset) || !isObject(section.map)) {
    throw new DamagedMap('a section without offset and map')
  }
  if (section.map.sections !== undefined) throw new DamagedMap('a section made of sections')
  const line = wholeNumber(section.offset.line, LINES_MAX)
  const column = wholeNumber(section.offset.column, COLUMNS_MAX)
  if (line === null || column === null) throw new DamagedMap('a section at no place')
  return readSection(section.map, { line, column })
}

function readSection(
  map: Readonly<Record<string, unknown>>,
  offset: { readonly line: number; readonly column: number },
): MapSection {
  const { mappings, sourceRoot } = map
  if (typeof mappings !== 'string') throw new DamagedMap('no mappings')
  const root = typeof sourceRoot === 'string' && sourceRoot !== '' ? sourceRoot.replace(/\/?$/, '/') : ''
  const sources = textsOf(map.sources, 'sources', SOURCES_MAX).map((source) =>
    source === null || ABSOLUTE.test(source) ? source : root + source,
  )
  return {
    ...offset,
    ...{ mappings, sources: root === '' ? withWebpackScheme(sources) : sources },
    contents: textsOf(map.sourcesContent ?? [], 'sourcesContent', SOURCES_MAX),
    names: textsOf(map.names ?? [], 'names', NAMES_MAX).map((name) => name ?? ''),
    scopes: typeof map.scopes === 'string' ? map.scopes : '',
    metroSources: map.x_facebook_sources,
    ignored: ignoredOf(map.ignoreList ?? map.x_google_ignoreList),
  }
}

function textsOf(value: unknown, what: string, most: number): readonly (string | null)[] {
  if (!Array.isArray(value)) throw new DamagedMap(`its ${what} are no list`)
  if (value.length > most) throw refuseTooMany(what, most)
  return value.map((each) => (typeof each === 'string' ? each : null))
}

function ignoredOf(value: unknown): ReadonlySet<number> {
  if (!Array.isArray(value)) return new Set()
  return new Set(value.filter((each): each is number => typeof each === 'number'))
}

function wholeNumber(value: unknown, most: number): number | null {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= most ? value : null
}

function isBehind(one: MapSection, other: MapSection): boolean {
  return one.line > other.line || (one.line === other.line && one.column >= other.column)
}

function sum(sections: readonly MapSection[], count: (section: MapSection) => number): number {
  return sections.reduce((total, section) => total + count(section), 0)
}

function refuseTooMany(what: string, most: number): DamagedMap {
  return new DamagedMap(`more than ${most} ${what}`)
}
