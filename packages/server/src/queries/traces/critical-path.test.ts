import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { aSpan, spanEnvelope } from '#testing/builders/spans.ts'
import { openShop, sendEnvelope } from '#testing/worlds/api.ts'

describe('a trace of a page load', () => {
  it('draws the critical path of a page load from what ended last, web vitals aside', async () => {
    const trace = 'c'.repeat(32)
    const of = (
      id: string,
      op: string,
      at: number,
      ms: number,
      parent: string | null = 'a',
      attributes = {},
    ) =>
      aSpan({ id, op, at, ms, parent, trace, segment: 'a', isSegment: parent === null, name: id, attributes })
    const spans = [
      // Its own vital makes the page load no point.
      of('a', 'pageload', 0, 4_720, null, { 'browser.web_vital.lcp.value': 4_700 }),
      of('b1', 'ui.webvital.lcp', 0, 4_700),
      of('b2', 'ui.webvital.cls', 100, 5_000),
      of('b3', 'resource.script', 200, 1_000),
      of('b4', 'http.client', 1_300, 3_300),
      // The page waited for it after its own span had ended.
      of('b5', 'http.client', 4_650, 850),
      of('c1', 'function', 1_400, 100, 'b4'),
      of('b6', 'resource.img', 300, 50),
      of('b7', 'paint', 4_640, 0),
      of('b8', 'ui.interaction.click', 1_000, 6_000, 'a', { 'browser.web_vital.inp.value': 200 }),
      of('b9', 'pageload.standalone.lcp', 0, 8_000, 'a', { 'browser.web_vital.lcp.value': 4_700 }),
    ]
    const shop = await openShop()
    after(() => shop.close())
    await sendEnvelope(shop, shop.dsn, spanEnvelope(spans))
    const shown = (await shop.queries.trace(await shop.people.owner.scope(), trace))?.spans ?? []
    const critical = shown.filter(({ isCritical }) => isCritical).map(({ name }) => name)
    assert.deepEqual(critical.toSorted(), ['a', 'b3', 'b4', 'b5', 'c1'])
    const own = (name: string) => Math.round(shown.find((span) => span.name === name)?.ownMs ?? -1)
    assert.equal(own('a'), 4_720 - 1_000 - 3_300 - 70)
    assert.equal(own('b4'), 3_200)
  })
})
