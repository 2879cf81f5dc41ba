import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DAY_MS, MINUTE_MS } from '#base/durations.ts'
import { KIND_LIST, kindsOf } from '#kinds/kinds.ts'
import { envelopeOf } from '#testing/builders/records.ts'
import { anError } from '#testing/builders/sent-event.ts'
import { aSpan, spanEnvelope } from '#testing/builders/spans.ts'
import { NOW } from '#testing/builders/times.ts'
import { reading } from '#testing/kinds/reading/index.ts'
import { callerOf, openShop, send, sendEnvelope } from '#testing/worlds/api.ts'

describe('keys of a dataset', () => {
  it('say of each field how many rows have a value of it, in the projects and time that are asked for', async (t) => {
    const shop = await openShop({ kinds: kindsOf([...KIND_LIST, reading]) })
    t.after(() => shop.close())
    const call = callerOf(shop)
    const sendReadings = (...readings: readonly Readonly<Record<string, unknown>>[]) =>
      sendEnvelope(
        shop,
        shop.dsn,
        envelopeOf(
          ...readings.map((each, index) => {
            const id = (index + 1).toString(16).padStart(32, '0')
            return ['reading', { id, meter: 'north', timestamp: NOW / 1_000, ...each }] as const
          }),
        ),
      )
    const counts = async (query: string) => {
      const { body } = await call(shop.token, `GET /organizations/acme/tags/?dataset=readings${query}`)
      assert.ok(Array.isArray(body), JSON.stringify(body))
      return Object.fromEntries(
        body.map((each: { key: string; totalValues: number }) => [each.key, each.totalValues]),
      )
    }
    assert.equal((await counts('')).meter, 0)
    await sendReadings(
      { celsius: 0, meter: '', took: 0, final: false, labels: ['a'] },
      { celsius: 2, labels: [] },
      { celsius: 3, final: true, due: NOW / 1_000 },
    )
    const all = await counts('')
    assert.deepEqual(
      ['timestamp', 'project', 'meter', 'celsius', 'took', 'final', 'due', 'labels', 'bytes'].map(
        (name) => all[name],
      ),
      [3, 3, 2, 3, 1, 2, 1, 1, 0],
    )
    const page = await counts('&limit=2&cursor=0:2:0')
    assert.deepEqual(Object.entries(page), Object.entries(all).slice(2, 4), 'a page counts its own fields')
    const [start, end] = [NOW - DAY_MS, NOW - MINUTE_MS].map((ms) => new Date(ms).toISOString())
    assert.equal((await counts(`&start=${start}&end=${end}`)).celsius, 0)
  })

  it('are those of spans for spans, and of nothing for what is no dataset', async (t) => {
    const shop = await openShop()
    t.after(() => shop.close())
    const call = callerOf(shop)
    await send(shop, shop.dsn, anError({ tags: { tier: 'gold' } }))
    const attributes = { 'http.route': '/cart', 'http.request.method': 'GET', 'next.rsc': false }
    const trace = 'e'.repeat(32)
    await sendEnvelope(
      shop,
      shop.dsn,
      spanEnvelope([aSpan({ trace, id: 'a', isSegment: true, at: -1_000, ms: 5, attributes })]),
    )
    const keys = async (dataset: string) => {
      const { status, body } = await call(
        shop.token,
        `GET /organizations/acme/tags/?statsPeriod=1d&dataset=${dataset}`,
      )
      assert.ok(Array.isArray(body), `${status} ${JSON.stringify(body)}`)
      return new Map(body.map(({ key, totalValues }) => [key, totalValues]))
    }
    for (const dataset of ['', 'errors', 'discover', 'events', 'search_issues'])
      assert.equal((await keys(dataset)).get('tier'), 1)
    for (const dataset of ['spans', 'transactions']) {
      const found = await keys(dataset)
      assert.equal(found.get('route'), 1, dataset)
      assert.equal(found.get('tier'), undefined, dataset)
    }
    const values = await call(
      shop.token,
      'GET /organizations/acme/tags/route/values/?dataset=spans&statsPeriod=1d',
    )
    assert.match(JSON.stringify(values.body), /"\/cart"/)
    for (const path of ['tags/', 'tags/tier/values/'])
      for (const dataset of ['nothing', 'logs', 'constructor', 'ERRORS'])
        assert.equal(
          (await call(shop.token, `GET /organizations/acme/${path}?dataset=${dataset}`)).status,
          400,
          `${path} ${dataset}`,
        )
  })
})
