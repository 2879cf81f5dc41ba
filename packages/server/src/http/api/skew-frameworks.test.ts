/** Stale tabs of TanStack Start and SvelteKit, from envelopes to the web API’s answers, in both orders of arrival. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { anError } from '#testing/builders/sent-event.ts'
import { HOUR, NOW } from '#testing/builders/times.ts'
import { asking, callerOf, openShop, type Shop, sendEnvelope, unwrap } from '#testing/worlds/api.ts'

// biome-ignore lint/suspicious/noExplicitAny: JSON of an answer, each test looks at what it is about
type Json = any

const ID = '4a9c488c5546b8f1e83d3aa2a690373093a642aa9cbbd9efe0a9d4eaadc4a114'
const TRACE = 'c'.repeat(32)
const SECONDS = (NOW - HOUR) / 1_000

function enveloped(type: string, payload: object, release?: string): Buffer {
  const trace = release === undefined ? {} : { trace: { trace_id: TRACE, public_key: 'k', release } }
  return Buffer.from([trace, { type }, payload].map((line) => JSON.stringify(line)).join('\n'))
}

function functionGone(platform: 'node' | 'javascript', fields: object) {
  const value = `Server function info not found for ${ID}`
  const mechanism = { type: 'auto.middleware.tanstackstart.request', handled: false }
  return anError({
    ...{ platform, timestamp: SECONDS, user: undefined },
    sdk: { name: 'sentry.javascript.tanstackstart-react', version: '10.75.2' },
    contexts: { trace: { trace_id: TRACE, span_id: 'b'.repeat(16) } },
    exception: { values: [{ type: 'Error', value, mechanism }] },
    ...fields,
  })
}

const server = () => {
  const request = { method: 'POST', url: `https://shop.example/_serverFn/${ID}`, headers: {} }
  const event = functionGone('node', { release: 'shop@2', transaction: `POST /_serverFn/${ID}`, request })
  return enveloped('event', event, 'shop@1')
}
const browser = () => {
  const request = { url: 'https://shop.example/cart', headers: {} }
  const event = functionGone('javascript', { release: 'shop@1', transaction: '/cart', request })
  return enveloped('event', event, 'shop@1')
}

interface Posted {
  readonly tab?: string
  readonly status?: number
  readonly spans?: readonly object[]
  readonly sdk?: string
  readonly baggage?: string
  readonly method?: string
  readonly url?: string
  /** Attributes that replace those of its own span. */
  readonly root?: object
}

/** A form that a page of SvelteKit posts to an action. */
function form({ tab, status = 404, spans = [], sdk = 'sveltekit', baggage, ...asked }: Posted) {
  const { method = 'POST', url = '/act?/old', root = {} } = asked
  const data = {
    ...{ 'http.method': method, 'http.url': `http://garden.example${url}`, 'sentry.op': 'http.server' },
    ...{ 'http.route': '/act', 'http.response.status_code': status, 'sveltekit.is_data_request': false },
    ...(baggage === undefined ? {} : { 'http.request.header.baggage': baggage }),
    ...root,
  }
  const payload = {
    ...{ event_id: 'd'.repeat(32), type: 'transaction', platform: 'node', transaction: `${method} /act` },
    ...{ start_timestamp: SECONDS, timestamp: SECONDS + 0.01, release: 'shop@2', environment: 'production' },
    sdk: { name: `sentry.javascript.${sdk}`, version: '10.75.2' },
    request: {
      ...{ method, url: `http://garden.example${url}` },
      headers: method === 'POST' ? { 'x-sveltekit-action': 'true' } : {},
    },
    contexts: {
      trace: { trace_id: TRACE, span_id: 'e'.repeat(16), op: data['sentry.op'], status: 'ok', data },
    },
    spans,
  }
  return enveloped('transaction', payload, tab)
}

async function told(envelopes: readonly Uint8Array[]) {
  const shop: Shop = await openShop()
  try {
    const who = asking(await shop.people.owner.viewer(), await shop.people.owner.scope())
    unwrap(await shop.commands.run('createRelease', who, { version: 'shop@2', projects: ['shop'], body: {} }))
    for (const envelope of envelopes) await sendEnvelope(shop, shop.dsn, envelope)
    const get = async (path: string): Promise<Json> =>
      (await callerOf(shop)(shop.token, `GET /organizations/acme/${path}`)).body
    const { data } = await get('skew/?project=shop')
    const issues = await get('issues/?query=')
    const places = data.length === 0 ? [] : (await get(`skew/${data[0].id}/`)).places
    return {
      deploys: data.map(({ release, fromReleases, count, causes }: Json) => [
        release,
        fromReleases,
        count,
        causes.action,
      ]),
      places: places.map(({ failure, subject }: Json) => [failure, subject]),
      issues: issues.map(({ title }: Json) => title),
    }
  } finally {
    await shop.close()
  }
}

const OF_DEPLOY = 'Stale tabs failed after the deploy of shop@2'

describe('a server function of TanStack Start that is gone', () => {
  const expected = {
    deploys: [['shop@2', ['shop@1'], 1, 1]],
    places: [['action', ID]],
    issues: [OF_DEPLOY],
  }

  it('is one stale click of the deploy, told by the server alone', async () =>
    assert.deepEqual(await told([server()]), expected))

  it('is one stale click with what the tab says, in both orders', async () => {
    assert.deepEqual(await told([server(), browser()]), expected)
    assert.deepEqual(await told([browser(), server()]), expected)
  })
})

describe('a server function of TanStack Start that no build has', () => {
  const asked = (headers: Readonly<Record<string, string>>, release: string | undefined) => {
    const request = { method: 'POST', url: `https://shop.example/_serverFn/${ID}`, headers }
    const event = functionGone('node', { release: 'shop@2', transaction: `POST /_serverFn/${ID}`, request })
    return enveloped('event', event, release)
  }
  const baggage = 'sentry-release=shop%402'
  const expected = { deploys: [], places: [], issues: [`Error: Server function info not found for ${ID}`] }

  it('is an issue of its own in a tab of the build that answers, and no stale click', async () => {
    assert.deepEqual(await told([asked({ 'x-tsr-serverFn': 'true', baggage }, 'shop@2')]), expected)
  })

  it('is one where no page asked', async () => {
    assert.deepEqual(await told([asked({ 'user-agent': 'curl/8.11.0' }, 'shop@2')]), expected)
  })

  it('is a stale click where the tab traces nothing, and where nothing says who asked', async () => {
    const counted = { places: [['action', ID]], issues: [OF_DEPLOY] }
    for (const envelope of [asked({ 'x-tsr-serverFn': 'true' }, 'shop@2'), asked({}, undefined)]) {
      const { places, issues } = await told([envelope])
      assert.deepEqual({ places, issues }, counted)
    }
  })
})

describe('a form action of SvelteKit that is gone', () => {
  const expected = { deploys: [['shop@2', ['shop@1'], 1, 1]], places: [['action', 'old']], issues: [] }

  it('is one stale click in a tab of another build', async () => {
    assert.deepEqual(await told([form({ tab: 'shop@1' })]), expected)
    const baggage = 'sentry-environment=production,sentry-release=shop%401,sentry-trace_id=c'
    assert.deepEqual(await told([form({ baggage })]), expected)
  })

  it('is no skew in a tab of the build that answers, nor where nothing says the tab’s', async () => {
    for (const tab of ['shop@2', undefined, 'latest', 'a\nb'])
      assert.deepEqual((await told([form(tab === undefined ? {} : { tab })])).deploys, [], tab)
  })

  it('is one where the page has no action any more, and where it was the default one', async () => {
    assert.deepEqual(await told([form({ tab: 'shop@1', status: 405 })]), expected)
    const { places } = await told([form({ tab: 'shop@1', url: '/act' })])
    assert.deepEqual(places, [['action', null]])
  })

  it('is one where it was a remote function: page data where it only reads', async () => {
    const called = (data: object) => ({
      ...{ span_id: 'f'.repeat(16), parent_span_id: 'e'.repeat(16), trace_id: TRACE, status: 'ok' },
      ...{ op: 'function', description: 'sveltekit.remote.call' },
      ...{ start_timestamp: SECONDS, timestamp: SECONDS + 0.01 },
      data: { 'sveltekit.remote.call.id': '1b8wal3/oldStock', ...data },
    })
    const missing = { 'sveltekit.remote.call.result.status': 404 }
    const query = { method: 'GET', url: '/_app/remote/1b8wal3/oldStock', status: 200 }
    const root = { 'http.route': 'unknown', 'sentry.op': 'http', 'sveltekit.is_sub_request': false }
    const asked = (data: object, tab = 'shop@1') =>
      told([form({ ...query, tab, root, spans: [called(data)] })])
    assert.deepEqual((await asked(missing)).places, [['page-data', 'oldStock']])
    assert.deepEqual((await asked(missing, 'shop@2')).deploys, [])
    assert.deepEqual((await asked({ ...missing, 'sveltekit.remote.call.name': 'oldStock' })).deploys, [])
    const command = await told([form({ tab: 'shop@1', url: '/act', status: 200, spans: [called(missing)] })])
    assert.deepEqual(command.places, [['action', 'oldStock']])
  })

  it('is no skew where the action ran, where it answered well, and of another framework', async () => {
    const ran = {
      ...{ span_id: 'f'.repeat(16), parent_span_id: 'e'.repeat(16), trace_id: TRACE, status: 'ok' },
      ...{ op: 'function.sveltekit.form_action', description: 'sveltekit.form_action' },
      ...{
        start_timestamp: SECONDS,
        timestamp: SECONDS + 0.01,
        data: { 'sveltekit.form_action.name': 'old' },
      },
    }
    for (const change of [{ spans: [ran] }, { status: 200 }, { sdk: 'astro' }])
      assert.deepEqual((await told([form({ tab: 'shop@1', ...change })])).deploys, [])
  })
})
