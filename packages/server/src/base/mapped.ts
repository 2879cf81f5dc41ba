/**
 * Maps a list as `list.map`, but returns the list itself if nothing changes: most of an event is looked at
 * and not rebuilt.
 */
export function mapChanged<T>(list: readonly T[], scrub: (value: T, at: number) => T): readonly T[] {
  let copy: T[] | null = null
  let at = 0
  for (const value of list) {
    const scrubbed = scrub(value, at)
    if (copy === null && scrubbed !== value) copy = list.slice(0, at)
    copy?.push(scrubbed)
    at++
  }
  return copy ?? list
}
