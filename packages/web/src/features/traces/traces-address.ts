/** The address of the search of traces in parts. Pure. */
import { type ChosenRange, chosenQuery, readChosenRange } from '#parts/chosen-range.ts'
import { RANGES, type RangeKey } from '#parts/ranges.ts'
import { valueTerm } from '#parts/search-token.ts'

export interface TracesAddress {
  readonly query: string
  readonly project: string | null
  readonly range: RangeKey
  /** In place of the range, where a part of a chart was chosen. */
  readonly chosen: ChosenRange | null
  /** How the chart is drawn; `null`: as suits how many there are. */
  readonly chart: 'heat' | 'marks' | null
  readonly sort: 'newest' | 'slowest'
  readonly cursor: string | null
}

export function readTracesAddress(search: URLSearchParams): TracesAddress {
  return {
    query: (search.get('query') ?? '').trim(),
    project: search.get('project') || null,
    range: RANGES.find((range) => range.key === search.get('range'))?.key ?? '24h',
    chosen: readChosenRange(search),
    chart: (['heat', 'marks'] as const).find((chart) => chart === search.get('chart')) ?? null,
    sort: search.get('sort') === 'slowest' ? 'slowest' : 'newest',
    cursor: search.get('cursor') || null,
  }
}

/** A change starts again on the first page. */
export function tracesQuery(address: TracesAddress, change: Partial<TracesAddress> = {}) {
  // Another range takes the place of what was chosen on a chart.
  const forgotten = change.range === undefined ? {} : { chosen: null }
  const next = { ...address, cursor: null, ...forgotten, ...change }
  return {
    query: next.query,
    project: next.project,
    range: next.range === '24h' || next.chosen !== null ? null : next.range,
    ...chosenQuery(next.chosen),
    chart: next.chart,
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

/** The search with these bounds of duration in place of those that it has. */
export function withDurations(
  query: string,
  { low, high }: { readonly low: number; readonly high: number },
): string {
  const kept = ` ${query} `.replace(/ !?duration:(?:"[^"]*"|\S+)(?= )/g, '').trim()
  // Whole milliseconds, so that the address stays readable: what lies within is among what is found.
  const bounds = `duration:>=${Math.floor(low)}ms duration:<${Math.max(1, Math.ceil(high))}ms`
  return `${kept} ${bounds}`.trim()
}
