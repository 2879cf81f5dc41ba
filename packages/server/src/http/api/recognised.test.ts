/** Recognised causes, from an envelope to the web API's answers. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { anError } from '#testing/builders/sent-event.ts'
import { callerOf, openShop, type Shop, send } from '#testing/worlds/api.ts'

// biome-ignore lint/suspicious/noExplicitAny: JSON of an answer, each test looks at what it is about
type Json = any

const MINIFIED =
  'Minified React error #418; visit https://react.dev/errors/418?args[]=text&args[]= for the full message'
const page = (type: string, value: string, change: object = {}) =>
  anError({
    platform: 'javascript',
    transaction: '/products/:slug',
    sdk: { name: 'sentry.javascript.react', version: '11.12.0' },
    contexts: {},
    exception: { values: [{ type, value, mechanism: { type: 'onerror', handled: false } }] },
    ...change,
  })
const halves = (server: string, client: string) => ({
  contexts: { 'errata.hydration': { server, client, component: 'StockBadge' } },
})

describe('recognised causes over the web API', () => {
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
    await send(shop, shop.dsn, page('Error', MINIFIED, halves('<b>12 left</b>', '<b>11 left</b>')))
    await send(shop, shop.dsn, page('Error', MINIFIED, halves('<b>9 left</b>', '<b>8 left</b>')))
    for (const id of ['40ab', '60cd', '70ef']) {
      const value = `Server Action "${id}" was not found on the server`
      await send(shop, shop.dsn, page('UnrecognizedActionError', value))
    }
    const crumb = { category: 'console', level: 'error', message: MINIFIED }
    await send(shop, shop.dsn, page('TypeError', 'x is undefined', { breadcrumbs: [crumb] }))
    await send(shop, shop.dsn, page('Error', 'NEXT_REDIRECT'))
    await send(shop, shop.dsn, page('AbortError', 'signal is aborted without reason'))
  })
  after(() => shop.close())

  const issues = (query: string) => get(`/organizations/acme/issues/?query=${encodeURIComponent(query)}`)

  it('makes one issue of a mismatch, found by category, by number and by what it says', async () => {
    for (const query of ['category:hydration', 'Minified React error #418', 'did not match']) {
      const found = await issues(query)
      assert.deepEqual(
        found.map(({ title, count, errata }: Json) => [title, count, errata]),
        [
          [
            'Hydration: Server HTML did not match: “9” rendered, “8” expected (Minified React error #418)',
            '2',
            { category: 'hydration' },
          ],
        ],
      )
    }
  })

  it('says the likely cause of a mismatch in a tag, which is counted and found', async () => {
    const found = await issues('errata.hydration:changed_data')
    assert.deepEqual(
      found.map(({ count }: Json) => count),
      ['2'],
    )
    assert.deepEqual(await issues('errata.hydration:time_zone'), [])
    const { topValues } = await get(`/organizations/acme/issues/${found[0].id}/tags/errata.hydration/`)
    assert.deepEqual(
      topValues.map(({ value, count }: Json) => [value, count]),
      [['changed_data', 2]],
    )
  })

  it('makes one issue of stale tabs, whatever the ids', async () => {
    const found = await issues('category:skew')
    assert.deepEqual(
      found.map(({ title, count }: Json) => [title, count]),
      [['Stale tabs failed after a deploy', '3']],
    )
    const [{ tags, errata }] = await get(`/organizations/acme/issues/${found[0].id}/events/?full=1`)
    assert.ok(tags.some(({ key, value }: Json) => key === 'errata.skew' && value === 'action'))
    assert.equal(errata.category, 'skew')
    assert.deepEqual(
      await issues('!category:skew !category:hydration category:client').then((all) => all.length),
      1,
    )
  })

  it('reads decoded, and as it was sent where the stored event is asked for', async () => {
    const [hydration] = await issues('category:hydration')
    const path = `/organizations/acme/issues/${hydration.id}/events/latest/`
    const event = await get(path)
    const exception = event.entries.find(({ type }: Json) => type === 'exception')
    assert.match(
      exception.data.values[0].value,
      /^Minified React error #418: Hydration failed because the server rendered text/,
    )
    assert.equal((await get(`${path}json/`)).exception.values[0].value, MINIFIED)
    const { hydration: details } = event.errata
    assert.deepEqual(details.halves, {
      server: '<b>9 left</b>',
      client: '<b>8 left</b>',
    })
    assert.equal(details.causes.find(({ isLikely }: Json) => isLikely).cause, 'changed_data')

    const [plain] = await issues('x is undefined')
    const other = await get(`/organizations/acme/issues/${plain.id}/events/latest/`)
    const crumbs = other.entries.find(({ type }: Json) => type === 'breadcrumbs')
    assert.match(crumbs.data.values[0].message, /^Minified React error #418: Hydration failed/)
  })

  it('counts control flow and aborted requests, and makes no issue of them', async () => {
    assert.deepEqual((await issues('')).length, 3)
    const { groups } = await get(
      '/organizations/acme/stats_v2/?field=sum(quantity)&groupBy=outcome&groupBy=reason&statsPeriod=1d',
    )
    const filtered = groups.filter(({ by }: Json) => by.outcome === 'filtered')
    assert.deepEqual(filtered.map(({ by, totals }: Json) => [by.reason, totals['sum(quantity)']]).sort(), [
      ['aborted', 1],
      ['control_flow', 1],
    ])
  })
})
