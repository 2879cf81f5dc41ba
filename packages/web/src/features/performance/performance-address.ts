/** The addresses of the performance pages in parts. */
import { type AddressOf, type AddressTable, queryOf } from '#parts/address.ts'
import { CHOSEN } from '#parts/chosen-range.ts'
import { RANGES } from '#parts/ranges.ts'
import { REQUEST_KINDS } from '#parts/request-kinds.ts'
import { ROUTE_SORTS } from './route-groups.ts'

/** Figures are kept by the hour: what is shorter than a day says little. */
export const PERFORMANCE_RANGES = RANGES.filter(({ key }) => key !== '1h')

export const TEXT_CHARS_MAX = 300
const PAGES_MAX = 2_000

/** Parameters that all pages of performance share. */
export const FILTER = {
  project: { type: 'value', first: null },
  environment: { type: 'value', first: null, resetBy: ['project'] },
  release: { type: 'value', first: null, resetBy: ['project'] },
  range: { type: 'choice', first: '24h', of: PERFORMANCE_RANGES, unless: 'chosen' },
  chosen: CHOSEN,
} as const satisfies AddressTable

export type FilterAddress = AddressOf<typeof FILTER>

export const filterQuery = queryOf(FILTER)

const KIND = { type: 'key', first: null, in: REQUEST_KINDS } as const

/** The list of routes: whatever changes, it begins anew; another project may have other environments and releases. */
export const PERFORMANCE = {
  ...FILTER,
  kind: KIND,
  /** Text as typed: words of a route, `kind:`, and bounds such as `p95:>1s`. */
  text: { type: 'text', first: '', charsMax: TEXT_CHARS_MAX },
  sort: { type: 'choice', first: 'time', of: ROUTE_SORTS },
  isAscending: { type: 'flag', name: 'order', first: false, on: 'asc' },
  page: { type: 'page', first: 1, pagesMax: PAGES_MAX, resetBy: 'all' },
} as const satisfies AddressTable

export type PerformanceAddress = AddressOf<typeof PERFORMANCE>

export const performanceQuery = queryOf(PERFORMANCE)

/** Route page: requests of a kind, or of one action, are shown alone. */
export const ROUTE = {
  route: { type: 'value', first: null },
  kind: KIND,
  action: { type: 'text', first: null, charsMax: TEXT_CHARS_MAX, resetBy: ['kind'] },
  ...FILTER,
} as const satisfies AddressTable

export const routeQuery = queryOf(ROUTE)

/** Web vitals: one of them in full, of all pages or one. */
export const VITALS_ADDRESS = {
  ...FILTER,
  route: { type: 'value', first: null },
  vital: { type: 'choice', first: 'lcp', of: ['lcp', 'inp', 'cls', 'fcp', 'ttfb'] },
} as const satisfies AddressTable

export const vitalsQuery = queryOf(VITALS_ADDRESS)
