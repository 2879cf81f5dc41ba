import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { KIND_LIST, kindsOf } from '#kinds/kinds.ts'
import { envelopeOf } from '#testing/builders/records.ts'
import { anError } from '#testing/builders/sent-event.ts'
import { aSpan, spanEnvelope } from '#testing/builders/spans.ts'
import { NOW } from '#testing/builders/times.ts'
import { reading } from '#testing/kinds/reading/index.ts'
import { callerOf, openShop, type Shop, send, sendEnvelope } from '#testing/worlds/api.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into and asserted
type Json = any // see above

/** Two rows of each dataset that differ in whatever can differ. */
const ERRORS = [
  {
    ...{ level: 'fatal', platform: 'node', environment: 'production', release: 'shop@1.0.0', dist: 'a' },
    ...{ transaction: 'POST /orders/[id]', server_name: 'web-1', tags: { tier: 'gold * "1"' } },
    exception: {
      values: [
        {
          ...{ type: 'ÜberlaufError', value: 'Ärger (50 %) * "quoted" \\ at C:\\orders [7]' },
          mechanism: { type: 'generic', handled: false },
          stacktrace: {
            frames: [{ function: 'Warenkorb.zählen', filename: 'app/cart.js', in_app: true, lineno: 3 }],
          },
        },
      ],
    },
    contexts: {
      trace: { trace_id: 'a'.repeat(32), span_id: 'b'.repeat(16) },
      ...{ browser: { name: 'Chrome', version: '120.1' }, os: { name: 'Windows', version: '10' } },
      ...{ runtime: { name: 'node', version: 'v22.1.0' }, device: { family: 'iPad', model: 'Pro' } },
    },
    user: { id: '42', email: 'Ada@shop.example', username: 'ada: l', ip_address: '203.0.113.7' },
    request: { url: 'https://shop.example/orders/7?x=1', method: 'POST' },
    sdk: { name: 'sentry.javascript.node', version: '10.2.0' },
  },
  {
    ...{ level: 'warning', platform: 'python', environment: 'staging', release: 'shop@2.0.0', dist: 'b' },
    ...{ transaction: '/cart', server_name: 'web-2', tags: { tier: 'tin' } },
    exception: { values: [{ type: 'OtherError', value: 'boom', mechanism: { type: 'm', handled: true } }] },
    contexts: {
      trace: { trace_id: 'c'.repeat(32), span_id: 'd'.repeat(16) },
      ...{ browser: { name: 'Firefox', version: '130' }, os: { name: 'Linux', version: '6' } },
      ...{ runtime: { name: 'CPython', version: '3.12' }, device: { family: 'PC' } },
    },
    user: { username: 'grace' },
    request: { url: 'https://shop.example/cart', method: 'GET' },
    sdk: { name: 'sentry.python', version: '2.0.0' },
  },
] as const

const SPANS = [
  { 'http.route': '/orders/[id]', 'http.request.method': 'POST', 'http.response.status_code': 500 },
  { 'http.route': '/cart', 'http.request.method': 'GET', 'http.response.status_code': 200 },
].map((own, index) => ({
  ...aSpan({
    ...{ trace: 'ef'[index]?.repeat(32) ?? '', id: 'ab'[index] ?? '', isSegment: true },
    ...{ at: -10_000, ms: 100 + index },
    attributes: {
      ...{
        ...own,
        'next.rsc': false,
        'sentry.environment': `env-${index}`,
        'sentry.release': `shop@${index}`,
      },
      ...{ 'user.id': `7${index}`, 'server.address': `web-${index}`, 'service.name': `service ${index}` },
      ...{ 'browser.name': ['Chrome', 'Firefox'][index] ?? '', 'os.name': ['Windows', 'Linux'][index] ?? '' },
    },
  }),
  status: index === 0 ? 'error' : 'ok',
}))

const READINGS = [
  {
    ...{ meter: 'Nord "1" * (a)', celsius: -3.5, took: 1_500, final: true, due: NOW / 1_000 - 60 },
    ...{ labels: ['über', 'b c'], bytes: 2_048 },
  },
  { meter: 'south', celsius: 4, took: 20, final: false, due: NOW / 1_000, labels: ['z'], bytes: 1 },
]

describe('a field that is answered', () => {
  let shop: Shop
  let call: ReturnType<typeof callerOf>
  const get = (path: string): Promise<{ status: number; body: Json }> =>
    call(shop.token, `GET /organizations/acme/${path}`)
  const dataOf = ({ status, body }: { status: number; body: Json }): readonly Json[] => {
    assert.equal(status, 200, JSON.stringify(body))
    return body.data
  }
  before(async () => {
    shop = await openShop({ kinds: kindsOf([...KIND_LIST, reading]) })
    call = callerOf(shop)
    for (const error of ERRORS) await send(shop, shop.dsn, anError(error))
    await sendEnvelope(shop, shop.dsn, spanEnvelope(SPANS))
    for (const [index, each] of READINGS.entries()) {
      const id = String(index + 1).padStart(32, '0')
      const item = ['reading', { id, timestamp: NOW / 1_000 - index, ...each }] as const
      await sendEnvelope(shop, shop.dsn, envelopeOf(item))
    }
  })
  after(() => shop?.close())

  const quoted = (value: Json) =>
    `"${String(value).replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('*', '\\*')}"`
  for (const [dataset, more] of [
    ['errors', ['tier']],
    ['spans', ['browser.name', 'os.name', 'transaction.method', 'title', 'description', 'user.display']],
    ['readings', []],
  ] as const)
    it(`is searched by what is answered, or refused with a sentence: ${dataset}`, async () => {
      const listed = await get(`trace-items/attributes/?itemType=${dataset}&per_page=100`)
      const names = [...listed.body.map(({ key }: Json) => key), ...more]
      assert.ok(names.length > 10)
      const wrong: string[] = []
      let searched = 0
      for (const name of names) {
        const path = `events/?dataset=${dataset}&statsPeriod=1d&field=id&field=${name}`
        const rows = dataOf(await get(path))
        assert.equal(rows.length, 2, name)
        for (const row of rows)
          for (const value of [row[name]].flat()) {
            if (value === null || typeof value === 'object') continue
            const search = `${name}:${quoted(value)}`
            const answer = await get(`${path}&query=${encodeURIComponent(search)}`)
            if (answer.status === 400) {
              assert.match(JSON.stringify(answer.body), /"[^"]+ [^"]+\."/, search)
              continue
            }
            const ids = dataOf(answer).map(({ id }: Json) => id)
            // A time is the beginning of what is meant, a duration the least.
            const isBound = name.endsWith('.duration') || ['timestamp', 'received', 'due'].includes(name)
            const alike = rows.filter((one) => String(one[name]) === String(row[name]))
            searched += 1
            const isRight = isBound ? ids.includes(row.id) : ids.length === alike.length
            if (!isRight || !ids.includes(row.id)) wrong.push(`${search} finds ${ids.length}`)
          }
      }
      assert.ok(searched > 20, `${searched} are searched`)
      assert.deepEqual(wrong, [])
    })
})
