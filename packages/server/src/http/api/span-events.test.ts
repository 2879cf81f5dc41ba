import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { aSpan, spanEnvelope } from '#testing/builders/spans.ts'
import { callerOf, openShop, type Shop, sendEnvelope } from '#testing/worlds/api.ts'

const EVENTS = '/organizations/acme/events/'
const HOUR = 3_600_000

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into and asserted
type Json = any // see above

describe('spans by named fields', () => {
  let shop: Shop
  let call: ReturnType<typeof callerOf>
  let traces = 0

  const request = (of: { route: string; ms: number; release?: string; status?: number }) => {
    const trace = (++traces).toString(16).padStart(32, 'e')
    const attributes = {
      ...{ 'http.route': of.route, 'http.request.method': 'GET', 'next.rsc': false },
      ...{ 'sentry.release': of.release ?? 'shop@1', 'http.response.status_code': of.status ?? 200 },
    }
    const status = (of.status ?? 200) >= 500 ? 'error' : 'ok'
    return { ...aSpan({ trace, id: 'a', isSegment: true, at: -HOUR, ms: of.ms, attributes }), status }
  }

  before(async () => {
    shop = await openShop()
    call = callerOf(shop)
    const orders = [100, 200, 300].map((ms) => request({ route: '/orders/[id]', ms }))
    const failed = request({ route: '/cart', ms: 900, status: 500 })
    const other = request({ route: '/cart', ms: 50, release: 'shop@2' })
    await sendEnvelope(shop, shop.dsn, spanEnvelope([...orders, failed, other]))
    await sendEnvelope(shop, shop.vaultDsn, spanEnvelope([request({ route: '/secret', ms: 5_000 })]))
  })
  after(() => shop.close())

  const get = async (
    query: string,
    who: Parameters<ReturnType<typeof callerOf>>[0] = shop.people.owner,
  ): Promise<{ readonly status: number; readonly body: Json }> =>
    call(who, `GET ${EVENTS}?dataset=spans&statsPeriod=1d&${query}`)
  const rows = async (query: string, who?: Parameters<typeof get>[1]) => {
    const { status, body } = await get(query, who)
    assert.equal(status, 200, JSON.stringify(body))
    return body.data
  }

  it('are segments with the fields that were asked for, of a type each', async () => {
    const query = 'field=route&field=span.duration&field=status&query=route:/cart&sort=-span.duration'
    const { body } = await get(query)
    assert.deepEqual(body.data, [
      { route: '/cart', 'span.duration': 900, status: 'failed' },
      { route: '/cart', 'span.duration': 50, status: 'answered' },
    ])
    assert.deepEqual(body.meta, {
      fields: { route: 'string', 'span.duration': 'duration', status: 'string' },
      units: { route: null, 'span.duration': 'millisecond', status: null },
    })
  })

  it('are figures of routes, sorted by any of them', async () => {
    const fields = 'field=route&field=kind&field=count()&field=failure_rate()&field=p95(span.duration)'
    const found = await rows(`${fields}&field=avg(span.duration)&sort=-count()&project=shop`)
    assert.deepEqual(
      found.map((row: Json) => [row.route, row.kind, row['count()'], row['failure_rate()']]),
      [
        ['/orders/[id]', 'document', 3, 0],
        ['/cart', 'document', 2, 0.5],
      ],
    )
    assert.equal(found[0]['avg(span.duration)'], 200)
    assert.ok(Math.abs(found[1]['p95(span.duration)'] - 50) <= 1, 'the rank below, within 1 %')
    assert.match(String(found[1]['p95(span.duration)']), /^\d+(?:\.\d{1,2})?$/)
  })

  it('are sorted with what has no value last, in either order', async () => {
    const trace = 'f'.repeat(32)
    const spans = ['a', 'b', 'c'].map((id, index) =>
      aSpan({
        trace,
        id,
        parent: [null, 'a', 'b'][index] ?? null,
        isSegment: index === 0,
        at: -HOUR,
        ms: 90,
      }),
    )
    const apart = await openShop()
    try {
      await sendEnvelope(apart, apart.dsn, spanEnvelope(spans))
      const parents = async (sort: string): Promise<Json> => {
        const query = `dataset=spans&statsPeriod=1d&field=parent_span&query=trace:${trace}&sort=${sort}`
        const { body }: Json = await callerOf(apart)(apart.people.owner, `GET ${EVENTS}?${query}`)
        return body.data.map((row: Json) => row.parent_span?.at(-1) ?? null)
      }
      assert.deepEqual(await parents('parent_span'), ['a', 'b', null])
      assert.deepEqual(await parents('-parent_span'), ['b', 'a', null])
    } finally {
      await apart.close()
    }
  })

  it('are figures of all that a search by route, kind, environment and release names', async () => {
    const [all] = await rows('field=count()&project=shop')
    const [one] = await rows('field=count()&project=shop&query=release:shop@2 kind:document')
    assert.deepEqual([all, one], [{ 'count()': 5 }, { 'count()': 1 }])
  })

  it('show nobody what is not theirs', async () => {
    const fields = 'field=route&field=kind&field=count()'
    const mine = await rows(fields, shop.people.member)
    assert.ok(!JSON.stringify(mine).includes('/secret'))
    assert.ok(JSON.stringify(await rows(fields)).includes('/secret'))
    assert.ok(!JSON.stringify(await rows('field=route', shop.people.member)).includes('/secret'))
  })

  it('say what they do not know', async () => {
    for (const [query, named] of [
      ['field=nope', 'field'],
      ['', 'field'],
      ['field=count_unique(user)', 'field'],
      ['field=route&field=count()', 'field'],
      ['field=count()&query=duration:>5s', 'query'],
      ['field=route&query=status:nope', 'query'],
      ['field=route&sort=route', 'sort'],
      ['field=count()&sort=-route', 'sort'],
    ] as const) {
      const { status, body } = await get(query)
      assert.deepEqual(
        [status, Object.keys(body.fields ?? body)[0]],
        [400, named],
        `${query}: ${JSON.stringify(body)}`,
      )
    }
    const { status } = await call(shop.people.owner, `GET ${EVENTS}?dataset=metrics&field=count()`)
    assert.equal(status, 400)
  })
})
