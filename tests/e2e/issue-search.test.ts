/** Searching for issues in a real browser: suggestions, recent searches, what was meant, the palette. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { issues } from '../support/api.ts'
import { launchBrowser } from '../support/browser.ts'
import { type Person, signIn } from '../support/person.ts'
import { openScreen, pressAtOnce, type Screen } from '../support/screen.ts'
import { anEvent, send } from '../support/send.ts'
import { OWNER, type RunningErrata, type SetUp, startShop } from '../support/start-errata.ts'
import { waitFor } from '../support/wait-for.ts'

describe('searching for issues', { timeout: 900_000 }, () => {
  let running: RunningErrata & { readonly shop: SetUp }
  let browser: Browser
  let rosa: Person
  let screen: Screen

  before(async () => {
    running = await startShop()
    const { shop } = running
    browser = await launchBrowser()
    rosa = await signIn(running.url, OWNER)
    screen = await openScreen(browser, running.url, { cookie: rosa.cookie })
    for (const [index, type] of ['StockError', 'LoginError', 'MailError'].entries())
      await send(shop.dsn, anEvent({ type, message: `no ${index}` }))
    await waitFor('all issues', async () => (await issues(shop)).length === 3)
  })
  after(async () => {
    await browser?.close()
    await running?.[Symbol.asyncDispose]()
  })

  it('finds issues in the palette by words of their title', async () => {
    const { page } = screen
    await screen.open('/shop/outcomes')
    await page.keyboard.press('Control+k')
    const dialog = page.getByRole('dialog', { name: 'Go to' })
    // Words apart, in any case; a colon makes no search of it.
    await dialog.getByRole('combobox').fill('2 mailerror: no')
    await dialog.getByRole('option', { name: /MailError: no 2/ }).click()
    await page.getByRole('heading', { level: 1, name: /MailError/ }).waitFor()
    screen.assertQuiet()
  })

  it('says that a search is invalid where events of an issue or traces are searched', async () => {
    const { page } = screen
    const [{ shortId = '' } = {}] = await issues(running.shop)
    for (const [path, message] of [
      [`/shop/issues/${shortId}/events?query=${encodeURIComponent('level:')}`, /has no value/],
      [`/shop/traces?query=${'x'.repeat(1_500)}`, /longer than 1000 characters/],
    ] as const) {
      await screen.open(path)
      await page.getByRole('heading', { name: 'Invalid search' }).waitFor()
      await page.getByRole('alert').filter({ hasText: message }).waitFor()
    }
    screen.assertQuiet()
  })

  it('opens what a key asks for right behind the one that closed another dialog', async () => {
    const { page } = screen
    const palette = page.getByRole('dialog', { name: 'Go to' })
    const field = palette.getByRole('combobox')
    const shortcuts = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    // The browser says that a dialog was closed after the next key, and leaves the focus in it for as long.
    await screen.open('/shop/outcomes')
    await page.keyboard.press('Control+k')
    await palette.waitFor()
    await pressAtOnce(page, 'Escape', '?')
    await shortcuts.waitFor()
    await pressAtOnce(page, 'Escape', '?')
    await shortcuts.waitFor()
    await pressAtOnce(page, 'Escape', 'Control+k')
    await palette.waitFor()
    assert.equal(await shortcuts.count(), 0)
    await page.keyboard.type('mail')
    // Its own key leaves it as it is.
    await page.keyboard.press('Control+k')
    assert.equal(await field.inputValue(), 'mail')
    await pressAtOnce(page, 'Escape', 'Control+k')
    await waitFor('a palette without what was typed', async () => (await field.inputValue()) === '')
    await pressAtOnce(page, 'Escape', '?')
    await shortcuts.waitFor()
    await page.keyboard.press('Escape')
    await shortcuts.waitFor({ state: 'detached' })
    // And where something had the focus before.
    await page.getByRole('link', { name: 'Releases' }).first().focus()
    await page.keyboard.press('Control+k')
    await palette.waitFor()
    await pressAtOnce(page, 'Escape', '?')
    await shortcuts.waitFor()
    screen.assertQuiet()
  })

  it('ends a term with the suggestion that is chosen, and offers recent searches in the empty field', async () => {
    // A browser that has searched for nothing yet.
    const own = await openScreen(browser, running.url, { cookie: rosa.cookie })
    const { page } = own
    await own.open('/shop/issues')
    const field = page.getByRole('combobox', { name: 'Search issues' })
    const options = page.getByRole('option')
    await field.focus()
    await options.filter({ hasText: 'assigned:me' }).waitFor()
    assert.equal(await options.filter({ hasText: 'Recent' }).count(), 0)
    await page.keyboard.type('lev')
    await options.filter({ hasText: /^level3 events$/ }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    assert.equal(await field.inputValue(), 'level:')
    await options.filter({ hasText: /^error\d/ }).click()
    assert.equal(await field.inputValue(), 'level:error ')
    await options.first().waitFor({ state: 'hidden' })
    await page.keyboard.press('Enter')
    await page.waitForURL(/query=level%3Aerror&?/)
    // The field begins anew with the page, which comes after its address.
    const token = page.getByTitle('Remove level:error')
    await token.click()
    await page.waitForURL((url) => !url.searchParams.has('query'))
    await token.waitFor({ state: 'detached' })
    await field.focus()
    await options.filter({ hasText: 'level:error' }).click()
    await page.waitForURL(/query=level%3Aerror/)
    await token.waitFor()
    // What events alone say is counted in them.
    await field.fill('stack.function:che')
    await options.filter({ hasText: /^checkOut3 events$/ }).click()
    assert.equal(await field.inputValue(), 'stack.function:checkOut ')
    // What was not understood is not offered again.
    await field.fill('is:purple')
    await field.press('Enter')
    await page.getByRole('alert').waitFor()
    await field.fill('')
    await options.filter({ hasText: 'level:error' }).waitFor()
    assert.equal(await options.filter({ hasText: 'purple' }).count(), 0)
    own.assertQuiet()
    await own.close()
  })

  it('has its keys ready when its suggestions are seen', async () => {
    const { page } = screen
    await screen.open('/shop/issues')
    const field = page.getByRole('combobox', { name: 'Search issues' })
    const expanded = field.evaluate(
      (input) =>
        new Promise((resolve) => {
          new MutationObserver((_, observer) => {
            if (document.querySelector('[role=option]') === null) return
            observer.disconnect()
            resolve(input.ariaExpanded)
          }).observe(document.body, { childList: true, subtree: true })
        }),
    )
    await field.focus()
    assert.equal(await expanded, 'true')
    screen.assertQuiet()
  })

  it('tells how many issues a saved search finds', async () => {
    const { page } = screen
    await screen.open('/shop/issues?query=level%3Aerror')
    await page.getByRole('button', { name: 'Save search' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Save search' })
    await dialog.getByLabel('Name').fill('Failures')
    await dialog.getByRole('button', { name: 'Save search' }).click()
    await page.getByRole('link', { name: 'Failures 3 found' }).waitFor()
    screen.assertQuiet()
  })

  it('completes the search among the events of an issue', async () => {
    const { page } = screen
    const [issue] = await issues(running.shop, 'error.type:StockError')
    await screen.open(`/shop/issues/${issue?.shortId}/events`)
    const field = page.getByRole('combobox', { name: 'Search the events of this issue' })
    await field.fill('lev')
    const options = page.getByRole('option')
    await options.filter({ hasText: /^level3 events$/ }).click()
    await options.filter({ hasText: /^error\d/ }).click()
    assert.equal(await field.inputValue(), 'level:error ')
    await field.press('Enter')
    await page.waitForURL(/query=level%3Aerror/)
    await field.fill('assigned')
    await options.first().waitFor({ state: 'hidden' })
    screen.assertQuiet()
  })

  it('says that no event has a tag, and leads to what was meant', async () => {
    const { page } = screen
    await screen.open('/shop/issues?query=enviroment:production+events:%3E0')
    await page.getByText('No event has the tag “enviroment”.').waitFor()
    assert.equal(await page.locator('[data-issue]').count(), 0)
    await page.getByRole('link', { name: 'environment', exact: true }).click()
    await page.locator('[data-issue]').first().waitFor()
    assert.equal(await page.getByText('No event has the tag').count(), 0)
    screen.assertQuiet()
  })

  it('leads from a value that it does not know, or that is a part of one, to what was meant', async () => {
    const { page } = screen
    await screen.open('/shop/issues?query=is:unresolve+events:%3E0')
    await page.getByRole('link', { name: 'is:unresolved', exact: true }).click()
    await page.locator('[data-issue]').first().waitFor()
    await screen.open('/shop/issues?query=error.type:rror')
    await page.getByRole('link', { name: 'Look for error.type:*rror*' }).click()
    await page.locator('[data-issue]').first().waitFor()
    screen.assertQuiet()
  })
})
