/** From a place in what a browser or a server ran to the place in what somebody wrote. */

/** A place in a source as it was written. Lines and columns count from 1. */
export interface OriginalPlace {
  /** Source as the map names it, `sourceRoot` included. */
  readonly source: string
  readonly line: number
  readonly column: number
  /** The function around it: empty for one without a name, `null` where that is not known. */
  readonly functionName: string | null
  /** Name that the map states at this place; for a call, mostly the called function. */
  readonly name: string | null
  /** True where the map lists the source among those to be passed over. */
  readonly isIgnored: boolean
  /** `null`: the map holds no text of this source. */
  readonly context: SourceContext | null
}

/** Lines around a place, each at most `contextLineCharsMax` characters. */
export interface SourceContext {
  readonly before: readonly string[]
  readonly line: string
  readonly after: readonly string[]
}

export interface OriginalPlaces {
  /** `null` for a place of which the map says nothing. Line and column count from 1. */
  find(line: number, column: number): OriginalPlace | null
}

/** A file that ran, as an event names it. */
export interface RanFile {
  /** `abs_path` of the frame, else its `filename`. */
  readonly path: string
  /** 32 lower-case hex characters. */
  readonly debugId: string | null
  readonly release: string | null
  readonly dist: string | null
}

/** How a map was found: by the id that its build wrote into both files, or by release, dist and address. */
export type FoundBy = 'debug-id' | 'release'

/** Why a frame shows what ran instead of what was written. */
export type Unresolved =
  | 'no_debug_id_no_release'
  | 'no_map_for_debug_id'
  | 'no_artifact_matches'
  | 'other_dist'
  | 'other_project'
  | 'map_damaged'
  | 'map_pending'
  | 'outside_map'
  | 'no_source_in_map'

export type FoundMap =
  | {
      readonly found: true
      readonly places: OriginalPlaces
      readonly by: FoundBy
      /** Address or name of the map, as it was uploaded. */
      readonly mapName: string
    }
  | { readonly found: false; readonly why: Unresolved }

/** Looks into what was uploaded for one project's builds. Cheap for repeated questions. */
export interface MapLookup {
  mapOf(file: RanFile): FoundMap
  /** Returns a server action's name by the id of its build; `null` if no upload names it. */
  actionName(id: string, release: string | null): string | null
}

/** Look-up of an installation without uploads. */
export const NOTHING_UPLOADED: MapLookup = {
  mapOf: ({ debugId, release }) => ({
    found: false,
    why:
      debugId !== null
        ? 'no_map_for_debug_id'
        : release === null
          ? 'no_debug_id_no_release'
          : 'no_artifact_matches',
  }),
  actionName: () => null,
}
