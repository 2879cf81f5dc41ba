/**
 * What is past its time goes: by age, by the disk's share, by deletion. Runs beside the commit, one thing at a time and
 * in slices; queries hide at once what runs here remove later.
 */
import { setImmediate, setTimeout } from 'node:timers/promises'
import { ErrataError } from '#base/errors.ts'
import { dayOf, type ProjectId } from '#base/ids.ts'
import { max } from '#base/limits.ts'
import { ok, type Result } from '#base/result.ts'
import { fileStem, isSameFile, ofNewestDays } from '#ports/file-name.ts'
import { HiddenRules } from '#ports/hidden.ts'
import {
  type FileBytes,
  type FileState,
  FilesHeld,
  type PersonDeletion,
  type RemovalReason,
  type RetentionOverview,
  type UpkeepRun,
} from '#ports/retention.ts'
import type { Actor } from '#ports/scope.ts'
import type { FileName } from '#ports/telemetry.ts'
import { compactFile } from './compact-file.ts'
import { countContents } from './count-contents.ts'
import { daysLeft, droppableDeletions, expiredFiles, filesBeyond, isUnchanged, sumByFile } from './plan.ts'
import { finishRemoval, removeFile } from './remove-files.ts'
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
  /** Runs, one after the other. */
  #turn: Promise<unknown> = Promise.resolve()
  #closed = false
  /** Where pruning goes on; 0 at the first group. */
  #prunedGroup = 0
  #prunedDay = 0

  constructor(parts: RetentionParts) {
    this.#parts = parts
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
    const known = await telemetry.damaged()
    const behind = (await this.#behind()).filter((file) => !known.some((other) => isSameFile(file, other)))
    const { missingColumns, missingPayloads } = await this.#missing()
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
  }

  async refresh(): Promise<void> {
    await this.#parts.telemetry.setHidden(await this.#parts.control.hidden())
  }

  retain(): Promise<UpkeepRun> {
    return this.#run('retention', async (done) => {
      const { clock } = this.#parts
      await this.#finishRemovals()
      const expired = expiredFiles(await this.#files(), dayOf(clock.now()))
      await this.#remove(expired, 'age', done)
      await this.#remove(await this.#beyondDisk(), 'disk', done)
      await this.#prune(done.files > 0)
      await this.#forgetDeletions()
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
    return this.#run('compaction', (done) =>
      this.#compact({ done, includeToday, isOver: () => false, pause: () => this.#checked(setImmediate()) }),
    )
  }

  async countPerson(project: ProjectId, person: string): Promise<number> {
    return (await this.#parts.telemetry.personEvents(project, person)).events
  }

  async deletePerson(
    deletion: Pick<PersonDeletion, 'orgId' | 'projectId' | 'person'>,
    actor: Actor,
  ): Promise<Result<{ readonly events: number }>> {
    const { control, telemetry } = this.#parts
    const { events, groups } = await telemetry.personEvents(deletion.projectId, deletion.person)
    const deleted = await control.deletePerson({ ...deletion, events, groups }, actor)
    if (!deleted.ok) return deleted
    await this.refresh()
    return ok({ events })
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
      ...(await this.#missing()),
      pendingDeletions: pending.length,
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#turn
  }

  /** One run after the other, each noted with what it did and how it ended. */
  #run(kind: UpkeepRun['kind'], work: (done: Done) => Promise<void>): Promise<UpkeepRun> {
    const run = this.#turn.then(async () => {
      this.#refuseWhenClosed()
      return this.#runNoted(kind, work)
    })
    this.#turn = settled(run)
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
      const failure = (cause instanceof Error ? cause.message : String(cause)).slice(0, FAILURE_CHARS)
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
    const { control, clock, log } = this.#parts
    const today = dayOf(clock.now())
    const { hidden, marks } = await control.deletions()
    const rules = new HiddenRules(hidden, today)
    const states = await this.#states()
    for (const { file } of await this.#files()) {
      if (isOver()) break
      if (file.day >= today && !includeToday) continue
      const run = { rules, marks, states, pause }
      const compacted = await compactFile(this.#parts, run, {
        file,
        state: states.get(fileStem(file)),
      }).catch((cause: unknown) => {
        if (!(cause instanceof FilesHeld)) throw cause
        log.info('compaction waits for a backup')
        return null
      })
      if (compacted === null) break
      if (compacted.isRewritten) done.files++
      done.freedBytes += compacted.freedBytes
      await pause()
    }
    for (const file of await control.uncountedFiles()) {
      if (isOver()) break
      if (file.day < today || includeToday) await countContents(this.#parts, file, pause)
    }
    await this.#forgetDeletions()
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

  async #beyondDisk(): Promise<readonly FileBytes[]> {
    const { maxDiskBytes, usedBytes } = this.#parts
    if (maxDiskBytes === null) return []
    return filesBeyond(await this.#files(), { usedBytes: await usedBytes(), maxBytes: maxDiskBytes })
  }

  /** All groups once a day, and after files were removed. */
  async #prune(filesRemoved: boolean): Promise<void> {
    const { control, clock } = this.#parts
    const nowMs = clock.now()
    const today = dayOf(nowMs)
    if (today === this.#prunedDay && !filesRemoved && this.#prunedGroup === 0) return
    if (filesRemoved) this.#prunedGroup = 0
    for (;;) {
      await this.#checked(setImmediate())
      const last = await control.pruneGroups(this.#prunedGroup, max('retentionGroupsPerTurn'), nowMs)
      this.#prunedGroup = last ?? 0
      if (last === null) break
    }
    this.#prunedDay = today
  }

  async #forgetDeletions(): Promise<void> {
    const { control, telemetry, payloads, clock } = this.#parts
    const { pending } = await control.deletions()
    if (pending.length === 0) return
    const states = await this.#states()
    const payloadBytes = new Map(
      (await payloads.fileBytes()).map((each) => [fileStem(each.file), each.bytes]),
    )
    const files: { readonly file: FileName; readonly state: FileState | undefined }[] = []
    for (const { file } of await this.#files()) {
      const state = states.get(fileStem(file))
      const now = {
        payloadBytes: payloadBytes.get(fileStem(file)) ?? 0,
        columnSeq: await telemetry.fileSeq(file),
      }
      files.push({ file, state: isUnchanged(state, now) ? state : undefined })
    }
    const droppable = droppableDeletions(pending, files, clock.now())
    if (droppable.length === 0) return
    await control.dropDeletions(droppable)
    await this.refresh()
  }

  async #files(): Promise<readonly FileBytes[]> {
    const { telemetry, payloads } = this.#parts
    return sumByFile(await telemetry.fileBytes(), await payloads.fileBytes())
  }

  async #states(): Promise<ReadonlyMap<string, FileState>> {
    return new Map((await this.#parts.control.fileStates()).map((state) => [fileStem(state.file), state]))
  }

  async #missing(): Promise<Pick<RetentionOverview, 'missingColumns' | 'missingPayloads'>> {
    const { telemetry, payloads } = this.#parts
    const [columns, segments] = await Promise.all([telemetry.files(), payloads.files()])
    const damaged = await telemetry.damaged()
    const without = (files: readonly FileName[], others: readonly FileName[]) => {
      const known = new Set(others.map(fileStem))
      return files.filter((file) => !known.has(fileStem(file)))
    }
    const missing: FileName[] = []
    for (const file of without(segments, without(columns, damaged))) {
      if (!(await this.#isEmpty(file))) missing.push(file)
    }
    return { missingColumns: missing, missingPayloads: without(columns, segments) }
  }

  /**
   * Column files without rows that their payloads have: a log was deleted before it was folded in. Every batch writes
   * to both, so that the columns never end before the payloads do.
   */
  async #behind(): Promise<readonly FileName[]> {
    const { telemetry, payloads, clock } = this.#parts
    const behind: FileName[] = []
    for (const file of ofNewestDays(await telemetry.files(), dayOf(clock.now()))) {
      const [newest] = await payloads.newestBatches(file, 1)
      if (newest !== undefined && newest.lastSeq > (await telemetry.fileSeq(file))) behind.push(file)
    }
    return behind
  }

  /** What a crash left of a payload file whose columns were never begun: its block is stored again with the journal. */
  async #isEmpty(file: FileName): Promise<boolean> {
    let isEmpty = true
    for await (const _ of this.#parts.payloads.blocks(file, () => (isEmpty = false))) return false
    return isEmpty
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
const FAILURE_CHARS = 200

/** Ends with `work`; whoever began that has its error. */
async function settled(work: Promise<unknown>): Promise<void> {
  await work.catch(() => {})
}
