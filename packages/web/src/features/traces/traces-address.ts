/** The address of the search of traces in parts. Pure. */
import { RANGES, type RangeKey } from '#parts/ranges.ts'
import { valueTerm } from '#parts/search-token.ts'

export interface TracesAddress {
  readonly query: string
  readonly project: string | null
  readonly range: RangeKey
  readonly sort: 'newest' | 'slowest'
  readonly cursor: string | null
}

export function readTracesAddress(search: URLSearchParams): TracesAddress {
  return {
    query: (search.get('query') ?? '').trim(),
    project: search.get('project') || null,
    range: RANGES.find((range) => range.key === search.get('range'))?.key ?? '24h',
    sort: search.get('sort') === 'slowest' ? 'slowest' : 'newest',
    cursor: search.get('cursor') || null,
  }
}

/** A change starts again on the first page. */
export function tracesQuery(address: TracesAddress, change: Partial<TracesAddress> = {}) {
  const next = { ...address, cursor: null, ...change }
  return {
    query: next.query,
    project: next.project,
    range: next.range === '24h' ? null : next.range,
    sort: next.sort === 'newest' ? null : next.sort,
    cursor: next.cursor,
  }
}

/** How the term of a tag’s value is typed. */
export function facetTerm(tag: string, value: string): string {
  return valueTerm({ key: tag === 'request_kind' ? 'kind' : tag, value, negated: false })
}

/** The search with another key for one that no request has. */
export function withKey(query: string, key: string, other: string): string {
  return ` ${query}`.replaceAll(` ${key}:`, ` ${other}:`).trimStart()
}

/** Whether a search holds a term, written as `facetTerm` writes it. */
export function hasTerm(query: string, term: string): boolean {
  return ` ${query} `.includes(` ${term} `)
}

/** Adds a term in place of others, or takes it away where it is there. */
export function withTerm(query: string, term: string, others: readonly string[] = []): string {
  if (!hasTerm(query, term)) {
    const kept = others.reduce((left, other) => (hasTerm(left, other) ? withTerm(left, other) : left), query)
    return `${kept} ${term}`.trim()
  }
  return ` ${query} `.replace(` ${term} `, ' ').trim()
}
