/**
 * Batch that a process thread makes of one journal range: plain data, ready for one commit. Rows come in
 * parts, one per kind; `own` holds what only the kind reads.
 */
import type { CategoryQuantity } from '@errata/protocol'
import type { KeyId, ProjectId, Seq } from '#base/ids.ts'
import type { StoredRow } from './fields.ts'
import type { FileName, KindName } from './file-name.ts'
import type { SetAside } from './large-item.ts'
import type { CountedOutcome } from './outcome.ts'
import type { JournalRange } from './record.ts'

/** An item that is ready except for its payload's place in a block. */
export interface PendingRow<R extends StoredRow = StoredRow, Own = unknown> {
  readonly kind: KindName
  readonly row: R
  /** The key it was sent with: what the commit counts it against. */
  readonly keyId: KeyId
  /** Scrubbed content kept beyond the row, as UTF-8; empty if there is none. */
  readonly payload: Uint8Array
  readonly own: Own
  /** Category and quantity, unless it counts as one item of the kind's category. */
  readonly counts?: CategoryQuantity
}

/** An item with its place: block of its part, and offset in the unpacked block. */
export interface PackedRow<R extends StoredRow = StoredRow, Own = unknown>
  extends Pick<PendingRow<R, Own>, 'row' | 'keyId' | 'own' | 'counts'> {
  readonly block: number
  readonly offset: number
  /** Length of the payload; 0 if none is kept. */
  readonly bytes: number
  /** Length of the row record behind it. */
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
  /** Rows in seq order. */
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
  /** Attachments that accept had put aside; left out where there are none. */
  readonly setAside?: readonly SetAside[]
}

/**
 * Hint from the commit to process threads for one kind: what they may leave out early because the commit
 * would anyway. Only the kind reads it.
 */
export interface KindHint {
  readonly kind: KindName
  readonly of: unknown
}
