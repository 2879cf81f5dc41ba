/**
 * Measures how fast ranges of the journal go through process and commit, so that no more of a flood is in work than is
 * done before somebody else's turn.
 */
import type { Clock } from '#base/clock.ts'

export class FloodPace {
  readonly #clock: Clock
  /** Since when something has been in work without a pause. */
  #sinceMs = 0
  /** Envelopes a millisecond, and those of the range before; 0 until one is known. */
  #rate = 0
  #rateBefore = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Notes that a range is in work where none was. */
  begun(): void {
    this.#sinceMs = this.#clock.elapsed()
  }

  /** Notes that a range of so many envelopes is stored. One of a few says more of what a commit costs than of its envelopes. */
  released(envelopes: number): void {
    const nowMs = this.#clock.elapsed()
    const tookMs = Math.max(1, nowMs - this.#sinceMs)
    this.#sinceMs = nowMs
    if (envelopes < TELLING) return
    this.#rateBefore = this.#rate
    this.#rate = envelopes / tookMs
  }

  /** Returns how many envelopes are done within so many milliseconds, by the slower of the last two ranges. */
  envelopesWithin(ms: number): number {
    return Math.min(this.#rate, this.#rateBefore) * ms
  }
}

const TELLING = 100
