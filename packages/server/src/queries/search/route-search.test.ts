import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readRouteSearch, routeSearchOffers } from './route-search.ts'

const row = (change: Partial<Parameters<ReturnType<typeof readRouteSearch>['matches']>[0]> = {}) => ({
  ...({
    route: '/orders/[id]',
    kind: 'document',
    count: 200,
    failed: 4,
    failedBehind200: 1,
    aborted: 0,
  } as const),
  ...{ p50Ms: 100, p75Ms: 300, p95Ms: 1_200, p99Ms: 3_000, ...change },
})

describe('a search of routes', () => {
  const found: readonly (readonly [query: string, isFound: boolean])[] = [
    ['', true],
    ['ORDERS/', true],
    ['/orders/[id]', true],
    ['cart', false],
    ['ord*id', true],
    ['p95:>1s', true],
    ['p95:>1200ms', false],
    ['p95:>=1200', true],
    ['p95:<1m', true],
    ['p50:>100', false],
    ['p75:<=0.3s p99:>2.9s', true],
    ['failures:>=2%', true],
    ['failures:>2', false],
    ['requests:>100 kind:document', true],
    ['requests:<100', false],
    ['failed:>3 behind200:>0 aborted:<1', true],
    ['kind:action', false],
    ['!kind:action orders', true],
    ['!orders kind:document', false],
    ['route:/orders/*', true],
    ['route:/orders', false],
    ['!route:/orders requests:>1', true],
  ]
  for (const [query, isFound] of found)
    it(`${isFound ? 'finds' : 'leaves out'} by ${query || 'nothing'}`, () => {
      const search = readRouteSearch(query)
      assert.deepEqual(search.problems, [])
      assert.equal(search.matches(row()), isFound)
    })

  const BOUND_MS = 1_000
  const signs: readonly (readonly [sign: string, below: boolean, at: boolean, above: boolean])[] = [
    ['>', false, false, true],
    ['>=', false, true, true],
    ['<', true, false, false],
    ['<=', true, true, false],
  ]
  for (const [sign, below, at, above] of signs)
    it(`finds below, at and above a bound what ${sign} says`, () => {
      const { matches } = readRouteSearch(`p95:${sign}1s`)
      const found = [BOUND_MS - 1, BOUND_MS, BOUND_MS + 1].map((p95Ms) => matches(row({ p95Ms })))
      assert.deepEqual(found, [below, at, above])
    })

  it('takes what has no key as it is typed, as routes are written', () => {
    for (const route of ['/:shelf/(shop)', '/(shop)/cart', '/a OR b', 'GET /x "y"']) {
      const { matches, isNamed, problems } = readRouteSearch(route)
      assert.deepEqual(problems, [])
      assert.ok(matches(row({ route: `/en${route}/more` })), route)
      assert.ok(!isNamed('/orders'))
    }
  })

  it('knows no bound of what was not measured', () => {
    const none = row({ count: 0, failed: 0, p95Ms: null })
    for (const query of ['p95:>0', 'p95:<1s', 'failures:>0%'])
      assert.equal(readRouteSearch(query).matches(none), false, query)
  })

  it('finds by name alone what has no figures', () => {
    const { isNamed } = readRouteSearch('orders p95:>1s')
    assert.deepEqual([isNamed('/orders/[id]'), isNamed('/cart')], [true, false])
  })

  const wrong: readonly (readonly [query: string, sentence: RegExp])[] = [
    ['p95:slow', /^p95 takes a bound such as >1s or <=300ms\.$/],
    ['p95:1s', /^p95 takes a bound/],
    ['p95:>1%', /^p95 takes a bound/],
    ['!p95:>1s', /^p95 takes a bound/],
    ['failures:>2s', /^failures takes a bound such as >2% or <=0\.5%\.$/],
    ['requests:>2%', /^requests takes a bound such as >100 or <=5\.$/],
    ['p94:>1s', /^p94 is not known of routes\. Did you mean p95\?$/],
    ['requets:>1', /^requets is not known of routes\. Did you mean requests\?$/],
    ['colour:red', /^colour is not known of routes\. Known are kind, route, p95, failures/],
    ['kind:page', /kind:” takes document, page-data/],
    ['p95:>1s OR p50:>1s', /^OR, parentheses and lists are for issues and events\.$/],
    ['kind:[action, document]', /^OR, parentheses and lists/],
  ]
  for (const [query, sentence] of wrong)
    it(`says what is wrong with ${query}`, () => {
      const { problems } = readRouteSearch(query)
      assert.equal(problems.length, 1, problems.join('\n'))
      assert.match(problems[0] ?? '', sentence)
    })

  it('offers keys, bounds, kinds and routes', () => {
    const offers = (key: string | null, prefix: string) =>
      routeSearchOffers({ key, prefix }, ['/cart', '/orders']).map(({ text }) => text)
    assert.deepEqual(offers(null, 'p9'), ['p95', 'p99'])
    assert.deepEqual(offers('p95', '>3'), ['>300ms', '>3s'])
    assert.deepEqual(offers('kind', 'pa'), ['page-data'])
    assert.deepEqual(offers('route', '/o'), ['/orders'])
    assert.deepEqual(offers('colour', ''), [])
  })
})
