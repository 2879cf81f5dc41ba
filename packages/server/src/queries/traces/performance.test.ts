import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { ReadScope } from '#ports/scope.ts'
import { aSpan, spanEnvelope } from '#testing/builders/spans.ts'
import { NOW } from '#testing/builders/times.ts'
import { openShop, type Shop, sendEnvelope } from '#testing/worlds/api.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const ANY = { project: null, environment: null, release: null } as const
const OF = { ...ANY, project: 'shop', route: '/orders/[id]', kind: null } as const
const KINDS = {
  document: { 'next.rsc': false },
  'page-data': { 'next.rsc': true },
  prefetch: { 'next.rsc': true, 'http.request.header.next-router-prefetch': '1' },
} as const

describe('performance', () => {
  let shop: Shop
  let scope: ReadScope
  let traces = 0

  /** `count` requests of one kind, each with a query below it. */
  async function requests(
    kind: keyof typeof KINDS,
    count: number,
    of: { at: number; ms: number; release: string },
  ) {
    const spans = Array.from({ length: count }, () => {
      const trace = (++traces).toString(16).padStart(32, 'e')
      const shared = { 'sentry.segment.name': 'GET /orders/[id]', 'sentry.release': of.release }
      const own = {
        ...{ 'http.route': '/orders/[id]', 'http.request.method': 'GET', 'user.id': 'u_7' },
        ...KINDS[kind],
        'http.response.status_code': 200,
      }
      const place = { trace, at: of.at, segment: 'a' }
      return [
        aSpan({ ...place, id: 'a', isSegment: true, ms: of.ms, attributes: { ...shared, ...own } }),
        aSpan({
          ...place,
          id: 'b',
          parent: 'a',
          op: 'db',
          name: 'SELECT 1 FROM orders',
          ms: 5,
          attributes: shared,
        }),
      ]
    })
    await sendEnvelope(shop, shop.dsn, spanEnvelope(spans.flat()))
  }

  before(async () => {
    shop = await openShop()
    scope = await shop.people.owner.scope()
    await requests('prefetch', 80, { at: -2 * HOUR, ms: 9_000, release: 'shop@2.0' })
    await requests('document', 40, { at: -HOUR, ms: 400, release: 'shop@2.0' })
    await requests('document', 50, { at: -30 * HOUR, ms: 100, release: 'shop@1.0' })
    await requests('page-data', 3, { at: -HOUR, ms: 50, release: 'shop@2.0' })
  })
  after(() => shop.close())

  const range = (ms: number) => ({ startMs: NOW - ms, endMs: NOW + HOUR })

  it('counts requests over time, by the hour and, beyond what is kept so, by the day', async () => {
    for (const [ms, bucketMs] of [
      [2 * DAY, HOUR],
      [7 * DAY, DAY],
    ] as const) {
      const view = await shop.queries.performance(scope, { ...ANY, range: range(ms) })
      const asked = { ...range(ms), projects: null, routes: ['/orders/[id]'] }
      const trends = await shop.queries.requests.routeTrends(scope, asked, view.bucketMs)
      const row = trends.find(({ kind }) => kind === 'document')
      assert.equal(view.bucketMs, bucketMs)
      assert.equal(row?.counts.length, Math.ceil((NOW + HOUR) / bucketMs) - Math.floor((NOW - ms) / bucketMs))
      assert.deepEqual(
        row?.counts.filter((count) => count > 0),
        [50, 40],
      )
    }
  })

  it('names the releases, and what got slower with the newest', async () => {
    const view = await shop.queries.performance(scope, { ...ANY, range: range(2 * DAY) })
    assert.deepEqual(view.releases, ['shop@2.0', 'shop@1.0'])
    assert.deepEqual(
      view.worse.map(({ route, kind, what, release, releaseBefore }) => [
        route,
        kind,
        what,
        release,
        releaseBefore,
      ]),
      [['/orders/[id]', 'document', 'slower', 'shop@2.0', 'shop@1.0']],
    )
    assert.deepEqual(view.vitalBounds.lcp, [2_500, 4_000])
    // The release before ran before the last day alone.
    const lately = await shop.queries.performance(scope, { ...ANY, range: range(DAY) })
    assert.deepEqual(lately.worse, view.worse)
  })

  it('compares with the period before', async () => {
    const view = await shop.queries.performance(scope, { ...ANY, range: range(DAY) })
    const row = view.rows.find(({ kind }) => kind === 'document')
    assert.deepEqual([row?.count, row?.before?.count], [40, 50])
  })

  it('shows a route by the kind that people wait for most, and never mixes it with prefetches', async () => {
    const view = await shop.queries.route(scope, { ...OF, range: range(DAY) })
    assert.deepEqual([view?.kind, view?.figures.count], ['document', 40])
    assert.ok((view?.figures.p99Ms ?? 0) < 500)
    assert.equal(
      view?.durations.reduce((sum, { count }) => sum + count, 0),
      40,
    )
    assert.deepEqual(view?.kinds.map(({ kind }) => kind).toSorted(), ['document', 'page-data', 'prefetch'])
    assert.equal(view?.slow[0]?.user, 'id:u_7')
    assert.equal(
      (await shop.queries.route(scope, { ...OF, kind: 'prefetch', range: range(DAY) }))?.figures.count,
      80,
    )
  })

  it('sums what spans cost over each day that the range touches, by kind', async () => {
    for (const [kind, count] of [
      ['document', 90],
      ['prefetch', 80],
    ] as const) {
      const view = await shop.queries.route(scope, { ...OF, kind, range: range(30 * HOUR) })
      assert.deepEqual(
        view?.costs.map((cost) => [cost.kind, cost.description, cost.count]),
        [[kind, 'SELECT ? FROM orders', count]],
      )
      assert.equal(view?.costsKind, kind)
      // What the page says of them: how many requests there were in the same days.
      assert.equal(view?.costRequests, count)
      const { startMs, endMs } = view?.costRange ?? { startMs: 1, endMs: 1 }
      assert.deepEqual([startMs % DAY, endMs % DAY], [0, 0])
      assert.ok(startMs <= range(30 * HOUR).startMs && endMs >= range(30 * HOUR).endMs)
    }
    const view = await shop.queries.route(scope, { ...OF, kind: 'action', range: range(30 * HOUR) })
    assert.deepEqual([view?.costs, view?.costsKind], [[], 'action'])
  })

  it('counts what the searches that its numbers lead to find', async () => {
    const search = { range: range(DAY), project: 'shop', sort: 'newest', limit: 10, cursor: null } as const
    const found = async (query: string) => (await shop.queries.traces(scope, { ...search, query })).total
    assert.equal(await found('route:/orders/[id] !kind:prefetch !kind:browser'), 43)
    assert.equal(await found('route:/orders/[id] kind:document duration:>=398ms duration:<=502ms'), 40)
    assert.equal(await found('route:/orders/[id] kind:page-data op:db'), 3)
  })

  it('shows what a search leaves out beside what it finds, and what it asks of durations', async () => {
    const search = { range: range(DAY), project: 'shop', sort: 'newest', limit: 10, cursor: null } as const
    const list = async (query: string) => {
      const { points, others, bounds } = await shop.queries.traces(scope, { ...search, query })
      return [points.length, others.length, bounds.minMs, bounds.maxMs]
    }
    assert.deepEqual(await list('kind:document duration:>300ms'), [40, 83, 300, null])
    assert.deepEqual(await list('duration:<10s'), [123, 0, null, 10_000])
    assert.deepEqual(await list(''), [123, 0, null, null])
  })

  it('completes a search of its requests: keys, words and values', async () => {
    const asked = async (key: string | null, prefix: string, ...slugs: readonly string[]) => {
      const projects = slugs.length === 0 ? null : slugs
      const found = await shop.queries.traceSuggestions(scope, { key, prefix, projects })
      return found.map(({ text, count }) => [text, count])
    }
    assert.deepEqual(await asked(null, 'R'), [
      ['route', null],
      ['release', null],
      ['runtime', null],
    ])
    assert.deepEqual(await asked('kind', 'pa'), [['page-data', null]])
    assert.deepEqual(await asked('status', '5'), [
      ['500', null],
      ['5xx', null],
    ])
    assert.deepEqual(await asked('route', '/ord'), [['/orders/[id]', 123]])
    assert.deepEqual(await asked('release', ''), [['shop@2.0', 123]])
    assert.deepEqual(await asked('user', 'u'), [['u_7', 123]])
    assert.deepEqual(await asked('method', 'g', 'shop'), [['GET', 123]])
    assert.deepEqual(await asked('method', 'g', 'no-such', 'shop'), [['GET', 123]])
    assert.deepEqual(await asked('route', '', 'no-such'), [])
    assert.deepEqual(await asked('__proto__', ''), [])
  })

  it('counts for those that the SDK left out, and says so', async () => {
    const attributes = { ...KINDS.document, 'http.route': '/sampled', 'sentry.sample_rate': 0.25 }
    const place = { id: 'c', isSegment: true, segment: 'c', name: 'GET /sampled', trace: 'f'.repeat(32) }
    await sendEnvelope(shop, shop.dsn, spanEnvelope([aSpan({ ...place, attributes })]))
    const view = await shop.queries.route(scope, { ...OF, route: '/sampled', range: range(DAY) })
    assert.deepEqual([view?.figures.count, view?.figures.isEstimated], [4, true])
  })
})
