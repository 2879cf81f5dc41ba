/** Types of reads of stacks and source maps. */

import type { LookUp, RanPlace } from '#artifacts/look-up.ts'
import type { Unresolved } from '#model/map-lookup.ts'
import type { Bundle, FailedUpload } from '#ports/artifacts.ts'
import type { MapFrames } from '#ports/missed-maps.ts'
import type { Project } from '#ports/projects.ts'
import type { ReadScope } from '#ports/scope.ts'

export interface UnresolvedText {
  readonly why: Unresolved
  /** Title such as "No map uploaded for this debug id". */
  readonly title: string
  readonly cause: string
  readonly next: string
  /** Command to run where the project is built; `null` if there is nothing to run. */
  readonly command: string | null
}

export interface FrameNotes {
  /** Frames of one file that share a reason share a note. */
  readonly notes: readonly UnresolvedNote[]
  /** Index into `notes` by the frame's path, such as `exception.values.0.stacktrace.frames.3`. */
  readonly byFrame: Readonly<Record<string, number>>
}

export interface UnresolvedNote extends UnresolvedText {
  readonly file: string
  /** 32 lower-case hex characters. */
  readonly debugId: string | null
  readonly frames: number
}

export interface ReadableStacks extends FrameNotes {
  /** Addresses in the repository, by the path of the frame. */
  readonly links: Readonly<Record<string, string>>
}

export interface SourceMapQueries {
  sourceMaps(scope: ReadScope, ref: string, asked: SourceMapsAsked): Promise<SourceMapsView | null>
  /** An event id, a debug id, or an address of a file, maybe with line and column. */
  checkLookUp(scope: ReadScope, ref: string, asked: LookUpAsked): Promise<LookUpCheck | null>
  /** Returns answers in the order asked; ids with dashes or without. */
  checkPlaces(
    scope: ReadScope,
    ref: string,
    places: readonly RanPlace[],
  ): Promise<LookUpCheck['places'] | null>
}

export interface SourceMapsAsked {
  /** Text in a release, debug id or file name. */
  readonly text: string
  readonly beforeId: number | null
  /** Nothing is asked of the events: `missed` is empty. */
  readonly withoutEvents?: boolean
}

export interface SourceMapsView {
  readonly project: Project
  readonly url: string
  /** Use by the organisation. */
  readonly usage: { readonly bundles: number; readonly bytes: number }
  readonly bundles: readonly Bundle[]
  readonly nextBefore: number | null
  readonly failures: readonly FailedUpload[]
  readonly missed: MissedByCause
}

/** Frames missed in the last 24 hours, by cause. */
export interface MissedByCause {
  /** Events with at least one frame that was not resolved when they came. */
  readonly events: number
  /** Causes that are counted below; more than are looked into are left out. */
  readonly causes: readonly {
    readonly why: Unresolved
    readonly title: string
    readonly next: string
    /** An event counts once for each build file it missed. */
    readonly count: number
    readonly example: {
      readonly file: string
      readonly release: string | null
      readonly eventId: string
    } | null
  }[]
  /** Missed when they came, found by now. */
  readonly foundSince: number
  readonly frames: MapFrames
}

export interface LookUpAsked {
  readonly text: string
  readonly release: string | null
  readonly dist: string | null
}

export interface LookUpCheck {
  /** `null`: the text is none of the three. */
  readonly kind: 'event' | 'debug_id' | 'address' | null
  readonly places: readonly {
    readonly place: RanPlace
    readonly steps: LookUp['steps']
    readonly original: LookUp['original']
    readonly problem: UnresolvedText | null
  }[]
}
