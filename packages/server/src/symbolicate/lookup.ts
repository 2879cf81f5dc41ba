/** Finds the map of a file that ran: by the id of its build, else by release and address. */
import type { OrgId, ProjectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import { shownAction } from '#model/action-name.ts'
import type { FoundBy, FoundMap, MapLookup, OriginalPlaces, RanFile, Unresolved } from '#model/map-lookup.ts'
import type { MapIndex, MapState } from '#ports/artifacts.ts'
import type { Project } from '#ports/projects.ts'
import { addressesOf } from './addresses.ts'

export interface MapsOptions {
  readonly index: MapIndex
  /** `null` for a compiled map that is gone or cannot be read. */
  readonly open: (org: OrgId, mapKey: string) => OriginalPlaces | null
}

/** A project and whose it is. */
export type ProjectOfOrg = Pick<Project, 'id' | 'orgId'>

export interface Maps {
  /** Looks whether anything was uploaded since. Between two batches. */
  refresh(): void
  /** The same object for as long as the same files are found. */
  of(project: ProjectOfOrg): MapLookup
}

const FILES_MAX = max('mapFilesRememberedMax')
const OPEN_MAX = max('mapsOpenMax')

export function createMaps(options: MapsOptions): Maps {
  let version = options.index.version()
  let lookups = new Map<ProjectId, ProjectMaps>()
  const open = openOnce(options)
  return {
    refresh() {
      const now = options.index.version()
      if (now === version) return
      version = now
      lookups = new Map()
    },
    of(project) {
      const known = lookups.get(project.id)
      if (known !== undefined) return known
      const lookup = new ProjectMaps(project, { index: options.index, open })
      lookups.set(project.id, lookup)
      return lookup
    },
  }
}

type Open = MapsOptions['open']

/** Compiled maps, the last ones used kept open. */
function openOnce({ open }: MapsOptions): Open {
  const opened = new Map<string, OriginalPlaces>()
  return (org, mapKey) => {
    const key = `${org}/${mapKey}`
    const known = opened.get(key)
    opened.delete(key)
    const places = known ?? open(org, mapKey)
    if (places === null) return null
    const [oldest] = opened.keys()
    if (opened.size >= OPEN_MAX && oldest !== undefined) opened.delete(oldest)
    opened.set(key, places)
    return places
  }
}

class ProjectMaps implements MapLookup {
  readonly #project: ProjectOfOrg
  readonly #index: MapIndex
  readonly #open: Open
  readonly #known = new Map<string, FoundMap>()
  readonly #actions = new Map<string, string | null>()

  constructor(project: ProjectOfOrg, { index, open }: { readonly index: MapIndex; readonly open: Open }) {
    this.#project = project
    this.#index = index
    this.#open = open
  }

  mapOf(file: RanFile): FoundMap {
    const key = JSON.stringify([file.debugId, file.release, file.dist, file.path])
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const found = this.#find(file)
    if (this.#known.size >= FILES_MAX) this.#known.clear()
    this.#known.set(key, found)
    return found
  }

  actionName(id: string, release: string | null): string | null {
    const key = `${release ?? ''}\n${id}`
    const known = this.#actions.get(key)
    if (known !== undefined) return known
    const [found = null] = this.#index.actions([{ project: this.#project.id, release, id }])
    const name = found === null ? null : shownAction(found)
    if (this.#actions.size >= FILES_MAX) this.#actions.clear()
    this.#actions.set(key, name)
    return name
  }

  #find(file: RanFile): FoundMap {
    const { debugId, release, dist, path } = file
    const byId = debugId === null ? null : this.#index.withDebugId(this.#project.id, debugId)
    if (byId !== null && byId.state !== 'no_map') return this.#answer(byId, 'debug-id')
    const build = release === null ? null : { release, dist }
    const byAddress =
      build === null ? null : this.#index.atAddress(this.#project.id, build, addressesOf(path))
    if (byAddress !== null) return this.#answer(byAddress, 'release')
    return { found: false, why: this.#reason(file) }
  }

  #answer(map: MapState, by: FoundBy): FoundMap {
    if (map.state === 'waiting') return { found: false, why: 'map_pending' }
    if (map.state === 'damaged') return { found: false, why: 'map_damaged' }
    if (map.state === 'no_map') return { found: false, why: 'no_artifact_matches' }
    const places = this.#open(map.orgId, map.mapKey)
    return places === null
      ? { found: false, why: 'map_damaged' }
      : { found: true, places, by, mapName: map.name }
  }

  #reason({ debugId, release, dist, path }: RanFile): Unresolved {
    if (debugId === null) {
      if (release === null) return 'no_debug_id_no_release'
      const isElsewhere = this.#index.isInOtherDist(this.#project.id, { release, dist }, addressesOf(path))
      return isElsewhere ? 'other_dist' : 'no_artifact_matches'
    }
    return this.#index.isKnownTo(this.#project.orgId, debugId) ? 'other_project' : 'no_map_for_debug_id'
  }
}
