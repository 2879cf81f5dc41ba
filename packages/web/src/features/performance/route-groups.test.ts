import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { RequestKind } from '#parts/issue-types.ts'
import type { RouteRow } from './figures.ts'
import { groupRoutes, kindTotals, sumRouteRows } from './route-groups.ts'

const PROJECT = 1 as RouteRow['projectId'] // an id as the store gives it

describe('routes and their kinds', () => {
  const rows = [
    rowOf('/search', 'prefetch', { count: 900, p95Ms: 5_000, totalMs: 90_000, failed: 9 }),
    rowOf('/search', 'document', { count: 100, p95Ms: 1_310, totalMs: 20_000, failed: 2 }),
    rowOf('/checkout', 'action', { count: 50, p95Ms: 1_240, totalMs: 30_000, failed: 8, failedBehind200: 3 }),
    rowOf('/checkout', 'document', { count: 80, p95Ms: 340, totalMs: 8_000, failed: 0 }),
    rowOf('/about', 'prefetch', { count: 7, p95Ms: 20, totalMs: 100 }),
  ]
  const order = (sort: Parameters<typeof groupRoutes>[1]['sort'], isAscending = false) =>
    groupRoutes(rows, { sort, isAscending }).map(({ route }) => route)

  test('a route has its kinds in their order, and sums without prefetches', () => {
    const search = groupRoutes(rows, { sort: 'time', isAscending: false }).find(
      ({ route }) => route === '/search',
    )
    assert.deepEqual(
      search?.rows.map(({ kind }) => kind),
      ['document', 'prefetch'],
    )
    assert.deepEqual([search?.sums.count, search?.sums.failed, search?.sums.totalMs], [100, 2, 20_000])
  })

  test('a route that was only fetched ahead still has figures', () => {
    assert.equal(sumRouteRows(rows.filter(({ route }) => route === '/about')).count, 7)
  })

  test('prefetches put no route before another', () => {
    assert.deepEqual(order('time'), ['/checkout', '/search', '/about'])
    assert.deepEqual(order('p95'), ['/search', '/checkout', '/about'])
    assert.deepEqual(order('requests'), ['/checkout', '/search', '/about'])
  })

  test('each column sorts, both ways', () => {
    assert.deepEqual(order('route', true), ['/about', '/checkout', '/search'])
    assert.deepEqual(order('route'), ['/search', '/checkout', '/about'])
    assert.deepEqual(order('failed'), ['/checkout', '/search', '/about'])
    assert.deepEqual(order('rate')[0], '/checkout')
    assert.deepEqual(order('behind200')[0], '/checkout')
    assert.deepEqual(order('p95', true), ['/about', '/checkout', '/search'])
  })

  test('what has nothing to compare with comes last by change', () => {
    const slower = {
      ...rowOf('/b', 'document', { p75Ms: 200 }),
      before: rowOf('/b', 'document', { p75Ms: 100 }),
      change: 1,
    }
    const groups = groupRoutes([rowOf('/a', 'document', { p75Ms: 900 }), slower], {
      ...{ sort: 'change', isAscending: false },
    })
    assert.deepEqual(
      groups.map(({ route }) => route),
      ['/b', '/a'],
    )
  })

  test('totals of kinds add up to what the rows say', () => {
    assert.deepEqual(
      kindTotals(rows).map(({ kind, count }) => [kind, count]),
      [
        ['document', 180],
        ['action', 50],
        ['prefetch', 907],
      ],
    )
  })
})

function rowOf(route: string, kind: RequestKind, more: Partial<RouteRow> = {}): RouteRow {
  return {
    projectId: PROJECT,
    ...{ route, kind, count: 1, isEstimated: false, failed: 0, failedBehind200: 0, aborted: 0, totalMs: 0 },
    ...{ p50Ms: null, p75Ms: null, p95Ms: null, p99Ms: null, before: null, change: null },
    p75Bounds: null,
    ...more,
  }
}
