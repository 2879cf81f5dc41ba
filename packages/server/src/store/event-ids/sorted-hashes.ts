/**
 * Sorted 64-bit hashes, 8 bytes each: low and high halves in turn, little-endian, as they lie in a run file. Hashes
 * are evenly spread, so where one must be is known to within a few square roots of how many there are.
 */
import type { IdHash } from './id-hash.ts'

export type SortedHashes = Uint32Array<ArrayBuffer>

/** Collects hashes in no order, 8 bytes each, and sorts them at the end. */
export class HashList {
  #pairs: SortedHashes = new Uint32Array(128)
  #length = 0

  get size(): number {
    return this.#length / 2
  }

  add({ low, high }: IdHash): void {
    if (this.#length === this.#pairs.length) {
      const larger = new Uint32Array(2 * this.#pairs.length)
      larger.set(this.#pairs)
      this.#pairs = larger
    }
    this.#pairs[this.#length++] = low
    this.#pairs[this.#length++] = high
  }

  /** All hashes, in the order they were added. */
  *values(): Generator<IdHash> {
    for (let at = 0; at < this.#length; at += 2) {
      yield { low: this.#pairs[at] ?? 0, high: this.#pairs[at + 1] ?? 0 }
    }
  }

  sorted(): SortedHashes {
    const pairs = this.#pairs.slice(0, this.#length)
    // Every platform that Node runs on is little-endian: the pair is the number.
    new BigUint64Array(pairs.buffer).sort()
    return pairs
  }
}

/**
 * Returns a stretch of `count` sorted hashes that almost always holds the hash's place: where to look first.
 */
export function likelyStretch(
  { high }: IdHash,
  count: number,
): { readonly from: number; readonly to: number } {
  const guess = Math.floor((high / 0x1_0000_0000) * count)
  const spread = Math.ceil(4 * Math.sqrt(count)) + 8
  return { from: Math.max(0, guess - spread), to: Math.min(count, guess + spread) }
}

/** True when `hash` is among the sorted hashes. */
export function hasHash(pairs: SortedHashes, hash: IdHash): boolean {
  const count = pairs.length / 2
  let { from, to } = likelyStretch(hash, count)
  if (from > 0 && compareAt(pairs, from, hash) > 0) from = 0
  if (to < count && compareAt(pairs, to, hash) < 0) to = count
  while (from < to) {
    const middle = (from + to) >>> 1
    const order = compareAt(pairs, middle, hash)
    if (order === 0) return true
    if (order < 0) from = middle + 1
    else to = middle
  }
  return from < count && compareAt(pairs, from, hash) === 0
}

/** Negative when the hash at `index` is less than `hash`. */
export function compareAt(pairs: SortedHashes, index: number, { low, high }: IdHash): number {
  return (pairs[2 * index + 1] ?? 0) - high || (pairs[2 * index] ?? 0) - low
}

export function mergeHashes(a: SortedHashes, b: SortedHashes): SortedHashes {
  const merged = new Uint32Array(a.length + b.length)
  let left = 0
  let right = 0
  for (let at = 0; at < merged.length; at += 2) {
    const fromLeft = right >= b.length || (left < a.length && isAtMost(a, left, b, right))
    const [source, index] = fromLeft ? [a, left] : [b, right]
    merged[at] = source[index] ?? 0
    merged[at + 1] = source[index + 1] ?? 0
    if (fromLeft) left += 2
    else right += 2
  }
  return merged
}

function isAtMost(a: SortedHashes, left: number, b: SortedHashes, right: number): boolean {
  const order = (a[left + 1] ?? 0) - (b[right + 1] ?? 0)
  return order < 0 || (order === 0 && (a[left] ?? 0) <= (b[right] ?? 0))
}
