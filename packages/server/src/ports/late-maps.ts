/** Source maps that come after the events they are for. What the thread does that holds the artifacts. */
import type { GroupHash, OrgId, ProjectId } from '#base/ids.ts'
import type { ScrubbedEvent } from '#model/event.ts'
import type { EventChange } from './care.ts'
import type { StoredFacts } from './ingest.ts'
import type { ScrubOptions } from './projects.ts'

/** An upload whose maps are all ready, or unusable, and whose stored events nobody has looked at since. */
export interface LateBundle {
  /** Identifies the upload to these projects; adding projects later makes another mark. */
  readonly mark: number
  readonly projects: readonly ProjectId[]
  readonly release: string | null
  readonly debugIds: readonly string[]
}

/** A project as its events are read again. */
export interface LateProject {
  readonly id: ProjectId
  readonly orgId: OrgId
  readonly scrub: ScrubOptions
}

/** Each method is one transaction. */
export interface LateBundles {
  /** Oldest first. */
  lateBundles(limit: number): readonly LateBundle[]
  mended(mark: number): void
}

/** An event as it would be read today. */
export interface Regrouped {
  readonly hash: GroupHash
  readonly facts: StoredFacts
}

/** An event as it would be stored today. */
export type Rewritten = Pick<EventChange, 'payload' | 'values'>

export interface LateMaps {
  /** The event with original frames where maps resolve them; a frame that stays as it is says why. For readers. */
  symbolicate(project: LateProject, event: ScrubbedEvent): Promise<ScrubbedEvent>
  /** The group of a stored event as it would be read today; `null` where no map changes anything of it. */
  regroup(project: LateProject, payload: Uint8Array): Promise<Regrouped | null>
  /** A stored event as it is to be stored from now on; `null` where no map changes anything of it. */
  rewrite(project: LateProject, payload: Uint8Array): Promise<Rewritten | null>
  lateBundles(limit: number): Promise<readonly LateBundle[]>
  mended(mark: number): Promise<void>
}
