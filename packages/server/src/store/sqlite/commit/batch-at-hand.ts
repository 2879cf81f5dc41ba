/** Parts of a batch that the last stages of a commit take from. */
import type { IssueId } from '#base/ids.ts'
import type { LeftOutSession } from '#issues/session-changes.ts'
import type { StoredAttachment } from '#ports/attachments.ts'
import type { ControlBatch, GroupDelta } from '#ports/ingest.ts'
import type { BatchProjects } from './batch-projects.ts'

export interface IssueChanges {
  readonly newIssues: readonly { readonly issueId: IssueId }[]
  /** Regressed, or back from the archive. */
  readonly returnedIssues: readonly IssueId[]
}

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
