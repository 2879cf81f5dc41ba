/** Control store as care uses it: on the commit thread alone and on that of the verification. */
import type { Day, GroupHash, ProjectId, Seq } from '#base/ids.ts'
import type { FileName } from '#model/file-name.ts'
import type { Hidden } from '#model/hidden.ts'
import type { AttachmentBlob, StoredAttachment } from '#ports/attachments.ts'
import type { Removal, UpkeepRun } from '#ports/care.ts'
import type { FileContents } from '#ports/telemetry.ts'

/** Greatest ids of deletions: of issues and projects, and of people. */
export interface DeletionMarks {
  readonly tombstone: number
  readonly person: number
}

/** A pending deletion of an issue or a project. */
export interface Deletion {
  readonly kind: keyof DeletionMarks
  readonly id: number
  readonly createdMs: number
}

/** How compaction left the files of a day and class. */
export interface FileState {
  readonly file: FileName
  /** Length of the payload file. */
  readonly payloadBytes: number
  /** `applied_seq` of the column file. */
  readonly columnSeq: Seq
  /** Clean of every deletion up to these. */
  readonly marks: DeletionMarks
  readonly compactedMs: number
}

/** A group by its number in the control store. */
export interface GroupInFile {
  readonly id: number
  readonly projectId: ProjectId
  readonly hash: GroupHash
}

/** Time when retention last ran, and for how long the clock had been ahead of it. */
export interface KnownTime {
  readonly knownMs: number
  readonly doubtedMs: number
}

/** Place at which the removal of aged rows goes on: a step, and the last key that it came to. */
export interface AgedPlace {
  readonly step: number
  readonly after: readonly string[] | null
}

/** Used on the commit thread alone. Each method is one transaction. */
export interface ControlRetention {
  /** `null` before the first. */
  knownTime(): Promise<KnownTime | null>
  setKnownTime(time: KnownTime): Promise<void>
  /** Returns what is hidden, and the marks reached by the removal. */
  deletions(): Promise<{
    readonly hidden: Hidden
    readonly marks: DeletionMarks
    readonly pending: readonly Deletion[]
  }>
  /** Leaves nothing of what was deleted in the control store's own files. Not a transaction; everything waits. */
  forgetDeleted(): Promise<void>
  /** Forgets deletions of which nothing is left on the disk. */
  dropDeletions(deletions: readonly Deletion[]): Promise<void>
  fileStates(): Promise<readonly FileState[]>
  setFileState(state: FileState): Promise<void>
  beginRemoval(removal: Omit<Removal, 'id' | 'endedMs'>): Promise<Removal>
  /** Forgets the file's state too. */
  endRemoval(removal: Removal, endedMs: number): Promise<void>
  /** Begun and not ended, oldest first. */
  openRemovals(): Promise<readonly Removal[]>
  noteRun(run: UpkeepRun): Promise<void>
  /** Files of which it is not known what of some group is in them. */
  uncountedFiles(): Promise<readonly FileName[]>
  /**
   * The groups with rows in a file, of `count` groups with an id above `after`; `last` is the last id looked at, `null`
   * after the last group.
   */
  groupsInFile(
    file: FileName,
    after: number,
    count: number,
  ): Promise<{ readonly groups: readonly GroupInFile[]; readonly last: number | null }>
  /** Says what of groups is in a file: `unknown`, or nothing (`null`), which forgets the file of the group. */
  setContents(
    file: FileName,
    contents: readonly { readonly id: number; readonly holds: FileContents | 'unknown' | null }[],
  ): Promise<void>
  /**
   * Removes hours past their age of at most `count` groups with an id above `after`, and the names of files that are
   * past their class and not `kept`. Answers the last id looked at, `null` after the last group.
   */
  pruneGroups(
    after: number,
    count: number,
    of: { readonly nowMs: number; readonly kept: readonly FileName[] },
  ): Promise<number | null>
  /**
   * Removes some of what has reached its age, but for events: once a day, from `null` to `null`. A clock that is ahead of what
   * is known to be the time removes nothing.
   */
  removeAged(place: AgedPlace | null, nowMs: number): Promise<AgedPlace | null>
}

/** Used by retention, deletion and checks. */
export interface AttachmentsUpkeep {
  /**
   * Some that nobody may see any more: their issue or person was deleted, or their project’s period is over on the day
   * `today`; `null` leaves periods out.
   */
  hiddenAttachments(today: Day | null, limit: number): Promise<readonly AttachmentBlob[]>
  forgetAttachments(attachments: readonly Pick<StoredAttachment, 'projectId' | 'id'>[]): Promise<void>
  /** Forgets those of a day and class. */
  forgetAttachmentsOf(file: Pick<FileName, 'day' | 'retentionDays'>): Promise<void>
  /** Returns those of the blobs that are kept, by a row or with a quarantined envelope. */
  knownAttachments(blobs: readonly AttachmentBlob[]): Promise<readonly AttachmentBlob[]>
  /** Bytes by day and class. */
  attachmentBytes(): Promise<
    readonly (Pick<FileName, 'day' | 'retentionDays'> & { readonly bytes: number })[]
  >
  /** Attachments in the order of project and id, behind one of them. */
  attachmentsAfter(
    after: Pick<StoredAttachment, 'projectId' | 'id'> | null,
    limit: number,
  ): Promise<readonly StoredAttachment[]>
}

export interface GroupState {
  readonly id: number
  readonly projectId: ProjectId
  readonly hash: GroupHash
  readonly eventCount: number
  readonly payloadCount: number
  /** Files that hold its events. */
  readonly files: readonly FileName[]
}

/** Count of a group in one file, by the control store. */
export interface GroupCount {
  readonly projectId: ProjectId
  readonly hash: GroupHash
  /** `null` while it is not known. */
  readonly events: number | null
}

export interface ControlChecks {
  /** Groups with an id above `afterId`, in order of id, at most `limit`. */
  groupStates(afterId: number, limit: number): Promise<readonly GroupState[]>
  /**
   * Returns counts of a file for `limit` groups with an id above `afterId`; `last` is the last id looked at,
   * `null` after the last group.
   */
  groupCounts(
    file: FileName,
    afterId: number,
    limit: number,
  ): Promise<{ readonly groups: readonly GroupCount[]; readonly last: number | null }>
  /** Sentences about numbers that contradict each other, at most `limit`; empty when all agree. */
  contradictions(limit: number): Promise<readonly string[]>
}

/** The control store, on a connection and a thread of its own: a step takes as long as its largest table. */
export interface VerifyControl {
  tables(): Promise<readonly string[]>
  /** Sentences about what is damaged of a table and its indices; empty where it is sound. */
  verifyTable(table: string): Promise<readonly string[]>
  /** Every file that some group is said to have events in. */
  namedFiles(): Promise<readonly FileName[]>
}
