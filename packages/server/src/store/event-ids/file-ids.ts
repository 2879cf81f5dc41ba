/** The ids of one payload file: the newest in a table, the older in sorted runs. */
import { assert } from '#base/errors.ts'
import type { FileName } from '#model/file-name.ts'
import { HashTable } from './hash-table.ts'
import type { IdHash } from './id-hash.ts'
import { Run } from './run-file.ts'
import { HashList, mergeHashes, type SortedHashes } from './sorted-hashes.ts'

export class FileIds {
  readonly file: FileName
  readonly #directory: string
  /** Oldest first; each begins at the seq where the one before ends. */
  #runs: Run[] = []
  readonly #newest = new HashTable()
  #newestSeq = 0
  /** False where ids of the file may be missing: its runs reach as far as what was found, so that a start looks again. */
  isWhole = true

  constructor(directory: string, file: FileName) {
    this.#directory = directory
    this.file = file
  }

  /** The runs reach up to this seq, inclusive. */
  get coveredSeq(): number {
    return this.#runs.at(-1)?.upToSeq ?? 0
  }

  get newestCount(): number {
    return this.#newest.size
  }

  get runBytes(): number {
    return this.#runs.reduce((sum, { memoryBytes }) => sum + memoryBytes, 0)
  }

  get diskBytes(): number {
    return this.#runs.reduce((sum, { count }) => sum + 8 * count, 0)
  }

  add(hash: IdHash, seq: number): void {
    this.#newest.add(hash)
    this.#newestSeq = Math.max(this.#newestSeq, seq)
  }

  has(hash: IdHash): boolean {
    return this.#newest.has(hash) || this.#runs.some((run) => run.has(hash))
  }

  /** Takes up the runs found on the disk, as far as they follow each other; unlinks the rest. */
  async adopt(found: readonly Run[]): Promise<void> {
    assert(this.#runs.length === 0, 'runs are taken up once')
    // Where a merge was cut short both the larger run and its parts are there: the larger goes first.
    const sorted = [...found].sort((a, b) => a.fromSeq - b.fromSeq || b.upToSeq - a.upToSeq)
    for (const run of sorted) {
      if (run.fromSeq === this.coveredSeq) this.#runs.push(run)
      else await run.remove()
    }
  }

  /** Forgets the table, and the runs that go beyond what is committed. */
  async forget(committedSeq: number): Promise<void> {
    this.#newest.clear()
    this.#newestSeq = 0
    await this.#cutRuns((run) => run.upToSeq > committedSeq)
  }

  /**
   * Writes the table as a run, and merges runs of like size, so that there are few. The run reaches to what is
   * committed: a batch that also went into other files ends beyond this one's last event, and a start that took its
   * end for unread would walk the whole file.
   */
  async spill(committedSeq: number): Promise<void> {
    if (this.#newest.size === 0) return
    const list = new HashList()
    for (const hash of this.#newest.values()) list.add(hash)
    await this.addRun(list.sorted(), this.isWhole ? committedSeq : this.#newestSeq)
    this.#newest.clear()
    this.#newestSeq = 0
  }

  /** Adds the hashes of all seqs beyond `coveredSeq`, up to `upToSeq`. */
  async addRun(hashes: SortedHashes, upToSeq: number): Promise<void> {
    const fromSeq = this.coveredSeq
    const range = { file: this.file, fromSeq, upToSeq: Math.max(fromSeq, upToSeq) }
    this.#runs.push(await Run.write(this.#directory, range, hashes))
    while (await this.#mergeLast()) {
      // until the last run is less than half of the one before
    }
  }

  /** Holds the runs in memory. Those that are damaged are unlinked with all that follow: false then. */
  async keep(): Promise<boolean> {
    for (const run of this.#runs) {
      if (await run.keep()) continue
      await this.#cutRuns(({ fromSeq }) => fromSeq >= run.fromSeq)
      return false
    }
    return true
  }

  letGo(): void {
    for (const run of this.#runs) run.letGo()
  }

  async remove(): Promise<void> {
    await this.forget(-1)
  }

  async #mergeLast(): Promise<boolean> {
    const [before, last] = this.#runs.slice(-2)
    if (before === undefined || last === undefined || before.count > 2 * last.count) return false
    const [left, right] = [await before.load(), await last.load()]
    // Damaged on the disk: they stay apart until recovery, which makes them again, loads them.
    if (left === null || right === null) return false
    const range = { file: this.file, fromSeq: before.fromSeq, upToSeq: last.upToSeq }
    const merged = await Run.write(this.#directory, range, mergeHashes(left, right))
    this.#runs.splice(-2, 2, merged)
    await before.remove()
    await last.remove()
    return true
  }

  async #cutRuns(isCut: (run: Run) => boolean): Promise<void> {
    const from = this.#runs.findIndex(isCut)
    if (from < 0) return
    for (const run of this.#runs.splice(from)) await run.remove()
  }
}
