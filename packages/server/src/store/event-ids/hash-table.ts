/** A growing set of 64-bit hashes: open addressing, 8 bytes a slot, at most half full. */
import type { IdHash } from './id-hash.ts'

const SLOTS_MIN = 64

export class HashTable {
  /** Low and high halves in turn; both zero is an empty slot. */
  #slots = new Uint32Array(2 * SLOTS_MIN)
  #size = 0

  get size(): number {
    return this.#size
  }

  add(hash: IdHash): void {
    if (this.#size * 4 >= this.#slots.length) this.#grow()
    const at = findSlot(this.#slots, hash)
    if (isSlotEmpty(this.#slots, at)) this.#size++
    this.#slots[at] = hash.low
    this.#slots[at + 1] = hash.high
  }

  has(hash: IdHash): boolean {
    return !isSlotEmpty(this.#slots, findSlot(this.#slots, hash))
  }

  clear(): void {
    this.#slots = new Uint32Array(2 * SLOTS_MIN)
    this.#size = 0
  }

  /** All hashes, in no order. */
  *values(): Generator<IdHash> {
    for (let at = 0; at < this.#slots.length; at += 2) {
      if (!isSlotEmpty(this.#slots, at)) yield { low: this.#slots[at] ?? 0, high: this.#slots[at + 1] ?? 0 }
    }
  }

  #grow(): void {
    const slots = new Uint32Array(this.#slots.length * 2)
    for (const hash of this.values()) {
      const at = findSlot(slots, hash)
      slots[at] = hash.low
      slots[at + 1] = hash.high
    }
    this.#slots = slots
  }
}

/** Returns the slot of the hash, or where it would go. */
function findSlot(slots: Uint32Array, { low, high }: IdHash): number {
  const mask = slots.length / 2 - 1
  let slot = low & mask
  while (!isSlotEmpty(slots, 2 * slot) && (slots[2 * slot] !== low || slots[2 * slot + 1] !== high)) {
    slot = (slot + 1) & mask
  }
  return 2 * slot
}

function isSlotEmpty(slots: Uint32Array, at: number): boolean {
  return slots[at] === 0 && slots[at + 1] === 0
}
