/**
 * Memory of the commit from one batch to the next. Whoever keeps something here says how much; the rule is one:
 *
 * - What was used longest ago goes first, at the end of a batch, until the rest is within the bound. What a batch uses
 *   stays until its end.
 * - What a batch used goes when that batch is undone; the rest is as it was.
 * - Rows that others may have written are read anew, unless it is said that those stay true.
 */
export interface Keeping<Value> {
  /** Bound of all values together, by their weight. */
  readonly most: number
  /** Default: 1 each. */
  readonly weightOf?: (value: Value) => number
  /** Writes of others change nothing of it. Default: they may. */
  readonly staysTrue?: boolean
}

interface Entry<Key, Value> {
  readonly key: Key
  value: Value
  /** Weight when it was last taken. */
  weight: number
  /** Batch that used it last. */
  usedIn: number
}

/** Batches are numbered, so that each entry tells which of them used it. */
interface Age {
  batch: number
}

/** Values by key, those used last at the end. */
export class Kept<Key, Value> {
  readonly #age: Age
  readonly #most: number
  readonly #weightOf: (value: Value) => number
  readonly #entries = new Map<Key, Entry<Key, Value>>()
  #used: Entry<Key, Value>[] = []
  #weight = 0

  constructor(age: Age, { most, weightOf = () => 1 }: Keeping<Value>) {
    this.#age = age
    this.#most = most
    this.#weightOf = weightOf
  }

  /** Answers a value that may be changed in place: it counts as used. */
  get(key: Key): Value | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    this.#use(entry)
    return entry.value
  }

  has(key: Key): boolean {
    return this.#entries.has(key)
  }

  set(key: Key, value: Value): void {
    const known = this.#entries.get(key)
    const entry = known ?? { key, value, weight: 0, usedIn: 0 }
    entry.value = value
    this.#use(entry)
  }

  delete(key: Key): void {
    const entry = this.#entries.get(key)
    if (entry === undefined) return
    this.#entries.delete(key)
    this.#weight -= entry.weight
  }

  /** Deletes what a test of its value chooses. */
  deleteWhere(isGone: (value: Value) => boolean): void {
    for (const { key, value } of this.#entries.values()) if (isGone(value)) this.delete(key)
  }

  clear(): void {
    this.#entries.clear()
    this.#used = []
    this.#weight = 0
  }

  /** At the end of a batch: weighs what it used, and forgets by age what is beyond the bound. */
  trim(): void {
    for (const entry of this.#used) {
      if (this.#entries.get(entry.key) !== entry) continue
      const weight = this.#weightOf(entry.value)
      this.#weight += weight - entry.weight
      entry.weight = weight
    }
    this.#used = []
    for (const key of this.#entries.keys()) {
      if (this.#weight <= this.#most) return
      this.delete(key)
    }
  }

  /** Forgets what the batch at hand used. */
  undo(): void {
    for (const entry of this.#used) if (this.#entries.get(entry.key) === entry) this.delete(entry.key)
    this.#used = []
  }

  /** Moves it to the end, once a batch. */
  #use(entry: Entry<Key, Value>): void {
    if (entry.usedIn === this.#age.batch) return
    entry.usedIn = this.#age.batch
    this.#entries.delete(entry.key)
    this.#entries.set(entry.key, entry)
    this.#used.push(entry)
  }
}

/** Whatever is kept, without what it is. */
type Anything = Pick<Kept<unknown, unknown>, 'clear' | 'trim' | 'undo'>

export class Memory {
  readonly #age: Age = { batch: 1 }
  readonly #all: Anything[] = []
  readonly #ofRows: Anything[] = []

  keep<Key, Value>(keeping: Keeping<Value>): Kept<Key, Value> {
    const kept = new Kept<Key, Value>(this.#age, keeping)
    this.#all.push(kept)
    if (keeping.staysTrue !== true) this.#ofRows.push(kept)
    return kept
  }

  /** Forgets rows that others may have written. */
  forgetRows(): void {
    for (const kept of this.#ofRows) kept.clear()
  }

  /** After a batch that is stored, or what was read for one. */
  end(): void {
    for (const kept of this.#all) kept.trim()
    this.#age.batch++
  }

  /** Runs what reads for a batch; of work that throws, what it used is forgotten. */
  reading<T>(work: () => T): T {
    try {
      const value = work()
      this.end()
      return value
    } catch (cause) {
      this.undo()
      throw cause
    }
  }

  /** After a batch of which nothing is stored. */
  undo(): void {
    for (const kept of this.#all) kept.undo()
    this.#age.batch++
  }
}
