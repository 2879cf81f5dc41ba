/** Rows of issue trackers. */
import type { IssueId, OrgId, ProjectId } from '#base/ids.ts'
import type { MessageTry } from '#ports/messages.ts'
import type { ClaimedTrackerWork, NewTracker, RemoteState, TrackerLogEntry } from '#ports/trackers.ts'

export interface TrackerRow extends NewTracker {
  readonly id: number
  readonly orgId: OrgId
  readonly createdBy: string
  readonly createdMs: number
  readonly changedMs: number
  readonly heardMs: number | null
}

export interface TrackerLinkRow {
  readonly id: number
  readonly issueId: IssueId
  readonly trackerId: number
  readonly ref: string
  readonly url: string
  readonly title: string
  readonly state: RemoteState
  readonly remoteMs: number | null
  readonly checkedMs: number
  readonly createdBy: string
  readonly createdMs: number
}

export interface TrackerWorkRow {
  readonly id: number
  readonly trackerId: number
  readonly projectId: ProjectId
  readonly linkId: number
  readonly issueId: IssueId
  readonly what: ClaimedTrackerWork['what']
  readonly ref: string
  readonly state: TrackerLogEntry['state']
  readonly atMs: number
  readonly tries: number
  readonly dueMs: number | null
  readonly lease: string | null
  readonly says: string | null
  readonly settledMs: number | null
  readonly tried: readonly MessageTry[]
}
