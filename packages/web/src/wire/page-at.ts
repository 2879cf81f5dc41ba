/** Which page an address belongs to. Shared by server and browser. */
import { matchRoutes } from 'react-router'
import type { PageRoute } from './route.ts'

export interface Match<R> {
  readonly route: R
  readonly params: Readonly<Record<string, string | undefined>>
}

/** The entry of a table whose pattern fits best; `null` when none does. */
export function matchTable<R extends { readonly path: string }>(
  table: readonly R[],
  pathname: string,
): Match<R> | null {
  const routes = table.map((route, index) => ({ path: route.path, id: String(index) }))
  const match = matchRoutes(routes, pathname)?.at(-1)
  const route = match === undefined ? undefined : table[Number(match.route.id)]
  return route === undefined || match === undefined ? null : { route, params: match.params }
}

export function pageAt(pages: readonly PageRoute[], pathname: string): PageRoute | null {
  return matchTable(pages, pathname)?.route ?? null
}

/** The pattern in place of an address: what reports may name. */
export function patternOf(pages: readonly PageRoute[], pathname: string): string {
  return pageAt(pages, pathname)?.path ?? '*'
}
