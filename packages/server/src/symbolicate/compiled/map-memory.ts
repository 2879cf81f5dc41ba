/**
 * Memory of what was read of compiled maps, for all maps that a thread has open: bounded in bytes, whatever
 * the maps are like, and forgetful by halves. What was used since the last change of halves survives, the
 * rest goes at once.
 */
export class MapMemory {
  #young = new Map<string, Kept>()
  #old: ReadonlyMap<string, Kept> = new Map()
  #bytes = 0
  #maps = 0
  readonly #half: number

  constructor(bytesMax: number) {
    this.#half = bytesMax / 2
  }

  /** The part of one map. */
  part<Value extends object>(): MapPart<Value> {
    const map = `${++this.#maps}:`
    const values = new Map<number, Value>()
    return {
      get: (key) => {
        const value = values.get(key)
        if (value !== undefined) this.#touch(map + key)
        return value
      },
      set: (key, value, bytes) => {
        values.set(key, value)
        this.#keep(map + key, { bytes, forget: () => values.delete(key) })
      },
    }
  }

  #touch(key: string): void {
    const old = this.#young.has(key) ? undefined : this.#old.get(key)
    if (old !== undefined) this.#keep(key, old)
  }

  #keep(key: string, kept: Kept): void {
    this.#bytes += kept.bytes
    if (this.#bytes > this.#half && this.#young.size > 0) {
      for (const [name, { forget }] of this.#old) if (name !== key && !this.#young.has(name)) forget()
      this.#old = this.#young
      this.#young = new Map()
      this.#bytes = kept.bytes
    }
    this.#young.set(key, kept)
  }
}

interface Kept {
  readonly bytes: number
  readonly forget: () => void
}

export interface MapPart<Value extends object> {
  get(key: number): Value | undefined
  /** `bytes`: about what it takes in memory. */
  set(key: number, value: Value, bytes: number): void
}
