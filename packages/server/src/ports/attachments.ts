/** Attachments of events: small facts in the control store, the content in a large blob. */
import type { Day, EventId, GroupHash, ProjectId, Seq } from '#base/ids.ts'
import type { RetentionDays } from '#model/file-name.ts'

export interface StoredAttachment {
  readonly projectId: ProjectId
  /** 32 hex characters, made of its event and content. */
  readonly id: string
  readonly eventId: EventId
  readonly seq: Seq
  readonly receivedMs: number
  /** Day and class of its blob: they say how long it is kept. */
  readonly day: Day
  readonly retentionDays: RetentionDays
  readonly name: string
  /** Type that the client stated, if it is one. */
  readonly contentType: string | null
  /** The wire’s word, `event.attachment` for most. */
  readonly type: string
  readonly bytes: number
  /** Hash of the content, in hex. */
  readonly sha256: string
  /** Group of its event; `null` if that came otherwise. */
  readonly groupHash: GroupHash | null
  /** Keys of the people whom its event names. */
  readonly people: readonly string[]
}

export interface AttachmentsRead {
  /** Attachments of an event that nobody deleted: as their envelopes came, and in each by name. */
  attachmentsOf(project: ProjectId, event: EventId): Promise<readonly StoredAttachment[]>
  /** `null` if there is none of that id in the project. */
  attachment(project: ProjectId, id: string): Promise<StoredAttachment | null>
  /** Attachments of groups, the newest first, behind a place. */
  attachmentsOfGroups(
    groups: readonly { readonly projectId: ProjectId; readonly hash: GroupHash }[],
    page: { readonly limit: number; readonly before: AttachmentPlace | null },
  ): Promise<readonly StoredAttachment[]>
  /** How many attachments there are, and their bytes. */
  attachmentTotals(): Promise<{ readonly count: number; readonly bytes: number }>
}

export interface AttachmentPlace {
  readonly receivedMs: number
  readonly id: string
}

/** Place of an attachment’s blob. */
export type AttachmentBlob = Pick<StoredAttachment, 'projectId' | 'id' | 'day' | 'retentionDays'>
