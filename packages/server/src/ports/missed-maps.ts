/** Events of which a frame needed a source map that was not there, as the columns tell. */
import type { EventId, ProjectId } from '#base/ids.ts'
import type { FileName } from '#model/file-name.ts'
import type { ReadScope } from './scope.ts'

export interface MissedMapsFilter {
  readonly project: ProjectId
  /** Files to look into; those of other kinds hold none. */
  readonly files: readonly FileName[]
  readonly startMs: number
}

export interface MissedMap {
  /** `null`: files without one. */
  readonly debugId: string | null
  /** Release, for files without a debug id, which it tells apart; else the newest event's. */
  readonly release: string | null
  readonly events: number
  readonly newest: { readonly eventId: EventId; readonly atMs: number }
}

/** Over all events that say it: those that were stored by an older version don’t. */
export interface MapFrames {
  /** Frames that needed a map, and those of them that were resolved. */
  readonly needed: number
  readonly resolved: number
  /** Events with a frame that was not. */
  readonly events: number
}

export interface MissedMapCounts {
  /** The most frequent first, at most `limit`; `events` counts each event once. */
  missedMaps(
    scope: ReadScope,
    filter: MissedMapsFilter,
    limit: number,
  ): Promise<{
    readonly events: number
    readonly missed: readonly MissedMap[]
    readonly frames: MapFrames
  }>
}
