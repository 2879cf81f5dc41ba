/**
 * Sets a project's filters over the web API and sends what SDKs send: it is counted under the rule's name.
 */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { capturedPayloads, eventIdOf } from '../support/captured.ts'
import { type Person, signIn } from '../support/person.ts'
import { anEvent, send } from '../support/send.ts'
import { OWNER, type RunningErrata, type SetUp, startShop } from '../support/start-errata.ts'
import { waitFor } from '../support/wait-for.ts'

const GOOGLE = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'

describe('inbound filters', () => {
  let running: RunningErrata & { readonly shop: SetUp }
  let rosa: Person
  before(async () => {
    running = await startShop()
    rosa = await signIn(running.url, OWNER)
  })
  after(() => running?.[Symbol.asyncDispose]())

  const api = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(`${running.url}/api/0${path}`, {
      ...init,
      headers: { authorization: `Bearer ${running.shop.token}`, 'content-type': 'application/json' },
    })
    assert.ok(answer.ok, `${path}: ${answer.status}`)
    return answer.json()
  }
  const reasons = async (): Promise<Record<string, number>> => {
    const query = 'field=sum(quantity)&groupBy=outcome&groupBy=reason&statsPeriod=1h'
    const { groups } = await api(`/organizations/shop/stats_v2/?${query}`)
    const counts: Record<string, number> = {}
    for (const { by, totals } of groups) {
      if (by.outcome === 'filtered') counts[by.reason] = totals['sum(quantity)']
    }
    return counts
  }

  it('drop what real SDKs send, with 200, and count it', async () => {
    const filters = { localhost: true, crawlers: true, releases: ['warehouse@*'] }
    const body = JSON.stringify({ options: { filters, allowedDomains: ['shop.example'] } })
    await api('/projects/shop/web/', { method: 'PUT', body })
    const { host, username, pathname } = new URL(running.shop.dsn)
    const address = `http://${host}/api${pathname}/envelope/?sentry_key=${username}`
    const post = async (envelope: string, headers: Record<string, string> = {}) =>
      (await fetch(address, { method: 'POST', body: envelope, headers })).status
    const local = capturedPayloads().filter(({ name }) => name.startsWith('next11-'))
    const declined = capturedPayloads().find(({ name }) => name === 'python-01')
    assert.ok(declined !== undefined && local.length > 0)
    for (const { envelope } of [...local, declined]) assert.equal(await post(envelope), 200)
    const crawled = '{}\n{"type":"event"}\n{"platform":"javascript","message":"hi"}'
    assert.equal(await post(crawled, { 'user-agent': GOOGLE, origin: 'https://shop.example' }), 200)
    assert.equal(await post(crawled, { origin: 'https://evil.example' }), 403)
    const kept = await send(running.shop.dsn, anEvent({ type: 'KeptError', message: 'stays' }))
    await waitFor('the event that stays', async () => {
      const found = await fetch(`${running.url}/api/0/projects/shop/web/events/${kept}/`, {
        headers: { authorization: `Bearer ${running.shop.token}` },
      })
      return found.status === 200
    })
    await waitFor('every drop', async () => (await reasons()).cors === 1)
    assert.deepEqual(await reasons(), {
      localhost: local.length,
      'release-version': 1,
      'web-crawlers': 1,
      cors: 1,
    })
    const gone = await fetch(`${running.url}/api/0/projects/shop/web/events/${eventIdOf(declined)}/`, {
      headers: { authorization: `Bearer ${running.shop.token}` },
    })
    assert.equal(gone.status, 404)
  })

  it('stand in the settings with what each dropped', async () => {
    const data = await rosa.pageData('/shop/projects/web/settings/filters')
    assert.match(await data.text(), /"web-crawlers":1/)
    const input = {
      browserExtensions: 'on',
      localhost: '',
      crawlers: '',
      controlFlow: 'on',
      aborted: '',
      releases: 'shop@0.*',
      messages: '',
      addresses: '10.0.0.0/99',
    }
    const refused = await rosa.act('project.filters', '/shop/projects/web/settings/filters', input)
    assert.match(await refused.text(), /“10\.0\.0\.0\/99”: /)
    await rosa.act('project.filters', '/shop/projects/web/settings/filters', { ...input, addresses: '' })
    const { options } = await api('/projects/shop/web/')
    assert.deepEqual(options.filters, {
      ...{ browserExtensions: true, localhost: false, crawlers: false, controlFlow: true, aborted: false },
      ...{ releases: ['shop@0.*'], messages: [], addresses: [] },
    })
  })
})
