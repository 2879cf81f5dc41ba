/** Sends what running SDKs sent, in the form they sent it: it is accepted, stored, and shown whole. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { type ApiEvent, apiGet, issues } from '../support/api.ts'
import { capturedPayloads, eventIdOf, eventOf } from '../support/captured.ts'
import { type RunningErrata, type SetUp, startShop } from '../support/start-errata.ts'
import { waitFor } from '../support/wait-for.ts'

const ENCODERS = { gzip: gzipSync, br: brotliCompressSync, zstd: zstdCompressSync } as const

describe('captured payloads', () => {
  let running: RunningErrata & { readonly shop: SetUp }
  before(async () => {
    running = await startShop()
  })
  after(() => running?.[Symbol.asyncDispose]())

  for (const captured of capturedPayloads()) {
    it(`stores ${captured.name}: ${captured.origin}`, async () => {
      const { shop } = running
      const sent = eventOf(captured)
      const id = eventIdOf(captured)
      const answer = await send(shop, captured.envelope, captured.request.headers['content-encoding'])
      assert.equal(answer.status, 200)
      assert.equal(((await answer.json()) as { id: string }).id, id)
      const event = await waitFor(`event ${id}`, () => find(shop, id))
      assert.equal(event.eventID, id)
      assert.ok(event.title.length > 0)
      assert.equal(
        event.entries.some(({ type }) => type === 'exception'),
        'exception' in sent,
      )
    })
  }

  it('finds the exception behind each digest the pages showed', async () => {
    for (const [digest, title] of [
      ['1513151086', "TypeError: Cannot read properties of undefined (reading 'amount')"],
      ['735450273', 'OutOfStockError: Variant 40118 has 0 left, 2 requested'],
    ] as const) {
      const found = await issues(
        running.shop,
        `Application error: a server-side exception has occurred. Digest: ${digest}`,
      )
      assert.deepEqual(
        found.map((issue) => issue.title),
        [title],
      )
    }
    assert.deepEqual(await issues(running.shop, '1112223334'), [])
  })

  it('gives the same failure of two SDK generations one issue', async () => {
    const totals = await issues(running.shop, '"(reading \'amount\')"')
    assert.equal(totals.length, 1, JSON.stringify(totals.map(({ title, culprit }) => [title, culprit])))
    assert.equal(totals[0]?.count, '8', 'four of the server, and what browsers saw of each')
  })

  it('keeps no secret of them', async () => {
    for (const captured of capturedPayloads()) {
      const id = eventIdOf(captured)
      const json = JSON.stringify(await apiGet(running.shop, `/projects/shop/web/events/${id}/json/`))
      for (const canary of ['hunter2-canary', 'secret-canary'])
        assert.equal(json.includes(canary), false, `${captured.name} keeps ${canary}`)
    }
  })
})

/** Sends it to this project; the envelope's own `dsn` named the capture server's. */
async function send(shop: SetUp, envelope: string, encoding: string | undefined): Promise<Response> {
  const { username, pathname } = new URL(shop.dsn)
  const own = envelope.replaceAll(/"dsn":"[^"]*"/g, `"dsn":"${shop.dsn}"`)
  const encode =
    encoding !== undefined && encoding in ENCODERS ? ENCODERS[encoding as keyof typeof ENCODERS] : null // just asked
  return fetch(`${shop.url}/api${pathname}/envelope/?sentry_key=${username}&sentry_version=7`, {
    method: 'POST',
    body: encode === null ? own : new Uint8Array(encode(own)),
    headers: encode === null || encoding === undefined ? {} : { 'content-encoding': encoding },
  })
}

async function find(shop: SetUp, id: string): Promise<ApiEvent | null> {
  const answer = await fetch(
    `${shop.url}/api/0/projects/${shop.organisation}/${shop.project}/events/${id}/`,
    {
      headers: { authorization: `Bearer ${shop.token}` },
    },
  )
  if (answer.status === 404) return null
  assert.equal(answer.status, 200)
  return (await answer.json()) as ApiEvent
}
