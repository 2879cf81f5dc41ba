/** Append-only, wide: the rows of everything that is stored, and the payloads they are derived from. */
import type { EventId, GroupHash, ProjectId, Seq } from '#base/ids.ts'
import type { PayloadBlock } from '#model/batch.ts'
import type { RowTable, StoredRow } from '#model/fields.ts'
import type { FileName, KindName } from '#model/file-name.ts'
import type { Hidden } from '#model/hidden.ts'
import type { DetailCondition, PersonCondition, TagCondition } from '#model/tag-condition.ts'
import type { ReadScope } from './scope.ts'

/** Number of a group's events in a file, added up by commits: deleted events count until compaction. */
export interface FileContents {
  readonly events: number
  /** Earliest time stated by the events, in whole milliseconds, rounded down. */
  readonly firstMs: number
  readonly lastMs: number
}

/** A file to look into, and what is in it of the filter's groups where that is known: then it need not be opened. */
export interface NamedFile extends FileName {
  readonly holds?: FileContents | null
}

/** Conditions on an event; every one that is set must hold. */
export interface EventConditions {
  readonly startMs?: number
  readonly endMs?: number
  readonly tags?: readonly TagCondition[]
  readonly people?: readonly PersonCondition[]
  readonly details?: readonly DetailCondition[]
  /** Must occur in the title, case-insensitively; `*` in it stands for any text. */
  readonly text?: string
  /** None of them may. */
  readonly textNot?: readonly string[]
  /** Each must occur in title or culprit, or in neither, as `text` does. */
  readonly named?: readonly { readonly value: string; readonly negated: boolean }[]
  /** It must be of one of these groups. */
  readonly ofGroups?: EventFilter['groups']
  /** Alternatives: of each list at least one must hold. */
  readonly either?: readonly (readonly EventConditions[])[]
}

export interface EventFilter extends EventConditions {
  readonly groups: readonly { readonly projectId: ProjectId; readonly hash: GroupHash }[]
  /** Files to look into; other files hold no event of the groups. */
  readonly files: readonly NamedFile[]
  /** Matches counted by commits; valid only while nothing of the groups was deleted. */
  readonly counted?: CountedMatches | null
}

/** The same of events of any group, where none is named: of all projects of the scope. */
export type AnyEventFilter = Omit<EventFilter, 'groups'> & { readonly groups: EventFilter['groups'] | null }

/** Events of a group that match a condition. */
export interface MatchingGroup {
  readonly projectId: ProjectId
  readonly hash: GroupHash
  readonly events: number
  readonly firstMs: number
  readonly lastMs: number
}

/** Its events over time. */
export interface GroupTrend extends MatchingGroup {
  readonly counts: readonly number[]
}

/** Somebody whom events of a group happened to. */
export interface GroupPerson {
  readonly projectId: ProjectId
  readonly hash: GroupHash
  /** User, as in a row's `user`. */
  readonly user: string
  /** Address of a mirror's person who is known by more than an address. */
  readonly address: string | null
}

export interface TrendAsked {
  readonly startMs: number
  readonly stepMs: number
  readonly buckets: number
  /** Range that all of it refers to: what is before the first bar counts in it. */
  readonly within: { readonly startMs: number; readonly endMs: number }
}

/** Events of groups, and how many of them meet a condition. */
export interface CountedMatches {
  readonly events: number
  readonly matching: number
}

/** A row that belongs to a group and has a place in the one order of events. */
export type EventLike = StoredRow & { readonly eventId: EventId; readonly groupHash: GroupHash }

/** An event that names a trace. */
export interface ErrorPlace {
  readonly projectId: ProjectId
  readonly traceId: string
  /** `null`: it names none. */
  readonly spanId: string | null
  readonly atMs: number
}

export interface EventPage<R extends EventLike> {
  /** Newest first by (timestamp, event id). */
  readonly rows: readonly R[]
  readonly nextCursor: string | null
}

export interface Neighbours {
  readonly first: EventId
  readonly previous: EventId | null
  readonly next: EventId | null
  readonly latest: EventId
  /** 1 for the oldest. */
  readonly position: number
  readonly total: number
}

/** A row as the store's own encoder wrote it. */
export interface WrittenRow extends Pick<StoredRow, 'seq' | 'timestampMs'> {
  readonly file: FileName
  readonly line: string
  /** Form returned by `RowEncoder.add`. */
  readonly form: number
}

/**
 * Writes rows of one kind as the column store takes them. Made by the store and run by the process threads, so that the
 * commit hands rows on unread.
 */
export interface RowEncoder<R extends StoredRow = StoredRow> {
  /** Adds a row; answers in which form, a small number that the store alone understands. */
  add(row: R): number
  /** End of the last row, in bytes. */
  readonly end: number
  /** Everything added, in UTF-8. */
  finish(): Uint8Array
}

export type RowEncoding = <R extends StoredRow>(table: RowTable<R>) => RowEncoder<R>

/**
 * Rows of all kinds. Written by the commit alone, in seq order; a file's rows and its `applied_seq` change in one
 * transaction, so that appending a batch twice stores it once.
 */
export interface TelemetryStore {
  /** Appends rows, one transaction per file. Files at or beyond `lastSeq` are left alone (idempotent). */
  append(rows: readonly WrittenRow[], lastSeq: Seq): Promise<void>
  /** Removes every row with a seq above `seq`: what a crash left behind. */
  removeBeyond(seq: Seq): Promise<void>
  files(): Promise<readonly FileName[]>
  /** Sets what reads leave out from now on. */
  setHidden(hidden: Hidden): Promise<void>
  close(): Promise<void>
}

/**
 * Rows of a kind whose items belong to groups, as people read them: what is only searched may be empty in them. Reads apply the
 * scope and what is hidden.
 */
export interface EventReads<R extends EventLike> {
  events(
    scope: ReadScope,
    filter: AnyEventFilter,
    page: { readonly limit: number; readonly cursor: string | null },
  ): Promise<EventPage<R>>
  event(scope: ReadScope, file: FileName, project: ProjectId, id: EventId): Promise<R | null>
  neighbours(scope: ReadScope, filter: EventFilter, of: EventLike): Promise<Neighbours>
  /** How many events meet the filter. */
  count(scope: ReadScope, filter: EventFilter): Promise<number>
  /** Groups with at least one event that meets the conditions within the files, at most `limit`; `forMs`: as `slots` else. */
  groupsMatching(
    scope: ReadScope,
    filter: Omit<EventFilter, 'groups'>,
    limit: number,
    forMs?: number,
  ): Promise<readonly MatchingGroup[]>
  /** Events over time of each group that has any within the filter. */
  groupTrends(scope: ReadScope, filter: EventFilter, asked: TrendAsked): Promise<readonly GroupTrend[]>
  /**
   * Returns the people of matching events, each once per group and address; `null` if there are more than
   * `limit`.
   */
  groupPeople(scope: ReadScope, filter: EventFilter, limit: number): Promise<readonly GroupPerson[] | null>
  /**
   * Returns hashes for estimating the number of people: at most 4,096 per group, from which a sketch is made.
   */
  groupPeopleHashes(
    scope: ReadScope,
    filter: EventFilter,
  ): Promise<readonly (Pick<GroupPerson, 'projectId' | 'hash'> & { readonly user: bigint })[]>
  /** Events that name a trace, of the groups or of all, newest first, at most `limit`. */
  tracedErrors(
    scope: ReadScope,
    filter: Pick<EventFilter, 'files' | 'startMs' | 'endMs'> & {
      readonly groups: EventFilter['groups'] | null
    },
    limit: number,
  ): Promise<readonly (ErrorPlace & { readonly groupHash: GroupHash })[]>
  /**
   * Values that rows of the files say of a key beside their tags and that begin so, ASCII letters in any case, with the
   * rows that say them, most frequent first. Of each file the most frequent alone are counted.
   */
  detailValues(
    scope: ReadScope,
    filter: Omit<EventFilter, 'groups'>,
    asked: DetailValuesAsked,
  ): Promise<readonly { readonly value: string; readonly count: number }[]>
}

export interface DetailValuesAsked {
  readonly key: string
  readonly prefix: string
  /** Values that have it anywhere, not only at their beginning. */
  readonly isAnywhere?: boolean
  readonly limit: number
}

/** Finds events that missed a source map that has arrived since. */
export interface MissedMapsQuery {
  readonly projects: readonly ProjectId[]
  /** Debug ids, as in a row's `missedMaps`. */
  readonly debugIds: readonly string[]
  /** Every event of this release that missed any; `null`: by debug id alone. */
  readonly release: string | null
  /** At most; those seen last. */
  readonly groupsMax: number
}

/** A group with such events: the newest and the oldest of them in the newest file that has any, each once. */
export interface MissedGroup {
  readonly projectId: ProjectId
  readonly hash: GroupHash
  readonly file: FileName
  readonly events: readonly EventId[]
}

/** Used by Errata itself: of whatever projects, without what is hidden. */
export interface MissedMapsRead {
  /** Each group once. */
  groupsThatMissed(query: MissedMapsQuery): Promise<readonly MissedGroup[]>
  /** Events of one file, newest first, at most `limit`. */
  eventsThatMissed(
    file: FileName,
    query: Omit<MissedMapsQuery, 'groupsMax'>,
    limit: number,
  ): Promise<readonly EventPlace[]>
}

/**
 * Event ids of the kept days as sorted runs of 64-bit hashes: "stored already?" for the commit and "where?" for
 * "event by id". Not authoritative: rebuilt from the payload segments.
 */
/** An id that is asked for: of an item of which file. */
export interface AskedId {
  readonly projectId: ProjectId
  readonly eventId: EventId
  readonly file: Pick<FileName, 'kind' | 'day'>
}

export interface EventIds {
  /**
   * False for each (project, id) that was added to a file of the same kind, of a day of receipt within `duplicateDays`
   * before that of `file`; in the order of what is asked. Kinds are apart: an error and a transaction may have one id.
   * Asked for a whole part at once.
   */
  fresh(asked: readonly AskedId[]): Promise<readonly boolean[]>
  /** After the control transaction of their batch. Ids of an uncommitted batch must not be added. */
  add(
    entries: readonly {
      readonly projectId: ProjectId
      readonly eventId: EventId
      readonly file: FileName
      readonly seq: Seq
    }[],
  ): Promise<void>
  /** Candidate files of a kind, newest first (a hash may match another id: the reader checks). */
  find(project: ProjectId, id: EventId, kind: KindName): Promise<readonly FileName[]>
  /** Forgets what is in memory alone and takes it again from the segments, up to and including `appliedSeq`. */
  recover(appliedSeq: Seq): Promise<void>
  close(): Promise<void>
}

/** Header of one item in a block. */
export interface BlockEntry {
  readonly projectId: ProjectId
  /** `null` for a kind whose items have none. */
  readonly eventId: EventId | null
  readonly seq: Seq
  /** Offset of the payload in the unpacked block. */
  readonly offset: number
  /** Length of the payload; 0 if none is kept. */
  readonly bytes: number
  /** Length of the row record, right behind the payload. */
  readonly rowBytes: number
}

/** A row as it lies behind its payload: see model/row-record.ts. */
export interface RowRecord {
  readonly seq: Seq
  /** UTF-8. */
  readonly text: Uint8Array
}

/** Names an event in a file. */
export interface EventPlace {
  readonly projectId: ProjectId
  readonly eventId: EventId
}

/**
 * Returns the rows of events without a query: as written, whether or not they may be seen, in the order of
 * the events; `null` for a missing one, and for all if that would unpack more than `bytesMax` and more than
 * one block.
 */
export type RowsOfEvents<R extends EventLike> = (
  file: FileName,
  events: readonly EventPlace[],
  bytesMax: number,
) => Promise<readonly (R | null)[]>

export interface AppendedBlock {
  readonly block: PayloadBlock
  /** Entries of the block without duplicates, which cannot be reached. */
  readonly entries: readonly BlockEntry[]
}

/** Scrubbed payloads with their row records in compressed blocks, in one append-only file per kind, day and class. */
export interface PayloadSegments {
  /** Appends the blocks and syncs each file. */
  append(blocks: readonly AppendedBlock[]): Promise<void>
  /** Cuts every file after the last block whose items are all at or below `seq`. */
  truncateBeyond(seq: Seq): Promise<void>
  /**
   * The payload of an event; nothing (no bytes) where it was not kept, `null` where the event is not there. A block
   * whose crc is wrong is an error, never a wrong event.
   */
  read(file: FileName, project: ProjectId, id: EventId): Promise<Uint8Array | null>
  /**
   * The row records of events, in their order; `null` for one that is not there. All `null` where they lie in several
   * blocks that take more than `bytesMax` unpacked, those at hand not counted: then none is unpacked.
   */
  records(
    file: FileName,
    events: readonly EventPlace[],
    bytesMax: number,
  ): Promise<readonly (RowRecord | null)[]>
  files(): Promise<readonly FileName[]>
  close(): Promise<void>
}
