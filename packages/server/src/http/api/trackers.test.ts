/** Issue trackers through the web API, against services inside the test, with the lane that asks them. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { isObject } from '#base/json.ts'
import { max } from '#limits/limits.ts'
import { createSendWays } from '#notices/deliver.ts'
import { TRACKER_KINDS, type TrackerKind } from '#ports/trackers.ts'
import { anError } from '#testing/builders/sent-event.ts'
import { openService, SECRET, type Service, TRACKER_TOKEN, webhookOf } from '#testing/trackers/service.ts'
import { callerOf, openShop, type Shop, send } from '#testing/worlds/api.ts'
import { trackerWork } from '#trackers/tracker-work.ts'

const TRACKERS = '/organizations/acme/trackers/'
const LINKS = '/organizations/acme/issues/SHOP-1/external-issues/'

type Answer = { readonly status: number; readonly body: unknown }
const fieldsOf = ({ body }: Pick<Answer, 'body'>) => (isObject(body) ? body : assert.fail('no object'))
const rowsOf = ({ body }: Pick<Answer, 'body'>): readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(body) ? body.filter(isObject) : assert.fail('no list')

describe('issue trackers in the web API', () => {
  let shop: Shop
  let call: ReturnType<typeof callerOf>
  let service: Service
  const owner = (line: string, body?: unknown) => call(shop.people.owner, line, body)
  const statusOf = async () => fieldsOf(await owner('GET /organizations/acme/issues/SHOP-1/')).status
  const links = async () => rowsOf(await owner(`GET ${LINKS}`))

  before(async () => {
    shop = await openShop()
    call = callerOf(shop)
    const frame = { filename: 'cart.ts', function: 'total', lineno: 7, in_app: true }
    const value = 'mail bo@example.com @everyone'
    const exception = { values: [{ type: 'RangeError', value, stacktrace: { frames: [frame] } }] }
    await send(shop, shop.dsn, anError({ exception }))
  })
  after(() => shop.close())
  afterEach(() => service.hook.close())

  const given = (kind: TrackerKind, change: Readonly<Record<string, unknown>> = {}) => ({
    ...{ kind, name: `Our ${kind} ${service.hook.port}`, values: service.values },
    ...{ resolvesHere: true, closesThere: true },
    ...change,
  })
  const add = async (kind: TrackerKind) => String(fieldsOf(await owner(`POST ${TRACKERS}`, given(kind))).id)

  /** Runs the lane once: everything due is asked. */
  async function ask(): Promise<number> {
    const { call: guarded } = createSendWays({
      ...{
        smtp: null,
        privateTargets: true,
        publicAddress: shop.publicAddress,
        version: '1',
        clock: shop.clock,
      },
    })
    const work = trackerWork({
      outbox: shop.control,
      settle: shop.control.settleTrackerWork,
      clock: shop.clock,
      call: guarded,
      version: '1',
    })
    const only = (await work.waiting()).map(({ receiver }) => receiver)
    const claimed = await work.claim({
      only,
      ...{ nowMs: shop.clock.now(), leaseMs: 60_000, lease: 'lease', limit: 10, triesMax: 3 },
    })
    for (const one of claimed) {
      const { outcome, says } = await work.send(one, new AbortController().signal)
      assert.equal(outcome, 'sent', says)
      await work.settle(one, { state: 'sent', says }, shop.clock.now())
    }
    return claimed.length
  }

  const webhook = (
    tracker: string,
    kind: TrackerKind,
    { secret = SECRET, body: given }: { readonly secret?: string; readonly body?: string } = {},
  ) => {
    const body = given ?? JSON.stringify(webhookOf(kind, service, shop.clock.now()))
    const hex = createHmac('sha256', secret).update(body).digest('hex')
    return call(null, `POST /trackers/${tracker}/webhook/`, body, {
      'x-hub-signature-256': `sha256=${hex}`,
      'x-hub-signature': `sha256=${hex}`,
      'x-forgejo-signature': hex,
      'x-gitlab-token': secret,
      'linear-signature': hex,
    })
  }

  for (const kind of TRACKER_KINDS) {
    it(`create, link, close and resolve with ${kind}, each once`, async () => {
      service = await openService(kind)
      const tracker = await add(kind)
      await owner('PUT /organizations/acme/issues/SHOP-1/', { status: 'unresolved' })
      const made = await owner(`POST ${TRACKERS}${tracker}/issues/`, { issue: 'SHOP-1' })
      assert.equal(made.status, 201, JSON.stringify(made.body))
      const { id, displayName, webUrl, serviceType, state } = fieldsOf(made)
      assert.deepEqual([displayName, webUrl, serviceType, state], [service.ref, service.url, kind, 'open'])
      assert.match(service.issue.title, /RangeError/)
      const created = service.hook.calls.find(
        ({ method, body }) => method === 'POST' && body.includes('cart.ts'),
      )
      assert.ok(created !== undefined, 'the frames are in it')
      for (const fact of ['First seen', 'Events', 'http://localhost:9000/acme/issues/SHOP-1', 'Exception'])
        assert.ok(created.body.includes(fact), fact)
      assert.equal(created.body.includes('# SHOP-1:'), false, 'a heading would mention whom the error names')
      assert.equal((await owner(`POST ${LINKS}`, { url: service.url })).status, 409)

      await owner('PUT /organizations/acme/issues/SHOP-1/', { status: 'resolved' })
      assert.equal(await ask(), 0, 'not at once')
      shop.clock.advance(max('trackerCloseDelayMs'))
      assert.equal(await ask(), 1)
      assert.equal(service.issue.state, 'closed')
      assert.equal((await links()).find((one) => one.id === id)?.state, 'closed')
      const before = service.hook.calls.length
      assert.deepEqual(fieldsOf(await webhook(tracker, kind)), { resolved: 0 })
      shop.clock.advance(max('trackerCloseDelayMs'))
      assert.deepEqual([await ask(), service.hook.calls.length], [0, before], 'its own echo')

      await owner('PUT /organizations/acme/issues/SHOP-1/', { status: 'unresolved' })
      Object.assign(service.issue, { state: 'open', updated: '2026-11-21T13:00:00Z' })
      assert.equal((await webhook(tracker, kind)).status, 200)
      Object.assign(service.issue, { state: 'closed', updated: '2026-11-21T13:10:00Z' })
      const body = JSON.stringify(webhookOf(kind, service, shop.clock.now()))
      assert.equal((await webhook(tracker, kind, { body, secret: 'guessed' })).status, 403)
      assert.equal(await statusOf(), 'unresolved')
      assert.deepEqual(fieldsOf(await webhook(tracker, kind, { body })), { resolved: 1 })
      assert.equal(await statusOf(), 'resolved')
      await owner('PUT /organizations/acme/issues/SHOP-1/', { status: 'unresolved' })
      assert.deepEqual(fieldsOf(await webhook(tracker, kind, { body })), { resolved: 0 }, 'once more')
      assert.equal(await statusOf(), 'unresolved')
      shop.clock.advance(max('trackerCloseDelayMs'))
      assert.equal(await ask(), 0, 'what came from there isn’t closed there again')

      assert.equal((await owner(`DELETE ${LINKS}${id}/`)).status, 204)
      const again = await owner(`POST ${LINKS}`, { url: service.url })
      assert.deepEqual([again.status, fieldsOf(again).state], [201, 'closed'])
      assert.equal((await owner(`DELETE ${TRACKERS}${tracker}/`)).status, 204)
      assert.deepEqual(await links(), [])
    })
  }

  describe('of GitHub', () => {
    beforeEach(async () => {
      service = await openService('github')
    })

    it('show no secret, keep those that are left out, and name each field that broke a rule', async () => {
      const tracker = await add('github')
      const shown = await owner(`GET ${TRACKERS}${tracker}/`)
      assert.equal(JSON.stringify(shown.body).includes(TRACKER_TOKEN), false)
      assert.deepEqual(fieldsOf(shown).secretsSet, ['token', 'secret'])
      const { place, server } = service.values
      const changed = await owner(`PUT ${TRACKERS}${tracker}/`, { name: 'New', values: { place, server } })
      assert.deepEqual(
        [changed.status, fieldsOf(changed).secretsSet, fieldsOf(changed).closesThere],
        [200, ['token', 'secret'], false],
      )
      const broken = async (values: unknown) => {
        const { status, body } = await owner(`POST ${TRACKERS}`, { kind: 'github', name: 'x', values })
        return `${status} ${JSON.stringify(body)}`
      }
      assert.match(await broken({ place: 'acme/shop' }), /^400.*Token is required/)
      assert.match(await broken({ place: '../shop', token: 'x' }), /^400.*Such as acme\/shop/)
      assert.match(await broken({ place: 'acme/shop', token: 'x', server: 'ftp://x' }), /^400.*https or http/)
      assert.match(await broken({ place: 'acme/shop', token: 'x', other: '' }), /^400.*no such field/)
      const long = 'x'.repeat(max('trackerNameCharsMax') + 1)
      assert.equal((await owner(`POST ${TRACKERS}`, given('github', { name: long }))).status, 400)
      const most = 'x'.repeat(max('trackerValueCharsMax') + 1)
      assert.match(await broken({ place: 'acme/shop', token: most }), /^400.*At most/)
    })

    it('send their token to no other server than it was entered for', async () => {
      const tracker = await add('github')
      const { place, server } = service.values
      const moved = { place, server: 'https://git.evil.example' }
      const put = (values: unknown) => owner(`PUT ${TRACKERS}${tracker}/`, { name: 'Moved', values })
      const refused = await put(moved)
      assert.equal(refused.status, 400)
      assert.match(JSON.stringify(refused.body), /"token":\["The address has changed\. Enter this again\."\]/)
      assert.equal((await put({ place })).status, 400)
      assert.equal((await put({ place, server: `${server}/` })).status, 200)
      const entered = await put({ ...moved, token: 'another' })
      assert.deepEqual([entered.status, fieldsOf(entered).secretsSet], [200, ['token', 'secret']])
    })

    it('are set up by owners and managers; whoever may resolve creates and links', async () => {
      const tracker = await add('github')
      const as = (person: 'member' | 'viewer' | 'rival', line: string, body?: unknown) =>
        call(shop.people[person], line, body)
      assert.equal((await as('member', `POST ${TRACKERS}`, given('github'))).status, 403)
      assert.equal((await as('viewer', `POST ${LINKS}`, { url: service.url })).status, 403)
      assert.equal((await as('rival', `GET ${TRACKERS}${tracker}/`)).status, 404)
      assert.equal(
        (await as('member', `POST ${TRACKERS}${tracker}/issues/`, { issue: 'SHOP-1' })).status,
        201,
      )
      assert.equal((await as('viewer', `GET ${LINKS}`)).status, 200)
      assert.equal((await as('viewer', `GET ${TRACKERS}${tracker}/log/`)).status, 200)
      await owner(`DELETE ${TRACKERS}${tracker}/`)
    })

    it('say what the service said, and link nothing then', async () => {
      const tracker = await add('github')
      service.failWith = 422
      const refused = await owner(`POST ${TRACKERS}${tracker}/issues/`, { issue: 'SHOP-1' })
      assert.equal(refused.status, 409)
      assert.match(JSON.stringify(refused.body), /GitHub: Answered 422/)
      service.failWith = null
      const elsewhere = await owner(`POST ${LINKS}`, { url: 'https://example.com/acme/shop/issues/1' })
      assert.deepEqual([elsewhere.status, service.hook.calls.length], [400, 1], 'nothing else is called')
      const missing = await owner(`POST ${LINKS}`, { url: service.url.replace(/12$/, '13') })
      assert.match(JSON.stringify(missing.body), /no such issue/)
      const place = { issue: 'SHOP-1', place: 'acme/../x' }
      assert.equal((await owner(`POST ${TRACKERS}${tracker}/issues/`, place)).status, 400)
      for (const place of ['acme/secret', 'ACME/Secret']) {
        const made = await owner(`POST ${TRACKERS}${tracker}/issues/`, { issue: 'SHOP-1', place })
        assert.match(JSON.stringify(made.body), /isn’t set up for it/)
        const url = service.url.replace('acme/shop', place)
        assert.equal((await owner(`POST ${LINKS}`, { url })).status, 400)
      }
      assert.deepEqual(await links(), [])
      await owner(`DELETE ${TRACKERS}${tracker}/`)
    })

    it('are asked again when somebody looks after some minutes', async () => {
      const tracker = await add('github')
      await owner(`POST ${TRACKERS}${tracker}/issues/`, { issue: 'SHOP-1' })
      await links()
      assert.equal(await ask(), 0)
      service.issue.title = 'A better title'
      shop.clock.advance(max('trackerRefreshMs'))
      assert.match(String((await links())[0]?.title), /RangeError/, 'nobody waits for it')
      assert.equal(await ask(), 1)
      assert.equal((await links())[0]?.title, 'A better title')
      await owner(`DELETE ${TRACKERS}${tracker}/`)
    })

    it('take no webhook without a secret, and none of a tracker that is not there', async () => {
      const { secret: _, ...values } = service.values
      const made = fieldsOf(await owner(`POST ${TRACKERS}`, given('github', { values })))
      assert.equal((await webhook(String(made.id), 'github', { secret: '' })).status, 403)
      assert.equal((await webhook('999', 'github')).status, 403)
      assert.equal((await webhook('x', 'github')).status, 403)
      await owner(`DELETE ${TRACKERS}${String(made.id)}/`)
    })

    it('are asked so often in a minute', async () => {
      const tracker = await add('github')
      service.failWith = 500
      shop.clock.advance(max('trackerCallWindowMs'))
      const once = () => owner(`POST ${TRACKERS}${tracker}/issues/`, { issue: 'SHOP-1' })
      for (let index = 0; index < max('trackerCallsPerMinute'); index++)
        assert.equal((await once()).status, 409)
      assert.equal((await once()).status, 429)
      await owner(`DELETE ${TRACKERS}${tracker}/`)
    })
  })
})
