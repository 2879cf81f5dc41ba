/** The addresses of the performance pages in parts. */
import { type ChosenRange, chosenQuery, readChosenRange } from '#parts/chosen-range.ts'
import { RANGES, type RangeKey } from '#parts/ranges.ts'
import { REQUEST_KINDS } from '#parts/request-kinds.ts'
import type { RequestKind } from './figures.ts'
import { SORTS, type SortKey } from './route-groups.ts'

/** Figures are kept by the hour: what is shorter than a day says little. */
export const PERFORMANCE_RANGES = RANGES.filter(({ key }) => key !== '1h')

export interface FilterAddress {
  readonly project: string | null
  readonly environment: string | null
  readonly release: string | null
  readonly range: RangeKey
  /** Part of a chart that was chosen, in place of the range. */
  readonly chosen: ChosenRange | null
}

export interface PerformanceAddress extends FilterAddress {
  readonly kind: RequestKind | null
  /** Text as typed: words of a route, `kind:`, and bounds such as `p95:>1s`. */
  readonly text: string
  readonly sort: SortKey
  readonly isAscending: boolean
  /** From 1. */
  readonly page: number
}

export const TEXT_CHARS_MAX = 300
const PAGES_MAX = 2_000

export function readFilter(search: URLSearchParams): FilterAddress {
  return {
    project: search.get('project') || null,
    environment: search.get('environment') || null,
    release: search.get('release') || null,
    range: PERFORMANCE_RANGES.find(({ key }) => key === search.get('range'))?.key ?? '24h',
    chosen: readChosenRange(search),
  }
}

export function readKind(search: URLSearchParams): RequestKind | null {
  const text = search.get('kind')
  return text !== null && isKind(text) ? text : null
}

/** Reads the action, for requests of that kind. */
export function readAction(search: URLSearchParams): string | null {
  return search.get('action')?.slice(0, TEXT_CHARS_MAX) || null
}

function isKind(text: string): text is RequestKind {
  return Object.hasOwn(REQUEST_KINDS, text)
}

export function readPerformanceAddress(search: URLSearchParams): PerformanceAddress {
  return {
    ...readFilter(search),
    kind: readKind(search),
    text: (search.get('text') ?? '').trim().slice(0, TEXT_CHARS_MAX),
    sort: SORTS.find((key) => key === search.get('sort')) ?? 'time',
    isAscending: search.get('order') === 'asc',
    page: Math.min(PAGES_MAX, Math.max(1, Math.floor(Number(search.get('page')) || 1))),
  }
}

export function filterQuery({ project, environment, release, range, chosen }: FilterAddress) {
  const asked = chosen === null && range !== '24h' ? range : null
  return { project, environment, release, range: asked, ...chosenQuery(chosen) }
}

/** Whatever changes, the list begins anew; another project may have other environments and releases. */
export function performanceQuery(address: PerformanceAddress, change: Partial<PerformanceAddress> = {}) {
  const forgotten = {
    ...(change.project === undefined ? {} : { environment: null, release: null }),
    ...(change.range === undefined ? {} : { chosen: null }),
  }
  const next = { ...address, page: 1, ...forgotten, ...change }
  return {
    ...filterQuery(next),
    ...{ kind: next.kind, text: next.text },
    sort: next.sort === 'time' ? null : next.sort,
    order: next.isAscending ? 'asc' : null,
    page: next.page === 1 ? null : next.page,
  }
}
