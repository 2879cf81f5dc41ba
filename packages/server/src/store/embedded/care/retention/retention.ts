/**
 * Retention by age, by the disk's share, and by deletion. Runs beside the commit, one thing at a time and in
 * slices; queries hide at once what this removes later.
 */
import { setImmediate, setTimeout } from 'node:timers/promises'
import { ErrataError } from '#base/errors.ts'
import { type Day, dayOf } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { FileName } from '#model/file-name.ts'
import { fileStem, isSameFile } from '#model/file-name.ts'
import { HiddenRules } from '#model/hidden.ts'
import type {
  EventChange,
  FileBytes,
  MissingFiles,
  RemovalReason,
  RetentionOverview,
  UpkeepRun,
} from '#ports/care.ts'
import { FilesHeld } from '../files-held.ts'
import type { FileState } from '../stores/control.ts'
import { BelievedClock } from './believed-clock.ts'
import { type CompactedFile, type CompactionRun, changeFile, compactFile, UNTOUCHED } from './compact-file.ts'
import { countContents } from './count-contents.ts'
import { behindFiles, cutFiles, fileEnds, lackingColumns, missingFiles } from './lost-columns.ts'
import { daysLeft, droppableDeletions, expiredFiles, filesBeyond, isUnchanged, sumByFile } from './plan.ts'
import { finishRemoval, removeFile } from './remove-files.ts'
import { attachmentFiles, sweepHidden, sweepUnnamed } from './sweep-attachments.ts'
import type { CompactionOptions, Retention, RetentionParts } from './types.ts'

export function createRetention(parts: RetentionParts): Retention {
  return new StoreRetention(parts)
}

interface Done {
  files: number
  freedBytes: number
}

class StoreRetention implements Retention {
  readonly #parts: RetentionParts
  readonly #believed: BelievedClock
  /** Runs, one after the other. */
  #turn: Promise<unknown> = Promise.resolve()
  #closed = false
  /** Group where pruning goes on; 0 is before the first. */
  #prunedGroup = 0
  #prunedDay = 0
  /** Payload files that the start found cut: told until the process ends, whatever comes to them. */
  #cut: readonly FileName[] = []
  /** Whatever was acknowledged before it is committed; `null`: nobody said so yet. */
  #appliedUntilMs: number | null = null
  /** Before it no deletion is let go of. */
  #forgetNextMs = 0
  /** Stems of files whose last compaction failed. */
  readonly #failed = new Set<string>()

  constructor(parts: RetentionParts) {
    this.#parts = parts
    this.#believed = new BelievedClock(parts)
  }

  async start(): Promise<void> {
    // A disk that does not let go of a file keeps nobody from reading the others; the next step tries again.
    await this.#finishRemovals().catch((cause: unknown) => {
      this.#parts.log.error('a removal could not be finished', {
        reason: String(cause).slice(0, FAILURE_CHARS),
      })
    })
    await this.refresh()
    const { log, telemetry } = this.#parts
    await this.#believed.start((await this.#files()).map(({ file }) => file))
    const known = await telemetry.damaged()
    const ends = await fileEnds(this.#parts)
    const behind = behindFiles(ends).filter((file) => !known.some((other) => isSameFile(file, other)))
    const { missingColumns, missingPayloads } = await missingFiles(this.#parts)
    const name = (files: readonly FileName[]) => files.map(fileStem).join(', ')
    await telemetry.noteMissing([...missingColumns, ...behind])
    if (missingColumns.length > 0) {
      log.error('column files are missing: "errata rebuild" makes them', { files: name(missingColumns) })
    }
    if (behind.length > 0) {
      log.error('column files lack rows of their payloads: "errata rebuild" makes them', {
        files: name(behind),
      })
    }
    if (missingPayloads.length > 0) {
      log.error('payload files are missing: their events show without details', {
        files: name(missingPayloads),
      })
    }
    this.#cut = await cutFiles(this.#parts, ends)
    if (this.#cut.length > 0) {
      log.error('payload files were cut: events that they held show without details', {
        files: name(this.#cut),
      })
    }
  }

  async refresh(): Promise<void> {
    await this.#parts.telemetry.setHidden(await this.#parts.control.hidden())
  }

  retain(): Promise<UpkeepRun> {
    return this.#run('retention', async (done) => {
      const nowMs = await this.#believed.now()
      await this.#removeAged(nowMs)
      await this.#finishRemovals()
      await this.#remove(await this.#expired(dayOf(nowMs)), 'age', done)
      await this.#remove(await this.#beyondDisk(dayOf(nowMs)), 'disk', done)
      await this.#sweepAttachments(nowMs)
      await this.#prune(nowMs)
      await this.#forgetDeletions(nowMs)
    })
  }

  compact(): Promise<UpkeepRun> {
    const { clock } = this.#parts
    return this.#run('compaction', (done) => {
      const endMs = clock.elapsed() + max('compactionStepMs')
      const isOver = () => clock.elapsed() > endMs || done.files >= max('compactionFilesPerStepMax')
      return this.#compact({ done, includeToday: false, isOver, pause: this.#considerate() })
    })
  }

  compactNow({ includeToday }: CompactionOptions): Promise<UpkeepRun> {
    return this.#run('compaction', async (done) => {
      const pause = () => this.#checked(setImmediate())
      await this.#compact({ done, includeToday, isOver: () => false, pause })
      await this.#parts.control.forgetDeleted()
    })
  }

  changeEvents(file: FileName, changes: readonly EventChange[]): ReturnType<Retention['changeEvents']> {
    const change = this.#turn.then(() => this.#change(file, changes))
    this.#turn = waitUntilSettled(change)
    return change
  }

  async noteApplied(untilMs: number): Promise<void> {
    this.#appliedUntilMs = untilMs
  }

  payloadBytes(): Promise<readonly FileBytes[]> {
    return this.#parts.payloads.fileBytes()
  }

  async overview(): Promise<RetentionOverview> {
    const { control, clock, usedBytes, freeBytes, maxDiskBytes } = this.#parts
    const [used, free, files, { pending }] = await Promise.all([
      usedBytes(),
      freeBytes(),
      this.#files(),
      control.deletions(),
    ])
    const left = maxDiskBytes === null ? free : Math.min(free, maxDiskBytes - used)
    return {
      usedBytes: used,
      maxDiskBytes,
      daysLeft: daysLeft(files, Math.max(0, left), dayOf(clock.now())),
      ...(await this.missing()),
      pendingDeletions: pending.length,
      believedMs: this.#believed.doubted?.believedMs ?? null,
    }
  }

  async missing(): Promise<MissingFiles> {
    await this.#parts.telemetry.noteGone()
    const missing = await missingFiles(this.#parts)
    return { ...missing, missingPayloads: [...missing.missingPayloads, ...this.#cut] }
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#turn
  }

  /** Runs one thing after the other, and notes what each did and how it ended. */
  #run(kind: UpkeepRun['kind'], work: (done: Done) => Promise<void>): Promise<UpkeepRun> {
    const run = this.#turn.then(async () => {
      this.#refuseWhenClosed()
      return this.#runNoted(kind, work)
    })
    this.#turn = waitUntilSettled(run)
    return run
  }

  async #runNoted(kind: UpkeepRun['kind'], work: (done: Done) => Promise<void>): Promise<UpkeepRun> {
    const { control, clock, log } = this.#parts
    const begunMs = clock.now()
    const done: Done = { files: 0, freedBytes: 0 }
    const note = async (failure: string | null): Promise<UpkeepRun> => {
      const run = { kind, begunMs, endedMs: clock.now(), ...done, failure }
      await control.noteRun(run)
      return run
    }
    try {
      await work(done)
    } catch (cause) {
      // What the server's end cuts short goes on with the next start: no failure.
      if (this.#closed) throw cause
      const failure = reasonOf(cause)
      log.error(`${kind} failed`, { reason: failure })
      await note(failure)
      throw cause
    }
    return note(null)
  }

  async #compact({
    done,
    includeToday,
    isOver,
    pause,
  }: {
    readonly done: Done
    readonly includeToday: boolean
    readonly isOver: () => boolean
    readonly pause: () => Promise<void>
  }): Promise<void> {
    const { control } = this.#parts
    const nowMs = await this.#believed.now()
    const today = dayOf(nowMs)
    const isSealed = (file: FileName) => file.day < today || includeToday
    const run = await this.#compactionRun(pause, nowMs)
    const lacking = await lackingColumns(this.#parts)
    const isWhole = (file: FileName) => !lacking.has(fileStem(file))
    const failures: unknown[] = []
    for (const { file } of this.#failedLast(await this.#files())) {
      if (isOver()) break
      if (!isSealed(file) || !isWhole(file)) continue
      const compacted = await this.#compactOne(run, file, failures)
      if (compacted === null) break
      if (compacted.isRewritten) done.files++
      done.freedBytes += compacted.freedBytes
      await pause()
    }
    for (const file of await control.uncountedFiles()) {
      if (isOver()) break
      if (isSealed(file) && isWhole(file)) await countContents(this.#parts, file, pause)
    }
    await this.#forgetDeletions(nowMs)
    if (failures.length > 0) throw failures[0]
  }

  async #change(file: FileName, changes: readonly EventChange[]): Promise<'changed' | 'held' | 'lacking'> {
    this.#refuseWhenClosed()
    if ((await lackingColumns(this.#parts)).has(fileStem(file))) return 'lacking'
    const run = await this.#compactionRun(this.#considerate(), await this.#believed.now())
    try {
      await changeFile(this.#parts, run, { file, changes })
      return 'changed'
    } catch (cause) {
      if (cause instanceof FilesHeld) return 'held'
      throw cause
    }
  }

  /** By what is deleted now. */
  async #compactionRun(pause: () => Promise<void>, nowMs: number): Promise<CompactionRun> {
    const { hidden, marks } = await this.#parts.control.deletions()
    const rules = new HiddenRules(hidden, dayOf(nowMs))
    return { rules, marks, states: await this.#states(), pause }
  }

  /** `null` while a backup holds the files. What fails for one file is told, and keeps no other from its turn. */
  async #compactOne(run: CompactionRun, file: FileName, failures: unknown[]): Promise<CompactedFile | null> {
    const { log } = this.#parts
    const stem = fileStem(file)
    try {
      const compacted = await compactFile(this.#parts, run, { file, state: run.states.get(stem) })
      this.#failed.delete(stem)
      return compacted
    } catch (cause) {
      if (this.#closed) throw cause
      if (cause instanceof FilesHeld) {
        log.info('compaction waits for a backup')
        return null
      }
      log.error('a file could not be compacted', { file: stem, reason: reasonOf(cause) })
      this.#failed.add(stem)
      failures.push(cause)
      return UNTOUCHED
    }
  }

  /** A file that fails late in its turn must not use up every step before the others are reached. */
  #failedLast(files: readonly FileBytes[]): readonly FileBytes[] {
    const hasFailed = ({ file }: FileBytes) => this.#failed.has(fileStem(file))
    return [...files.filter((each) => !hasFailed(each)), ...files.filter(hasFailed)]
  }

  async #finishRemovals(): Promise<void> {
    for (const removal of await this.#parts.control.openRemovals()) await finishRemoval(this.#parts, removal)
  }

  async #remove(files: readonly FileBytes[], reason: RemovalReason, done: Done): Promise<void> {
    for (const { file, bytes } of files) {
      if (done.files >= max('retentionFilesPerStepMax')) return
      await this.#checked(setImmediate())
      await removeFile(this.#parts, { file, bytes, reason })
      done.files++
      done.freedBytes += bytes
    }
  }

  /** Files past their class of which no project, whose period may be longer by now, shows anything. */
  async #expired(today: Day): Promise<readonly FileBytes[]> {
    const past = expiredFiles(await this.#files(), today)
    const rules = new HiddenRules(await this.#parts.control.hidden(), today)
    if (!past.some(({ file }) => rules.isKeptByAny(file))) return past
    const lacking = await lackingColumns(this.#parts)
    const expired: FileBytes[] = []
    for (const each of past) {
      // Columns that lack rows cannot say whose they are.
      const isKept =
        rules.isKeptByAny(each.file) &&
        (lacking.has(fileStem(each.file)) || (await this.#showsAny(each.file, rules)))
      if (!isKept) expired.push(each)
    }
    return expired
  }

  async #showsAny(file: FileName, rules: HiddenRules): Promise<boolean> {
    const { rows, hidden } = await this.#parts.telemetry.countRows(file, rules)
    return rows > hidden
  }

  async #beyondDisk(today: Day): Promise<readonly FileBytes[]> {
    const { maxDiskBytes, usedBytes } = this.#parts
    if (maxDiskBytes === null) return []
    return filesBeyond(await this.#files(), { usedBytes: await usedBytes(), maxBytes: maxDiskBytes, today })
  }

  async #sweepAttachments(nowMs: number): Promise<void> {
    const parts = { ...this.#parts, pause: () => this.#checked(setImmediate()) }
    await sweepHidden(parts, dayOf(nowMs))
    // The journal may hold records of days: what they name is no orphan.
    if (this.#appliedUntilMs === null) return
    await sweepUnnamed(parts, Math.min(nowMs, this.#appliedUntilMs) - max('blobsUnnamedMs'))
  }

  /** Removes rows of the control store by their ages; a batch waits for one set of them at most. */
  async #removeAged(nowMs: number): Promise<void> {
    const { control } = this.#parts
    let place = await control.removeAged(null, nowMs)
    while (place !== null) {
      await this.#checked(setImmediate())
      place = await control.removeAged(place, nowMs)
    }
  }

  /** All groups once a day. */
  async #prune(nowMs: number): Promise<void> {
    const { control } = this.#parts
    const today = dayOf(nowMs)
    if (today === this.#prunedDay && this.#prunedGroup === 0) return
    const kept = (await this.#files()).map(({ file }) => file)
    for (;;) {
      await this.#checked(setImmediate())
      const last = await control.pruneGroups(this.#prunedGroup, max('retentionGroupsPerTurn'), {
        nowMs,
        kept,
      })
      this.#prunedGroup = last ?? 0
      if (last === null) break
    }
    this.#prunedDay = today
  }

  async #forgetDeletions(nowMs: number): Promise<void> {
    const { control, telemetry, payloads } = this.#parts
    const { pending } = await control.deletions()
    if (pending.length === 0) return
    const states = await this.#states()
    const payloadBytes = new Map(
      (await payloads.fileBytes()).map((each) => [fileStem(each.file), each.bytes]),
    )
    const files: { readonly file: FileName; readonly state: FileState | undefined }[] = []
    for (const { file } of await this.#files()) {
      const state = states.get(fileStem(file))
      // One that cannot be read is clean of nothing.
      const columnSeq = await telemetry.fileSeq(file).catch(() => null)
      const now = columnSeq !== null && { payloadBytes: payloadBytes.get(fileStem(file)) ?? 0, columnSeq }
      files.push({ file, state: now !== false && isUnchanged(state, now) ? state : undefined })
    }
    const droppable = droppableDeletions(pending, files, nowMs)
    // Writing the database anew holds everything up: once a day, however often something is deleted.
    if (droppable.length === 0 || nowMs < this.#forgetNextMs) return
    await control.forgetDeleted()
    this.#forgetNextMs = nowMs + FORGET_EVERY_MS
    await control.dropDeletions(droppable)
    await this.refresh()
  }

  async #files(): Promise<readonly FileBytes[]> {
    const { telemetry, payloads, control } = this.#parts
    return sumByFile(await telemetry.fileBytes(), await payloads.fileBytes(), await attachmentFiles(control))
  }

  async #states(): Promise<ReadonlyMap<string, FileState>> {
    return new Map((await this.#parts.control.fileStates()).map((state) => [fileStem(state.file), state]))
  }

  /** Rests as long as it worked: half of one core at most, and none for longer than a slice. */
  #considerate(): () => Promise<void> {
    const { clock } = this.#parts
    let sinceMs = clock.elapsed()
    return async () => {
      await this.#checked(setTimeout(Math.min(MAX_REST_MS, clock.elapsed() - sinceMs)))
      sinceMs = clock.elapsed()
    }
  }

  async #checked(rest: Promise<unknown>): Promise<void> {
    await rest
    this.#refuseWhenClosed()
  }

  #refuseWhenClosed(): void {
    if (this.#closed) throw new ErrataError('stopping', 'retention and compaction end with the server')
  }
}

const MAX_REST_MS = 2_000
/** Less than a day, so that the hour of it does not wander. */
const FORGET_EVERY_MS = 20 * 3_600_000
const FAILURE_CHARS = 200

function reasonOf(cause: unknown): string {
  return (cause instanceof Error ? cause.message : String(cause)).slice(0, FAILURE_CHARS)
}

/** Ends with `work`; whoever began that has its error. */
async function waitUntilSettled(work: Promise<unknown>): Promise<void> {
  await work.catch(() => {})
}
