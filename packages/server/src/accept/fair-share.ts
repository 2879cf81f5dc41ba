/** Measures how much each sender sends over a small sliding window, and shares out a scarce capacity. */
import type { KeyId, ProjectId } from '#base/ids.ts'

/**
 * Max–min fair: the share that nobody who wants more may exceed, so that what all take together is `capacity`. Who
 * wants less than the share has all of it. `Infinity` where everybody fits.
 */
export function maxMinShare(demands: readonly number[], capacity: number): number {
  const ascending = [...demands].sort((a, b) => a - b)
  let left = Math.max(0, capacity)
  for (const [index, demand] of ascending.entries()) {
    const equal = left / (ascending.length - index)
    if (demand > equal) return equal
    left -= demand
  }
  return Number.POSITIVE_INFINITY
}

/** Demand of one key: a ring of one-second buckets. */
export interface KeyDemand {
  readonly keyId: KeyId
  readonly projectId: ProjectId
  readonly buckets: Float64Array
  /** Bytes of all buckets. */
  total: number
  /** Whole seconds since it was first seen, at most those of the window. */
  seenSeconds: number
  /** Bytes a second it may send; `null` while it is not held back. */
  allowed: number | null
  /** Bytes let in since its allowance last grew; more than that is a debt. */
  taken: number
  /** Envelopes refused within the window's newest second, and before. */
  refused: number
}

/** The demand of every key that sent within the window. */
export class DemandWindow {
  readonly #seconds: number
  readonly #keysMax: number
  readonly #keys = new Map<KeyId, KeyDemand>()
  #bucket = 0

  constructor(bounds: { readonly seconds: number; readonly keysMax: number }) {
    this.#seconds = bounds.seconds
    this.#keysMax = bounds.keysMax
  }

  /** Notes that a key asks for so many bytes; `null` when there are too many keys to follow. */
  ask(keyId: KeyId, projectId: ProjectId, bytes: number): KeyDemand | null {
    let demand = this.#keys.get(keyId)
    if (demand === undefined) {
      if (this.#keys.size >= this.#keysMax) return null
      const buckets = new Float64Array(this.#seconds)
      demand = { keyId, projectId, buckets, total: 0, seenSeconds: 0, allowed: null, taken: 0, refused: 0 }
      this.#keys.set(keyId, demand)
    }
    demand.buckets[this.#bucket] = (demand.buckets[this.#bucket] ?? 0) + bytes
    demand.total += bytes
    return demand
  }

  /** Lets so many seconds pass: what is older than the window is forgotten. */
  pass(seconds: number): void {
    for (let step = 0; step < Math.min(seconds, this.#seconds); step++) {
      this.#bucket = (this.#bucket + 1) % this.#seconds
      for (const demand of this.#keys.values()) {
        demand.total = Math.max(0, demand.total - (demand.buckets[this.#bucket] ?? 0))
        demand.buckets[this.#bucket] = 0
      }
    }
    for (const [keyId, demand] of this.#keys) {
      demand.seenSeconds = Math.min(this.#seconds, demand.seenSeconds + seconds)
      if (demand.total === 0) this.#keys.delete(keyId)
      else if (demand.allowed !== null) demand.taken = Math.max(0, demand.taken - demand.allowed * seconds)
    }
  }

  /** Nobody is held back. */
  free(): void {
    for (const demand of this.#keys.values()) Object.assign(demand, { allowed: null, taken: 0, refused: 0 })
  }

  /** Shares out `capacity` bytes a second: between projects, then between the keys of those that want more. */
  share(capacity: number, projectMin: number): void {
    const byProject = Map.groupBy(this.#keys.values(), ({ projectId }) => projectId)
    const rates = [...byProject.values()].map(sumOfRates)
    const share = Math.max(projectMin, maxMinShare(rates, capacity))
    for (const keys of byProject.values()) {
      const isHeavy = sumOfRates(keys) > share
      const keyShare = isHeavy ? maxMinShare(keys.map(demandRate), share) : Number.POSITIVE_INFINITY
      for (const key of keys) allow(key, demandRate(key) > keyShare ? keyShare : null)
    }
  }

  /** Bytes a second that all ask for. */
  asked(): number {
    return sumOfRates([...this.#keys.values()])
  }

  /** Bytes a second, the heaviest first. */
  heldBack(): readonly (KeyDemand & { readonly rate: number })[] {
    return [...this.#keys.values()]
      .filter(({ allowed }) => allowed !== null)
      .map((demand) => ({ ...demand, rate: demandRate(demand) }))
      .sort((a, b) => b.rate - a.rate)
  }
}

/** Bytes a second over the time a key has been seen: a new one is not taken for quiet. */
function demandRate({ total, seenSeconds }: KeyDemand): number {
  return total / Math.max(1, seenSeconds)
}

function sumOfRates(keys: readonly KeyDemand[]): number {
  return keys.reduce((sum, key) => sum + demandRate(key), 0)
}

function allow(key: KeyDemand, allowed: number | null): void {
  if (allowed === null) {
    key.taken = 0
    key.refused = 0
  }
  key.allowed = allowed
}
