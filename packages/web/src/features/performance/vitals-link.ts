import { paths } from '#parts/paths.ts'
import { type FilterAddress, filterQuery } from './performance-address.ts'
import type { VitalsData } from './vitals.server.ts'

/** The page with another part of its address. */
export function vitalsLink(
  { org, address, route, vital }: Pick<VitalsData, 'org' | 'address' | 'route' | 'vital'>,
  change: Partial<FilterAddress> & { readonly route?: string | null; readonly vital?: string } = {},
): string {
  const chosen = change.range === undefined ? {} : { chosen: null }
  const { route: asked, vital: other, ...narrow } = change
  const of = other ?? vital
  return paths.vitals(org, {
    ...filterQuery({ ...address, ...chosen, ...narrow }),
    route: asked === undefined ? route : asked,
    vital: of === 'lcp' ? null : of,
  })
}
