/** Targets of pasted error pages, with a number or with an id. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { anError } from '#testing/builders/sent-event.ts'
import { NOW } from '#testing/builders/times.ts'
import { openShop, type Shop, send } from '#testing/worlds/api.ts'

describe('a pasted error page', () => {
  let shop: Shop
  before(async () => {
    shop = await openShop()
  })
  after(() => shop.close())

  it('shows the build first that the text names, else the one that showed the number last', async () => {
    const number = '3141592653'
    const builds: readonly (readonly [release: string, minutes: number])[] = [
      ['shop@1.2', 1],
      ['shop@1.20', 3],
      ['shop@1.3', 2],
    ]
    for (const [release, minutes] of builds) {
      const timestamp = NOW / 1000 - 60 * minutes
      await send(shop, shop.dsn, anError({ tags: { digest: number }, release, timestamp }))
    }
    const viewer = await shop.people.member.viewer()
    const releases = async (text: string) => {
      const [answer] = (await shop.queries.digestLookup(viewer, text)).answers
      assert.ok(answer?.seen)
      return [answer.event?.row.release, ...answer.matches.map(({ release }) => release)]
    }
    const [shown, first] = await releases(number)
    assert.deepEqual([shown, first], ['shop@1.2', 'shop@1.2'])
    const [named, named1] = await releases(`Digest: ${number}, version shop@1.20`)
    assert.deepEqual([named, named1], ['shop@1.20', 'shop@1.20'])
  })

  it('finds the ids of events and traces in the text of an error page', async () => {
    const trace = 'a1'.repeat(16)
    const contexts = { trace: { trace_id: trace, span_id: '1'.repeat(16) } }
    const eventId = await send(shop, shop.dsn, anError({ contexts }))
    const viewer = await shop.people.member.viewer()
    const kinds = async (text: string) => {
      const found = await shop.queries.paste(viewer, text)
      return found.map((target) => [target.kind, 'eventId' in target ? target.eventId : ''])
    }
    assert.deepEqual(await kinds(`Something went wrong\nReference: ${eventId}\nTry again`), [
      ['event', eventId],
    ])
    assert.deepEqual(await kinds(`Tell us this number: ${trace.toUpperCase()}.`), [['trace', '']])
    assert.deepEqual(await kinds(`Reference: ${'0f'.repeat(16)}`), [])
    const rival = await shop.people.rival.viewer()
    assert.deepEqual(await shop.queries.paste(rival, `Reference: ${eventId}`), [])
  })
})
