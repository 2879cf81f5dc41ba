/** Compiled source maps in memory, as the stores hold them on disk. */
import assert from 'node:assert/strict'
import type { FoundBy, MapLookup, OriginalPlaces, RanFile, Unresolved } from '#model/map-lookup.ts'
import { compileMap, type MapToCompile } from '#symbolicate/compile/compile.ts'
import { openCompiledMap } from '#symbolicate/compiled/open.ts'

/** A source map, or the JSON of one. */
export type MapJson = Readonly<Record<string, unknown>> | Uint8Array

export function compiledBytes(map: MapJson, rest: Partial<Omit<MapToCompile, 'map'>> = {}): Uint8Array {
  const json = map instanceof Uint8Array ? map : Buffer.from(JSON.stringify(map))
  return compileMap({ minified: null, ...rest, map: json })
}

export function originalPlaces(map: MapJson, rest: Partial<Omit<MapToCompile, 'map'>> = {}): OriginalPlaces {
  const places = openBytes(compiledBytes(map, rest))
  assert.ok(places !== null, 'the compiled map cannot be opened')
  return places
}

export function openBytes(bytes: Uint8Array): OriginalPlaces | null {
  return openCompiledMap({ read: (at, count) => bytes.subarray(at, at + count) })
}

interface MappedFile {
  /** Path as frames name it. */
  readonly path: string
  readonly map: MapJson
  readonly minified?: Uint8Array | null
}

export interface LookupOptions {
  readonly by?: FoundBy
  /** Reason for every other file. */
  readonly otherwise?: Unresolved
  readonly onAsked?: (file: RanFile) => void
}

/** A project to which the maps of these files were uploaded. */
export function aMapLookup(files: readonly MappedFile[], options: LookupOptions = {}): MapLookup {
  const { by = 'debug-id', otherwise = 'no_map_for_debug_id', onAsked } = options
  const found = new Map(
    files.map(({ path, map, minified = null }) => [path, originalPlaces(map, { minified })] as const),
  )
  return {
    mapOf(file) {
      onAsked?.(file)
      const places = found.get(file.path)
      if (places === undefined) return { found: false, why: otherwise }
      return { found: true, places, by, mapName: `${file.path}.map` }
    },
    actionName: () => null,
  }
}
