/** Retention and compaction as the engine sees them. */

import type { Clock } from '#base/clock.ts'
import type { Log } from '#base/log.ts'
import type { Kinds } from '#kinds/kind.ts'
import type { FileName } from '#model/file-name.ts'
import type { Care, UpkeepRun } from '#ports/care.ts'
import type { ControlCommit } from '#ports/ingest.ts'
import type { ColumnCare } from '../stores/columns.ts'
import type { AttachmentsUpkeep, ControlRetention } from '../stores/control.ts'
import type { LargeBlobCare } from '../stores/large-blobs.ts'
import type { EventIdCare, PayloadCare } from '../stores/payloads.ts'

/** The boundaries between the steps of removing or rewriting a file, in their order. */
export const REMOVAL_STEPS = ['begun', 'groups', 'columns', 'payloads', 'event-ids'] as const
export const COMPACTION_STEPS = ['payloads', 'columns'] as const
export type UpkeepStep =
  | `remove:${(typeof REMOVAL_STEPS)[number]}`
  | `compact:${(typeof COMPACTION_STEPS)[number]}`

export interface RetentionParts {
  readonly kinds: Kinds
  readonly control: ControlRetention & AttachmentsUpkeep & Pick<ControlCommit, 'appliedSeq' | 'hidden'>
  readonly telemetry: ColumnCare
  readonly payloads: PayloadCare
  readonly eventIds: Pick<EventIdCare, 'forget'>
  readonly largeBlobs: LargeBlobCare
  /** Bytes of everything in the data directory. */
  readonly usedBytes: () => Promise<number>
  /** Bytes that the disk still takes. */
  readonly freeBytes: () => Promise<number>
  /** Most bytes of the data directory; `null` leaves it to age. */
  readonly maxDiskBytes: number | null
  /**
   * Runs the exchange of a payload file, or rejects with `FilesHeld` while a backup is made: its copy of the control
   * store must not be older than the blocks that compaction joins.
   */
  readonly guard: (exchange: () => Promise<void>) => Promise<void>
  readonly clock: Clock
  readonly log: Log
  /** Called when a step is done: where tests fail. */
  readonly onStep?: (step: UpkeepStep, file: FileName) => void | Promise<void>
}

export interface CompactionOptions {
  /** Also rewrites the files of the day that is not over: for measuring, and before a long stop. */
  readonly includeToday: boolean
}

/** Retention and compaction, as their schedule and the command line drive them. */
export interface Retention extends Care {
  /** Finishes removals that a stop cut short, and says what is missing. Before the first query. */
  start(): Promise<void>
  /** Removes what is past its age or beyond the disk's share, and prunes what the control store keeps of it. */
  retain(): Promise<UpkeepRun>
  /** Rewrites sealed files, for as long as a step may take; room is left for commits. */
  compact(): Promise<UpkeepRun>
  /** Rewrites everything that gains by it, as fast as it goes. */
  compactNow(options: CompactionOptions): Promise<UpkeepRun>
  /** Ends what runs, between two slices, and waits for it. */
  close(): Promise<void>
}
