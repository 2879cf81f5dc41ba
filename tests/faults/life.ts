/**
 * Runs one life of a process that does all of the product's storing: accept, journal, process, dispatch and
 * commit as they are, over real SQLite and DuckDB, with a disk that fails under journal, payloads and blobs.
 * It ends in order, by a kill, or with the power.
 */

import { join } from 'node:path'
import { createAccept } from '../../packages/server/src/accept/accept.ts'
import type { Accept } from '../../packages/server/src/accept/types.ts'
import type { Clock } from '../../packages/server/src/base/clock.ts'
import { silentLog } from '../../packages/server/src/base/log.ts'
import type { CommitStep, CommittedBatch } from '../../packages/server/src/commit/commit.ts'
import { refuseOlderControl } from '../../packages/server/src/engine/directory/control-check.ts'
import { openFairJournal } from '../../packages/server/src/journal/fair-journal.ts'
import type { Journal } from '../../packages/server/src/journal/writer.ts'
import { KINDS } from '../../packages/server/src/kinds/kinds.ts'
import { Dispatch } from '../../packages/server/src/process/dispatch.ts'
import { type PackedBatch, unpackBatch } from '../../packages/server/src/process/transfer.ts'
import { openLargeBlobs } from '../../packages/server/src/store/blobs/large-blobs.ts'
import { type House, openHouse } from '../../packages/server/testing/worlds/stores.ts'
import type { DiskRules, FaultyDisk } from './faulty-disk.ts'
import { ProcessThread } from './process-thread.ts'
import type { Seeded } from './seeded.ts'

export interface LifeOptions {
  readonly directory: string
  readonly disk: FaultyDisk
  readonly clock: Clock
  readonly seeded: Seeded
  /** Rules of the disk, beside what the end of the life refuses. */
  readonly rules: DiskRules
  /** The process ends when so many disk operations and commit steps were done; `null`: never. */
  readonly endsAt: number | null
  readonly processTimeoutMs: number
  /** A thread that worked was taken for hanging. */
  readonly onOverdue: () => void
}

class ProcessEnded extends Error {}

export class Life {
  readonly house: House
  readonly journal: Journal
  readonly accept: Accept & { close(): Promise<void> }
  readonly threads: readonly ProcessThread[]
  readonly #dispatch: Dispatch<PackedBatch, CommittedBatch>
  readonly #fate: Fate

  private constructor(parts: {
    house: House
    journal: Journal
    accept: Accept & { close(): Promise<void> }
    threads: readonly ProcessThread[]
    dispatch: Dispatch<PackedBatch, CommittedBatch>
    fate: Fate
  }) {
    this.house = parts.house
    this.journal = parts.journal
    this.accept = parts.accept
    this.threads = parts.threads
    this.#dispatch = parts.dispatch
    this.#fate = parts.fate
  }

  /** Starts as the engine does: recover the stores, open the journal, listen. Rejects when the disk refuses. */
  static async start(options: LifeOptions): Promise<Life> {
    const { directory, disk, clock, seeded } = options
    const fate = new Fate(options)
    fate.rule()
    const house = await openHouse(directory, () => ({ onStep: (step) => fate.onStep(step) }), { clock, disk })
    try {
      await refuseOlderControl(directory, { ...house, log: silentLog })
      const appliedSeq = await house.commit.recover()
      const journal = await openFairJournal({
        ...{ directory: join(directory, 'journal'), clock, appliedSeq, log: silentLog, disk },
        ...{ fileBytesMax: FILE_BYTES, fileAgeMs: FILE_AGE_MS, shareRecords: SHARE_RECORDS },
        appliedOverflow: await house.control.appliedOverflow(),
      })
      const ingest = await house.reader.ingestDirectory()
      const random = {
        hex: (bytes: number) => seeded.hex(bytes),
        token: (bytes: number) => seeded.hex(bytes),
      }
      const blobs = await openLargeBlobs({ directory: join(directory, 'blobs', 'large'), disk })
      const accept = createAccept({ journal, directory: ingest, blobs, clock, random, log: silentLog })
      const { onOverdue } = options
      const threads = [new ProcessThread(ingest, onOverdue), new ProcessThread(ingest, onOverdue)]
      const dispatch = new Dispatch<PackedBatch, CommittedBatch>({
        ...{ journal, workers: threads, clock, log: silentLog, onApplied() {} },
        commit: {
          recover: () => fate.during(() => house.commit.recover()),
          commit: (packed) => fate.during(() => house.commit.commit(unpackBatch(packed, KINDS))),
        },
        ...{ processTimeoutMs: options.processTimeoutMs, retryMs: 5 },
      })
      dispatch.start()
      return new Life({ house, journal, accept, threads, dispatch, fate })
    } catch (cause) {
      await disk.endProcess()
      await closeStores(house)
      throw cause
    }
  }

  get hasEnded(): boolean {
    return this.#fate.hasEnded
  }

  /** Changes what the disk refuses from now on. */
  setRules(rules: DiskRules): void {
    this.#fate.rules = rules
    this.#fate.rule()
  }

  /** Ends the process when so many more disk operations and commit steps are done. */
  endAfter(count: number): void {
    this.#fate.endAfter(count)
  }

  /** The next time the commit comes to this step, it fails there. */
  failAt(step: CommitStep): void {
    this.#fate.failing.add(step)
  }

  /** Resolves when everything acknowledged is stored, or when the process has ended. */
  async drained(): Promise<void> {
    await Promise.race([this.#drained(), this.#fate.ended])
  }

  /** Ends in order, as SIGTERM does. */
  async stop(): Promise<void> {
    await this.accept.close()
    await this.drained()
    this.#dispatch.stop()
    for (const thread of this.threads) thread.close()
    await this.journal.close()
    await this.house.close()
  }

  /** Ends as SIGKILL does: nothing is written any more, and memory is lost. */
  async kill(): Promise<void> {
    this.#fate.end()
    this.#dispatch.stop()
    for (const thread of this.threads) thread.close()
    await this.accept.close()
    await this.journal.close().catch(ignoreEnd)
    await this.#fate.running
    await closeStores(this.house)
  }

  async #drained(): Promise<void> {
    await this.accept.flush()
    await this.journal.recovered()
    while (this.journal.backlog().records > 0 && !this.#fate.hasEnded) {
      await this.#dispatch.drained()
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
}

/** Small, so that a few dozen envelopes fill several. */
const FILE_BYTES = 6_000
const FILE_AGE_MS = 60_000
/** So few that much of what is sent goes through the overflow. */
const SHARE_RECORDS = 3

/** When a life ends, and what refuses to work from then on. */
class Fate {
  rules: DiskRules
  hasEnded = false
  readonly failing = new Set<CommitStep>()
  readonly ended: Promise<void>
  running: Promise<unknown> = Promise.resolve()
  readonly #disk: FaultyDisk
  #left: number
  #resolve: () => void = () => {}

  constructor({ disk, rules, endsAt }: LifeOptions) {
    this.rules = rules
    this.#disk = disk
    this.#left = endsAt ?? Number.POSITIVE_INFINITY
    this.ended = new Promise((resolve) => {
      this.#resolve = resolve
    })
  }

  rule(): void {
    this.#disk.rules = {
      ...this.rules,
      refuse: (operation, path) => this.#tick() ?? this.rules.refuse(operation, path),
    }
  }

  endAfter(count: number): void {
    this.#left = count
  }

  end(): void {
    if (this.hasEnded) return
    this.hasEnded = true
    void this.#disk.endProcess()
    this.#resolve()
  }

  onStep(step: CommitStep): void {
    const refused = this.#tick()
    if (refused !== null) throw refused
    if (this.failing.delete(step)) throw new Error(`the commit fails at ${step}`)
  }

  async during<T>(work: () => Promise<T>): Promise<T> {
    if (this.hasEnded) throw new ProcessEnded('the process has ended')
    const done = work()
    this.running = done.catch(ignoreEnd)
    return done
  }

  #tick(): Error | null {
    if (!this.hasEnded && --this.#left < 0) this.end()
    return this.hasEnded ? new ProcessEnded('the process has ended') : null
  }
}

/** Closes files, as the system does after a kill; nothing more is written but what DuckDB and SQLite owe. */
async function closeStores(house: House): Promise<void> {
  await house.telemetry.close()
  await house.segments.close()
  await house.reader.close()
  await house.control.close()
}

function ignoreEnd(): void {}
