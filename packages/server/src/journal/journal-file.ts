/**
 * Index of one journal file in memory: ends of records, four bytes each. Bodies stay on disk, so that memory
 * does not follow the backlog.
 */
import { type Seq, seq } from '#base/ids.ts'
import type { JournalRange } from '#model/record.ts'
import type { PlacedRecord } from './group-commit.ts'
import { WaitingSince } from './waiting-since.ts'

/** Records that lie side by side with consecutive numbers. Damage and skipped numbers begin a new one. */
interface Stretch {
  readonly start: number
  readonly firstSeq: number
  lengths: Uint32Array
  count: number
  bytes: number
}

interface Cursor {
  stretch: number
  /** Records of that stretch already passed, and their bytes. */
  record: number
  offset: number
}

/** Records that are known to have been there, somewhere in a damaged stretch. */
export interface MissingRecords {
  readonly start: number
  readonly bytes: number
  readonly firstSeq: number
  readonly count: number
}

export class JournalFile {
  readonly path: string
  /** First seq the file may hold, as its name says. */
  readonly firstSeq: number
  readonly createdAtMs: number
  /** The last kept record it held once, as the file behind it says; `null` where none does. */
  readonly lastKeptSeq: number | null
  readonly #stretches: Stretch[] = []
  readonly #taken: Cursor = { stretch: 0, record: 0, offset: 0 }
  readonly #released: Cursor = { stretch: 0, record: 0, offset: 0 }
  readonly #waitingSince = new WaitingSince()
  #records = 0
  #bytes = 0
  #lastSeq: number
  #isEvidence = false
  #isGivenUp = false
  #unread: { readonly records: number; readonly bytes: number } | null

  /**
   * `createdAtMs` on the clock that never goes back; of a file of an earlier run, when this one found it. `unread`:
   * left by an earlier run, to be read when its turn comes; until then its size is what its name and the disk say.
   */
  constructor(
    path: string,
    firstSeq: number,
    origin: {
      readonly createdAtMs: number
      readonly unread?: { readonly records: number; readonly bytes: number }
      readonly lastKeptSeq?: number | null
    },
  ) {
    this.path = path
    this.firstSeq = firstSeq
    this.createdAtMs = origin.createdAtMs
    this.#lastSeq = firstSeq - 1
    this.#unread = origin.unread ?? null
    this.lastKeptSeq = origin.lastKeptSeq ?? null
  }

  /** False while a file of an earlier run has not been read: nothing behind it may be taken. */
  get isRead(): boolean {
    return this.#unread === null
  }

  /** Everything the file holds has been noted. */
  markRead(): void {
    this.#unread = null
  }

  /** When nothing of it is needed any more, it is set aside for a person to look at, and not removed. */
  setAsideLater(): void {
    this.#isEvidence = true
  }

  /** It cannot be read: its ranges say so from now on. */
  giveUp(): void {
    this.#isGivenUp = true
    this.#isEvidence = true
  }

  get isEvidence(): boolean {
    return this.#isEvidence
  }

  /** Last seq noted; one below `firstSeq` while there is none. */
  get lastSeq(): number {
    return this.#lastSeq
  }

  /** Records and bytes noted and not yet released. */
  get waiting(): { readonly records: number; readonly bytes: number } {
    return this.#unread ?? { records: this.#records, bytes: this.#bytes }
  }

  /** Notes a record that is safely on the disk; `sinceMs`: when it began to wait, on the clock that never goes back. */
  note(record: PlacedRecord, sinceMs: number): void {
    let stretch = this.#stretches.at(-1)
    const follows =
      stretch !== undefined &&
      stretch.start + stretch.bytes === record.start &&
      stretch.firstSeq + stretch.count === record.seq
    if (stretch === undefined || !follows) {
      stretch = emptyStretch(record.start, record.seq)
      this.#stretches.push(stretch)
    }
    if (stretch.count === stretch.lengths.length) stretch.lengths = growLengths(stretch.lengths)
    stretch.lengths[stretch.count++] = record.bytes
    stretch.bytes += record.bytes
    this.#records++
    this.#bytes += record.bytes
    this.#lastSeq = record.seq
    this.#waitingSince.note(record.seq, sinceMs)
  }

  /**
   * Notes records that damage took away, so that they are offered like the others: their reader finds no record there,
   * and counts them. Where the file is shorter than they are many, their places lie behind its end.
   */
  noteMissing(missing: MissingRecords, sinceMs: number): void {
    const { start, bytes, firstSeq, count } = missing
    const each = Math.max(1, Math.floor(bytes / count))
    for (let index = 0; index < count; index++) {
      const isLast = index === count - 1
      const length = isLast ? Math.max(1, bytes - each * index) : each
      this.note({ start: start + each * index, bytes: length, seq: firstSeq + index }, sinceMs)
    }
  }

  /** Whether the records not yet taken are fewer than the bounds allow, with nothing behind them in the file. */
  isPart(recordsMax: number, bytesMax: number): boolean {
    const stretch = this.#current(this.#taken)
    if (stretch === null) return true
    if (stretch !== this.#stretches.at(-1)) return false
    const { record, offset } = this.#taken
    return stretch.count - record < recordsMax && stretch.bytes - offset <= bytesMax
  }

  /** The next records not yet taken, within the bounds but at least one; `null` when all are taken. */
  take(recordsMax: number, bytesMax: number): JournalRange | null {
    const stretch = this.#current(this.#taken)
    if (stretch === null) return null
    const from = { ...this.#taken }
    let records = 0
    let bytes = 0
    while (from.record + records < stretch.count && records < recordsMax) {
      const length = stretch.lengths[from.record + records] ?? 0
      if (records > 0 && bytes + length > bytesMax) break
      bytes += length
      records++
    }
    this.#taken.record += records
    this.#taken.offset += bytes
    const start = stretch.start + from.offset
    const firstSeq = stretch.firstSeq + from.record
    return {
      file: this.path,
      start,
      end: start + bytes,
      firstSeq: seq(firstSeq),
      lastSeq: seq(firstSeq + records - 1),
      ...(this.#isGivenUp ? { isGivenUp: true } : {}),
    }
  }

  /** Everything up to `upTo` is no longer needed; it is not offered again either. */
  release(upTo: Seq): void {
    if (upTo < this.firstSeq) return
    for (let stretch = this.#current(this.#released); stretch !== null; ) {
      const cursor = this.#released
      if (stretch.firstSeq + cursor.record > upTo) break
      const length = stretch.lengths[cursor.record] ?? 0
      cursor.record++
      cursor.offset += length
      this.#records--
      this.#bytes -= length
      stretch = this.#current(cursor)
    }
    if (isBehind(this.#taken, this.#released)) Object.assign(this.#taken, this.#released)
    this.#waitingSince.release(upTo)
  }

  /**
   * Since when the oldest record not released has been waiting, or a little before, on the clock that never goes back;
   * `null` when there is none. What has not been read has waited since it was found, and nobody knows how long before.
   */
  waitingSinceMs(): number | null {
    if (this.waiting.records === 0) return null
    return this.isRead ? this.#waitingSince.oldestMs() : this.createdAtMs
  }

  /** The stretch a cursor stands in, moved on to the next where one is passed. */
  #current(cursor: Cursor): Stretch | null {
    for (;;) {
      const stretch = this.#stretches[cursor.stretch]
      if (stretch === undefined) return null
      if (cursor.record < stretch.count) return stretch
      if (cursor.stretch === this.#stretches.length - 1) return null
      Object.assign(cursor, { stretch: cursor.stretch + 1, record: 0, offset: 0 })
    }
  }
}

function emptyStretch(start: number, firstSeq: number): Stretch {
  return { start, firstSeq, lengths: new Uint32Array(16), count: 0, bytes: 0 }
}

function growLengths(lengths: Uint32Array): Uint32Array {
  const twice = new Uint32Array(lengths.length * 2)
  twice.set(lengths)
  return twice
}

function isBehind(a: Cursor, b: Cursor): boolean {
  return a.stretch < b.stretch || (a.stretch === b.stretch && a.record < b.record)
}
