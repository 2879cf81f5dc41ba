/** Care of files that only stores of our own have: how others see retention, compaction and what is missing. */
import type { EventId, GroupHash, OrgId, ProjectId, Seq } from '#base/ids.ts'
import type { FileName } from '#model/file-name.ts'

/** Used beside the commit, one thing at a time. */
export interface Care {
  /** Tells the stores what is hidden. After each change of projects and each deletion. */
  refresh(): Promise<void>
  /**
   * Stores events of a file as they are to be from now on, beside commits and at their pace; those that are gone are
   * passed over. `held`: a backup holds the files, nothing was done; `lacking`: one side of the file lacks rows.
   */
  changeEvents(file: FileName, changes: readonly EventChange[]): Promise<'changed' | 'held' | 'lacking'>
  /** Notes that whatever was acknowledged before `untilMs` is committed: blobs that no row names yet may be swept. */
  noteApplied(untilMs: number): Promise<void>
  /** Lengths of the files of payloads. */
  payloadBytes(): Promise<readonly FileBytes[]>
  overview(): Promise<RetentionOverview>
  /** The part of it about files that have one side alone, or less of one. */
  missing(): Promise<MissingFiles>
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
  /** Removals newest first, and the last run of each kind. */
  upkeepDone(
    removalsMax: number,
  ): Promise<{ readonly removals: readonly Removal[]; readonly runs: readonly UpkeepRun[] }>
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
  /** Numbers that somebody was shown before they confirmed, for the audit entry. */
  readonly counted?: PersonCounted
}

/** Numbers of what one project has of a person. */
export interface PersonCounted {
  readonly events: number
  readonly traces: number
  /** Rows of other datasets. */
  readonly others: number
  readonly issues: number
}
