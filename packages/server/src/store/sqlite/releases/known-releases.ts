/** Releases as the commit remembers them. */
import { max } from '#limits/limits.ts'
import type { RecentEvents } from '#model/recent-events.ts'
import type { Kept, Memory } from '../memory.ts'

/** A release of a project, and what its rows say that the next events are added to. */
export interface KnownRelease {
  readonly id: number
  /** `undefined` until it is asked for. */
  recent: RecentEvents | null | undefined
  /** Time of its first event, where `recent` is known. */
  firstMs: number
  /** Environments that have a row. */
  readonly environments: Set<string>
}

export type RememberedReleases = Kept<string, KnownRelease | null>

export type ReleaseMemory = ReturnType<typeof rememberReleases>

export function rememberReleases(memory: Memory) {
  const keeping = { most: max('releasesRememberedMax') }
  return {
    /** Project and name to the release; `null`: there is none, and events make none. */
    known: memory.keep<string, KnownRelease | null>(keeping),
    counts: memory.keep<string, number>(keeping),
  }
}
