/** Traces, requests and vitals over the web API; what they hold is tested with their queries, here what they answer. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { anError } from '#testing/builders/sent-event.ts'
import { aSpan, spanEnvelope, spanId, TRACE } from '#testing/builders/spans.ts'
import { callerOf, openShop, type Shop, send, sendEnvelope } from '#testing/worlds/api.ts'

const HOUR = 3_600_000
const ORG = '/organizations/acme'

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
    assert.equal(requests.data.length, 1)
    const vitals = (await get('/vitals/?project=shop')).body as {
      data: { lcp: { p75: number; count: number; good: number }; inp: unknown }[]
    } // as asserted
    assert.deepEqual(
      vitals.data.map(({ lcp, inp }) => [Math.round(lcp.p75), lcp.count, lcp.good, inp]),
      [[1_200, 1, 1, null]],
    )
    assert.deepEqual((await get('/requests/?groupBy=colour')).body, { groupBy: ['One of route, kind.'] })
  })
})
