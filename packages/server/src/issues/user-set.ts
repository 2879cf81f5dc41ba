/**
 * Distinct users of a group: an exact set of 64-bit hashes up to `usersExactMax`, a sketch from there on. Hashes and
 * not names, so that counting people keeps nothing about them.
 */
import { max } from '#limits/limits.ts'
import { addToSketch, emptySketch, estimateSketch, mergeSketch, type UserSketch } from './hyperloglog.ts'

export type UserSet =
  /** Sorted, ascending. */
  | { readonly isExact: true; readonly hashes: BigUint64Array }
  | { readonly isExact: false; readonly sketch: UserSketch }

export const NO_USERS: UserSet = { isExact: true, hashes: new BigUint64Array(0) }

/** The set with `added`; the very same set when nothing was new. */
export function withUsers(set: UserSet, added: Iterable<bigint>): UserSet {
  if (!set.isExact) {
    const sketch = set.sketch.slice()
    let changed = false
    for (const one of added) changed = addToSketch(sketch, one) || changed
    return changed ? { isExact: false, sketch } : set
  }
  const fresh = new Set<bigint>()
  for (const one of added) if (!has(set.hashes, one)) fresh.add(one)
  if (fresh.size === 0) return set
  return fromHashes([...set.hashes, ...fresh])
}

export function unionOfUsers(sets: readonly UserSet[]): UserSet {
  const hashes = new Set<bigint>()
  let sketch: UserSketch | null = null
  for (const set of sets) {
    if (set.isExact) {
      for (const one of set.hashes) hashes.add(one)
    } else {
      sketch ??= emptySketch()
      mergeSketch(sketch, set.sketch)
    }
  }
  if (sketch === null) return fromHashes([...hashes])
  for (const one of hashes) addToSketch(sketch, one)
  return { isExact: false, sketch }
}

/** The set without the people; the very same set when none was in it, and a sketch always: it holds no one apart. */
export function withoutUsers(set: UserSet, gone: ReadonlySet<bigint>): UserSet {
  if (!set.isExact) return set
  const hashes = set.hashes.filter((one) => !gone.has(one))
  return hashes.length === set.hashes.length ? set : { isExact: true, hashes }
}

export function countUsers(set: UserSet): number {
  return set.isExact ? set.hashes.length : estimateSketch(set.sketch)
}

/** Encodes little-endian hashes, or the sketch's registers. */
export function encodeUsers(set: UserSet): Uint8Array {
  if (!set.isExact) return set.sketch
  return new Uint8Array(set.hashes.buffer, set.hashes.byteOffset, set.hashes.byteLength)
}

export function decodeUsers(isExact: boolean, state: Uint8Array): UserSet {
  // A copy: the driver's buffer need not start at a multiple of eight.
  const bytes = Uint8Array.from(state)
  return isExact ? { isExact, hashes: new BigUint64Array(bytes.buffer) } : { isExact, sketch: bytes }
}

function fromHashes(hashes: readonly bigint[]): UserSet {
  if (hashes.length <= max('usersExactMax')) {
    return { isExact: true, hashes: BigUint64Array.from(hashes).sort() }
  }
  const sketch = emptySketch()
  for (const one of hashes) addToSketch(sketch, one)
  return { isExact: false, sketch }
}

function has(sorted: BigUint64Array, wanted: bigint): boolean {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const found = sorted[middle] ?? 0n
    if (found === wanted) return true
    if (found < wanted) low = middle + 1
    else high = middle
  }
  return false
}
