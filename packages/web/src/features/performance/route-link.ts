/** The page of a route, with another filter or kind. */
import type { AddressOf } from '#parts/address.ts'
import { paths } from '#parts/paths.ts'
import type { RouteData } from './performance.server.ts'
import { type ROUTE, routeQuery } from './performance-address.ts'

export function routeLink(data: RouteData, change: Partial<AddressOf<typeof ROUTE>> = {}): string {
  const { route, kind, action, address } = data
  const { project: _, ...query } = routeQuery({ ...address, route, kind, action }, change)
  return paths.performanceRoute(data.org, data.project.slug, query)
}
