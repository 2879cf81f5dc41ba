/** Payload files as care uses them: on the commit thread alone, but for verification. */
import type { Seq } from '#base/ids.ts'
import type { FileName } from '#model/file-name.ts'
import type { FileBytes } from '#ports/care.ts'
import type { BlockEntry, EventIds, PayloadSegments } from '#ports/telemetry.ts'
import type { VerifyFiles } from './verify-files.ts'

/** A block as it was appended, unpacked. */
export interface UnpackedBlock {
  readonly entries: readonly BlockEntry[]
  /** Bytes that the entries' offsets point into. */
  readonly body: Uint8Array
  /** Last seq of the batch it came with. */
  readonly batchLastSeq: Seq
}

/** Part of a batch in one file, or several that compaction joined. */
export interface StoredBatch {
  /** First seq of its items in this file. */
  readonly firstSeq: Seq
  /** Last seq of the whole batch. */
  readonly lastSeq: Seq
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

/** Payload files as retention and compaction see them. */
export interface PayloadCare extends PayloadSegments, VerifyFiles {
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
  /**
   * Every entry of a file in the order of its blocks, for rebuilding what is derived from it; with `afterSeq`
   * only those of batches that end beyond it. `onDamage` hears of stretches that hold no intact block.
   */
  scan(file: FileName, afterSeq?: Seq, onDamage?: () => void): AsyncIterable<BlockEntry>
  /** Every block of a file, unpacked, one at a time; those that cannot be read are skipped and told to `onDamage`. */
  blocks(file: FileName, onDamage: (start: number) => void): AsyncIterable<UnpackedBlock>
  /** The newest batches with blocks in a file, newest first, at most `limit`; none where its end is damaged. */
  newestBatches(file: FileName, limit: number): Promise<readonly StoredBatch[]>
  bytes(): Promise<number>
}

/** Event ids as removal sees them. */
export interface EventIdCare extends EventIds {
  /** Forgets the ids of a file that is removed, in memory and on the disk. */
  forget(file: FileName): Promise<void>
}
