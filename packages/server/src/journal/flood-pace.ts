/**
 * Measures how fast ranges of the journal go through process and commit, so that no more of a flood is in work than is
 * done before somebody else's turn.
 */
import type { Clock } from '#base/clock.ts'

/** How things stood when a range was taken. */
interface PaceMark {
  readonly ms: number
  /** Envelopes released by then. */
  readonly released: number
}

export interface PacedRange {
  readonly envelopes: number
  readonly taken: PaceMark
}

export class FloodPace {
  readonly #clock: Clock
  /** Envelopes released since the start. */
  #released = 0
  /** Envelopes a millisecond, and those of the range before; 0 until one is known. */
  #rate = 0
  #rateBefore = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Returns how things stand, for a range that is taken now. */
  mark(): PaceMark {
    return { ms: this.#clock.elapsed(), released: this.#released }
  }

  /**
   * Notes that ranges are stored, by one commit. Several in work end one commit apart, however long each took: the rate
   * is all that was released while one was in work. One of a few says more of what a commit costs than of its envelopes.
   */
  released(ranges: readonly PacedRange[]): void {
    for (const { envelopes } of ranges) this.#released += envelopes
    for (const { envelopes, taken } of ranges) {
      if (envelopes < TELLING) continue
      const tookMs = Math.max(1, this.#clock.elapsed() - taken.ms)
      this.#rateBefore = this.#rate
      this.#rate = (this.#released - taken.released) / tookMs
    }
  }

  /** Returns how many envelopes are done within so many milliseconds, by the slower of the last two ranges. */
  envelopesWithin(ms: number): number {
    return Math.min(this.#rate, this.#rateBefore) * ms
  }
}

const TELLING = 100
