import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { ReadScope } from '#ports/scope.ts'
import { aSpan, spanEnvelope } from '#testing/builders/spans.ts'
import { NOW } from '#testing/builders/times.ts'
import { openShop, type Shop, sendEnvelope } from '#testing/worlds/api.ts'

const HOUR = 3_600_000
const BROWSER = { ingest_settings: {} }

/** Sent by browser SDKs that stream spans: a load without its page’s name, and what was measured once it is left. */
describe('vitals that come apart from their page', () => {
  let shop: Shop
  let scope: ReadScope

  const pageLoad = (trace: string, path: string) =>
    aSpan({
      ...{ id: 'a', segment: 'a', isSegment: true, trace, op: 'pageload', name: 'Pageload', at: -HOUR },
      attributes: {
        ...{ 'sentry.sdk.name': 'sentry.javascript.browser', 'sentry.segment.name': 'Pageload' },
        ...{ 'url.path': path, 'sentry.segment.name.source': 'url', 'browser.web_vital.fcp.value': 400 },
      },
    })
  const largest = (trace: string, id: string, ms: number) =>
    aSpan({
      ...{ id, segment: 'a', parent: 'a', trace, op: 'ui.webvital.lcp', name: 'Largest contentful paint' },
      ...{ at: -HOUR + 10, ms },
      attributes: {
        ...{ 'sentry.sdk.name': 'sentry.javascript.browser', 'sentry.segment.name': 'Pageload' },
        ...{ 'browser.web_vital.lcp.value': ms, 'browser.web_vital.lcp.element': 'main > img' },
      },
    })
  const sendSpans = (...spans: readonly unknown[]) =>
    sendEnvelope(shop, shop.dsn, spanEnvelope(spans, BROWSER))

  before(async () => {
    shop = await openShop()
    scope = await shop.people.owner.scope()
    const [first, second, unsent] = ['1', '2', '3'].map((digit) => digit.repeat(32))
    await sendSpans(pageLoad(first ?? '', '/landing'))
    // As fragments come in any order, a page may be the last to come.
    await sendSpans(largest(second ?? '', 'c', 1_600))
    await sendSpans(pageLoad(second ?? '', '/about'))
    await sendSpans(largest(first ?? '', 'b', 800))
    await sendSpans(largest(unsent ?? '', 'd', 3_000))
  })
  after(() => shop.close())

  it('are of that page, each of its own; those of no page that came are named so', async () => {
    const range = { startMs: NOW - 24 * HOUR, endMs: NOW + HOUR }
    const any = { project: null, environment: null, release: null, route: null }
    const view = await shop.queries.vitals(scope, { ...any, range })
    const lcp = view?.pages.filter(({ vital }) => vital === 'lcp') ?? []
    assert.deepEqual(lcp.map(({ route, count }) => [route, count]).toSorted(), [
      ['(unknown page)', 1],
      ['/about', 1],
      ['/landing', 1],
    ])
    assert.equal(view?.looked, 3, 'a load that came in two parts is one')
    const p75 = new Map(lcp.map(({ route, p75: ms }) => [route, ms]))
    assert.ok((p75.get('/landing') ?? 0) < 1_000 && (p75.get('/about') ?? 0) > 1_500)
  })

  it('are of it for a chosen page, too: by device, and in what was measured', async () => {
    const of = {
      ...{ project: null, environment: null, release: null },
      range: { startMs: NOW - 24 * HOUR, endMs: NOW + HOUR },
    }
    for (const [route, ms] of [
      ['/landing', 800],
      ['/about', 1_600],
    ] as const) {
      const view = await shop.queries.vitals(scope, { ...of, route })
      assert.deepEqual(
        view?.elements.map(({ element, count, worst }) => [element, count, worst]),
        [['main > img', 1, ms]],
        route,
      )
      const byDevice = view?.devices.filter(({ vital }) => vital === 'lcp') ?? []
      assert.deepEqual(
        byDevice.map(({ count, p75 }) => [count, p75]),
        [[1, ms]],
        route,
      )
      assert.equal(view?.looked, 1, route)
    }
    const other = await shop.queries.vitals(scope, { ...of, route: '/no-such' })
    assert.deepEqual([other?.elements, other?.devices, other?.looked], [[], [], 0])
  })
})
