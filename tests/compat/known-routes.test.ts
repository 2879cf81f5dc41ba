/** A running server that learns the routes of an app from its browsers, and names by them what comes by address. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { apiGet } from '../support/api.ts'
import { type SpanParts, sendSpans } from '../support/send.ts'
import { type RunningErrata, type SetUp, startShop } from '../support/start-errata.ts'
import { waitFor } from '../support/wait-for.ts'

const SDK = 'sentry.javascript.tanstackstart-react'
const hex = (bytes: number) => randomBytes(bytes).toString('hex')

function aSegment(parts: Pick<SpanParts, 'op' | 'name'>, attributes: SpanParts['attributes']): SpanParts {
  const id = hex(8)
  const shared = { 'sentry.sdk.name': SDK, 'sentry.segment.name': parts.name }
  return {
    ...{ id, segment: id, trace: hex(16), atMs: Date.now() - 1_000, ms: 20, ...parts },
    attributes: { ...shared, ...attributes },
  }
}

const document = (path: string) =>
  aSegment(
    { op: 'http.server', name: `GET ${path}` },
    {
      ...{ 'sentry.source': 'url', 'http.request.method': 'GET', 'url.path': path },
      ...{ 'http.response.status_code': 200, 'http.request.header.sec-fetch-dest': 'document' },
    },
  )
const pageLoad = aSegment(
  { op: 'pageload', name: '/boats/$id' },
  { 'sentry.source': 'route', 'url.template': '/boats/$id', 'url.path': '/boats/ark' },
)

describe('routes that a browser stated', { timeout: 900_000 }, () => {
  let running: RunningErrata & { readonly shop: SetUp }
  before(async () => {
    running = await startShop()
  })
  after(async () => {
    await running?.[Symbol.asyncDispose]()
  })

  it('name documents that the server tells by their address, a moment later', async () => {
    const { shop } = running
    const routes = async () => {
      const path = `/organizations/${shop.organisation}/requests/?kind=document&statsPeriod=24h`
      const { data } = await apiGet<{ data: readonly { readonly route: string }[] }>(shop, path)
      return data.map(({ route }) => route)
    }
    await sendSpans(shop.dsn, [document('/boats/dory')])
    await waitFor('the document', async () => (await routes()).includes('/boats/dory'))
    await sendSpans(shop.dsn, [pageLoad], true)
    await waitFor('a document of the route', async () => {
      await sendSpans(shop.dsn, [document('/boats/gig')])
      return (await routes()).includes('/boats/$id')
    })
    assert.ok((await routes()).includes('/boats/dory'), 'what was counted stays')
  })
})
