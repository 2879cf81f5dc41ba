import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { anError } from '#testing/builders/sent-event.ts'
import { transactionEnvelope } from '#testing/builders/spans.ts'
import { callerOf, openShop, type Shop, send, sendEnvelope } from '#testing/worlds/api.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into and asserted
type Json = any // see above

const ID = 'ab'.repeat(16)
const TRACE = 'cd'.repeat(16)

describe('an event that is a transaction', () => {
  let shop: Shop
  let call: ReturnType<typeof callerOf>
  let error = ''
  before(async () => {
    shop = await openShop()
    call = callerOf(shop)
    const end = shop.clock.now() / 1_000
    const transaction = {
      ...{ event_id: ID, transaction: 'GET /orders', platform: 'node', release: 'shop@1' },
      ...{
        start_timestamp: end - 2,
        timestamp: end,
        user: { email: 'ada@example.com' },
        tags: { plan: 'team' },
      },
      contexts: { trace: { trace_id: TRACE, span_id: 'a'.repeat(16), op: 'http.server', status: 'ok' } },
      spans: [
        {
          ...{ trace_id: TRACE, span_id: 'b'.repeat(16), parent_span_id: 'a'.repeat(16), op: 'db.query' },
          ...{ description: 'SELECT 1', start_timestamp: end - 1.5, timestamp: end - 1, status: 'ok' },
        },
      ],
    }
    await sendEnvelope(shop, shop.dsn, transactionEnvelope(transaction))
    error = await send(shop, shop.dsn, anError({ exception: { values: [{ type: 'One', value: 'boom' }] } }))
  })
  after(() => shop.close())

  it('is answered with its spans, and as it was sent', async () => {
    const { status, body } = await call(shop.token, `GET /projects/acme/shop/events/${ID}/`)
    assert.equal(status, 200)
    const event = body as Json
    assert.deepEqual(
      [event.type, event.title, event.groupID, event.contexts.trace.trace_id, event.release.version],
      ['transaction', 'GET /orders', null, TRACE, 'shop@1'],
    )
    assert.equal(Math.round((event.endTimestamp - event.startTimestamp) * 1_000), 2_000)
    const [spans] = event.entries
    assert.deepEqual(
      spans.data.map((span: Json) => [span.op, span.description, span.parent_span_id]),
      [['db.query', 'SELECT 1', 'a'.repeat(16)]],
    )
    assert.deepEqual(event.user.email, 'ada@example.com')
    const stored = (await call(shop.token, `GET /projects/acme/shop/events/${ID}/json/`)).body as Json
    assert.deepEqual(
      [stored.type, stored.transaction, stored.spans.length],
      ['transaction', 'GET /orders', 1],
    )
  })

  it('is not there for other projects, and not for whoever may not read', async () => {
    assert.equal((await call(shop.token, `GET /projects/acme/blog/events/${ID}/`)).status, 404)
    assert.equal((await call(shop.token, `GET /projects/acme/shop/events/${'0'.repeat(32)}/`)).status, 404)
  })

  it('has committers like any other: nobody for one, those of its release for an error', async () => {
    const of = async (id: string) => call(shop.token, `GET /projects/acme/shop/events/${id}/committers/`)
    assert.deepEqual([(await of(ID)).status, (await of(ID)).body], [200, { committers: [] }])
    assert.deepEqual([(await of(error)).status, (await of(error)).body], [200, { committers: [] }])
    assert.equal((await of('0'.repeat(32))).status, 404)
  })
})
