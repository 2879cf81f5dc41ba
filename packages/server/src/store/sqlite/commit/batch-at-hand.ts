/** What the last stages of a commit take from. */
import type { LeftOutSession } from '#issues/session-changes.ts'
import type { StoredAttachment } from '#ports/attachments.ts'
import type { ControlBatch, GroupDelta } from '#ports/ingest.ts'
import type { IssueChanges } from '../notices/notice-queue.ts'
import type { BatchProjects } from './batch-projects.ts'

/** A batch, and what earlier stages did with it. */
export interface BatchAtHand extends IssueChanges {
  readonly batch: ControlBatch
  readonly projects: BatchProjects
  readonly nowMs: number
  readonly deltas: readonly GroupDelta[]
  readonly attachments: readonly StoredAttachment[]
  /** Sessions that are not counted. */
  readonly leftOut: readonly LeftOutSession[]
}
