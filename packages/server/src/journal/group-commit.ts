/** Records of one group commit, side by side in memory that the next group reuses. */
import { max } from '#limits/limits.ts'
import { type EncodedRecord, headBytes, type JournalSeal, writeRecord } from './format.ts'

/** Place of a record in its file. */
export interface PlacedRecord {
  readonly start: number
  readonly bytes: number
  readonly seq: number
}

export interface LaidGroup {
  /** Buffers to write, one behind the other; valid until the next group is laid. */
  readonly buffers: readonly Uint8Array[]
  readonly records: readonly PlacedRecord[]
  /** End of the file behind the group. */
  readonly end: number
  readonly lastSeq: number
  readonly lastReceivedMs: number
}

export interface GroupStart {
  readonly seal: JournalSeal
  /** Byte of the file where the first record goes. */
  readonly at: number
  /** Seq that the first record follows. */
  readonly lastSeq: number
  readonly lastReceivedMs: number
}

const FIRST_BYTES = 256 * 1024

/**
 * Copies heads and small bodies into one buffer (a body of 5 KB: half a microsecond, where a buffer of its own costs
 * two on its way into the kernel). One group is under way at a time, so one buffer does.
 */
export class GroupLayout {
  #scratch = Buffer.alloc(0)

  lay(records: readonly EncodedRecord[], from: GroupStart): LaidGroup {
    const bytes = this.#room(records)
    const buffers: Uint8Array[] = []
    const placed: PlacedRecord[] = []
    let { at: start, lastSeq, lastReceivedMs } = from
    let offset = 0
    let runStart = 0
    for (const record of records) {
      lastReceivedMs = Math.max(lastReceivedMs, record.receivedMs)
      const withBody = isCopied(record)
      const at = { seal: from.seal, seq: ++lastSeq, receivedMs: lastReceivedMs }
      offset = writeRecord(record, { bytes, offset, withBody }, at)
      if (!withBody) {
        buffers.push(bytes.subarray(runStart, offset), record.body)
        runStart = offset
      }
      placed.push({ start, bytes: record.bytes, seq: lastSeq })
      start += record.bytes
    }
    if (offset > runStart) buffers.push(bytes.subarray(runStart, offset))
    return { buffers, records: placed, end: start, lastSeq, lastReceivedMs }
  }

  #room(records: readonly EncodedRecord[]): Buffer {
    let needed = 0
    for (const record of records) needed += isCopied(record) ? record.bytes : headBytes(record)
    if (needed > this.#scratch.length) {
      this.#scratch = Buffer.allocUnsafeSlow(Math.max(needed, this.#scratch.length * 2, FIRST_BYTES))
    }
    return this.#scratch
  }
}

function isCopied(record: EncodedRecord): boolean {
  return record.body.length <= max('journalCopyBytesMax')
}
