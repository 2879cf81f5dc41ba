/** Cuts lists, so that a long one takes no more room at once than a short one. */

/** Returns the list in its order, in lists of so many and the rest. */
export function inChunks<T>(all: readonly T[], length: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(all.length / length) }, (_, at) =>
    all.slice(at * length, (at + 1) * length),
  )
}
