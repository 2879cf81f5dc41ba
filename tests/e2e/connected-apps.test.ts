/** An app asks to be connected, in a real browser: sign in, allow, go back to the app; and how it is disconnected. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { launchBrowser } from '../support/browser.ts'
import { openScreen, textOf } from '../support/screen.ts'
import { OWNER, type RunningErrata, type SetUp, startShop } from '../support/start-errata.ts'

const VERIFIER = 'v'.repeat(43)

describe('connected apps', { timeout: 900_000 }, () => {
  let running: RunningErrata & { readonly shop: SetUp }
  let browser: Browser
  /** Requests the app received, oldest first. */
  const told: URL[] = []
  const app = createServer((request, response) => {
    if (request.url?.startsWith('/callback') === true) told.push(new URL(request.url, 'http://app.test'))
    response.setHeader('content-type', 'text/html').end('<p>Back in the app</p>')
  })
  let callback: string

  before(async () => {
    running = await startShop()
    browser = await launchBrowser()
    app.listen(0, '127.0.0.1')
    await once(app, 'listening')
    const address = app.address()
    assert.ok(typeof address === 'object' && address !== null)
    callback = `http://127.0.0.1:${address.port}/callback`
  })
  after(async () => {
    await browser?.close()
    app.close()
    await running?.[Symbol.asyncDispose]()
  })

  async function asking(): Promise<{ readonly client: string; readonly path: string }> {
    const metadata = { client_name: 'Test agent', redirect_uris: [callback] }
    const init = { method: 'POST', body: JSON.stringify(metadata) }
    const made: unknown = await (await fetch(`${running.url}/oauth/register`, init)).json()
    assert.ok(typeof made === 'object' && made !== null && 'client_id' in made)
    const client = String(made.client_id)
    const query = new URLSearchParams({
      ...{ response_type: 'code', client_id: client, redirect_uri: callback, state: 's1' },
      ...{ code_challenge: createHash('sha256').update(VERIFIER).digest('base64url') },
      ...{ code_challenge_method: 'S256', scope: 'event:read event:write' },
    })
    return { client, path: `/oauth/authorize?${query}` }
  }

  async function exchange(client: string, code: string): Promise<Response> {
    const given = { grant_type: 'authorization_code', client_id: client, code, redirect_uri: callback }
    const body = new URLSearchParams({ ...given, code_verifier: VERIFIER })
    return fetch(`${running.url}/oauth/token`, { method: 'POST', body })
  }

  it('asks a person, who signs in first, allows changes, and is back in the app', async () => {
    const screen = await openScreen(browser, running.url)
    const { page } = screen
    const { client, path } = await asking()
    await screen.open(path)
    await page.getByLabel('Email').fill(OWNER.email)
    await page.getByLabel('Password', { exact: true }).fill(OWNER.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('heading', { name: 'Connect “Test agent”?' }).waitFor()
    assert.match(await textOf(page.locator('main, body').first()), new RegExp(new URL(callback).host))
    assert.equal(await page.getByRole('checkbox', { name: /^Allow changes/ }).isChecked(), false)
    await page.getByRole('checkbox', { name: /^Allow changes/ }).check()
    screen.assertQuiet()
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.getByText('Back in the app').waitFor()
    const [answer] = told
    assert.deepEqual(
      [answer?.searchParams.get('state'), answer?.searchParams.get('iss')],
      ['s1', running.url],
    )
    const tokens: unknown = await (await exchange(client, answer?.searchParams.get('code') ?? '')).json()
    assert.ok(typeof tokens === 'object' && tokens !== null && 'scope' in tokens)
    assert.match(String(tokens.scope), /event:write/)

    await screen.open('/account/apps')
    const row = page.getByRole('row', { name: /Test agent/ })
    assert.match(await textOf(row), /read and change/)
    await row.getByRole('button', { name: 'Disconnect Test agent' }).click()
    await page.getByText('No connected apps').waitFor()
    screen.assertQuiet(/favicon/)
    await screen.close()
  })

  it('takes a person who refuses back to the app, without a code', async () => {
    const screen = await openScreen(browser, running.url)
    const { page } = screen
    const { path } = await asking()
    await screen.open(`/sign-in?next=${encodeURIComponent(path)}`)
    await page.getByLabel('Email').fill(OWNER.email)
    await page.getByLabel('Password', { exact: true }).fill(OWNER.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('link', { name: 'Cancel' }).click()
    await page.getByText('Back in the app').waitFor()
    const answer = told.at(-1)
    assert.deepEqual(
      [answer?.searchParams.get('error'), answer?.searchParams.get('code')],
      ['access_denied', null],
    )
    await screen.close()
  })
})
