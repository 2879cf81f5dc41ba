/**
 * Lists that end alike: what follows from a part that many events share, such as their stack trace, is one and the same
 * list, and whoever writes rows need write it once.
 */
export interface SharedTail {
  /** Index where the tail begins; it reaches to the end. */
  readonly from: number
  /** The same object in every list that ends in it. */
  readonly tail: readonly string[]
}

const TAILS = new WeakMap<readonly string[], SharedTail>()

/** A list of both, known by its tail. */
export function withSharedTail(head: readonly string[], tail: readonly string[]): readonly string[] {
  const list = head.concat(tail)
  TAILS.set(list, { from: head.length, tail })
  return list
}

/** Returns the tail that a list shares with others, and where it begins. `null` for a list that shares nothing. */
export function sharedTailOf(list: readonly string[]): SharedTail | null {
  return TAILS.get(list) ?? null
}
