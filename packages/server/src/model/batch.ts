/**
 * What a process thread makes of one journal range: plain data, ready for the one commit. Rows come in parts, one a kind;
 * what only the kind itself looks at travels as `own`.
 */
import type { CategoryQuantity } from '@errata/protocol'
import type { KeyId, ProjectId, Seq } from '#base/ids.ts'
import type { StoredRow } from './fields.ts'
import type { FileName, KindName } from './file-name.ts'
import type { CountedOutcome } from './outcome.ts'
import type { JournalRange } from './record.ts'

/** One item, ready but for its payload's place in a block. */
export interface PendingRow<R extends StoredRow = StoredRow, Own = unknown> {
  readonly kind: KindName
  readonly row: R
  /** The key it was sent with: what the commit counts it against. */
  readonly keyId: KeyId
  /** What is kept of the item beyond its row, scrubbed, as UTF-8; no bytes where that is nothing. */
  readonly payload: Uint8Array
  readonly own: Own
  /** As what it is counted where that is not one item of the kind's category. */
  readonly counts?: CategoryQuantity
}

/** One item with its place: which block of its part, and where in the unpacked block. */
export interface PackedRow<R extends StoredRow = StoredRow, Own = unknown>
  extends Pick<PendingRow<R, Own>, 'row' | 'keyId' | 'own' | 'counts'> {
  readonly block: number
  readonly offset: number
  /** Of the payload; 0 where none is kept. */
  readonly bytes: number
  /** Of the row record behind it. */
  readonly rowBytes: number
}

/** zstd-compressed payloads and row records of one file, neighbours in what makes them alike. */
export interface PayloadBlock {
  readonly file: FileName
  /** Bytes before compression. */
  readonly rawBytes: number
  readonly compressed: Uint8Array
}

/** All items of one kind. */
export interface BatchPart {
  readonly kind: KindName
  /** In seq order. */
  readonly rows: readonly PackedRow[]
  readonly blocks: readonly PayloadBlock[]
}

export interface ProcessedBatch {
  readonly range: JournalRange
  /** Each kind at most once. */
  readonly parts: readonly BatchPart[]
  /** Outcomes of items that are not stored, and client reports. Accepted ones are counted by the commit. */
  readonly outcomes: readonly CountedOutcome[]
  /** Envelopes that failed `processTriesMax` times, scrubbed by byte patterns. */
  readonly quarantined: readonly QuarantinedEnvelope[]
}

export interface QuarantinedEnvelope {
  readonly seq: Seq
  readonly projectId: ProjectId
  readonly receivedMs: number
  /** Class and message of the failure. */
  readonly reason: string
  readonly body: Uint8Array
}

/**
 * What the commit found that process threads may act upon, for one kind: they leave out early what the commit would
 * leave out anyway. Only the kind reads it.
 */
export interface KindHint {
  readonly kind: KindName
  readonly of: unknown
}
