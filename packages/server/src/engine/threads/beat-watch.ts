/** Tells from outside whether a thread's loop still turns: the thread counts beats in memory that both see. */

export class BeatWatch {
  readonly #beats: () => number
  #last: number
  #missed = 0

  /** `beats` returns how many beats there were. */
  constructor(beats: () => number) {
    this.#beats = beats
    this.#last = beats()
  }

  /**
   * Looks once, and returns how many looks in a row have found no new beat. Looks are counted and not time: whoever looks
   * may have stood still as well.
   */
  look(): number {
    const beats = this.#beats()
    this.#missed = beats === this.#last ? this.#missed + 1 : 0
    this.#last = beats
    return this.#missed
  }
}
