/**
 * Remembers what was computed for a text. Bounded in entries and in characters, and forgetful by halves: what was
 * asked for since the last change of halves survives, the rest goes at once, so that a stream of texts that never
 * repeat costs one insertion each and no search for the oldest.
 */
export interface MemoLimits {
  readonly entriesMax: number
  /** Longer texts are computed every time. */
  readonly charsMax: number
}

export class Memo<Value> {
  #young = new Map<string, Value>()
  #old: ReadonlyMap<string, Value> = new Map()
  readonly #compute: (text: string) => Value
  readonly #half: number
  readonly #charsMax: number

  /** `compute` must be pure. */
  constructor(compute: (text: string) => Value, limits: MemoLimits) {
    this.#compute = compute
    this.#half = Math.ceil(limits.entriesMax / 2)
    this.#charsMax = limits.charsMax
  }

  of(text: string): Value {
    if (text.length > this.#charsMax) return this.#compute(text)
    const known = this.#young.get(text)
    // `undefined` may be a value: then it is computed again.
    return known === undefined ? this.#older(text) : known
  }

  #older(text: string): Value {
    const old = this.#old.get(text)
    const value = old === undefined ? this.#compute(text) : old
    if (this.#young.size >= this.#half) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#young.set(old === undefined ? detachText(text) : text, value)
    return value
  }
}

/**
 * The text with characters of its own: a slice would keep the whole text alive that it was cut from. What is cut here is a
 * copy, made of both parts when it is cut; a key of an object would be a copy too, at three times the cost.
 */
function detachText(text: string): string {
  return ` ${text}`.slice(1)
}
