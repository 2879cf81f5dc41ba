/** Source maps as a thread that resolves frames sees them: the database of artifacts and the compiled maps, read only. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '#base/clock.ts'
import { HOUR_MS } from '#base/durations.ts'
import type { OrgId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import { type MapLookup, NOTHING_UPLOADED } from '#model/map-lookup.ts'
import type { MapIndex } from '#ports/artifacts.ts'
import { openMapFile } from '#store/artifact-files/map-files.ts'
import { openMapIndex } from '#store/sqlite/artifacts/map-index.ts'
import { MapMemory } from '#symbolicate/compiled/map-memory.ts'
import { openCompiledMap } from '#symbolicate/compiled/open.ts'
import { createMaps, type Maps, type ProjectOfOrg } from '#symbolicate/lookup.ts'
import { artifactIndexPath, artifactsPath } from '../directory/paths.ts'

export interface ThreadMapsOptions {
  /** The data directory. */
  readonly data: string
  readonly clock: Clock
  /** Frames are resolved with this map: told once an hour, however many there are. */
  readonly onUsed: (org: OrgId, mapKey: string) => void
}

/** Nothing is opened before the first upload. */
export function threadMaps(options: ThreadMapsOptions): Maps {
  const { data, clock } = options
  let index: MapIndex | null = null
  let maps: Maps | null = null
  let sinceMs = 0
  const path = artifactIndexPath(data)
  return {
    refresh() {
      index ??= existsSync(path) ? openMapIndex(path) : null
      if (index === null) return
      // Opened again each hour: who opens a map uses it, and no frame has to be counted.
      if (maps !== null && clock.elapsed() - sinceMs < HOUR_MS) maps.refresh()
      else {
        maps = openMaps(index, options)
        sinceMs = clock.elapsed()
      }
    },
    of: (project: ProjectOfOrg): MapLookup => maps?.of(project) ?? NOTHING_UPLOADED,
  }
}

function openMaps(index: MapIndex, { data, onUsed }: ThreadMapsOptions): Maps {
  const told = new Set<string>()
  const memory = new MapMemory(max('mapMemoryBytesMax'))
  return createMaps({
    index,
    open(org, mapKey) {
      const file = openMapFile(join(artifactsPath(data), 'maps', String(org), mapKey))
      if (file === null) return null
      const name = `${org}/${mapKey}`
      if (!told.has(name)) onUsed(org, mapKey)
      told.add(name)
      return openCompiledMap(file, memory)
    },
  })
}
