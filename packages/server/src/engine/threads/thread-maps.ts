/** Source maps as a thread that resolves frames sees them: the database of artifacts and the compiled maps, read only. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { ProjectId } from '#base/ids.ts'
import type { MapLookup } from '#model/map-lookup.ts'
import { openMapFile } from '#store/artifact-files/map-files.ts'
import { openMapIndex } from '#store/sqlite/artifacts/artifact-database.ts'
import { openCompiledMap } from '#symbolicate/compiled/open.ts'
import { createMaps, type Maps } from '#symbolicate/lookup.ts'
import { artifactIndexPath, artifactsPath } from '../directory/paths.ts'

/** Nothing is opened before the first upload. */
export function threadMaps(data: string): Maps {
  let maps: Maps | null = null
  const path = artifactIndexPath(data)
  return {
    refresh() {
      if (maps !== null) maps.refresh()
      else if (existsSync(path)) maps = open(data, path)
    },
    of: (project: ProjectId): MapLookup => maps?.of(project) ?? NOTHING_UPLOADED,
  }
}

const NOTHING_UPLOADED: MapLookup = {
  mapOf: ({ debugId, release }) => ({
    found: false,
    why:
      debugId !== null
        ? 'no_map_for_debug_id'
        : release === null
          ? 'no_debug_id_no_release'
          : 'no_artifact_matches',
  }),
}

function open(data: string, path: string): Maps {
  return createMaps({
    index: openMapIndex(path),
    open(org, mapKey) {
      const file = openMapFile(join(artifactsPath(data), 'maps', String(org), mapKey))
      return file === null ? null : openCompiledMap(file)
    },
  })
}
