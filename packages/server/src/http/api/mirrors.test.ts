/** Both halves of a failure as real SDKs sent them, from the envelope to the web API's answers, in both orders. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it, type TestContext } from 'node:test'
import { max } from '#limits/limits.ts'
import { anError } from '#testing/builders/sent-event.ts'
import { callerOf, openShop, type Shop, send, sendEnvelope } from '#testing/worlds/api.ts'

// biome-ignore lint/suspicious/noExplicitAny: JSON of an answer, each test looks at what it is about
type Json = any

const HANDLED = { type: 'generic', handled: true }
const CAPTURED = new URL('../../../../../tests/fixtures/captured/', import.meta.url)

function captured(name: string): { readonly bytes: Uint8Array; readonly eventId: string } {
  const { envelope } = JSON.parse(readFileSync(new URL(`${name}.json`, CAPTURED), 'utf8'))
  const [head = '{}'] = String(envelope).split('\n', 1)
  return { bytes: Buffer.from(envelope), eventId: JSON.parse(head).event_id }
}

async function openMirrors(t: TestContext) {
  const shop = await openShop()
  t.after(() => shop.close())
  const call = callerOf(shop)
  const get = async (path: string, who: Parameters<typeof call>[0] = shop.token): Promise<Json> => {
    const { status, body } = await call(who, `GET ${path}`)
    assert.equal(status, 200, JSON.stringify(body))
    return body
  }
  const issues = () => get('/organizations/acme/issues/?query=')
  const detail = (issue: string, who?: Parameters<typeof call>[0]) =>
    get(`/organizations/acme/issues/${issue}/`, who)
  return { shop, call, get, issues, detail }
}

/** Sent minutes apart: the server to one project, the browser to another. */
async function sendBoth(
  shop: Shop,
  halves: { readonly server: () => Promise<unknown>; readonly browser: () => Promise<unknown> },
  order: 'server first' | 'browser first',
) {
  const steps = [halves.server, halves.browser]
  for (const step of order === 'server first' ? steps : steps.reverse()) {
    await step()
    shop.clock.advance(5 * 60_000)
  }
}

for (const order of ['server first', 'browser first'] as const) {
  describe(`a failure and what the browser saw of it, ${order}`, () => {
    for (const sdk of ['next10', 'next11']) {
      for (const [server, browser, title] of [
        ['01', '02', /reading 'amount'/],
        ['05', '06', /^OutOfStockError/],
      ] as const) {
        it(`is one issue of ${sdk}, of captures ${server} and ${browser}`, async (t) => {
          const { shop, issues, detail, get } = await openMirrors(t)
          const [failure, mirror] = [captured(`${sdk}-${server}`), captured(`${sdk}-${browser}`)]
          await sendBoth(
            shop,
            {
              server: () => sendEnvelope(shop, shop.dsn, failure.bytes),
              browser: () => sendEnvelope(shop, shop.vaultDsn, mirror.bytes),
            },
            order,
          )
          const [issue, ...others] = await issues()
          assert.equal(others.length, 0)
          assert.match(issue.title, title)
          assert.deepEqual([issue.project.slug, issue.count], ['shop', '2'])
          const { errata } = await detail(issue.shortId)
          assert.deepEqual(
            [errata.mirrors.count, errata.mirrors.events, errata.mirrors.folded[0].matchedBy],
            [1, 1, 'digest'],
          )
          assert.match(errata.mirrors.folded[0].title, /Minified React error #441/)
          assert.equal(errata.mirror, undefined)
          const events = await get(`/organizations/acme/issues/${issue.shortId}/events/`)
          assert.equal(events.length, 2)
          const recommended = await get(`/organizations/acme/issues/${issue.shortId}/events/recommended/`)
          assert.equal(recommended.eventID, failure.eventId, 'the server’s half says what failed')
        })
      }
    }

    it('is one issue of React Router, by its trace, with the copy that the server’s own boundary reports', async (t) => {
      const { shop, issues, detail } = await openMirrors(t)
      const trace = { trace_id: 'c'.repeat(32), span_id: 'd'.repeat(16) }
      const copy = {
        exception: { values: [{ type: 'Error', value: 'Unexpected Server Error', mechanism: HANDLED }] },
        contexts: { trace },
      }
      const request = {
        url: 'https://shop.test/orders/7',
        method: 'GET',
        headers: { Accept: 'text/html', 'Sec-Fetch-Dest': 'document' },
      }
      const server = anError({ transaction: 'GET /orders/:id', request, contexts: { trace } })
      const boundary = anError({ ...copy, transaction: 'GET /orders/:id', request })
      const browser = anError({
        ...{ ...copy, platform: 'javascript', transaction: '/orders/:id', user: { id: '8' } },
        sdk: { name: 'sentry.javascript.react-router', version: '10.78.0' },
      })
      await sendBoth(
        shop,
        {
          server: () => send(shop, shop.dsn, server),
          browser: async () => {
            await send(shop, shop.dsn, boundary)
            await send(shop, shop.vaultDsn, browser)
          },
        },
        order,
      )
      const [issue, ...others] = await issues()
      assert.equal(others.length, 0, JSON.stringify(others))
      assert.deepEqual([issue.count, issue.userCount, issue.project.slug], ['3', 2, 'shop'])
      const { mirrors } = (await detail(issue.shortId)).errata
      assert.deepEqual(mirrors.folded.map((half: Json) => [half.project.slug, half.matchedBy]).sort(), [
        ['shop', 'trace'],
        ['vault', 'trace'],
      ])
    })
  })
}

describe('a page’s request that a server failed to answer', () => {
  const failed = (trace: string, value = 'HTTP Client Error with status code: 500') =>
    anError({
      ...{ platform: 'javascript', transaction: '/orders/:id' },
      sdk: { name: 'sentry.javascript.react-router', version: '10.78.0' },
      contexts: { trace: { trace_id: trace, span_id: 'd'.repeat(16) } },
      exception: { values: [{ type: 'Error', value, mechanism: HANDLED }] },
    })
  const loader = (trace: string) =>
    anError({
      transaction: 'GET /orders/:id',
      request: { url: 'https://shop.test/orders/7.data', method: 'GET', headers: {} },
      contexts: { trace: { trace_id: trace, span_id: 'e'.repeat(16) } },
    })

  it('is of the failure in its trace, and one issue where none is', async (t) => {
    const { shop, issues, detail } = await openMirrors(t)
    for (const digit of ['1', '2', '3']) await send(shop, shop.dsn, failed(digit.repeat(32)))
    await send(shop, shop.dsn, failed('1'.repeat(32), 'Failed to fetch'))
    await send(shop, shop.dsn, loader('1'.repeat(32)))
    await shop.control.standAlone(shop.clock.now() + max('mirrorWaitMs'))
    const found: Json[] = await issues()
    assert.deepEqual(
      found.map(({ title, count }) => [title, count]).sort(),
      [
        ['Error: Failed to fetch', '1'],
        ['Error: HTTP Client Error with status code: 500', '2'],
        ['TypeError: total is not a function', '2'],
      ],
      'a request that never arrived is no failure of a server',
    )
    const cause = found.find(({ title }) => title.startsWith('TypeError'))
    assert.equal((await detail(cause.shortId)).errata.mirrors.folded[0].matchedBy, 'trace')
  })
})

describe('a mirror without its server half', () => {
  it('is found while it waits, is no issue meanwhile, and says what is missing when it is one', async (t) => {
    const { shop, issues, detail, get } = await openMirrors(t)
    const mirror = captured('next11-02')
    await sendEnvelope(shop, shop.dsn, mirror.bytes)
    assert.deepEqual(await issues(), [])
    const place = await get(`/organizations/acme/eventids/${mirror.eventId}/`)
    const waiting = await detail(place.groupId)
    assert.deepEqual([waiting.shortId, waiting.substatus], [place.groupId, 'waiting'])
    assert.equal(waiting.errata.mirror.missing, 'silent')
    assert.notEqual(waiting.errata.mirror.waitsUntil, null)
    shop.clock.advance(max('mirrorWaitMs'))
    await shop.control.standAlone(shop.clock.now())
    const [issue] = await issues()
    assert.deepEqual([issue.id, issue.shortId], [place.groupId, 'SHOP-1'])
    assert.deepEqual((await detail(issue.id)).errata.mirror, { waitsUntil: null, missing: 'silent' })
  })

  it('of React Router says that a deferred loader may be all there is, while servers say nothing too', async (t) => {
    const { shop, detail, get } = await openMirrors(t)
    const mirror = captured('react-router8-03')
    // Its head names the DSN that it was captured with.
    const [, ...items] = Buffer.from(mirror.bytes).toString().split('\n')
    const head = JSON.stringify({ event_id: mirror.eventId })
    await sendEnvelope(shop, shop.dsn, Buffer.from([head, ...items].join('\n')))
    const { groupId } = await get(`/organizations/acme/eventids/${mirror.eventId}/`)
    assert.equal((await detail(groupId)).errata.mirror.missing, 'maybe_deferred')
  })
})

describe('a folded mirror', () => {
  it('is read by whoever may read its own project, and counted for the others', async (t) => {
    const { shop, call, detail, get } = await openMirrors(t)
    const mirror = captured('next11-02')
    await sendEnvelope(shop, shop.dsn, captured('next11-01').bytes)
    await sendEnvelope(shop, shop.vaultDsn, mirror.bytes)
    const path = `/organizations/acme/issues/SHOP-1/events/${mirror.eventId}/`
    const { owner, manager, member, viewer, rival } = shop.people
    for (const who of [owner, manager, shop.token]) assert.equal((await call(who, `GET ${path}`)).status, 200)
    for (const who of [member, viewer, rival]) assert.equal((await call(who, `GET ${path}`)).status, 404)
    const seen = await detail('SHOP-1', member)
    assert.equal(seen.count, '2')
    assert.deepEqual(seen.errata.mirrors, { count: 0, events: 0, eventsElsewhere: 1, folded: [] })
    const body = await get('/organizations/acme/issues/SHOP-1/events/', member)
    assert.deepEqual(
      body.map((event: Json) => event.eventID),
      [captured('next11-01').eventId],
    )
    assert.ok(!JSON.stringify(seen).includes('vault'))
  })

  it('is kept apart when somebody says so who may read it, for good', async (t) => {
    const { shop, call, detail, issues } = await openMirrors(t)
    await sendEnvelope(shop, shop.dsn, captured('next11-01').bytes)
    await sendEnvelope(shop, shop.vaultDsn, captured('next11-02').bytes)
    const path = 'POST /organizations/acme/issues/SHOP-1/mirrors/keep-apart/'
    assert.equal((await call(shop.people.viewer, path, {})).status, 403)
    assert.equal((await call(shop.people.member, path, {})).status, 404, 'none that may be read')
    const [half] = (await detail('SHOP-1')).errata.mirrors.folded
    const mirrors = [{ project: half.project.id, hash: half.hash }]
    const bad = await call(shop.people.owner, path, { mirrors: [{ project: 'vault', hash: 'x' }] })
    assert.equal(bad.status, 400)
    const done = await call(shop.people.owner, path, { mirrors })
    assert.equal(done.status, 200)
    await sendEnvelope(shop, shop.vaultDsn, captured('next10-02').bytes)
    assert.deepEqual((await issues()).map((issue: Json) => [issue.shortId, issue.count]).sort(), [
      ['SHOP-1', '1'],
      ['VAULT-1', '2'],
    ])
    const { activity, errata } = await detail('VAULT-1')
    assert.deepEqual([activity[0].type, errata.mirror.missing], ['mirror_kept_apart', 'kept_apart'])
    const made: Json = done.body
    assert.equal(made.issues.length, 1)
  })
})

describe('a guest and mirrors of a project that is not theirs', () => {
  it('reads the failure without what the browser’s project saw of it', async (t) => {
    const { shop, call, get, detail } = await openMirrors(t)
    const { guest } = shop.people
    const [failure, mirror] = [captured('next11-01'), captured('next11-02')]
    await sendEnvelope(shop, shop.dsn, failure.bytes)
    await sendEnvelope(shop, shop.vaultDsn, mirror.bytes)
    const [issue, ...others] = await get('/organizations/acme/issues/?query=', guest)
    assert.equal(others.length, 0)
    const whole = await detail(issue.shortId)
    assert.equal(whole.errata.mirrors.folded[0].project.slug, 'vault')
    const seen = JSON.stringify(await detail(issue.shortId, guest))
    assert.ok(!/vault/i.test(seen), seen)
    const events = await get(`/organizations/acme/issues/${issue.shortId}/events/`, guest)
    assert.deepEqual(
      events.map(({ eventID }: Json) => eventID),
      [failure.eventId],
    )
    for (const path of [
      `/organizations/acme/eventids/${mirror.eventId}/`,
      `/organizations/acme/issues/${issue.shortId}/events/${mirror.eventId}/`,
      `/projects/acme/vault/events/${mirror.eventId}/`,
    ])
      assert.equal((await call(guest, `GET ${path}`)).status, 404, path)
    for (const path of ['hashes', 'tags', 'markdown', 'activities']) {
      const { body } = await call(guest, `GET /organizations/acme/issues/${issue.shortId}/${path}/`)
      assert.ok(!/vault/i.test(JSON.stringify(body)), `${path}: ${JSON.stringify(body)}`)
    }
  })

  it('reads nothing of a failure that was another project’s, though a browser of theirs saw it', async (t) => {
    const { shop, call, get } = await openMirrors(t)
    const { guest } = shop.people
    const [failure, mirror] = [captured('next11-01'), captured('next11-02')]
    await sendEnvelope(shop, shop.vaultDsn, failure.bytes)
    await sendEnvelope(shop, shop.dsn, mirror.bytes)
    const [whole] = await get('/organizations/acme/issues/?query=')
    assert.equal(whole.project.slug, 'vault')
    assert.deepEqual(await get('/organizations/acme/issues/?query=', guest), [])
    assert.equal((await call(guest, `GET /organizations/acme/issues/${whole.id}/`)).status, 404)
    assert.equal((await call(guest, `GET /organizations/acme/eventids/${failure.eventId}/`)).status, 404)
    const own = await call(guest, `GET /organizations/acme/eventids/${mirror.eventId}/`)
    assert.ok(!/vault|VAULT/.test(JSON.stringify(own.body)), JSON.stringify(own.body))
  })
})
