/** Traces, requests and vitals over the web API; what they hold is tested with their queries, here what they answer. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { anError } from '#testing/builders/sent-event.ts'
import { aSpan, spanEnvelope, spanId, TRACE } from '#testing/builders/spans.ts'
import { callerOf, openShop, type Shop, send, sendEnvelope } from '#testing/worlds/api.ts'

const HOUR = 3_600_000
const ORG = '/organizations/acme'
const ID = '40'.repeat(21)
const OTHER_ID = '41'.repeat(21)

describe('traces over the web API', () => {
  let shop: Shop
  let call: ReturnType<typeof callerOf>

  before(async () => {
    shop = await openShop()
    call = callerOf(shop)
    const attributes = { 'http.route': '/orders/[id]', 'http.request.method': 'GET', 'next.rsc': false }
    const root = aSpan({ id: 'a', isSegment: true, at: -HOUR, ms: 300, attributes })
    const below = { parent: 'a', segment: 'a', op: 'db', name: 'SELECT orders', at: -HOUR + 10, ms: 50 }
    await sendEnvelope(shop, shop.dsn, spanEnvelope([root, aSpan({ ...below, id: 'b' })]))
    const asked = (action: string) => ({
      ...{
        'sentry.sdk.name': 'sentry.javascript.nextjs',
        'http.route': '/cart',
        'http.request.method': 'POST',
      },
      ...{ 'http.response.status_code': 500, 'http.request.header.next-action': action },
    })
    for (const [at, action] of ['add', 'add', ID, OTHER_ID].entries()) {
      const [name, id, trace] = ['POST /cart', String(at), String(at + 1).repeat(32)]
      const place = { id, isSegment: true, segment: id, trace, name, at: -HOUR, ms: 20 }
      await sendEnvelope(shop, shop.dsn, spanEnvelope([aSpan({ ...place, attributes: asked(action) })]))
    }
    const vitals = { 'browser.web_vital.lcp.value': 1_200 }
    const page = { ...{ op: 'pageload', name: '/orders/[id]' }, attributes: vitals }
    const load = aSpan({ ...page, id: 'c', isSegment: true, at: -HOUR, ms: 900, trace: 'f'.repeat(32) })
    await sendEnvelope(shop, shop.dsn, spanEnvelope([load], { ingest_settings: {} }))
    const contexts = { trace: { trace_id: TRACE, span_id: spanId('b') } }
    await send(shop, shop.dsn, anError({ contexts }))
    await send(shop, shop.dsn, anError({ contexts: { trace: { trace_id: TRACE, span_id: spanId('e') } } }))
  })
  after(() => shop.close())

  const get = (path: string) => call(shop.people.owner, `GET ${ORG}${path}`)

  it('has spans below their parents, errors at their spans, and beside them those whose span never came', async () => {
    const { status, body } = await get(`/events-trace/${TRACE}/`)
    assert.equal(status, 200)
    const [root, orphan] = body as readonly {
      event_type: string
      children: readonly { op: string; errors: readonly { short_id: string }[] }[]
    }[] // as asserted
    assert.equal(root?.event_type, 'span')
    assert.deepEqual(
      root?.children.map(({ op, errors }) => [op, errors.map(({ short_id }) => short_id)]),
      [['db', ['SHOP-1']]],
    )
    assert.equal(orphan?.event_type, 'error')
    // A time that is not said is none, and not the year 1970.
    assert.deepEqual((await get(`/events-trace/${TRACE}/?timestamp=`)).body, body)
  })

  it('has figures of requests, and vitals of pages', async () => {
    const requests = (await get('/requests/?groupBy=route&groupBy=kind')).body as { data: unknown[] } // as asserted
    assert.equal(requests.data.length, 2)
    const vitals = (await get('/vitals/?project=shop')).body as {
      data: { lcp: { p75: number; count: number; good: number }; inp: unknown }[]
    } // as asserted
    assert.deepEqual(
      vitals.data.map(({ lcp, inp }) => [Math.round(lcp.p75), lcp.count, lcp.good, inp]),
      [[1_200, 1, 1, null]],
    )
    const found = async (query: string) => {
      const { body } = await get(`/requests/?query=${encodeURIComponent(query)}`)
      return (body as typeof requests).data?.length ?? body // as asserted
    }
    assert.deepEqual(
      [await found('requests:>0'), await found('requests:>5'), await found('p95:<1d')],
      [2, 0, { query: ['p95 takes a bound such as >1s or <=300ms.'] }],
    )
    assert.deepEqual((await get('/requests/?groupBy=colour')).body, { groupBy: ['One of route, kind.'] })
  })

  it('has figures of actions by name, of those without one together, and of the one that is asked for', async () => {
    const figures = async (query = '') => {
      const { body } = await get(`/actions/?statsPeriod=24h${query}`)
      const { data } = body as {
        data: { route: string; action: string | null; count: number; failed: number; perMinute: number }[]
      } // as its schema says
      for (const { count, perMinute } of data) assert.ok(Math.abs(perMinute * 1_440 - count) < 0.01)
      return data
        .map(({ route, action, count, failed }) => [route, action, count, failed])
        .sort(([, a], [, b]) => (String(a) < String(b) ? -1 : 1))
    }
    assert.deepEqual(await figures(), [
      ['/cart', 'add', 2, 2],
      ['/cart', null, 2, 2],
    ])
    assert.deepEqual(await figures('&action=add&project=shop'), [['/cart', 'add', 2, 2]])
    assert.deepEqual(await figures(`&action=${ID}`), [['/cart', ID, 1, 1]])
    assert.deepEqual(await figures('&route=/orders'), [])
    shop.uploads.index.addBundle({
      ...{ orgId: shop.shop.orgId, projects: [shop.shop.id], release: 'shop@1', dist: null, by: 'ci' },
      ...{ kind: 'bundle', name: '', sha1: '1'.repeat(40), bytes: 1, files: [], uploadedMs: 1 },
      actions: [{ id: ID, file: 'app/actions.ts', name: 'pay' }],
    })
    const pay = ['/cart', 'pay (app/actions.ts)', 1, 1]
    assert.deepEqual(await figures(), [['/cart', 'add', 2, 2], ['/cart', null, 1, 1], pay])
    for (const action of [ID, encodeURIComponent('pay (app/actions.ts)')])
      assert.deepEqual(await figures(`&action=${action}`), [pay])
  })
})
