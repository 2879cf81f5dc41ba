/**
 * Values of tags that a group keeps. Most groups have about ten: two lists beside each other take a tenth of the room of maps and
 * sets, and thousands of groups are remembered.
 */
import { mayKeepValue } from '#issues/tag-caps.ts'

/** Number of values up to which all are listed; beyond it they are looked for by key. */
const LISTED_MAX = 24

export class KeptValues {
  readonly #keys: number[] = []
  readonly #values: string[] = []
  /** All of them; `null` while they are listed. */
  #byKey: Map<number, Set<string>> | null = null
  #count = 0

  /** How many there are of all keys. */
  get count(): number {
    return this.#count
  }

  /** Ids of the keys that have a value, each once. */
  get keys(): ReadonlySet<number> {
    return new Set(this.#byKey?.keys() ?? this.#keys)
  }

  hasKey(keyId: number): boolean {
    return this.#byKey === null ? this.#keys.includes(keyId) : this.#byKey.has(keyId)
  }

  /** Adds what a row says, which the group has whatever its bounds are. */
  add(keyId: number, value: string): void {
    this.#count++
    if (this.#byKey === null && this.#keys.length === LISTED_MAX) this.#sort()
    if (this.#byKey !== null) {
      addKeptValue(this.#byKey, keyId, value)
      return
    }
    this.#keys.push(keyId)
    this.#values.push(value)
  }

  /** Whether the group has the value, has it from now on, or has no room for it. */
  place(keyId: number, value: string): 'known' | 'new' | 'none' {
    const ofKey = this.#byKey === null ? this.#listed(keyId, value) : this.#sorted(keyId, value)
    if (ofKey === 'known') return 'known'
    if (!mayKeepValue(ofKey)) return 'none'
    this.add(keyId, value)
    return 'new'
  }

  /** How many values the key has beside this one. */
  #listed(keyId: number, value: string): number | 'known' {
    let others = 0
    for (let at = 0; at < this.#keys.length; at++) {
      if (this.#keys[at] !== keyId) continue
      if (this.#values[at] === value) return 'known'
      others++
    }
    return others
  }

  #sorted(keyId: number, value: string): number | 'known' {
    const values = this.#byKey?.get(keyId)
    return values?.has(value) === true ? 'known' : (values?.size ?? 0)
  }

  #sort(): void {
    const byKey = new Map<number, Set<string>>()
    for (const [at, keyId] of this.#keys.entries()) addKeptValue(byKey, keyId, this.#values[at] ?? '')
    this.#byKey = byKey
    this.#keys.length = 0
    this.#values.length = 0
  }
}

function addKeptValue(byKey: Map<number, Set<string>>, keyId: number, value: string): void {
  const values = byKey.get(keyId)
  if (values === undefined) byKey.set(keyId, new Set([value]))
  else values.add(value)
}
