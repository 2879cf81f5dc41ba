/** Deploy skew from envelopes to the web API’s answers, in both orders of arrival. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { max } from '#limits/limits.ts'
import { anError } from '#testing/builders/sent-event.ts'
import { aSpan, spanEnvelope } from '#testing/builders/spans.ts'
import { HOUR, NOW } from '#testing/builders/times.ts'
import { asking, callerOf, openShop, type Shop, send, sendEnvelope, unwrap } from '#testing/worlds/api.ts'

// biome-ignore lint/suspicious/noExplicitAny: JSON of an answer, each test looks at what it is about
type Json = any

const ACTION = `40${'ab'.repeat(20)}`
const CAPTURED = new URL('../../../../../tests/fixtures/captured-spans/next11.json', import.meta.url)

/**
 * Builds the span that @sentry/nextjs 11 sends for an action unknown to the server, at another time and of
 * another release.
 */
function serverSpan(release: string, atMs: number, trace: string): Uint8Array {
  const { items } = JSON.parse(readFileSync(CAPTURED, 'utf8'))
  const found: Json = items.find(({ name }: Json) => name === 'unknown action · server · POST /')
  const [span] = found.payload.items
  const attributes = { ...span.attributes, 'sentry.release': { value: release, type: 'string' } }
  const times = { start_timestamp: atMs / 1_000, end_timestamp: (atMs + 9) / 1_000 }
  const item = { ...found.payload, items: [{ ...span, ...times, trace_id: trace, attributes }] }
  const header = { type: 'span', content_type: 'application/vnd.sentry.items.span.v2+json', item_count: 1 }
  return Buffer.from(`{}\n${JSON.stringify(header)}\n${JSON.stringify(item)}\n`)
}

/** The browser’s half, as the same SDK sends it. */
function browserError(release: string, atMs: number, trace: string, change: object = {}) {
  const mechanism = { type: 'auto.browser.global_handlers.onunhandledrejection', handled: false }
  const value = `Server Action "${ACTION}" was not found on the server. \nRead more: https://nextjs.org/docs/messages/failed-to-find-server-action`
  return anError({
    ...{
      platform: 'javascript',
      release,
      environment: 'production',
      transaction: '/',
      timestamp: atMs / 1_000,
    },
    sdk: { name: 'sentry.javascript.nextjs', version: '11.8.0' },
    contexts: { trace: { trace_id: trace, span_id: 'b'.repeat(16) } },
    user: { id: `of ${trace}` },
    exception: { values: [{ type: 'UnrecognizedActionError', value, mechanism }] },
    ...change,
  })
}

describe('deploy skew over the web API', () => {
  let shop: Shop
  let call: ReturnType<typeof callerOf>
  const get = async (path: string): Promise<Json> => {
    const { status, body } = await call(shop.token, `GET ${path}`)
    assert.equal(status, 200, JSON.stringify(body))
    return body
  }

  before(async () => {
    shop = await openShop()
    call = callerOf(shop)
    const who = asking(await shop.people.owner.viewer(), await shop.people.owner.scope())
    const release = { version: 'shop@2', projects: ['shop'], body: {} }
    unwrap(await shop.commands.run('createRelease', who, release))
    const [one, other] = ['1', '2'].map((digit) => digit.repeat(32))
    // Browser first, then the server; then the other way round.
    await send(shop, shop.dsn, browserError('shop@1', NOW - HOUR, one ?? ''))
    await sendEnvelope(shop, shop.dsn, serverSpan('shop@2', NOW - HOUR - 50, one ?? ''))
    await sendEnvelope(shop, shop.dsn, serverSpan('shop@2', NOW - HOUR, other ?? ''))
    await send(shop, shop.dsn, browserError('shop@1', NOW - HOUR + 60, other ?? ''))
    // As the engine does by the second: what a tab asked for in vain is skew where another build is known.
    await shop.refreshDirectory()
    const mechanism = { type: 'generic', handled: true }
    const chunk = {
      type: 'ChunkLoadError',
      value: 'Failed to load chunk /_next/static/chunks/c1.js from module 7',
      mechanism,
    }
    await send(
      shop,
      shop.dsn,
      browserError('shop@0', NOW - HOUR / 2, '3'.repeat(32), { exception: { values: [chunk] } }),
    )
  })
  after(() => shop.close())

  it('has one entry for the deploy, each click once', async () => {
    const { data } = await get('/organizations/acme/skew/?project=shop')
    assert.equal(data.length, 1, JSON.stringify(data))
    const [{ id, issueId, firstSeen, lastSeen, deployedAt, halfLifeMs, ...rest }] = data
    assert.deepEqual(rest, {
      ...{
        project: 'shop',
        projects: ['shop'],
        environment: 'production',
        release: 'shop@2',
        count: 3,
        users: 3,
      },
      ...{ fromReleases: ['shop@1', 'shop@0'], isUsersEstimated: false, reloads: 0, isDeployTold: false },
      causes: { action: 2, chunk: 1, 'page-data': 0 },
      why: [
        { cause: 'build', count: 2 },
        { cause: 'assets', count: 1 },
      ],
    })
    assert.match(id, /^[0-9a-f]{16}$/)
    assert.ok(Date.parse(firstSeen) < Date.parse(lastSeen) && Date.parse(deployedAt) <= Date.parse(lastSeen))
    assert.equal(typeof halfLifeMs, 'number')
    const issues = await get('/organizations/acme/issues/?query=category:skew')
    assert.deepEqual(
      issues.map(({ id: own, title, count }: Json) => [own, title, count]),
      [[issueId, 'Stale tabs failed after the deploy of shop@2', '3']],
    )
    for (const query of ['Stale tabs failed after the deploy of shop@2', 'stale tabs', 'deploy*shop@2']) {
      const found = await get(`/organizations/acme/issues/?query=${encodeURIComponent(query)}`)
      assert.deepEqual(
        found.map((one: Json) => [one.id, one.filtered.count]),
        [[issueId, '3']],
        query,
      )
    }
    assert.deepEqual(await get('/organizations/acme/issues/?query=deploy%20shop@3'), [])
  })

  it('has the rest of one deploy', async () => {
    const { data } = await get('/organizations/acme/skew/')
    const found = await get(`/organizations/acme/skew/${data[0].id}/`)
    assert.deepEqual(
      found.places.map(({ failure, route, count, users, httpStatus, subject }: Json) => [
        failure,
        route,
        count,
        users,
        httpStatus,
        subject,
      ]),
      [
        ['action', '/', 2, 2, 409, ACTION],
        ['chunk', '/', 1, 1, null, '/_next/static/chunks/c1.js'],
      ],
    )
    assert.deepEqual(
      found.builds.map(({ release, users }: Json) => [release, users]),
      [
        ['shop@1', 2],
        ['shop@0', 1],
      ],
    )
    assert.equal(
      found.hours.reduce((sum: number, hour: Json) => sum + hour.action + hour.chunk, 0),
      3,
    )
    assert.match(found.places[0].eventId, /^[0-9a-f]{32}$/)
  })

  it('says how long tabs of older builds stayed in use', async () => {
    const [{ id }] = (await get('/organizations/acme/skew/')).data
    const tabs = async () => (await get(`/organizations/acme/skew/${id}/`)).olderTabs
    assert.equal(await tabs(), null, 'no browser sent spans')
    const view = (name: string, release: string) => {
      const attributes = {
        ...{ 'sentry.release': release, 'sentry.environment': 'production' },
        ...{ 'sentry.sdk.name': 'sentry.javascript.nextjs' },
      }
      const at = Math.ceil((NOW - HOUR) / HOUR) * HOUR + 1 - NOW
      const span = { id: name, segment: name, isSegment: true, op: 'navigation', name: '/', at, attributes }
      return sendEnvelope(shop, shop.dsn, spanEnvelope([aSpan(span)]))
    }
    for (const [name, release] of Object.entries({ a: 'shop@1', b: 'shop@0', c: 'shop@2' }))
      await view(name, release)
    const { views } = await tabs()
    const total = views.reduce((sum: number, count: number) => sum + count, 0)
    assert.equal(total, 2, 'those of the deployed build are of no older one')
  })

  it('has nothing of other environments, other times and other organisations', async () => {
    for (const query of ['environment=staging', 'start=2020-01-01&end=2020-01-02'])
      assert.deepEqual((await get(`/organizations/acme/skew/?${query}`)).data, [], query)
    const { status } = await call(shop.token, 'GET /organizations/acme/skew/0000000000000000/')
    assert.equal(status, 404)
    assert.ok(max('skewDeploysShownMax') > 0)
  })

  it('changes nothing when everything is sent again', async () => {
    const [before] = (await get('/organizations/acme/skew/')).data
    await sendEnvelope(shop, shop.dsn, serverSpan('shop@2', NOW - HOUR, '2'.repeat(32)))
    const [after] = (await get('/organizations/acme/skew/')).data
    assert.equal(after.count, before.count)
  })

  it('links to the issue of the deploy, though its tabs outlived an earlier one', async () => {
    const [trace, atMs] = ['4'.repeat(32), NOW - HOUR / 4]
    await sendEnvelope(shop, shop.dsn, serverSpan('shop@3', atMs - 50, trace))
    await send(shop, shop.dsn, browserError('shop@1', atMs, trace))
    const deploys = (await get('/organizations/acme/skew/')).data
    assert.deepEqual(
      deploys.map(({ release }: Json) => release),
      ['shop@3', 'shop@2'],
    )
    const issues = new Set<string>()
    for (const { id, issueId } of deploys) {
      const { places } = await get(`/organizations/acme/skew/${id}/`)
      const action = places.find(({ failure }: Json) => failure === 'action')
      assert.equal(action.issueId, issueId)
      const events = await get(`/organizations/acme/issues/${issueId}/events/`)
      assert.ok(events.some(({ eventID }: Json) => eventID === action.eventId))
      issues.add(issueId)
    }
    assert.equal(issues.size, 2)
  })
})
