/** Recent searches, kept in this browser, per organisation. */

const KEPT_MAX = 5

export function recentSearches(org: string): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(nameOf(org)) ?? '[]')
    return Array.isArray(kept) ? kept.filter((query) => typeof query === 'string').slice(0, KEPT_MAX) : []
  } catch {
    // The browser keeps nothing for this page, or something else wrote there: then there are none.
    return []
  }
}

/** Newest first, each once. */
export function keepSearch(org: string, query: string): void {
  if (query !== '') write(org, [query, ...recentSearches(org).filter((kept) => kept !== query)])
}

export function forgetSearch(org: string, query: string): void {
  const kept = recentSearches(org)
  if (kept.includes(query))
    write(
      org,
      kept.filter((one) => one !== query),
    )
}

function write(org: string, queries: readonly string[]): void {
  try {
    localStorage.setItem(nameOf(org), JSON.stringify(queries.slice(0, KEPT_MAX)))
  } catch {
    // As above: the search itself does not need it.
  }
}

function nameOf(org: string): string {
  return `errata.searches.${org}`
}
