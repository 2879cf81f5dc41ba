/** Bytes of bodies that threads hold together: each counts its own in a place of its own, and sees the sum. */

export class SharedBytes {
  readonly #cells: Int32Array<SharedArrayBuffer>
  readonly #own: number
  readonly #most: number

  /** `cells`: one a thread, `own` of this one. Together they may hold `most`. */
  constructor(cells: Int32Array<SharedArrayBuffer>, own: number, most: number) {
    this.#cells = cells
    this.#own = own
    this.#most = most
  }

  add(bytes: number): void {
    Atomics.add(this.#cells, this.#own, bytes)
  }

  /** True if there is more than there is room for. */
  get isFull(): boolean {
    let held = 0
    for (let at = 0; at < this.#cells.length; at++) held += Atomics.load(this.#cells, at)
    return held > this.#most
  }

  /** True if this thread holds more than an equal share: where all is full, one of its bodies has to go. */
  get isBeyondShare(): boolean {
    return Atomics.load(this.#cells, this.#own) > this.#most / this.#cells.length
  }
}
