/**
 * Journal records: one per accepted envelope, and one per flush of counted refusals. The journal's one writer
 * gives each its `seq`. The file format is in `format.ts`.
 */
import type { KeyId, ProjectId, Seq } from '#base/ids.ts'
import type { SetAside } from './large-item.ts'
import type { CountedOutcome } from './outcome.ts'

/** An envelope with what only the request knew. */
export interface EnvelopeRecord {
  readonly type: 'envelope'
  readonly projectId: ProjectId
  readonly keyId: KeyId
  /** Milliseconds since 1970 UTC: max(clock, last received). */
  readonly receivedMs: number
  /** Client address behind trusted proxies; `null` when unknown (a relayed request). */
  readonly clientAddress: string | null
  readonly userAgent: string | null
  /** `name/version` of the client as authenticated, or `null`. */
  readonly client: string | null
  /** Content codings of `body`, in the order they were applied: `[]` where accept undid them, `['gzip']` … */
  readonly encodings: readonly ContentCoding[]
  /** How `body` is framed: an envelope, or one event of the older store endpoint. */
  readonly format: 'envelope' | 'store'
  /** Event id answered to the client, so that the stored one agrees; `null` where none was needed. */
  readonly eventId: string | null
  /** Indices of items left out by a rate limit or for absurd nesting; their outcomes were counted by accept. */
  readonly skippedItems: readonly number[]
  /**
   * The bytes as received, inflated where they are small (`journalInflatedBytesMax`), so that each body is inflated
   * once; of a store event in base64, the JSON that was inside it.
   */
  readonly body: Uint8Array
  /** Payloads that are not in `body`: large blobs, durable before this record is. */
  readonly setAside?: readonly SetAside[]
}

export type ContentCoding = 'gzip' | 'deflate' | 'br' | 'zstd'

/** Refusals and drops that accept counted. */
export interface OutcomesRecord {
  readonly type: 'outcomes'
  readonly receivedMs: number
  readonly outcomes: readonly CountedOutcome[]
}

export type JournalRecord = EnvelopeRecord | OutcomesRecord

/** A record with its place in the order of everything. */
export type SequencedRecord = JournalRecord & { readonly seq: Seq }

/** A stretch of the journal: workers read it themselves, so that bodies never cross threads. */
export interface JournalRange {
  /** Absolute path of the journal file. */
  readonly file: string
  /** Byte offset of the first record and byte after the last. */
  readonly start: number
  readonly end: number
  readonly firstSeq: Seq
  readonly lastSeq: Seq
  /** It was tried for long enough: what of it cannot be read is damaged. */
  readonly isGivenUp?: true
  /** By how much a seq is more than the number that the file gives its record; absent: they are the same. */
  readonly shift?: number
  /** From the log of what projects sent beyond their share. */
  readonly isOverflow?: true
}

/** The one writer. Lives on the main thread. */
export interface JournalWriter {
  /**
   * Appends one record and resolves with its seq after a group commit has put it on the disk. Rejects with
   * `ErrataError('overloaded')` when the disk refuses or the backlog is full: then nothing was acknowledged.
   */
  append(record: JournalRecord): Promise<Seq>
  /**
   * Stretches not yet taken, oldest first, of at most `envelopesMax` records and `bytesMax` bytes. Synced only.
   * `full`: what may still grow before it fills these bounds is left where it is.
   */
  takeRange(envelopesMax: number, bytesMax: number, fill?: 'any' | 'full'): JournalRange | null
  /** Called when something new may be taken. One listener. */
  onSynced(listener: () => void): void
  /** Everything up to and including `seq` is applied by every store: whole files below it are unlinked. */
  release(seq: Seq): void
  /** A file could not be read for long: its ranges from now on say so, and in the end it is kept for a person. */
  giveUp(file: string): void
  /**
   * Bytes and records not yet released, and for how many milliseconds the oldest has been waiting: no jump of the
   * wall clock makes it older.
   */
  backlog(): { readonly bytes: number; readonly records: number; readonly oldestMs: number }
  /** Syncs what was appended, then closes. */
  close(): Promise<void>
}
