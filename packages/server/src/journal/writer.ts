/**
 * The journal's one writer. Group commit: "flush when idle, batch when busy". While one write and sync is under way,
 * everything appended waits and goes with the next; an idle journal writes at once. A timer would cost a third of the
 * rate (measured) and make every single envelope wait.
 *
 * ```
 * append ─▶ waiting ─▶ write + sync ─▶ resolve ─▶ takeRange ─▶ (workers, commit) ─▶ release ─▶ unlink
 *                            │
 *                            ├─ refused: cut back to the last good record, else go on in a new file; reject
 *                            └─ no answer: nothing new is taken; what waits is told the truth once there is one
 * ```
 */
import type { Clock } from '#base/clock.ts'
import { type Disk, nodeDisk } from '#base/disk.ts'
import { ErrataError } from '#base/errors.ts'
import { type Seq, seq } from '#base/ids.ts'
import type { Log } from '#base/log.ts'
import { StallWatch } from '#base/stall-watch.ts'
import { max } from '#limits/limits.ts'
import type { JournalRange, JournalRecord, JournalWriter } from '#model/record.ts'
import { type CurrentFile, createFile } from './current-file.ts'
import { type EncodedRecord, encodeRecord, JOURNAL_HEADER_BYTES } from './format.ts'
import { GroupLayout } from './group-commit.ts'
import type { JournalFile } from './journal-file.ts'
import { type DamageCount, type OpenedAt, type Recovered, readOlder, recoverFiles } from './recovery.ts'
import { setAside } from './set-aside.ts'
import { WaitingRecords } from './waiting-records.ts'

export interface JournalOptions {
  /** Made with mode 0700 when absent; used by this writer alone. */
  readonly directory: string
  readonly clock: Clock
  /** Last seq that every store has applied; nothing up to it is offered again. */
  readonly appliedSeq: Seq
  readonly log: Log
  readonly fileBytesMax?: number
  readonly fileAgeMs?: number
  readonly backlogBytesMax?: number
  readonly disk?: Disk
}

export interface Journal extends JournalWriter {
  /**
   * Returns the disk's last refusal until a later write succeeds, or a write that has not returned for too
   * long; `null` while all is well. For /health.
   */
  failing(): string | null
  /** Returns stretches and bytes that earlier runs left unreadable; each is in the log too. */
  damage(): { readonly gaps: number; readonly bytes: number }
  /** Resolves when everything that earlier runs left has been found. Listening need not wait for it. */
  recovered(): Promise<void>
  /** The last number that is not needed any more. */
  releasedUpTo(): Seq
}

/** Opens the directory's journal: the newest file is read now, older ones while the server already works. */
export async function openJournal(options: JournalOptions): Promise<Journal> {
  const openedAt = { nowMs: options.clock.now(), elapsedMs: options.clock.elapsed() }
  const opened = { ...options, disk: options.disk ?? nodeDisk, openedAt }
  return new Writer(opened, await recoverFiles(opened))
}

interface OpenedOptions extends JournalOptions {
  readonly disk: Disk
  readonly openedAt: OpenedAt
}

interface Waiting {
  readonly record: EncodedRecord
  /** On the clock that never goes back. */
  readonly sinceMs: number
  readonly resolve: (value: Seq) => void
  readonly reject: (error: Error) => void
}

class Writer implements Journal {
  readonly #options: OpenedOptions
  readonly #disk: Disk
  readonly #fileBytesMax: number
  readonly #fileAgeMs: number
  readonly #backlogBytesMax: number
  readonly #damage: DamageCount
  readonly #recovery: Promise<void>
  readonly #unlinking = new Set<Promise<void>>()
  /** Oldest first; the current one, where there is one, last. */
  #files: JournalFile[]
  #current: CurrentFile | null = null
  readonly #waiting = new WaitingRecords<Waiting>()
  #flushing: Promise<void> | null = null
  #lastSeq: number
  /** The last number that a kept record has; beyond it the disk refused some. */
  #lastKeptSeq: number
  #lastReceivedMs: number
  #released: Seq
  #backlog = { bytes: 0, records: 0 }
  #failure: string | null = null
  readonly #stallWatch: StallWatch
  #isStallLogged = false
  #probeTimer: NodeJS.Timeout | null = null
  readonly #layout = new GroupLayout()
  #listener: () => void = () => {}
  #ageTimer: NodeJS.Timeout | null = null
  #closed = false

  constructor(options: OpenedOptions, recovered: Recovered) {
    this.#options = options
    this.#disk = options.disk
    this.#stallWatch = new StallWatch({ clock: options.clock, stallMs: max('journalStallMs') })
    this.#fileBytesMax = options.fileBytesMax ?? max('journalFileBytesMax')
    this.#fileAgeMs = options.fileAgeMs ?? max('journalFileAgeMs')
    this.#backlogBytesMax = options.backlogBytesMax ?? max('journalBacklogBytesMax')
    this.#damage = recovered.damage
    this.#released = options.appliedSeq
    this.#lastSeq = recovered.lastSeq
    this.#lastKeptSeq = recovered.lastKeptSeq
    this.#lastReceivedMs = recovered.lastReceivedMs
    this.#files = [...recovered.files]
    this.#measure()
    this.#recovery = this.#readOlder()
  }

  append(record: JournalRecord): Promise<Seq> {
    if (this.#closed) return Promise.reject(new ErrataError('stopping', 'the journal is closed'))
    const stalled = this.#stallWatch.stalled()
    if (stalled !== null) return this.#refuseStalled(stalled)
    const bytes = record.type === 'envelope' ? record.body.length : 0
    if (this.#backlog.bytes + this.#waiting.bytes + bytes > this.#backlogBytesMax) {
      return Promise.reject(new ErrataError('overloaded', 'the journal’s backlog is full'))
    }
    return new Promise((resolve, reject) => {
      const encoded = encodeRecord(record) // what it throws rejects this promise
      this.#waiting.push({ record: encoded, sinceMs: this.#options.clock.elapsed(), resolve, reject })
      this.#startFlush()
    })
  }

  takeRange(envelopesMax: number, bytesMax: number, fill: 'any' | 'full' = 'any'): JournalRange | null {
    for (const file of this.#files) {
      if (fill === 'full' && file === this.#files.at(-1) && file.isPart(envelopesMax, bytesMax)) return null
      const range = file.take(envelopesMax, bytesMax)
      if (range !== null) return range
      if (!file.isRead) return null
    }
    return null
  }

  onSynced(listener: () => void): void {
    this.#listener = listener
  }

  release(upTo: Seq): void {
    if (upTo <= this.#released) return
    this.#released = upTo
    for (const file of this.#files) {
      if (file.isRead) file.release(upTo)
    }
    this.#removeReleased()
    this.#retireWhenOld()
    this.#measure()
  }

  releasedUpTo(): Seq {
    return this.#released
  }

  giveUp(path: string): void {
    this.#files.find((file) => file.path === path)?.giveUp()
  }

  backlog(): { readonly bytes: number; readonly records: number; readonly oldestMs: number } {
    const nowMs = this.#options.clock.elapsed()
    const sinceMs = Math.min(nowMs, ...this.#files.map((file) => file.waitingSinceMs() ?? nowMs))
    return { ...this.#backlog, oldestMs: nowMs - sinceMs }
  }

  failing(): string | null {
    return this.#failure ?? this.#stallWatch.stalled()
  }

  damage(): { readonly gaps: number; readonly bytes: number } {
    return { ...this.#damage }
  }

  recovered(): Promise<void> {
    return this.#recovery
  }

  async close(): Promise<void> {
    this.#closed = true
    if (this.#ageTimer !== null) clearTimeout(this.#ageTimer)
    if (this.#probeTimer !== null) clearTimeout(this.#probeTimer)
    await this.#recovery
    await this.#flushing
    const current = this.#current
    this.#current = null
    await current?.handle.close()
    this.#removeReleased()
    await Promise.all(this.#unlinking)
  }

  #startFlush(): void {
    if (this.#flushing !== null || this.#waiting.isEmpty) return
    this.#flushing = this.#flush().finally(() => {
      this.#flushing = null
      this.#startFlush()
      this.#retireWhenOld()
    })
  }

  async #flush(): Promise<void> {
    while (!this.#waiting.isEmpty) {
      const { lane, firstBytes } = this.#waiting.turn()
      const current = await this.#room(firstBytes)
      const batch = this.#waiting.take(lane, this.#syncBytesMax(current))
      if (current instanceof Error) this.#refuse(batch, current)
      else await this.#write(current, batch)
      this.#noteReturn()
    }
  }

  /** The file the next record goes to; a new one when the current is full or old. */
  async #room(firstBytes: number): Promise<CurrentFile | Error> {
    const current = this.#current
    if (current !== null && !this.#isFull(current, firstBytes)) return current
    this.#current = null
    try {
      const created = await this.#stallWatch.during('making a file', () => this.#nextFile(current))
      this.#files.push(created.file)
      this.#current = created
      return created
    } catch (cause) {
      this.#lastSeq++ // what was half made keeps its name
      return asError(cause)
    }
  }

  async #nextFile(before: CurrentFile | null): Promise<CurrentFile> {
    await before?.handle.close()
    return createFile(this.#disk, {
      directory: this.#options.directory,
      firstSeq: this.#lastSeq + 1,
      skipped: this.#lastSeq - this.#lastKeptSeq,
      createdAtMs: this.#options.clock.elapsed(),
    })
  }

  #isFull(current: CurrentFile, nextBytes: number): boolean {
    if (current.end === JOURNAL_HEADER_BYTES) return false
    if (current.end + nextBytes > this.#fileBytesMax) return true
    // With a backlog before it, a younger file would not be removed any sooner.
    const isOld = this.#options.clock.elapsed() - current.file.createdAtMs >= this.#fileAgeMs
    return isOld && this.#files.length <= 2
  }

  /** No more than one sync should carry, or the file has room for. */
  #syncBytesMax(current: CurrentFile | Error): number {
    const room = current instanceof Error ? Number.POSITIVE_INFINITY : this.#fileBytesMax - current.end
    return Math.min(max('journalSyncBytesMax'), room)
  }

  async #write(current: CurrentFile, batch: readonly Waiting[]): Promise<void> {
    const from = {
      seal: current.seal,
      at: current.end,
      lastSeq: this.#lastSeq,
      lastReceivedMs: this.#lastReceivedMs,
    }
    const laid = this.#layout.lay(
      batch.map(({ record }) => record),
      from,
    )
    const failure = await this.#commit(current, laid.buffers)
    if (failure !== null) {
      // Their bytes may still be there: never the same number twice.
      if (this.#current === null) this.#lastSeq = laid.lastSeq
      this.#refuse(batch, failure)
      return
    }
    // The first has waited longest; the others came while the group before was written.
    const sinceMs = batch[0]?.sinceMs ?? this.#options.clock.elapsed()
    for (const record of laid.records) current.file.note(record, sinceMs)
    current.end = laid.end
    this.#lastSeq = laid.lastSeq
    this.#lastKeptSeq = laid.lastSeq
    this.#lastReceivedMs = laid.lastReceivedMs
    this.#succeed()
    this.#measure()
    for (const [index, { resolve }] of batch.entries()) resolve(seq(from.lastSeq + 1 + index))
    this.#listener()
  }

  /** Writes and syncs; `null` when both reached the disk. */
  async #commit(current: CurrentFile, buffers: readonly Uint8Array[]): Promise<Error | null> {
    try {
      await this.#stallWatch.during('a write', () => current.handle.write(buffers, current.end))
    } catch (cause) {
      // Of what was written, or of its sync?
      await this.#cutBack(current, current.handle.writesAreDurable ? 'abandon' : 'keep')
      return asError(cause)
    }
    try {
      await this.#stallWatch.during('a sync', () => current.handle.sync())
      return null
    } catch (cause) {
      // After a failed sync the kernel may have dropped the pages and say yes next time: this file is not used again.
      await this.#cutBack(current, 'abandon')
      return asError(cause)
    }
  }

  async #cutBack(current: CurrentFile, fate: 'keep' | 'abandon'): Promise<void> {
    try {
      await this.#stallWatch.during('cutting back', () => current.handle.truncate(current.end))
      if (fate === 'keep') return
    } catch (cause) {
      if (this.#failure === null) {
        this.#options.log.error('journal: could not cut back, going on in a new file', {
          file: current.file.path,
          reason: asError(cause).message,
        })
      }
    }
    this.#current = null
    await current.handle.close().catch((cause: unknown) => {
      this.#options.log.error('journal: could not close a file', { reason: asError(cause).message })
    })
    this.#removeReleased()
  }

  #refuse(batch: readonly Waiting[], cause: Error): void {
    if (this.#failure === null) {
      this.#options.log.error('journal: the disk refuses; ingest answers 503', { reason: cause.message })
    }
    this.#failure = cause.message
    for (const { reject } of batch) {
      reject(new ErrataError('overloaded', `the journal could not be written: ${cause.message}`, { cause }))
    }
    this.#probeLater()
  }

  /** Refuses everything but the stalled write, which may still succeed; nothing joins it. */
  #refuseStalled(stalled: string): Promise<never> {
    if (!this.#isStallLogged) {
      this.#isStallLogged = true
      this.#options.log.error('journal: the disk does not answer; ingest answers 503', { reason: stalled })
    }
    return Promise.reject(new ErrataError('overloaded', `the journal waits for the disk: ${stalled}`))
  }

  #noteReturn(): void {
    if (!this.#isStallLogged) return
    this.#isStallLogged = false
    this.#options.log.info('journal: the disk answers again')
  }

  /**
   * Schedules a write that finds out whether the disk works again: clients that were told to wait send nothing that
   * would.
   */
  #probeLater(): void {
    if (this.#probeTimer !== null || this.#closed) return
    this.#probeTimer = setTimeout(() => {
      this.#probeTimer = null
      if (this.#failure === null || this.#closed) return
      const receivedMs = this.#options.clock.now()
      this.append({ type: 'outcomes', receivedMs, outcomes: [] }).catch(ignoreRefusal)
    }, max('journalProbeMs'))
    this.#probeTimer.unref()
  }

  #succeed(): void {
    if (this.#failure === null) return
    this.#failure = null
    this.#options.log.info('journal: the disk takes writes again')
  }

  async #readOlder(): Promise<void> {
    for (const file of this.#files.filter((candidate) => !candidate.isRead)) {
      const lastMs = await readOlder(file, this.#options, {
        damage: this.#damage,
        isOver: () => this.#closed,
      })
      if (lastMs === null) return
      file.release(this.#released)
      this.#lastReceivedMs = Math.max(this.#lastReceivedMs, lastMs)
      this.#removeReleased()
      this.#measure()
      this.#listener()
    }
  }

  /** Unlinks files, oldest first, of which nothing is needed any more. */
  #removeReleased(): void {
    for (let file = this.#files[0]; file !== undefined; file = this.#files[0]) {
      if (file === this.#current?.file || !file.isRead || file.waiting.records > 0) return
      this.#files.shift()
      const { path } = file
      const removed = file.isEvidence ? setAside(this.#disk, path) : this.#disk.unlink(path)
      const done = removed.then(ignoreAnswer, (cause: unknown) => {
        this.#options.log.error('journal: could not remove an applied file', {
          file: path,
          reason: asError(cause).message,
        })
      })
      this.#unlinking.add(done)
      void done.finally(() => this.#unlinking.delete(done))
    }
  }

  /** The journal is a buffer of seconds: a quiet one does not keep its last file until it is full. */
  #retireWhenOld(): void {
    const current = this.#current
    if (current === null || this.#closed || this.#flushing !== null || this.#ageTimer !== null) return
    if (current.end === JOURNAL_HEADER_BYTES || current.file.waiting.records > 0) return
    const leftMs = this.#fileAgeMs - (this.#options.clock.elapsed() - current.file.createdAtMs)
    if (leftMs > 0) {
      this.#ageTimer = setTimeout(() => {
        this.#ageTimer = null
        this.#retireWhenOld()
      }, leftMs)
      this.#ageTimer.unref()
      return
    }
    this.#current = null
    const done = current.handle.close().catch((cause: unknown) => {
      this.#options.log.error('journal: could not close a file', { reason: asError(cause).message })
    })
    this.#unlinking.add(done)
    void done.finally(() => this.#unlinking.delete(done))
    this.#removeReleased()
  }

  #measure(): void {
    let bytes = 0
    let records = 0
    for (const { waiting } of this.#files) {
      bytes += waiting.bytes
      records += waiting.records
    }
    this.#backlog = { bytes, records }
  }
}

/** It is not there any more. */
function ignoreAnswer(): void {}

/** It was noted, and the next probe is on its way. */
function ignoreRefusal(): void {}

function asError(cause: unknown): Error {
  return cause instanceof Error ? cause : new Error(String(cause))
}
