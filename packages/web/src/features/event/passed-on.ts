/** Exceptions of libraries that only passed a failure of the app's code on. Pure. */

interface PlaceInTree {
  readonly index: number
  readonly parent: number | null
  readonly level: number
}

export function placesBelow<Place extends PlaceInTree>(
  places: readonly Place[],
  { index }: PlaceInTree,
): readonly Place[] {
  return places.filter(({ parent }) => parent === index)
}

/** Returns the exceptions from `place` on that have no frame of the app, down a chain to one that has; none without such an end. */
export function passedOn<Place extends PlaceInTree>(
  places: readonly Place[],
  { place, hasApp }: { readonly place: Place; readonly hasApp: (one: Place) => boolean },
): readonly Place[] {
  const run: Place[] = []
  for (let one: Place | undefined = place; one !== undefined && !hasApp(one); ) {
    run.push(one)
    const [child, ...others]: readonly Place[] = placesBelow(places, one)
    // What is also below it, such as what was suppressed, would not be shown; a member of a group stands by itself.
    const isEnd = child === undefined || run.includes(child)
    if (isEnd || others.length > 0 || child.level > place.level) return []
    one = child
  }
  return run
}
