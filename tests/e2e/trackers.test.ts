/** Issue trackers in the built product: set up in a browser, asked by the running server, told by a signed webhook. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import {
  openService,
  SECRET,
  type Service,
  TRACKER_TOKEN,
  webhookOf,
} from '../../packages/server/testing/trackers/service.ts'
import { launchBrowser } from '../support/browser.ts'
import { type Person, signIn } from '../support/person.ts'
import { openScreen, openUntil, type Screen } from '../support/screen.ts'
import { anEvent, send } from '../support/send.ts'
import { OWNER, type RunningErrata, type SetUp, startShop } from '../support/start-errata.ts'
import { waitFor } from '../support/wait-for.ts'

const TRACKERS = '/shop/settings/trackers'
const ISSUE = '/shop/issues/WEB-1'

describe('issue trackers', { timeout: 900_000 }, () => {
  let service: Service
  let running: RunningErrata & { readonly shop: SetUp }
  let browser: Browser
  let rosa: Person
  let screen: Screen

  before(async () => {
    service = await openService('github')
    running = await startShop({ args: ['--webhook-private-targets', 'allow'] })
    await send(running.shop.dsn, anEvent({ type: 'RangeError', message: 'the cart is empty' }))
    browser = await launchBrowser()
    rosa = await signIn(running.url, OWNER)
    screen = await openScreen(browser, running.url, { cookie: rosa.cookie })
    await waitFor('the issue', async () => ((await rosa.pageData(ISSUE)).status === 200 ? true : null))
  })
  after(async () => {
    await browser?.close()
    await running?.[Symbol.asyncDispose]()
    await service?.hook.close()
  })

  it('are set up by the form of their kind, and never show a secret again', async () => {
    const { page } = screen
    await screen.open(ISSUE)
    await page.getByRole('link', { name: 'Set up GitHub' }).click()
    await page.getByRole('link', { name: 'GitHub Issues of a repository' }).click()
    await page.getByLabel('Name').fill('Shop backlog')
    await page.getByLabel('Server').fill(service.values.server ?? '')
    await page.getByLabel('Repository').fill('acme/shop')
    await page.getByLabel('Token').fill(TRACKER_TOKEN)
    await page.getByLabel('Webhook secret').fill(SECRET)
    await page.getByRole('button', { name: 'Add issue tracker' }).click()
    await page.getByRole('heading', { name: 'Shop backlog' }).waitFor()
    await page.getByText(/\/api\/0\/trackers\/1\/webhook\//).waitFor()
    await page.reload()
    const html = await page.content()
    assert.ok(!html.includes(TRACKER_TOKEN) && !html.includes(SECRET))
    await screen.open(TRACKERS)
    await page.getByRole('cell', { name: 'both ways' }).waitFor()
    screen.assertQuiet()
  })

  it('get an issue with what is known of it, and are linked', async () => {
    const { page } = screen
    await screen.open(ISSUE)
    await page.getByRole('button', { name: 'Create issue…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Create issue' }).click()
    const linked = page.getByRole('list', { name: 'Linked issues' })
    await linked.getByRole('link', { name: 'acme/shop#12' }).waitFor()
    await linked.getByText('open', { exact: true }).waitFor()
    assert.match(service.issue.title, /RangeError: the cart is empty/)
    await page.getByText('created acme/shop#12').waitFor()
    screen.assertQuiet()
  })

  it('close what is resolved here, and resolve here what is closed there', async () => {
    const { page } = screen
    const act = (change: string) => rosa.act('issue.change', ISSUE, { refs: ['WEB-1'], change })
    await act('resolve')
    await waitFor(
      'the call that closes',
      async () => (service.issue.state === 'closed' ? true : null),
      90_000,
    )
    // The tracker has it before it is written down that it answered.
    await openUntil(screen, `${TRACKERS}/1`, page.getByText('Done: Closed.'))

    await act('unresolve')
    const tell = (state: 'open' | 'closed', updated: string) => {
      Object.assign(service.issue, { state, updated })
      const body = JSON.stringify(webhookOf('github', service, Date.now()))
      const signature = createHmac('sha256', SECRET).update(body).digest('hex')
      const headers = { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${signature}` }
      return fetch(`${running.url}/api/0/trackers/1/webhook/`, { method: 'POST', headers, body })
    }
    assert.equal((await tell('open', '2099-01-01T00:00:00Z')).status, 200)
    assert.deepEqual(await (await tell('closed', '2099-01-01T00:01:00Z')).json(), { resolved: 1 })
    await screen.open(`${ISSUE}/activity`)
    await page.getByText('GitHub acme/shop#12 resolved it').waitFor()
    screen.assertQuiet()
  })

  it('are unlinked, and linked again by an address', async () => {
    const { page } = screen
    await screen.open(ISSUE)
    await page.getByRole('button', { name: 'Unlink acme/shop#12' }).click()
    await page.getByRole('list', { name: 'Linked issues' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Link issue…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Issue URL').fill('https://example.com/elsewhere/1')
    await dialog.getByRole('button', { name: 'Link issue' }).click()
    await dialog.getByText('No issue tracker that is set up here').waitFor()
    await dialog.getByLabel('Issue URL').fill(service.url)
    await dialog.getByRole('button', { name: 'Link issue' }).click()
    await page.getByRole('list', { name: 'Linked issues' }).getByText('closed', { exact: true }).waitFor()
    screen.assertQuiet(/status of 400/)
  })
})
