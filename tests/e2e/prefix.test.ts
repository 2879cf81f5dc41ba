/** Errata below a path of somebody else's host, behind a proxy that passes the path on or takes it off. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { issues } from '../support/api.ts'
import { launchBrowser } from '../support/browser.ts'
import { type PrefixProxy, startPrefixProxy } from '../support/prefix-proxy.ts'
import { actionAnswered, hydrated, openScreen } from '../support/screen.ts'
import { anEvent, send } from '../support/send.ts'
import {
  keyIsKnown,
  newDataDirectory,
  OWNER,
  type RunningErrata,
  type SetUp,
  serve,
  setUp,
} from '../support/start-errata.ts'
import { waitFor } from '../support/wait-for.ts'

const PREFIX = '/errata'
const PAGES_MAX = 60

for (const path of ['keeps', 'removes'] as const) {
  describe(`below a path, behind a proxy that ${path} it`, { timeout: 900_000 }, () => {
    let proxy: PrefixProxy
    let running: RunningErrata
    let shop: SetUp
    let browser: Browser
    before(async () => {
      let port = 0
      proxy = await startPrefixProxy({ prefix: PREFIX, path, port: () => port })
      const [data, url] = [await newDataDirectory(), `${proxy.origin}${PREFIX}`]
      running = await serve({ data, args: ['--url', url, '--trusted-proxies', '127.0.0.1'] })
      port = running.port
      shop = await setUp(data, url)
      await keyIsKnown(url, shop.dsn.replace(PREFIX, ''))
      const dsn = new URL(shop.dsn)
      assert.match(dsn.pathname, /^\/errata\/\d+$/)
      for (const message of ['one', 'two']) {
        await send(`${running.url.replace('//', `//${dsn.username}@`)}${dsn.pathname.slice(PREFIX.length)}`, {
          ...anEvent({ type: `${message}Error`, message }),
        })
      }
      await waitFor('the issues', async () => (await issues(shop)).length === 2)
      browser = await launchBrowser()
    })
    after(async () => {
      await browser?.close()
      await running?.[Symbol.asyncDispose]()
      await proxy?.[Symbol.asyncDispose]()
    })

    it('signs in, filters, follows links and posts forms in a browser', async () => {
      const { page, assertQuiet, close } = await openScreen(browser, proxy.origin)
      await page.goto(`${PREFIX}/`)
      await page.waitForURL(`**${PREFIX}/sign-in`)
      await hydrated(page)
      await page.getByLabel('Email').fill(OWNER.email)
      await page.getByLabel('Password').fill(OWNER.password)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.waitForURL(`**${PREFIX}/shop`)
      await page
        .getByRole('link', { name: /oneError/ })
        .first()
        .click()
      await page.waitForURL(/\/errata\/shop\/issues\/WEB-\d/)
      await page.getByRole('heading', { name: /oneError/, level: 1 }).waitFor()
      await page.goBack()
      await page.waitForURL(`**${PREFIX}/shop`)
      for (const name of ['Traces', 'Performance', 'Outcomes', 'Releases']) {
        await page.getByRole('navigation', { name: 'Places' }).getByRole('link', { name }).click()
        await page.waitForURL(`**${PREFIX}/shop/${name.toLowerCase()}`)
        await page.getByRole('heading', { name, level: 1 }).waitFor({ state: 'attached' })
      }
      await page.reload()
      await page.waitForURL(`**${PREFIX}/shop/releases`)
      await hydrated(page)
      await page.keyboard.press('Control+k')
      const field = page.getByRole('dialog', { name: 'Go to' }).getByRole('combobox')
      // Whatever else that host serves is no page of ours.
      for (const [at, offered] of [
        [`${PREFIX}/shop/releases`, 1],
        ['/shop/releases', 0],
      ] as const) {
        const answered = page.waitForResponse((one) => one.url().includes(encodeURIComponent(at)))
        await field.fill(`${proxy.origin}${at}`)
        await (await answered).finished()
        await page.getByRole('option', { name: 'Open /shop/releases' }).waitFor({
          state: offered === 1 ? 'visible' : 'detached',
        })
      }
      await field.fill('twoError')
      await page.getByRole('option', { name: /twoError: two/ }).click()
      await page.waitForURL(/\/errata\/shop\/issues\/WEB-\d/)
      await page.goto(`${PREFIX}/account`)
      await hydrated(page)
      await page.getByLabel('Name').fill('Rosa')
      const answered = actionAnswered(page)
      await page.getByRole('button', { name: 'Save' }).first().click()
      assert.equal((await answered).status(), 200)
      await page.reload()
      assert.equal(await page.getByLabel('Name').inputValue(), 'Rosa')
      assertQuiet()
      assert.deepEqual(proxy.astray, [])
      await close()
    })

    it('leads nowhere else, whatever page is read and without script', async () => {
      const cookie = await signInByForm(proxy.origin)
      const seen = new Set<string>()
      const open = [`${PREFIX}/shop/issues`, `${PREFIX}/nothing/of/the/kind`]
      for (let at = open.shift(); at !== undefined && seen.size < PAGES_MAX; at = open.shift()) {
        if (seen.has(at)) continue
        seen.add(at)
        const answer = await fetch(`${proxy.origin}${at}`, {
          redirect: 'manual',
          headers: { cookie, accept: 'text/html' },
        })
        const to = answer.headers.get('location')
        if (to !== null) assert.match(to, /^\/errata(?:\/|$)/, `${at} leads to ${to}`)
        assert.ok(answer.status < 500, `${at}: ${answer.status}`)
        const html = (await answer.text()).replace(/<script[^>]*application\/json[\s\S]*?<\/script>/, '')
        for (const [, address = ''] of html.matchAll(/ (?:href|src|action|formaction)="([^"]*)"/gi)) {
          if (!address.startsWith('/')) continue
          const local = address.replaceAll('&amp;', '&')
          assert.ok(local.startsWith(`${PREFIX}/`), `${at} names ${local}`)
          if (!/sign-out|\/export|\.csv/.test(local) && local.split('/').length < 9)
            open.push(local.split('#')[0] ?? '')
        }
      }
      assert.ok(seen.size >= PAGES_MAX / 2, `${seen.size} pages`)
      assert.deepEqual(proxy.astray, [])
    })

    it('gives tools and SDKs whole addresses', async () => {
      const headers = { authorization: `Bearer ${shop.token}` }
      const list = await fetch(`${shop.url}/api/0/organizations/shop/issues/?limit=1`, { headers })
      assert.match(list.headers.get('link') ?? '', new RegExp(`^<${shop.url}/api/0/`))
      const [issue] = (await list.json()) as { permalink: string }[]
      assert.match(issue?.permalink ?? '', new RegExp(`^${shop.url}/shop/issues/`))
      const dsn = new URL(shop.dsn)
      const at = dsn.pathname.replace(/\/(\d+)$/, '/api/$1/envelope/')
      const sent = await fetch(`${dsn.origin}${at}?sentry_key=${dsn.username}`, {
        method: 'POST',
        body: '{}',
      })
      assert.equal(sent.status, 200)
      assert.equal((await fetch(`${shop.url}/health`)).status, 200)
    })

    it('leads from the former slug of a project to that of today', async () => {
      const at = `${shop.url}/api/0/projects/shop`
      const init = {
        headers: { authorization: `Bearer ${shop.token}`, 'content-type': 'application/json' },
      }
      const body = JSON.stringify({ slug: 'front' })
      assert.equal((await fetch(`${at}/web/`, { ...init, method: 'PUT', body })).status, 200)
      const moved = await fetch(`${at}/web/issues/?query=one`, { ...init, redirect: 'manual' })
      assert.equal(moved.status, 302)
      assert.equal(moved.headers.get('location'), `${PREFIX}/api/0/projects/shop/front/issues/?query=one`)
      assert.equal((await fetch(`${at}/web/issues/?query=one`, init)).status, 200)
    })
  })
}

async function signInByForm(origin: string): Promise<string> {
  const answer = await fetch(`${origin}${PREFIX}/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin, 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams({ 'errata-action': 'auth.sign-in', ...OWNER }),
  })
  assert.equal(answer.status, 303)
  assert.match(answer.headers.get('location') ?? '', /^\/errata\//)
  return (answer.headers.getSetCookie()[0] ?? '').split(';')[0] ?? ''
}
