/** Source maps that come after the events they are for. What the thread does that holds the artifacts. */
import type { GroupHash, OrgId, ProjectId } from '#base/ids.ts'
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
