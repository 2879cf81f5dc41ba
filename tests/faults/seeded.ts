/** Numbers that look random and are the same for the same seed. */
export class Seeded {
  #state: number

  constructor(seed: number) {
    this.#state = (Math.imul(seed, 0x9e3779b1) ^ 0x5bd1e995) >>> 0
  }

  /** From 0 up to, but not including, 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000
  }

  /** A whole number from `least` to `most`, both included. */
  whole(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1))
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  pick<T>(from: readonly [T, ...T[]]): T {
    return from[this.whole(0, from.length - 1)] ?? from[0]
  }

  hex(bytes: number): string {
    return Array.from({ length: bytes }, () => this.whole(0, 255).toString(16).padStart(2, '0')).join('')
  }
}
