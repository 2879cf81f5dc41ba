/** Places to go from anywhere: the rail, the palette and the `g` shortcuts read this one list. */

import type { Feature, FeaturePlace } from '#parts/feature.ts'
import type { FrameData } from '#parts/frame-data.ts'
import * as features from './features.ts'

export interface Place extends Omit<FeaturePlace, 'path'> {
  readonly path: string
  /** Addresses that belong to it start with this. */
  readonly prefix: string
}

const PLACES = Object.values<Feature>(features)
  .flatMap(({ places = [] }) => places)
  .sort((a, b) => a.at - b.at)

/** Somebody who looks, and where: a part of the frame's data. */
interface Seen {
  readonly viewer: Pick<NonNullable<FrameData['viewer']>, 'isOperator'> | null
  readonly org: Pick<NonNullable<FrameData['org']>, 'slug' | 'permissions'> | null
}

/** Returns the places that exist and that the viewer may see. */
export function shellPlaces({ viewer, org }: Seen): readonly Place[] {
  if (viewer === null) return []
  const may = ({ access }: FeaturePlace) =>
    access === 'signed-in' ||
    (access === 'operator'
      ? viewer.isOperator
      : org !== null && (access === 'org' || org.permissions.some((each) => each === access)))
  return PLACES.filter(may).map((place) => {
    const path = place.path(org?.slug ?? '')
    return { ...place, path, prefix: path }
  })
}

/** Returns which of the places an address belongs to: the one with the longest prefix. */
export function shellPlaceAt(places: readonly Place[], pathname: string): Place | null {
  let best: Place | null = null
  for (const place of places) {
    if (place.covers?.test(pathname)) return place
    const isInside =
      pathname === place.prefix || (place.name !== 'Overview' && pathname.startsWith(`${place.prefix}/`))
    if (isInside && (best === null || place.prefix.length > best.prefix.length)) best = place
  }
  return best
}
