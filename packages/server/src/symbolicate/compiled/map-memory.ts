/**
 * What was read of compiled maps, for all maps that a thread has open: bounded in bytes, whatever the maps are like, and
 * forgetful by halves. What was asked for since the last change of halves survives, the rest goes at once.
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
    // A part's keys are its own, and so are the values behind them.
    const typed = (kept: Kept | undefined) => kept?.value as Value | undefined
    return {
      get: (key) => typed(this.#get(map + key)),
      set: (key, value, bytes) => this.#set(map + key, { value, bytes }),
    }
  }

  #get(key: string): Kept | undefined {
    const known = this.#young.get(key)
    if (known !== undefined) return known
    const old = this.#old.get(key)
    if (old !== undefined) this.#set(key, old)
    return old
  }

  #set(key: string, kept: Kept): void {
    this.#bytes += kept.bytes
    if (this.#bytes > this.#half && this.#young.size > 0) {
      this.#old = this.#young
      this.#young = new Map()
      this.#bytes = kept.bytes
    }
    this.#young.set(key, kept)
  }
}

interface Kept {
  readonly value: object
  readonly bytes: number
}

export interface MapPart<Value extends object> {
  get(key: number): Value | undefined
  /** `bytes`: about what it takes in memory. */
  set(key: number, value: Value, bytes: number): void
}
