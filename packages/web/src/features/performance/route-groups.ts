/** Routes with their kinds as rows below, in the order that the address asks for. Pure. */
import type { RequestKind } from '#parts/issue-types.ts'
import { pageKey, type RouteRow } from './figures.ts'

export const ROUTE_SORTS = [
  'time',
  'route',
  'requests',
  'p50',
  'p75',
  'p95',
  'p99',
  'failed',
  'rate',
  'behind200',
  'aborted',
  'change',
] as const
export type SortKey = (typeof ROUTE_SORTS)[number]

interface RouteGroup {
  readonly projectId: RouteRow['projectId']
  readonly route: string
  /** Rows in the order of kinds. */
  readonly rows: readonly RouteRow[]
  readonly sums: Sums
}

/** Sums over several kinds. Percentiles of different kinds are never mixed. */
export interface Sums {
  readonly count: number
  readonly isEstimated: boolean
  readonly failed: number
  readonly failedBehind200: number
  readonly aborted: number
  readonly totalMs: number
}

const KIND_ORDER: readonly RequestKind[] = [
  'document',
  'page-data',
  'action',
  'route-handler',
  'browser',
  'other',
  'static',
  'prefetch',
]

/**
 * True for kinds that count in sums: not what nobody waited for, nor what the browser says of the same
 * visits, which have rows of their own.
 */
export function isSummed(kind: RequestKind): boolean {
  return kind !== 'prefetch' && kind !== 'browser'
}

/** Sums the rows that count, else all: a route that was only prefetched has figures as well. */
export function sumRouteRows(rows: readonly RouteRow[]): Sums {
  const counted = rows.filter(({ kind }) => isSummed(kind))
  const of = counted.length === 0 ? rows : counted
  const sum = (part: (row: RouteRow) => number) => of.reduce((total, row) => total + part(row), 0)
  return {
    count: sum(({ count }) => count),
    isEstimated: of.some(({ isEstimated }) => isEstimated),
    failed: sum(({ failed }) => failed),
    failedBehind200: sum(({ failedBehind200 }) => failedBehind200),
    aborted: sum(({ aborted }) => aborted),
    totalMs: sum(({ totalMs }) => totalMs),
  }
}

/** Orders rows: what people wait for first. */
export function orderByKind(rows: readonly RouteRow[]): readonly RouteRow[] {
  return rows.toSorted((a, b) => KIND_ORDER.indexOf(a.kind) - KIND_ORDER.indexOf(b.kind))
}

export function groupRoutes(
  rows: readonly RouteRow[],
  { sort, isAscending }: { readonly sort: SortKey; readonly isAscending: boolean },
): readonly RouteGroup[] {
  const byRoute = Map.groupBy(rows, pageKey)
  const groups = [...byRoute.values()].flatMap((own): RouteGroup[] => {
    const [first] = own
    if (first === undefined) return []
    const { projectId, route } = first
    return [{ projectId, route, rows: orderByKind(own), sums: sumRouteRows(own) }]
  })
  const turn = isAscending ? 1 : -1
  return groups.sort((a, b) => turn * compare(a, b, sort) || a.route.localeCompare(b.route, 'en'))
}

function compare(a: RouteGroup, b: RouteGroup, sort: SortKey): number {
  if (sort === 'route') return a.route.localeCompare(b.route, 'en')
  return sortValue(a, sort) - sortValue(b, sort)
}

/** Sums by what they are; of percentiles the greatest of its kinds, those that count first. */
function sortValue({ rows, sums }: RouteGroup, sort: Exclude<SortKey, 'route'>): number {
  switch (sort) {
    case 'time':
      return sums.totalMs
    case 'requests':
      return sums.count
    case 'failed':
      return sums.failed
    case 'rate':
      return sums.count === 0 ? 0 : sums.failed / sums.count
    case 'behind200':
      return sums.failedBehind200
    case 'aborted':
      return sums.aborted
    case 'change':
      return greatestOfRows(rows, (row) => row.change)
    default:
      return greatestOfRows(rows, (row) => row[`${sort}Ms`])
  }
}

function greatestOfRows(rows: readonly RouteRow[], value: (row: RouteRow) => number | null): number {
  const counted = rows.filter(({ kind }) => isSummed(kind))
  return (counted.length === 0 ? rows : counted).reduce(
    (most, row) => Math.max(most, value(row) ?? Number.NEGATIVE_INFINITY),
    Number.NEGATIVE_INFINITY,
  )
}

export interface KindTotal extends Sums {
  readonly kind: RequestKind
}

/** Each kind over all routes, in the order of kinds. */
export function kindTotals(rows: readonly RouteRow[]): readonly KindTotal[] {
  const byKind = Map.groupBy(rows, ({ kind }) => kind)
  return KIND_ORDER.flatMap((kind) => {
    const own = byKind.get(kind)
    return own === undefined ? [] : [{ kind, ...sumRouteRows(own) }]
  })
}
