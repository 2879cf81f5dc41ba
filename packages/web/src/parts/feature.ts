/** A feature as the browser knows it: its pages, and its places in the rail, the palette and behind `g`. */
import type { PageRoute } from '#wire/route.ts'
import type { ActionAccess } from '#wire/types.ts'

/** Groups of the rail, in its order. Places of `house` stand last, under a line. */
export const PLACE_GROUPS = ['work', 'data', 'deploys', 'monitors', 'house'] as const
export type PlaceGroup = (typeof PLACE_GROUPS)[number]

export interface FeaturePlace {
  readonly name: string
  readonly path: (org: string) => string
  /** Addresses that belong to it though another place's begins them. */
  readonly covers?: RegExp
  /** Order among all places. */
  readonly at: number
  /** `org`: whoever is in the organisation. */
  readonly access: ActionAccess | 'org'
  /** Second key after `g`; left out: only the palette leads there. */
  readonly key?: string
  /** Group of the rail, and a picture on the kit's grid of 16 px; left out: in menus and the palette only. */
  readonly rail?: { readonly group: PlaceGroup; readonly icon: string }
}

export interface Feature<Id extends string = string> {
  readonly routes: readonly PageRoute<Id>[]
  readonly places?: readonly FeaturePlace[]
}

export function feature<Id extends string>(given: Feature<Id>): Feature<Id> {
  return given
}
