import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { DAY_MS } from '#base/durations.ts'
import { max } from '#limits/limits.ts'
import { anError } from '#testing/builders/sent-event.ts'
import { callerOf, openShop, type Shop, send, URL_HERE } from '#testing/worlds/api.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into and asserted
type Json = any // see above

/** Longer than any project keeps events. */
const DAYS_KEPT = 100

describe('the conventions of the web API', () => {
  let shop: Shop
  let call: ReturnType<typeof callerOf>
  before(async () => {
    shop = await openShop()
    call = callerOf(shop)
    for (const type of ['A', 'B', 'C', 'D', 'E', 'F', 'G']) {
      await send(
        shop,
        shop.dsn,
        anError({
          exception: { values: [{ type, value: 'boom' }] },
          timestamp: Date.UTC(2026, 10, 16, 11, type.charCodeAt(0) - 60) / 1000,
        }),
      )
    }
  })
  after(() => shop.close())

  it('are kept by every answer: JSON, no-store, nosniff', async () => {
    for (const [who, path] of [
      [shop.token, '/organizations/'],
      [null, '/organizations/'],
      [shop.token, '/nope/'],
      [shop.token, '/organizations/nope/'],
    ] as const) {
      const { headers } = await call(who, `GET ${path}`)
      assert.equal(headers.get('content-type'), 'application/json')
      assert.equal(headers.get('cache-control'), 'no-store')
      assert.equal(headers.get('x-content-type-options'), 'nosniff')
      assert.equal(headers.get('access-control-allow-origin'), null)
    }
  })

  it('take addresses with and without a trailing slash', async () => {
    for (const path of ['', '/organizations', '/organizations/acme/issues', '/organizations//acme/issues/']) {
      assert.equal((await call(shop.token, `GET ${path}`)).status, 200, path)
    }
    assert.equal(await shop.api(new Request(`${URL_HERE}/api/1/`), { clientAddress: null }), null)
    assert.equal(await shop.api(new Request(`${URL_HERE}/`), { clientAddress: null }), null)
  })

  it('answer 401 without, with a wrong and with a foreign kind of token', async () => {
    for (const headers of [
      {},
      { authorization: 'Bearer' },
      { authorization: 'Bearer nope' },
      { authorization: `Bearer sntryu_${'a'.repeat(64)}` },
      { authorization: 'Basic YTpi' },
      { authorization: 'DSN http://a@b/1' },
      { cookie: 'errata=nope' },
    ]) {
      const { status, body } = await call(null, 'GET /organizations/acme/issues/', undefined, headers)
      assert.equal(status, 401, JSON.stringify(headers))
      assert.equal((body as Json).code, 'signed_out')
      assert.equal(typeof (body as Json).detail, 'string')
    }
    const wrong = await call(`${shop.token.slice(0, -1)}x`, 'GET /')
    assert.deepEqual([wrong.status, (wrong.body as Json).detail], [401, 'Invalid token'])
  })

  it('answer 404 with a sentence for what is not served, and 405 for another method', async () => {
    const missing = await call(shop.token, 'GET /organizations/acme/monitors/')
    assert.equal(missing.status, 404)
    assert.match((missing.body as Json).detail, /not part of the web API that this version serves/)
    const method = await call(shop.token, 'PATCH /organizations/acme/issues/')
    assert.deepEqual([method.status, (method.body as Json).code], [405, 'method_not_allowed'])
    assert.equal(method.headers.get('allow'), 'GET, PUT, DELETE, HEAD, OPTIONS')
    assert.equal((await call(shop.token, 'GET /organizations/%E0%A4%A/')).status, 404)
  })

  it('answer HEAD without a body and OPTIONS without a token', async () => {
    const head = await call(shop.token, 'HEAD /organizations/acme/issues/')
    assert.deepEqual([head.status, head.body, head.headers.get('x-hits')], [200, null, '7'])
    const options = await call(null, 'OPTIONS /organizations/acme/issues/')
    assert.deepEqual([options.status, options.headers.get('allow')], [204, 'GET, PUT, DELETE, HEAD, OPTIONS'])
  })

  it('page with Link and X-Hits, there and back', async () => {
    const seen: string[] = []
    let path = '/organizations/acme/issues/?per_page=3&sort=new'
    const links: string[] = []
    for (let page = 0; page < 4; page++) {
      const { status, body, headers } = await call(shop.token, `GET ${path}`)
      assert.equal(status, 200)
      assert.equal(headers.get('x-hits'), '7')
      seen.push(...(body as Json).map(({ title }: Json) => title[0]))
      const link = headers.get('link') ?? ''
      links.push(link)
      const next = /<([^>]+)>; rel="next"; results="(true|false)"; cursor="([^"]+)"/.exec(link)
      assert.ok(next !== null, link)
      if (next[2] === 'false') break
      assert.equal(new URL(next[1] ?? '').searchParams.get('cursor'), next[3])
      path = (next[1] ?? '').slice(`${URL_HERE}/api/0`.length)
    }
    assert.deepEqual(seen, ['G', 'F', 'E', 'D', 'C', 'B', 'A'])
    assert.match(links[0] ?? '', /rel="previous"; results="false"/)
    const back = /<([^>]+)>; rel="previous"; results="true"/.exec(links[2] ?? '')?.[1] ?? ''
    const again = await call(shop.token, `GET ${back.slice(`${URL_HERE}/api/0`.length)}`)
    assert.deepEqual(
      (again.body as Json).map(({ title }: Json) => title[0]),
      ['D', 'C', 'B'],
    )
  })

  it('count in X-Hits what is left of an issue’s events, not what retention removed', async () => {
    const world = await openShop()
    try {
      const ask = callerOf(world)
      await send(world, world.dsn, anError())
      await send(world, world.dsn, anError())
      world.clock.advance(DAYS_KEPT * DAY_MS + DAY_MS)
      await send(world, world.dsn, anError({ timestamp: world.clock.now() / 1000 }))
      const path = 'GET /organizations/acme/issues/SHOP-1/events/'
      const { body, headers } = await ask(world.token, path)
      assert.deepEqual([(body as Json).length, headers.get('x-hits')], [1, '1'])
      const first = await ask(world.token, `${path}?cursor=0:0:0`)
      assert.deepEqual([first.status, first.headers.get('x-hits')], [200, '1'])
      const issue = await ask(world.token, 'GET /organizations/acme/issues/SHOP-1/')
      assert.equal((issue.body as Json).count, '3')
    } finally {
      await world.close()
    }
  })

  it('page lists that are read whole', async () => {
    const first = await call(shop.token, 'GET /organizations/acme/projects/?limit=1')
    assert.deepEqual(
      (first.body as Json).map(({ slug }: Json) => slug),
      ['shop'],
    )
    assert.match(first.headers.get('link') ?? '', /rel="next"; results="true"; cursor="0:1:0"/)
    const second = await call(shop.token, 'GET /organizations/acme/projects/?limit=1&cursor=0:1:0')
    assert.deepEqual(
      (second.body as Json).map(({ slug }: Json) => slug),
      ['vault'],
    )
    assert.match(
      second.headers.get('link') ?? '',
      /rel="previous"; results="true"; cursor="0:0:1".*rel="next"; results="false"/,
    )
  })

  it('refuse wrong parameters by name', async () => {
    const table: readonly [query: string, field: string][] = [
      ['limit=x', 'limit'],
      ['limit=0', 'limit'],
      ['limit=101', 'limit'],
      ['per_page=101', 'per_page'],
      ['per_page=-1', 'per_page'],
      ['cursor=%22%3E', 'cursor'],
      ['cursor=zzz', 'cursor'],
      ['cursor=n.freq.1.1', 'cursor'],
      ['sort=loud', 'sort'],
      ['statsPeriod=14', 'statsPeriod'],
      ['statsPeriod=1y', 'statsPeriod'],
      ['statsPeriod=9999d', 'statsPeriod'],
      ['start=yesterday', 'start'],
      ['start=2026-11-16T10:00:00Z&end=2026-11-16T09:00:00Z', 'end'],
      ['start=2020-01-01', 'start'],
    ]
    for (const [query, field] of table) {
      const { status, body } = await call(shop.token, `GET /organizations/acme/issues/?${query}`)
      assert.deepEqual([status, Object.keys(body as Json)], [400, [field]], query)
    }
    for (const [query, field] of [
      ['field=max(quantity)', 'field'],
      ['groupBy=user', 'groupBy'],
      ['interval=7m', 'interval'],
      ['interval=15m&statsPeriod=90d', 'interval'],
      ['key=x', 'key'],
    ]) {
      const { status, body } = await call(shop.token, `GET /organizations/acme/stats_v2/?${query}`)
      assert.deepEqual([status, Object.keys(body as Json)], [400, [field]], query)
    }
    assert.equal((await call(shop.token, 'GET /organizations/acme/issues/?limit=100')).status, 200)
    assert.equal((await call(shop.token, 'GET /organizations/acme/issues/?project=nope')).status, 404)
    assert.ok(
      (await call(shop.token, 'GET /organizations/acme/issues/SHOP-1/events/?cursor=bm9wZQ')).status === 400,
    )
  })

  it('understand ranges', async () => {
    const count = async (range: string): Promise<number> => {
      const { status, body } = await call(shop.token, `GET /organizations/acme/issues/?${range}`)
      assert.equal(status, 200, JSON.stringify(body))
      return (body as Json).length
    }
    assert.equal(await count('statsPeriod=1h'), 7)
    assert.equal(await count('start=2026-11-16T00:00:00Z&end=2026-11-16T10:00:00Z'), 0)
    assert.equal(await count('start=2026-11-16T09:00:00%2B02:00&end=2026-11-16T15:00:00%2B02:00'), 7)
    assert.equal(await count('start=2026-11-16'), 7)
  })

  it('refuse bodies that are no JSON or too large', async () => {
    for (const body of ['{', 'status=resolved', '"\ud800"', '[1,']) {
      const answer = await call(shop.token, 'PUT /organizations/acme/issues/SHOP-1/', body)
      assert.equal(answer.status, 400, body)
    }
    const large = await call(shop.token, 'POST /organizations/acme/issues/SHOP-1/comments/', {
      text: 'x'.repeat(max('formBytesMax')),
    })
    assert.deepEqual([large.status, (large.body as Json).code], [413, 'body_too_large'])
    const bytes = await shop.api(
      new Request(`${URL_HERE}/api/0/organizations/acme/issues/SHOP-1/`, {
        method: 'PUT',
        body: new Uint8Array([0xff, 0xfe]),
        headers: { authorization: `Bearer ${shop.token}` },
      }),
      { clientAddress: null },
    )
    assert.equal(bytes?.status, 400)
  })

  it('take a session for reading, and for writing from Errata’s own pages alone', async () => {
    const path = 'PUT /organizations/acme/issues/SHOP-1/'
    const cookie = `errata=${shop.people.member.cookie}`
    assert.equal(
      (
        await call(null, 'GET /organizations/acme/issues/', undefined, {
          cookie,
          origin: 'https://evil.example',
          'sec-fetch-site': 'cross-site',
        })
      ).status,
      200,
    )
    const body = { status: 'resolved' }
    for (const headers of [
      { cookie },
      { cookie, origin: 'https://evil.example' },
      { cookie, origin: URL_HERE, 'sec-fetch-site': 'cross-site' },
      { cookie, 'sec-fetch-site': 'same-site' },
    ]) {
      const answer = await call(null, path, body, headers)
      assert.deepEqual(
        [answer.status, (answer.body as Json).code],
        [403, 'cross_origin'],
        JSON.stringify(headers),
      )
    }
    assert.equal((await call(null, path, body, { cookie, origin: URL_HERE })).status, 200)
    const both = await call(null, 'GET /organizations/acme/issues/', undefined, {
      cookie,
      authorization: 'Bearer nope',
    })
    assert.equal(both.status, 401, 'a wrong token is not mended by a cookie')
  })

  it('say no more of a failure than that it happened', async () => {
    const before = shop.clock.now()
    await shop.reader.close()
    const { status, body } = await call(shop.token, 'GET /organizations/')
    assert.equal(status, 500)
    assert.deepEqual(body, { detail: 'A failure of Errata itself.', code: 'internal' })
    assert.equal(shop.clock.now(), before)
  })
})
