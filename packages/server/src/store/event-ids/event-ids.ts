/**
 * Event ids of the kept days: per payload file, the 64-bit hashes of its events. "Stored already?" is answered from
 * memory for the days that count; the hashes of older days are read where "event by id" looks for them.
 *
 * In memory: 8 MB per million ids of the last `duplicateDays`, at most `eventIdMemoryBytesMax`, beyond which they are
 * read from disk as well; and a table of at most `eventIdRunMax` ids that are in no run yet.
 */

import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { Clock } from '#base/clock.ts'
import { assert } from '#base/errors.ts'
import {
  type Day,
  dayOf,
  type EventId,
  type ProjectId,
  type Seq,
  seq as seqOf,
  eventId as toEventId,
} from '#base/ids.ts'
import type { Log } from '#base/log.ts'
import { max } from '#limits/limits.ts'
import type { RowValues } from '#model/fields.ts'
import type { FileName, KindName } from '#model/file-name.ts'
import { byNewest, fileStem } from '#model/file-name.ts'
import type { AskedId } from '#ports/telemetry.ts'
import type { ColumnCare } from '#store/embedded/care/stores/columns.ts'
import type { EventIdCare, PayloadCare } from '#store/embedded/care/stores/payloads.ts'
import { FileIds } from './file-ids.ts'
import { type IdHash, idHash } from './id-hash.ts'
import { Run } from './run-file.ts'
import { HashList } from './sorted-hashes.ts'

/** So many look-ups on the disk between two turns of the event loop. */
const LOOKUPS_PER_TURN = 32

const COLUMN_ROWS_AT_ONCE = 1_000

interface StoredId {
  readonly projectId: ProjectId
  readonly eventId: EventId | null
  readonly seq: Seq
}

export interface EventIdsOptions {
  /** Directory of the runs; made if absent, readable by its owner only. */
  readonly directory: string
  /** Payload files, from which the ids are rebuilt. */
  readonly segments: Pick<PayloadCare, 'files' | 'scan'>
  /** Columns, which have the ids if a payload file is damaged or gone. */
  readonly columns: Pick<ColumnCare, 'files' | 'rows'>
  /** True for a file of a kind whose items have ids. */
  readonly hasIds: (file: FileName) => boolean
  /** `null`: the caller recovers before anything else. */
  readonly appliedSeq: Seq | null
  readonly clock: Clock
  readonly log: Log
}

/** Opens the ids and takes those that no run covers from the payload files. */
export async function openEventIds(options: EventIdsOptions): Promise<EventIdCare> {
  const ids = new EventIdIndex(options)
  await ids.adoptRuns()
  if (options.appliedSeq !== null) await ids.recover(options.appliedSeq)
  return ids
}

class EventIdIndex implements EventIdCare {
  readonly #directory: string
  readonly #segments: EventIdsOptions['segments']
  readonly #columns: EventIdsOptions['columns']
  readonly #hasIds: EventIdsOptions['hasIds']
  readonly #clock: Clock
  readonly #log: Log
  readonly #files = new Map<string, FileIds>()
  #committedSeq: number = 0
  /** The day for which memory was last shared out. */
  #settledDay: Day | null = null

  constructor({ directory, segments, columns, hasIds, clock, log }: EventIdsOptions) {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    this.#directory = directory
    this.#segments = segments
    this.#columns = columns
    this.#hasIds = hasIds
    this.#clock = clock
    this.#log = log
  }

  async fresh(asked: readonly AskedId[]): Promise<readonly boolean[]> {
    return asked.map(({ projectId, eventId, file }) => !this.#has(idHash(projectId, eventId), file))
  }

  #has(hash: IdHash, { kind, day }: AskedId['file']): boolean {
    for (const ids of this.#files.values()) {
      if (ids.file.kind === kind && ids.file.day >= day - max('duplicateDays') && ids.has(hash)) return true
    }
    return false
  }

  async add(
    entries: readonly {
      readonly projectId: ProjectId
      readonly eventId: EventId
      readonly file: FileName
      readonly seq: Seq
    }[],
  ): Promise<void> {
    for (const { projectId, eventId, file, seq } of entries) {
      this.#of(file).add(idHash(projectId, eventId), seq)
      this.#committedSeq = Math.max(this.#committedSeq, seq)
    }
    if (this.#newestCount() >= max('eventIdRunMax')) await this.#spill()
    await this.#settle()
  }

  async find(project: ProjectId, id: EventId, kind: KindName): Promise<readonly FileName[]> {
    const hash = idHash(project, id)
    const found: FileName[] = []
    let looked = 0
    for (const ids of this.#newestFirst()) {
      if (ids.file.kind !== kind) continue
      if (++looked % LOOKUPS_PER_TURN === 0) await setImmediate()
      if (ids.has(hash)) found.push(ids.file)
    }
    return found
  }

  async forget(file: FileName): Promise<void> {
    const ids = this.#files.get(fileStem(file))
    this.#files.delete(fileStem(file))
    await ids?.remove()
  }

  async recover(appliedSeq: Seq): Promise<void> {
    for (const ids of this.#files.values()) await ids.forget(appliedSeq)
    this.#settledDay = null
    this.#committedSeq = appliedSeq
    const found = [...(await this.#segments.files()), ...(await this.#columns.files())]
    const kept = [...new Map(found.filter(this.#hasIds).map((file) => [fileStem(file), file])).values()]
    await this.#removeAllBut(kept)
    for (const file of kept) await this.#rebuild(this.#of(file))
    if (this.#newestCount() >= max('eventIdRunMax')) await this.#spill()
    await this.#settle()
  }

  /** Writes what is in memory alone, so that the next start need not rebuild it. */
  async close(): Promise<void> {
    await this.#spill()
    this.#files.clear()
  }

  /** Takes up the runs of the directory; unlinks what is none. */
  async adoptRuns(): Promise<void> {
    assert(this.#files.size === 0, 'runs are taken up once')
    const runs = new Map<string, Run[]>()
    for (const name of readdirSync(this.#directory)) {
      const run = Run.open(this.#directory, name)
      if (run === null) {
        if (name.endsWith('.ids') || name.endsWith('.writing')) rmSync(join(this.#directory, name))
        continue
      }
      runs.set(fileStem(run.file), [...(runs.get(fileStem(run.file)) ?? []), run])
    }
    for (const found of runs.values()) {
      const [first] = found
      if (first !== undefined) await this.#of(first.file).adopt(found)
    }
  }

  /** Reads the ids beyond the runs from the payload file: at most 8 MB per million at once. */
  async #rebuild(ids: FileIds): Promise<void> {
    const covered = seqOf(ids.coveredSeq)
    const hashes = new HashList()
    let newestSeq = 0
    const take = ({ projectId, eventId, seq }: StoredId) => {
      if (eventId === null || seq <= covered || seq > this.#committedSeq) return
      hashes.add(idHash(projectId, eventId))
      newestSeq = Math.max(newestSeq, seq)
    }
    ids.isWhole = await this.#fromPayloads(ids.file, covered, take)
    if (!ids.isWhole || (await this.#lacksRows(ids.file, Math.max(covered, newestSeq)))) {
      await this.#fromColumns(ids.file, covered, take)
    }
    if (hashes.size >= max('eventIdRunMax')) {
      await ids.addRun(hashes.sorted(), ids.isWhole ? this.#committedSeq : newestSeq)
    } else {
      for (const hash of hashes.values()) ids.add(hash, newestSeq)
    }
    if (hashes.size > 0) {
      this.#log.debug('took event ids anew', { file: fileStem(ids.file), ids: hashes.size })
    }
  }

  /** False where the payload file is not whole, or not there. */
  async #fromPayloads(file: FileName, after: Seq, take: (id: StoredId) => void): Promise<boolean> {
    let isWhole = (await this.#segments.files()).some((one) => fileStem(one) === fileStem(file))
    const onDamage = () => {
      isWhole = false
    }
    for await (const event of this.#segments.scan(file, after, onDamage)) take(event)
    return isWhole
  }

  /**
   * Whether columns go on where a payload file ends: its damaged end was taken for one that a crash tore, and cut.
   * Asked of the days that are written alone; older ones have runs.
   */
  async #lacksRows(file: FileName, after: number): Promise<boolean> {
    if (file.day < dayOf(this.#clock.now()) - 1) return false
    try {
      const [row] = await this.#columns.rows(file, seqOf(after), 1)
      return row !== undefined && row.seq <= this.#committedSeq
    } catch {
      return true // `#fromColumns` says why
    }
  }

  /** Beside what the payloads gave: an id that is taken twice is there once. */
  async #fromColumns(file: FileName, after: Seq, take: (id: StoredId) => void): Promise<void> {
    this.#log.warn('payloads are damaged or gone: event ids are taken from columns', { file: fileStem(file) })
    try {
      for (let from = after; ; ) {
        const rows = await this.#columns.rows(file, from, COLUMN_ROWS_AT_ONCE)
        for (const row of rows) take({ ...row, eventId: eventIdOf(row) })
        const last = rows.at(-1)
        if (last === undefined) return
        from = last.seq
      }
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause)
      this.#log.error('columns cannot be read either', { file: fileStem(file), reason })
    }
  }

  async #spill(): Promise<void> {
    for (const ids of this.#files.values()) await ids.spill(this.#committedSeq)
  }

  /** Once a day: shares out memory, the newest days first. What is removed is forgotten with its file. */
  async #settle(): Promise<void> {
    const today = dayOf(this.#clock.now())
    if (this.#settledDay === today) return
    let bytes = 0
    for (const ids of this.#newestFirst()) {
      bytes += ids.diskBytes
      const counts = ids.file.day >= today - max('duplicateDays') - 1
      if (!counts || bytes > max('eventIdMemoryBytesMax')) ids.letGo()
      // A damaged run shows when it is loaded: its file is taken from the payloads again.
      else if (!(await ids.keep())) await this.#rebuild(ids)
    }
    this.#settledDay = today
  }

  async #removeAllBut(kept: readonly FileName[]): Promise<void> {
    const stems = new Set(kept.map(fileStem))
    for (const [stem, ids] of this.#files) {
      if (stems.has(stem)) continue
      await ids.remove()
      this.#files.delete(stem)
    }
  }

  #newestFirst(): FileIds[] {
    return [...this.#files.values()].sort((a, b) => byNewest(a.file, b.file))
  }

  #newestCount(): number {
    let count = 0
    for (const ids of this.#files.values()) count += ids.newestCount
    return count
  }

  #of(file: FileName): FileIds {
    const stem = fileStem(file)
    const known = this.#files.get(stem)
    if (known !== undefined) return known
    const ids = new FileIds(this.#directory, file)
    this.#files.set(stem, ids)
    return ids
  }
}

function eventIdOf(row: RowValues): EventId | null {
  return typeof row.eventId === 'string' ? toEventId(row.eventId) : null
}
