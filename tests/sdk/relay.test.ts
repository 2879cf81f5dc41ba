/** The relay in apps of real frameworks: what any client sees, and a browser's SDK through them into Errata. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { anEnvelope, Monitor } from '../../packages/relay/testing/monitor.ts'
import { type ApiEvent, apiGet, issues } from '../support/api.ts'
import { launchBrowser } from '../support/browser.ts'
import { RELAY_APPS } from '../support/relay-apps.ts'
import { sdkPage, throwOnPage } from '../support/sdk-page.ts'
import { type RunningErrata, type SetUp, serve, startShop } from '../support/start-errata.ts'
import { waitFor } from '../support/wait-for.ts'

const PATH = '/monitoring?o=shop&p=web'
const TRACED_APP = fileURLToPath(new URL('./senders/relay-app.mjs', import.meta.url))

for (const [name, start] of Object.entries(RELAY_APPS)) {
  describe(`the relay on ${name}`, () => {
    it('passes envelopes on, of any content type, and says where they come from', async () => {
      await using monitor = await new Monitor().start()
      await using app = await start('', { dsn: monitor.dsn })
      for (const type of [
        'text/plain;charset=UTF-8',
        'application/x-sentry-envelope',
        'application/json',
        null,
      ]) {
        const answer = await fetch(app.url + PATH, {
          method: 'POST',
          headers: { cookie: 'session=1', ...(type === null ? {} : { 'content-type': type }) },
          body: new TextEncoder().encode(anEnvelope(monitor.dsn, '\u0000ü')),
        })
        assert.deepEqual([answer.status, await answer.text()], [200, '{"id":"1"}'], String(type))
      }
      assert.equal(monitor.taken.length, 4)
      for (const { body, headers } of monitor.taken) {
        assert.equal(body.toString(), anEnvelope(monitor.dsn, '\u0000ü'))
        assert.equal(headers['x-forwarded-for'], '127.0.0.1')
        assert.equal(headers.cookie, undefined)
      }
    })

    it('takes large envelopes, and refuses those over its limit', async () => {
      await using monitor = await new Monitor().start()
      await using app = await start('', { dsn: monitor.dsn, bodyBytesMax: 4_000_000 })
      const send = (size: number) =>
        fetch(app.url + PATH, { method: 'POST', body: anEnvelope(monitor.dsn) + 'x'.repeat(size) })
      assert.equal((await send(3_000_000)).status, 200)
      assert.equal(monitor.taken[0]?.body.length, anEnvelope(monitor.dsn).length + 3_000_000)
      assert.equal((await send(4_000_001)).status, 413)
      assert.equal(monitor.taken.length, 1)
    })

    it('hands out Errata’s limits, refuses other DSNs and preflights, and leaves the app its own routes', async () => {
      await using monitor = await new Monitor().start()
      await using app = await start('<p>shop</p>', { dsn: monitor.dsn })
      monitor.answer = { status: 429, headers: { 'x-sentry-rate-limits': '60::key', 'retry-after': '60' } }
      const limited = await fetch(app.url + PATH, { method: 'POST', body: anEnvelope(monitor.dsn) })
      assert.deepEqual([limited.status, limited.headers.get('x-sentry-rate-limits')], [429, '60::key'])
      const other = await fetch(app.url + PATH, {
        method: 'POST',
        body: anEnvelope('http://k@127.0.0.1:1/1'),
      })
      assert.equal(other.status, 403)
      const preflight = await fetch(app.url + PATH, {
        method: 'OPTIONS',
        headers: { origin: 'https://evil.example' },
      })
      assert.equal(preflight.headers.get('access-control-allow-origin'), null)
      assert.equal(await (await fetch(app.url)).text(), '<p>shop</p>')
      const echo = await fetch(`${app.url}/echo`, {
        method: 'POST',
        headers: { 'content-type': 'text/plain' },
        body: 'own',
      })
      assert.equal(await echo.text(), 'own')
    })

    it('goes on after clients that break off', async () => {
      await using monitor = await new Monitor().start()
      await using app = await start('', { dsn: monitor.dsn })
      const { hostname, port } = new URL(app.url)
      for (const sent of [
        '',
        `${JSON.stringify({ dsn: monitor.dsn })}\n`,
        `${anEnvelope(monitor.dsn)}${'x'.repeat(400_000)}`,
      ]) {
        const socket = connect(Number(port), hostname)
        await once(socket, 'connect')
        socket.write(`POST ${PATH} HTTP/1.1\r\nhost: shop\r\ncontent-length: 500000\r\n\r\n${sent}`)
        socket.end()
        socket.resume()
        await once(socket, 'close')
      }
      const answer = await fetch(app.url + PATH, { method: 'POST', body: anEnvelope(monitor.dsn) })
      assert.equal(answer.status, 200)
    })
  })
}

for (const sdk of ['@sentry/node', 'sentry-node-8']) {
  describe(`the relay of an app that traces with ${sdk}`, () => {
    it('is no part of its traces', async () => {
      await using monitor = await new Monitor().start()
      const app = spawn(process.execPath, [...process.execArgv, TRACED_APP, sdk, monitor.dsn], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      try {
        const [line] = await once(app.stdout, 'data')
        const url = String(line).trim()
        await (await fetch(url)).text()
        await (await fetch(url + PATH, { method: 'POST', body: anEnvelope(monitor.dsn) })).text()
        const own = monitor.taken.find((request) => request.url === '/own')
        const relayed = monitor.taken.find(({ body }) => body.toString() === anEnvelope(monitor.dsn))
        assert.ok(own?.headers['sentry-trace'] !== undefined && own.headers.baggage !== undefined)
        assert.ok(relayed !== undefined)
        for (const name of ['sentry-trace', 'baggage', 'traceparent']) {
          assert.equal(relayed.headers[name], undefined, name)
        }
      } finally {
        app.kill()
      }
    })
  })
}

describe('the relay behind a proxy of the app', () => {
  it('takes the client from as many hops as it is told', async () => {
    await using monitor = await new Monitor().start()
    for (const start of Object.values(RELAY_APPS)) {
      await using app = await start('', { dsn: monitor.dsn, trustedHops: 1 })
      const headers = { 'x-forwarded-for': '6.6.6.6, 198.51.100.4' }
      await fetch(app.url + PATH, { method: 'POST', headers, body: anEnvelope(monitor.dsn) })
    }
    assert.deepEqual(
      monitor.taken.map(({ headers }) => headers['x-forwarded-for']),
      Object.keys(RELAY_APPS).map(() => '198.51.100.4'),
    )
  })
})

describe('a browser’s SDK through an app’s relay', () => {
  let running: RunningErrata & { readonly shop: SetUp }
  let browser: Browser
  let html: string
  before(async () => {
    running = await startShop({ args: ['--trusted-proxies', '127.0.0.1'] })
    browser = await launchBrowser()
    html = await sdkPage()
  })
  after(async () => {
    await browser?.close()
    await running?.[Symbol.asyncDispose]()
  })

  for (const [name, start] of Object.entries(RELAY_APPS)) {
    for (const tunnel of [PATH, true] as const) {
      it(`reports with \`tunnel: ${tunnel}\` on ${name}, with the client’s address`, async () => {
        await using app = await start(html, { dsn: running.shop.dsn, trustedHops: 1 })
        const page = await browser.newPage({ extraHTTPHeaders: { 'x-forwarded-for': '198.51.100.4' } })
        await page.goto(app.url)
        const message = `through ${name.replace(':', ' ')} ${tunnel === true ? 'derived' : 'named'}`
        await throwOnPage(
          page,
          { dsn: running.shop.dsn, tunnel, dataCollection: { userInfo: true } },
          message,
        )
        const issue = await waitFor('the issue', async () => (await issues(running.shop, `"${message}"`))[0])
        const { user } = await apiGet<ApiEvent & { readonly user: { readonly ip_address: string } }>(
          running.shop,
          `/organizations/shop/issues/${issue.id}/events/latest/`,
        )
        assert.equal(user.ip_address, '198.51.100.4')
        await page.close()
      })
    }
  }
})

describe('Errata that is restarted', () => {
  it('has afterwards what browsers sent meanwhile', async () => {
    const first = await startShop()
    const { shop, data, port } = first
    await using app = await RELAY_APPS.express(await sdkPage(), { dsn: shop.dsn })
    await using browser = await launchBrowser()
    await first.stop()
    const page = await browser.newPage()
    await page.goto(app.url)
    const answered = page.waitForResponse((response) => response.url().includes('/monitoring'))
    await throwOnPage(page, { dsn: shop.dsn, tunnel: PATH }, 'during the restart')
    assert.equal((await answered).status(), 202)
    await using again = await serve({ data, port })
    const [issue] = await waitFor(
      'the issue',
      async () => {
        const found = await issues({ ...shop, url: again.url }, '"during the restart"')
        return found.length > 0 ? found : null
      },
      60_000,
    )
    assert.equal(issue?.title, 'RangeError: during the restart')
  })
})
