/** A team with OpenTelemetry alone: exceptions on its spans are issues over the web API. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { anOtlpEnvelope, anOtlpExport, anOtlpSpan } from '#testing/builders/otlp.ts'
import { anError } from '#testing/builders/sent-event.ts'
import { callerOf, openShop, type Shop, send, sendEnvelope } from '#testing/worlds/api.ts'

// biome-ignore lint/suspicious/noExplicitAny: JSON of an answer, each test looks at what it is about
type Json = any

describe('issues of a team with OpenTelemetry alone', () => {
  let shop: Shop
  let get: (path: string) => Promise<Json>
  before(async () => {
    shop = await openShop()
    const call = callerOf(shop)
    get = async (path) => {
      const { status, body } = await call(shop.token, `GET ${path}`)
      assert.equal(status, 200, JSON.stringify(body))
      return body
    }
  })
  after(() => shop.close())

  const TRACES = ['a', 'b', 'c'].map((letter) => letter.repeat(32))
  const failing = (trace: string | undefined, message: string, id: string) => ({
    ...anOtlpSpan({
      id,
      kind: 2,
      status: 2,
      ...(trace === undefined ? {} : { trace }),
      attributes: { 'http.route': '/pay', 'http.request.method': 'POST' },
    }),
    events: [
      {
        ...{ name: 'exception', timeUnixNano: `${Date.now()}000000` },
        attributes: [
          { key: 'exception.type', value: { stringValue: 'CardRefused' } },
          { key: 'exception.message', value: { stringValue: message } },
        ],
      },
    ],
  })
  const post = (spans: readonly unknown[]) =>
    sendEnvelope(shop, shop.dsn, anOtlpEnvelope(anOtlpExport(spans)))
  const issues = () => get(`/organizations/acme/issues/?query=${encodeURIComponent('CardRefused')}`)

  it('begin with the exceptions of spans, once each, and lead to their trace', async () => {
    await post([failing(TRACES[0], 'no money', 'a'), failing(TRACES[0], 'no money', 'b')])
    await post([failing(TRACES[0], 'no money', 'a')])
    await post([failing(TRACES[1], 'no money', 'a')])
    const [issue, ...others] = await issues()
    assert.deepEqual([issue.title, issue.count, others.length], ['CardRefused: no money', '2', 0])
    const trace = await get(`/organizations/acme/events-trace/${TRACES[0]}/`)
    assert.match(JSON.stringify(trace), new RegExp(`"issue_id":"?${issue.id}`))
  })

  it('leave out what a Sentry SDK told of the same trace', async () => {
    const exception = {
      values: [{ type: 'CardRefused', value: 'stolen', mechanism: { type: 'x', handled: false } }],
    }
    const contexts = { trace: { trace_id: TRACES[2], span_id: 'a'.repeat(16), op: 'http.server' } }
    await send(
      shop,
      shop.dsn,
      anError({
        exception,
        contexts,
        transaction: 'POST /pay',
        request: { method: 'POST', url: 'https://shop.test/pay' },
      }),
    )
    const before = (await issues()).reduce((sum: number, { count }: Json) => sum + Number(count), 0)
    await post([failing(TRACES[2], 'stolen', 'a')])
    const after = (await issues()).reduce((sum: number, { count }: Json) => sum + Number(count), 0)
    assert.equal(after, before)
  })

  it('become one with what a Sentry SDK tells of the same trace afterwards, of a job too', async () => {
    for (const [letter, isServed] of [
      ['d', true],
      ['e', false],
    ] as const) {
      const trace = letter.repeat(32)
      const message = `declined ${letter}`
      const known = (await issues()).length
      await post([failing(trace, message, letter)])
      await send(
        shop,
        shop.dsn,
        anError({
          exception: {
            values: [{ type: 'CardRefused', value: message, mechanism: { type: 'x', handled: false } }],
          },
          contexts: { trace: { trace_id: trace, span_id: 'a'.repeat(16) } },
          ...(isServed
            ? { transaction: 'POST /pay', request: { method: 'POST', url: 'https://shop.test/pay' } }
            : { transaction: 'nightly', request: undefined }),
        }),
      )
      const all = await issues()
      assert.equal(all.length, known + 1)
      assert.equal(all.find(({ title }: Json) => title.endsWith(message))?.count, '2')
    }
  })
})
