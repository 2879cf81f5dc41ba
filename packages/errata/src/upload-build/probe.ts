/**
 * Place in a script whose original is known from its map alone: what the server is asked for, and should
 * answer.
 */
import {
  AnyMap,
  decodedMappings,
  type SourceMapInput,
  type SourceMapSegment,
  sourceContentFor,
  type TraceMap,
} from '@jridgewell/trace-mapping'
import { BrokenMap, type SourceMapJson } from './source-map.ts'

export interface Place {
  /** Source as the map names it. */
  readonly source: string
  /** From 1, as columns. */
  readonly line: number
  readonly column: number
}

export interface Probe {
  /** Line in the script, from 1. */
  readonly line: number
  readonly column: number
  readonly expected: Place
}

type Mapping = Exclude<SourceMapSegment, readonly [number]>

/** From best to worst: the app's own source with its text, any source with its text, any source. */
const RANKS = 3

/**
 * `null` where nothing of the script comes from a source.
 * @throws BrokenMap for a map of another script, and for one that cannot be read
 */
export function probeOf(map: SourceMapJson, script: string): Probe | null {
  const traced = tracedMap(map)
  const rankOf = rankerOf(traced)
  const counts: number[] = new Array(RANKS).fill(0)
  let outside = 0
  for (const [place, isInside] of placesOf(traced, script)) {
    if (isInside) counts[rankOf(place.mapping[1])] = (counts[rankOf(place.mapping[1])] ?? 0) + 1
    else outside++
  }
  const rank = counts.findIndex((count) => count > 0)
  if (rank === -1 && outside > 0)
    throw new BrokenMap('it maps places that the script doesn’t have, so it belongs to another build')
  // The middle one: the first and the last lines are often a bundler's own.
  let left = Math.floor((counts[rank] ?? 0) / 2)
  for (const [place, isInside] of placesOf(traced, script)) {
    if (!isInside || rankOf(place.mapping[1]) !== rank) continue
    if (left-- === 0) return asProbe(traced, place)
  }
  return null
}

function tracedMap(map: SourceMapJson): TraceMap {
  try {
    return new AnyMap(map as unknown as SourceMapInput) // checked by `parseMap`; the rest is what is caught here
  } catch (cause) {
    throw new BrokenMap(cause instanceof Error ? cause.message : String(cause))
  }
}

interface MappedPlace {
  /** From 0. */
  readonly line: number
  readonly mapping: Mapping
}

/** Places that only one mapping begins at, and whether the script has them. */
function* placesOf(traced: TraceMap, script: string): Generator<readonly [MappedPlace, isInside: boolean]> {
  const lengths = script.split('\n').map((line) => line.length)
  for (const [line, mappings] of decodedMappings(traced).entries()) {
    for (const [at, mapping] of mappings.entries()) {
      const isAlone = mappings[at - 1]?.[0] !== mapping[0] && mappings[at + 1]?.[0] !== mapping[0]
      if (mapping.length === 1 || !isAlone) continue
      yield [{ line, mapping }, mapping[0] < (lengths[line] ?? 0)]
    }
  }
}

/** Packages, and what bundlers write of their own: `webpack://shop/?1d95` is a module that is no file. */
const LIBRARY = /(?:^|\/)node_modules\/|^\0|webpack\/|\/\?[0-9a-f]+$|\[turbopack\]|^(?:vite|rolldown)[/:]/

function rankerOf(traced: TraceMap): (source: number) => number {
  const ignored = new Set(traced.ignoreList)
  const ranks = traced.sources.map((source, at) => {
    if (source === null || sourceContentFor(traced, source) === null) return 2
    return ignored.has(at) || LIBRARY.test(source) ? 1 : 0
  })
  return (source) => ranks[source] ?? 2
}

function asProbe(traced: TraceMap, { line, mapping }: MappedPlace): Probe {
  const [column, source, originalLine, originalColumn] = mapping
  return {
    ...{ line: line + 1, column: column + 1 },
    expected: { source: traced.sources[source] ?? '', line: originalLine + 1, column: originalColumn + 1 },
  }
}

/** True if the server's name of a source, without what differs between bundlers, is that of the map. */
export function isSamePlace(expected: Place, found: Place): boolean {
  return (
    expected.line === found.line &&
    expected.column === found.column &&
    nameOf(expected.source) === nameOf(found.source)
  )
}

/** The file's own name, without a query, percent signs, and what Turbopack writes behind it. */
function nameOf(source: string): string {
  const plain = source.replace(/ \[[a-z-]+\] \([a-z ,-]+\)$/, '').replace(/\?[^/]*$/, '')
  const name = plain.split(/[\\/]/).at(-1) ?? plain
  try {
    return decodeURIComponent(name)
  } catch {
    return name // a file may be named `100%.js`
  }
}
