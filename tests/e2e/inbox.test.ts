/** The inbox of the built product, without a mail server: what concerns a person reaches them, and is read once. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { apiPost, issues } from '../support/api.ts'
import { launchBrowser } from '../support/browser.ts'
import { signIn } from '../support/person.ts'
import { openScreen, pressAtOnce, type Screen } from '../support/screen.ts'
import { anEvent, send } from '../support/send.ts'
import { OWNER, type RunningErrata, type SetUp, startShop } from '../support/start-errata.ts'
import { waitFor } from '../support/wait-for.ts'

describe('the inbox', { timeout: 900_000 }, () => {
  let running: RunningErrata & { readonly shop: SetUp }
  let browser: Browser
  let screen: Screen
  let cookie: string | null = null
  before(async () => {
    running = await startShop()
    await send(running.shop.dsn, anEvent({ message: 'the till is stuck' }))
    const [issue] = await waitFor('the issue', async () => {
      const found = await issues(running.shop, 'till')
      return found.length > 0 ? found : null
    })
    for (const text of [`@${OWNER.email} can you look?`, `@${OWNER.email} it is <b>urgent</b>`])
      await apiPost(running.shop, `/organizations/shop/issues/${issue?.id}/comments/`, { text })
    browser = await launchBrowser()
    cookie = (await signIn(running.url, OWNER)).cookie
    screen = await openScreen(browser, running.url, { cookie })
  })
  after(async () => {
    await browser?.close()
    await running?.[Symbol.asyncDispose]()
  })

  const count = () => screen.page.locator('.rail-foot .person-unread')

  it('counts what is unread beside the person’s name, and is a key away', async () => {
    const { page } = screen
    await screen.open('/shop')
    assert.equal(await count().textContent(), '2')
    await pressAtOnce(page, 'g', 'm')
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    const rows = page.locator('main li').filter({ hasText: 'mentioned you' })
    assert.equal(await rows.count(), 2)
    assert.match((await rows.first().textContent()) ?? '', /it is <b>urgent<\/b>/)
    // And whole at the initials, where the rail has room for nothing else.
    await page.setViewportSize({ width: 1200, height: 900 })
    const [rail, initials, badge] = await Promise.all(
      ['.rail', '.rail-foot .person', '.rail-foot .person-unread'].map((part) =>
        page.locator(part).boundingBox(),
      ),
    )
    assert.ok(rail && initials && badge)
    assert.equal(rail.width, 48)
    for (const { x, width } of [initials, badge]) assert.ok(x >= rail.x && x + width <= rail.x + rail.width)
    await page.setViewportSize({ width: 1440, height: 900 })
    screen.assertQuiet()
  })

  it('reads an entry by opening it', async () => {
    const { page } = screen
    await page
      .getByRole('link', { name: /mentioned you/ })
      .first()
      .click()
    await page.waitForURL('**/activity')
    await waitFor('the count', async () => (await count().textContent()) === '1')
    await screen.open('/inbox')
    assert.equal(await page.getByRole('link', { name: /mentioned you/ }).count(), 1)
    await screen.open('/inbox?show=all')
    assert.equal(await page.getByRole('link', { name: /mentioned you/ }).count(), 2)
    screen.assertQuiet()
  })

  it('marks one unread again, and all read, without scripts as well', async () => {
    await using context = await browser.newContext({ baseURL: running.url, javaScriptEnabled: false })
    const [name = '', value = ''] = (cookie ?? '').split('=')
    await context.addCookies([{ name, value, url: running.url }])
    const plain = await context.newPage()
    await plain.goto('/inbox?show=all')
    await plain.getByRole('button', { name: 'Mark as unread' }).click()
    const unread = plain.locator('.rail-foot .person-unread')
    await unread.filter({ hasText: /^2$/ }).waitFor()
    await plain.getByRole('button', { name: 'Mark all as read' }).click()
    await unread.waitFor({ state: 'detached' })
    await plain.goto('/inbox')
    await plain.getByRole('heading', { name: 'Nothing unread' }).waitFor()
  })

  it('shows what arrives while it is open, without a reload', async () => {
    const { page } = screen
    await screen.open('/inbox')
    await page.getByRole('heading', { name: 'Nothing unread' }).waitFor()
    const [issue] = await issues(running.shop, 'till')
    await apiPost(running.shop, `/organizations/shop/issues/${issue?.id}/comments/`, {
      text: `@${OWNER.email} the till burns`,
    })
    await page.getByText('the till burns').waitFor()
    await count().filter({ hasText: /^1$/ }).waitFor()
    await page.getByRole('button', { name: 'Mark as read', exact: true }).click()
    await page.getByRole('heading', { name: 'Nothing unread' }).waitFor()
    screen.assertQuiet()
  })

  it('leads to what is older than a page', async () => {
    const { page } = screen
    const [issue] = await issues(running.shop, 'till')
    for (let number = 1; number <= 51; number++)
      await apiPost(running.shop, `/organizations/shop/issues/${issue?.id}/comments/`, {
        text: `@${OWNER.email} reminder ${number}.`,
      })
    await screen.open('/inbox?show=all')
    const rows = page.locator('main li').filter({ hasText: 'mentioned you' })
    assert.equal(await rows.count(), 50)
    await page.getByRole('link', { name: 'Older' }).click()
    await page.getByText('it is <b>urgent</b>').waitFor()
    assert.equal(await page.getByText('reminder 51.').count(), 0)
    await page.getByRole('link', { name: 'Newest' }).click()
    await page.getByText('reminder 51.').waitFor()
    screen.assertQuiet()
  })

  it('takes no more of a kind that was switched off', async () => {
    const { page } = screen
    await screen.open('/account/alerts')
    await page.getByLabel('Mentions').uncheck()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Saved').waitFor()
    const [issue] = await issues(running.shop, 'till')
    await apiPost(running.shop, `/organizations/shop/issues/${issue?.id}/comments/`, {
      text: `@${OWNER.email} once more`,
    })
    await screen.open('/inbox?show=all&kind=mention')
    assert.ok((await page.getByRole('link', { name: /mentioned you/ }).count()) > 1)
    assert.equal(await page.getByText('once more').count(), 0)
    screen.assertQuiet()
  })
})
