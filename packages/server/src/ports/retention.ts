/** State that retention, deletion and compaction keep in the control store. */
import type { EventId, GroupHash, OrgId, ProjectId, Seq } from '#base/ids.ts'
import type { FileName } from '#model/file-name.ts'
import type { Hidden, HiddenRules } from '#model/hidden.ts'
import type { BlockEntry, FileContents, UnpackedBlock } from './telemetry.ts'

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

/** Why files were removed: past their class, beyond the disk's share, or without an event left. */
export type RemovalReason = 'age' | 'disk' | 'empty'

export interface Removal {
  readonly id: number
  readonly file: FileName
  readonly reason: RemovalReason
  readonly bytes: number
  readonly begunMs: number
  /** `null` while it is under way. */
  readonly endedMs: number | null
}

export interface UpkeepRun {
  readonly kind: 'retention' | 'compaction'
  readonly begunMs: number
  readonly endedMs: number
  /** Removed or rewritten. */
  readonly files: number
  readonly freedBytes: number
  readonly failure: string | null
}

/** A group in which a person's events are deleted, with the names that nobody else of the group's events bears. */
export interface AffectedGroup {
  readonly hash: GroupHash
  readonly users: readonly string[]
  readonly lost: LostCounts
}

/** Counts by which deleted events reduce their group. */
export interface LostCounts {
  readonly events: number
  readonly mirrors: number
  /** By hour of event time, in hours since 1970. */
  readonly hours: ReadonlyMap<number, number>
  readonly tags: readonly { readonly key: string; readonly value: string; readonly count: number }[]
}

/** Events removed from one project by deleting a person's data. */
export interface PersonEvents {
  /** Events and parts of traces that are deleted, for the audit entry, which does not name the person. */
  readonly events: number
  readonly groups: readonly AffectedGroup[]
  /** People, as in a row's `people`, whom no other visible event of the project names. */
  readonly people: readonly string[]
}

export interface PersonDeletion extends PersonEvents {
  readonly orgId: OrgId
  readonly projectId: ProjectId
  /** Person, as in a row's `people`. */
  readonly person: string
  /** Events beyond it stay; left out: all that is applied goes. */
  readonly upToSeq?: Seq
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

/** Files that have one side alone, or less of one. */
export interface MissingFiles {
  /** Files that have payloads and no columns: `errata rebuild` makes them. */
  readonly missingColumns: readonly FileName[]
  /** Files that have columns and no payloads, or had fewer than columns when the server started. */
  readonly missingPayloads: readonly FileName[]
}

/** State of the files for /system. */
export interface RetentionOverview extends MissingFiles {
  /** Everything in the data directory. */
  readonly usedBytes: number
  /** The share that was set; `null`: none. */
  readonly maxDiskBytes: number | null
  /** Until the share or the disk is used up, if days stay as the last ones were; `null`: it lasts. */
  readonly daysLeft: number | null
  /** Hidden already, not yet removed from the disk. */
  readonly pendingDeletions: number
  /** Believed time while the clock is too far ahead to be trusted; `null` while it is trusted. */
  readonly believedMs: number | null
}

/** Reads for /system. */
export interface RetentionRead {
  /** Newest first. */
  removals(limit: number): Promise<readonly Removal[]>
  upkeepRuns(): Promise<readonly UpkeepRun[]>
}

export interface FileBytes {
  readonly file: FileName
  readonly bytes: number
}

/** An event as it is to be stored from now on: the rest of its row stays. */
export interface EventChange {
  readonly projectId: ProjectId
  readonly eventId: EventId
  readonly payload: Uint8Array
  /** Fields of its row that hold text, by name. None that rows are grouped, sorted or hidden by. */
  readonly values: Readonly<Record<string, string | null>>
}

export interface RewriteOptions {
  readonly rules: HiddenRules
  /** New values of rows; rows beyond `upToSeq` stay as they are. */
  readonly changes?: readonly EventChange[]
  /** Last seq applied by the control store; rows and blocks beyond it are copied unchanged. */
  readonly upToSeq: Seq
}

/** Column files as retention and compaction see them. Used on the commit thread alone. */
export interface TelemetryUpkeep {
  fileBytes(): Promise<readonly FileBytes[]>
  /** Files that could not be understood and were set aside: what they held is missing until they are made anew. */
  damaged(): Promise<readonly FileName[]>
  /** Counts files that somebody deleted since they were opened among them. */
  noteGone(): Promise<void>
  /** Counts files that are gone among them, also when rows that come make one of the same name. */
  noteMissing(files: readonly FileName[]): Promise<void>
  /** `applied_seq` of a file: changes whenever rows come to it. 0 for a file that is not there. */
  fileSeq(file: FileName): Promise<Seq>
  /** Rows of a file, and how many of them the rules hide. */
  countRows(file: FileName, rules: HiddenRules): Promise<{ readonly rows: number; readonly hidden: number }>
  /**
   * Writes the file anew, sorted by project, group and time, without what the rules hide. The old one serves until
   * then; a crash leaves one of the two. Throws for a file that is not there or lacks rows: `damaged`.
   */
  rewrite(file: FileName, options: RewriteOptions): Promise<void>
  /**
   * Counts every row of groups in a file, deleted ones too, and hands over what is in it of each, `null` for nothing,
   * while no row can come. Answers false, and hands over nothing, when rows beyond `upToSeq` have come or the file is
   * not there.
   */
  countGroups(
    file: FileName,
    of: { readonly groups: readonly GroupInFile[]; readonly upToSeq: Seq },
    take: (contents: readonly (FileContents | null)[]) => Promise<void>,
  ): Promise<boolean>
  /** Unlinks a file once nobody reads it. No error when absent. */
  remove(file: FileName): Promise<void>
  /** Visible events of a person in one project, and whose names go with them; of those up to a seq, where one is given. */
  personEvents(project: ProjectId, person: string, upToSeq?: Seq): Promise<PersonEvents>
}

/** New content of an item in a block. */
export interface ChangedItem {
  readonly payload: Uint8Array
  /** UTF-8. */
  readonly rowRecord: Uint8Array
}

export interface RewritePayloads {
  readonly upToSeq: Seq
  /** Returns a sort key for each entry of a block; `null` removes the entry. */
  readonly keysOf: (block: UnpackedBlock) => readonly (string | null)[]
  /** Returns the new content of each entry of a block; `null` keeps it byte for byte. */
  readonly changesOf?: (block: UnpackedBlock) => readonly (ChangedItem | null)[]
  /**
   * True where every item of a block that cannot be read goes, by what its header says of them: then it is left out,
   * and else taken over byte for byte.
   */
  readonly allGo: (entries: readonly BlockEntry[]) => boolean
  /** Called between slices of work: where compaction makes room for others, or is ended by a rejection. */
  readonly pause: () => Promise<void>
  /** Runs the exchange of the old file for the new one, or rejects: then the old one stays. */
  readonly guard: (exchange: () => Promise<void>) => Promise<void>
}

/** Files are to stay as they are for now: a backup is made. */
export class FilesHeld extends Error {
  override readonly name = 'FilesHeld'
}

/** Payload files as retention and compaction see them. Used on the commit thread alone. */
export interface PayloadUpkeep {
  fileBytes(): Promise<readonly FileBytes[]>
  /**
   * Writes the file anew, in larger blocks of items sorted by key, packed tighter. The old one serves until then; a
   * crash leaves one of the two. What is damaged stays as it is. Answers how many items were read and kept, how long
   * the file is now, and whether it is without a block.
   */
  rewrite(
    file: FileName,
    options: RewritePayloads,
  ): Promise<{ readonly items: number; readonly bytes: number; readonly isEmpty: boolean }>
  /** Unlinks a file. No error when absent. */
  remove(file: FileName): Promise<void>
}
