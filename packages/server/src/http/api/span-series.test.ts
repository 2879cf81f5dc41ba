import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { HOUR_MS } from '#base/durations.ts'
import { aSpan, spanEnvelope } from '#testing/builders/spans.ts'
import { NOW } from '#testing/builders/times.ts'
import { callerOf, openShop, type Shop, sendEnvelope } from '#testing/worlds/api.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into and asserted
type Json = any // see above

describe('spans over time', () => {
  let shop: Shop
  let call: ReturnType<typeof callerOf>
  let traces = 0

  const request = (of: { route: string; ms: number; hours: number; status?: number }) => {
    const trace = (++traces).toString(16).padStart(32, 'e')
    const attributes = {
      ...{ 'http.route': of.route, 'http.request.method': 'GET', 'next.rsc': false },
      'http.response.status_code': of.status ?? 200,
    }
    const status = (of.status ?? 200) >= 500 ? 'error' : 'ok'
    return {
      ...aSpan({ trace, id: 'a', isSegment: true, at: -of.hours * HOUR_MS, ms: of.ms, attributes }),
      status,
    }
  }

  before(async () => {
    shop = await openShop()
    call = callerOf(shop)
    await sendEnvelope(
      shop,
      shop.dsn,
      spanEnvelope([
        request({ route: '/cart', ms: 100, hours: 1 }),
        request({ route: '/cart', ms: 300, hours: 1, status: 500 }),
        request({ route: '/orders', ms: 200, hours: 1 }),
        request({ route: '/orders', ms: 50, hours: 3 }),
      ]),
    )
    await sendEnvelope(
      shop,
      shop.vaultDsn,
      spanEnvelope([request({ route: '/secret', ms: 5_000, hours: 1 })]),
    )
  })
  after(() => shop.close())

  const get = (
    query: string,
    {
      who = shop.people.member,
      path = 'events-timeseries',
      period = 'statsPeriod=6h&',
    }: { who?: Json; path?: string; period?: string } = {},
  ): Promise<{ readonly status: number; readonly body: Json }> =>
    call(
      who,
      `GET /organizations/acme/${path}/?dataset=spans&${period}${query}${query.includes('interval=') ? '' : '&interval=5m'}`,
    )
  const valuesOf = ({ status, body }: { readonly status: number; readonly body: Json }, axis = 0) => {
    assert.equal(status, 200, JSON.stringify(body))
    const { values } = body.timeSeries[axis]
    return values
      .filter(({ value }: Json) => value !== null && value !== 0)
      .map(({ timestamp, value }: Json) => [Math.floor(NOW / HOUR_MS) - timestamp / HOUR_MS, value])
  }

  it('are requests by the hour, whatever narrower step is asked for', async () => {
    const found = await get('yAxis=count()')
    assert.deepEqual(valuesOf(found), [
      [3, 1],
      [1, 3],
    ])
    assert.equal(found.body.timeSeries[0].meta.interval, HOUR_MS)
    assert.equal(found.body.meta.dataset, 'spans')
    assert.deepEqual(
      valuesOf(await get('yAxis=count()&interval=3h')).reduce((sum: number, [, n]: Json) => sum + n, 0),
      4,
    )
  })

  it('are the figures that events/ has, of what the search leaves', async () => {
    const both = await get('yAxis=failure_count()&yAxis=sum(span.duration)&query=route:/cart')
    assert.deepEqual([valuesOf(both), valuesOf(both, 1)], [[[1, 1]], [[1, 400]]])
    const rate = await get('yAxis=failure_rate()&query=route:/cart')
    assert.deepEqual(valuesOf(rate), [[1, 0.5]])
    const stats = await get('yAxis=count()&query=route:/orders', { path: 'events-stats' })
    const counted = stats.body.data.map(([, [{ count }]]: Json) => count)
    assert.equal(
      counted.reduce((sum: number, count: number) => sum + count, 0),
      2,
    )
  })

  it('are of the projects that one may read', async () => {
    assert.deepEqual(valuesOf(await get('yAxis=count()', { who: shop.people.owner })), [
      [3, 1],
      [1, 4],
    ])
    assert.equal((await get('yAxis=count()', { who: shop.people.rival })).status, 404)
  })

  describe('of days that were joined', () => {
    // At noon: what is kept by the hour begins 84 hours back, at 00:00 UTC.
    const EDGE_H = 84
    const hoursAgo = (hours: number) => new Date(NOW - hours * HOUR_MS).toISOString()
    const series = (startH: number, interval: string) =>
      get(
        `yAxis=count()&query=route:/old&interval=${interval}&start=${hoursAgo(startH)}&end=${hoursAgo(0)}`,
        { period: '' },
      )

    before(async () => {
      const old = (hours: number) => request({ route: '/old', ms: 100, hours })
      const spans = [110, 100, EDGE_H + 1, EDGE_H, EDGE_H - 1, 2].map(old)
      await sendEnvelope(shop, shop.dsn, spanEnvelope(spans))
      // Joined with what is committed next.
      await sendEnvelope(shop, shop.dsn, spanEnvelope([request({ route: '/other', ms: 1, hours: 2 })]))
    })

    it('are by the day from 00:00 UTC of the first, whatever narrower step is asked for', async () => {
      for (const [startH, interval] of [
        [EDGE_H + 23, '1h'],
        [EDGE_H + 22, '4h'],
        [EDGE_H + 1, '1h'],
        [EDGE_H + 1, '36h'],
      ] as const) {
        const found = await series(startH, interval)
        const days = interval === '36h' ? 2 : 1
        const { meta } = found.body.timeSeries[0]
        assert.equal(meta.interval, days * 24 * HOUR_MS, `${startH} ${interval}`)
        const values = valuesOf(found)
        if (days === 1)
          assert.deepEqual(values, [
            [EDGE_H + 24, 2],
            [EDGE_H, 2],
            [12, 1],
          ])
        for (const [ago] of values) assert.equal((ago - 12) % 24, 0, `${startH} ${interval}`)
      }
    })

    it('are by the hour as long as all is kept so', async () => {
      for (const startH of [EDGE_H, EDGE_H - 1]) {
        const found = await series(startH, '1h')
        assert.equal(found.body.timeSeries[0].meta.interval, HOUR_MS)
        const hours = [EDGE_H, EDGE_H - 1, 2].filter((hour) => hour <= startH)
        assert.deepEqual(
          valuesOf(found),
          hours.map((hour) => [hour, 1]),
        )
      }
    })

    it('lose nothing where the first step begins before that', async () => {
      const found = await series(EDGE_H - 1, '36h')
      assert.equal(found.body.timeSeries[0].meta.interval % (24 * HOUR_MS), 0)
      const counted = valuesOf(found).reduce((sum: number, [, count]: Json) => sum + count, 0)
      assert.ok(counted >= 2, String(counted))
    })
  })

  for (const [query, sentence] of [
    ['yAxis=nope()', /Of spans one of count\(\)/],
    ['yAxis=__proto__', /Of spans one of count\(\)/],
    ['yAxis=p95(nope)', /Of spans one of count\(\)/],
    ['topEvents=3&groupBy=route', /one line/],
    ['environment=production', /stands in/],
    ['query=plan:pro', /found by route, kind, environment and release/],
    ['query=(a', /not closed/],
    ['interval=0m', /Such as 5m/],
  ] as const)
    it(`are refused with a sentence: ${query}`, async () => {
      const { status, body } = await get(query)
      assert.equal(status, 400, JSON.stringify(body))
      assert.match(JSON.stringify(body), sentence)
    })
})
