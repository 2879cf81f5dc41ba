/** A table's patterns looked up for every request. The server's alone: the browser matches an address at a click. */
import { type Match, matchTable } from './page-at.ts'

/** The entry whose pattern fits best; `null` when none does. */
export type TableMatcher<R> = (pathname: string) => Match<R> | null

const ANY = 'any'

/**
 * Matches as `matchTable`, which splits every pattern each time it is asked: here only patterns with as many
 * parts as the address has.
 */
export function tableMatcher<R extends { readonly path: string }>(table: readonly R[]): TableMatcher<R> {
  const byParts = Map.groupBy(table, ({ path }) => (/[*?]/.test(path) ? ANY : countParts(path)))
  const open = byParts.get(ANY) ?? []
  return (pathname) => matchTable([...(byParts.get(countParts(pathname)) ?? []), ...open], pathname)
}

function countParts(path: string): number {
  return path.split('/').filter((part) => part !== '').length
}
