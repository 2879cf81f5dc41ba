/** The page of a route, with another filter or kind. */
import { paths } from '#parts/paths.ts'
import type { RequestKind } from './figures.ts'
import type { RouteData } from './performance.server.ts'
import { type FilterAddress, filterQuery } from './performance-address.ts'

type Change = Partial<FilterAddress> & { readonly kind?: RequestKind; readonly action?: string | null }

export function routeLink(data: RouteData, change: Change = {}): string {
  const { project: _, ...filter } = filterQuery({
    ...data.address,
    ...(change.range === undefined ? {} : { chosen: null }),
    ...change,
  })
  const kind = change.kind ?? data.kind
  const action = change.action === undefined && change.kind === undefined ? data.action : change.action
  return paths.performanceRoute(data.org, data.project.slug, { route: data.route, kind, action, ...filter })
}
