/** Recent searches, kept in this browser, per organisation. */

const KEPT_MAX = 5

export function recentSearches(org: string): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(recentSearchesKey(org)) ?? '[]')
    return Array.isArray(kept) ? kept.filter((query) => typeof query === 'string').slice(0, KEPT_MAX) : []
  } catch {
    // The browser keeps nothing for this page, or something else wrote there: then there are none.
    return []
  }
}

/** Newest first, each once. */
export function keepSearch(org: string, query: string): void {
  if (query !== '') writeRecentSearches(org, [query, ...recentSearches(org).filter((kept) => kept !== query)])
}

export function forgetSearch(org: string, query: string): void {
  const kept = recentSearches(org)
  if (kept.includes(query))
    writeRecentSearches(
      org,
      kept.filter((one) => one !== query),
    )
}

function writeRecentSearches(org: string, queries: readonly string[]): void {
  try {
    localStorage.setItem(recentSearchesKey(org), JSON.stringify(queries.slice(0, KEPT_MAX)))
  } catch {
    // As above: the search itself does not need it.
  }
}

function recentSearchesKey(org: string): string {
  return `errata.searches.${org}`
}
