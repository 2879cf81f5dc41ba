/**
 * How long the records of a journal file have been waiting, on the clock that never goes back: a wall clock that is set
 * forward would make a second old a backlog of hours, and close ingest to everybody.
 */
import type { Seq } from '#base/ids.ts'

/** Records that came within so many milliseconds share one mark: the age of the oldest is known to within so many. */
const APART_MS = 100

interface Mark {
  readonly firstSeq: number
  readonly sinceMs: number
}

export class WaitingSince {
  /** Oldest first. Each stands for its record and for those behind it, up to the next mark. */
  readonly #marks: Mark[] = []
  #lastSeq = 0

  /** Notes a record behind those that were noted before. */
  note(seq: number, sinceMs: number): void {
    this.#lastSeq = seq
    const last = this.#marks.at(-1)
    if (last !== undefined && Math.abs(sinceMs - last.sinceMs) < APART_MS) return
    this.#marks.push({ firstSeq: seq, sinceMs })
  }

  /** Forgets the marks that stand for nothing behind `upTo`. */
  release(upTo: Seq): void {
    let passed = upTo >= this.#lastSeq ? this.#marks.length : 0
    while ((this.#marks[passed + 1]?.firstSeq ?? Number.POSITIVE_INFINITY) <= upTo + 1) passed++
    if (passed > 0) this.#marks.splice(0, passed)
  }

  /** Since when the oldest record not released has been waiting, or a little before; `null` when there is none. */
  oldestMs(): number | null {
    return this.#marks[0]?.sinceMs ?? null
  }
}
