/** The frame around every page in a real browser: the rail, its counts, and the drawer of narrow windows. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { acceptedErrors } from '../support/api.ts'
import { launchBrowser } from '../support/browser.ts'
import { type Person, resultOf, signIn } from '../support/person.ts'
import { openScreen } from '../support/screen.ts'
import { anEvent, send } from '../support/send.ts'
import { OWNER, type RunningErrata, type SetUp, startShop } from '../support/start-errata.ts'
import { waitFor } from '../support/wait-for.ts'

describe('the frame', { timeout: 900_000 }, () => {
  let running: RunningErrata & { readonly shop: SetUp }
  let browser: Browser
  let owner: Person

  before(async () => {
    running = await startShop()
    browser = await launchBrowser()
    owner = await signIn(running.url, OWNER)
    for (const type of ['RangeError', 'TypeError', 'URIError'])
      await send(running.shop.dsn, anEvent({ message: `${type} of a test`, type }))
    await waitFor('the events', async () => (await acceptedErrors(running.shop)) === 3)
    await owner.api('PUT', '/organizations/shop/issues/WEB-1/', { status: 'resolved' })
    for (const [name, query] of [
      ['Nowhere', 'is:archived'],
      ['Open', 'is:unresolved'],
      ['Solved', 'is:resolved'],
    ] as const)
      await resultOf(await owner.act('search.save', '/shop/issues', { name, query, sort: 'date' }))
  })
  after(async () => {
    await browser?.close()
    await running?.[Symbol.asyncDispose]()
  })

  it('says in the rail how many issues each saved search finds, as many as its list has', async () => {
    const { page, open, close } = await openScreen(browser, running.url, { cookie: owner.cookie })
    await open('/shop/performance')
    const rail = page.getByRole('navigation', { name: 'Places' })
    await rail.getByRole('link', { name: 'Solved 1 found' }).waitFor()
    await rail.getByRole('link', { name: 'Nowhere', exact: true }).waitFor()
    await rail.getByRole('link', { name: 'Open 2 found' }).click()
    await page.getByText('All 2 matching issues').waitFor()
    await close()
  })

  it('has saved searches once: in the open rail, or above the list, and the chosen one with its options', async () => {
    const { page, open, close } = await openScreen(browser, running.url, { cookie: owner.cookie })
    await open('/shop/issues?query=is%3Aresolved')
    const row = page.getByRole('main').getByRole('navigation', { name: 'Saved searches' })
    const options = page.getByRole('main').getByRole('button', { name: 'Options of “Solved”' })
    await options.waitFor()
    const rail = page.getByRole('navigation', { name: 'Places' })
    assert.equal(
      await rail.getByRole('link', { name: 'Solved 1 found' }).getAttribute('aria-current'),
      'true',
    )
    const search = page.getByRole('combobox').first()
    const topOf = async () => (await search.boundingBox())?.y
    const atRest = await topOf()
    // Nothing moves for it: neither where a search is open, nor where one can be saved.
    for (const [path, end] of [
      ['/shop/issues', page.getByText('All 2 matching issues')],
      ['/shop/issues?query=level%3Aerror', page.getByRole('button', { name: 'Save search' })],
    ] as const) {
      await open(path)
      await end.waitFor()
      assert.equal(await row.count(), 0, path)
      assert.equal(await topOf(), atRest, path)
    }
    await open('/shop/issues?query=is%3Aresolved')
    await page.getByRole('button', { name: 'Collapse the rail' }).click()
    await row.getByRole('button', { name: 'Options of “Solved”' }).waitFor()
    assert.equal(await options.count(), 1)
    assert.equal(await row.getByRole('link').count(), 3)
    await close()
  })

  it('has members, settings and the system in the menu of the organisation', async () => {
    const { page, open, close } = await openScreen(browser, running.url, { cookie: owner.cookie })
    await open('/shop/performance')
    for (const [name, path] of [
      ['Members', '/shop/settings/members'],
      ['Settings', '/shop/settings'],
      ['System', '/system'],
    ] as const) {
      await page.getByRole('button', { name: 'Organisation: Shop' }).click()
      const menu = page.locator(':popover-open')
      await menu.getByRole('link', { name, exact: true }).click()
      await page.waitForURL(`**${path}`)
    }
    await close()
  })

  it('opens an organisation with the page that its person begins with', async () => {
    const { page, open, close } = await openScreen(browser, running.url, { cookie: owner.cookie })
    for (const [landing, path] of [
      ['issues', '/shop/issues'],
      ['overview', '/shop'],
    ] as const) {
      await resultOf(await owner.act('account.landing', '/account/theme', { landing }))
      await open('/shop/performance')
      await page.getByRole('button', { name: 'Organisation: Shop' }).click()
      await page.locator(':popover-open').getByRole('link', { name: 'Shop', exact: true }).click()
      await page.waitForURL(`${running.url}${path}`)
    }
    await close()
  })

  for (const width of [768, 390])
    it(`keeps the focus in the drawer of ${width} px, and gives it back`, async () => {
      const viewport = { width, height: 844 }
      const { page, open, close } = await openScreen(browser, running.url, { cookie: owner.cookie, viewport })
      await open('/shop/issues')
      const button = page.getByRole('button', { name: 'Menu', exact: true }).and(page.locator(':visible'))
      await button.focus()
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Close the menu' }).waitFor()
      const reached = new Set<string>()
      for (let tabs = 0; tabs < 40; tabs++) {
        await page.keyboard.press('Tab')
        reached.add(
          await page.evaluate(() => {
            const { activeElement } = document
            if (activeElement?.closest('#places')) return 'drawer'
            // The window itself, and the link beside everything.
            return activeElement?.matches('body, .skip-link') ? 'window' : (activeElement?.textContent ?? '')
          }),
        )
      }
      reached.delete('window')
      assert.deepEqual([...reached], ['drawer'])
      await page.keyboard.press('Escape')
      assert.equal(await button.evaluate((element) => element === document.activeElement), true)
      await page.keyboard.press('Tab')
      assert.equal(await page.evaluate(() => document.activeElement?.closest('[inert]') ?? null), null)
      await close()
    })
})
