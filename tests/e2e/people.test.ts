/** Affected people in a real browser: found from the palette, exported, and deleted while more arrives. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { acceptedErrors } from '../support/api.ts'
import { launchBrowser } from '../support/browser.ts'
import { signIn } from '../support/person.ts'
import { openScreen, pressAtOnce, type Screen } from '../support/screen.ts'
import { anEvent, send } from '../support/send.ts'
import { OWNER, type RunningErrata, type SetUp, startShop } from '../support/start-errata.ts'
import { waitFor } from '../support/wait-for.ts'

/** Told apart by nothing but their ids, as hostile as those are. */
const HOSTILE = '"><b>%2F..%00</b> OR 1=1 ☃'

describe('people', { timeout: 900_000 }, () => {
  let running: RunningErrata & { readonly shop: SetUp }
  let browser: Browser
  let screen: Screen
  let cookie = ''
  let sent = 0

  /** Stores more events of somebody, and waits until they are counted. */
  const fail = async (user: Readonly<Record<string, string>>, count: number) => {
    const { shop } = running
    for (let one = 0; one < count; one++)
      await send(shop.dsn, anEvent({ message: `failure ${one}`, more: { user } }))
    sent += count
    await waitFor('the events', async () => (await acceptedErrors(shop)) === sent)
  }

  before(async () => {
    running = await startShop()
    browser = await launchBrowser()
    const rosa = await signIn(running.url, OWNER)
    cookie = String(rosa.cookie)
    screen = await openScreen(browser, running.url, { cookie })
  })
  after(async () => {
    await browser?.close()
    await running?.[Symbol.asyncDispose]()
  })

  it('have their data exported and deleted from the palette, though more arrives meanwhile', async () => {
    const { page } = screen
    await fail({ id: 'u-1', email: 'ada@visitor.example' }, 3)
    await screen.open('/shop/outcomes')
    // What is typed before the palette is there counts too, and a key in the moment in which it opens leaves that as it is.
    await page.evaluate(() => {
      new MutationObserver((_, observer) => {
        if (document.querySelector('.palette[open]') === null) return
        observer.disconnect()
        document.execCommand('insertText', false, 'e')
      }).observe(document.body, { attributes: true, childList: true, subtree: true })
    })
    await pressAtOnce(page, '/', ...'delete ada@visitor.exampl'.split(''))
    const field = page.getByRole('dialog', { name: 'Go to' }).getByRole('combobox')
    await waitFor('the whole text', async () => (await field.inputValue()) === 'delete ada@visitor.example')
    const deletion = page.getByRole('option', { name: /^Export or delete data of / })
    await deletion.waitFor()
    assert.equal(await deletion.getAttribute('aria-selected'), 'true')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: /^Delete the data of/ })
    const confirm = dialog.getByRole('button', { name: 'Delete 3 events' })
    await confirm.waitFor()
    // A few more go with them.
    await fail({ id: 'u-1', email: 'ada@visitor.example' }, 2)
    await confirm.click()
    await page.getByText('No data about this person').first().waitFor()
    assert.doesNotMatch(page.url(), /ask=/)
    screen.assertQuiet()
  })

  it('are offered below a field that finds something else, by whichever of their names', async () => {
    const { page } = screen
    await fail(
      { id: 'u-2', email: 'ben@visitor.example', username: 'ben lovelace', ip_address: '203.0.113.8' },
      1,
    )
    for (const [path, label, text] of [
      ['/shop/releases', /^Find a release/, 'ben@visitor'],
      ['/shop/alerts', 'Find a rule', 'ben lovelace'],
      ['/shop/projects', 'Find a project', '203.0.113.8'],
      ['/shop/people', 'Find a person', 'u-2'],
    ] as const) {
      await screen.open(path)
      const field = page.getByRole('combobox', { name: label })
      await field.fill(text)
      await page.getByRole('option', { name: /^u-2.*Person$/ }).waitFor()
      await field.press('ArrowDown')
      await field.press('Enter')
      await page.getByRole('heading', { level: 1, name: 'ben lovelace' }).waitFor()
    }
    screen.assertQuiet()
  })

  it('have a time axis whose cursor goes from entry to entry, and on to the row', async () => {
    const { page } = screen
    await screen.open('/shop/people/id:u-2')
    const cursor = page.getByRole('slider', { name: 'Entries on the time axis' })
    await cursor.press('ArrowLeft')
    assert.match(String(await cursor.getAttribute('aria-valuetext')), / · Error .*failure 0/)
    await cursor.press('Enter')
    await page.locator('a.row-link:focus').filter({ hasText: 'failure 0' }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/issues\/.*\/events\//)
    await screen.open('/shop/people/id:u-2')
    await page
      .getByRole('navigation', { name: 'Kinds of entries' })
      .getByRole('link', { name: 'Errors 1' })
      .click()
    await page.waitForURL(/kind=error/)
    screen.assertQuiet()
  })

  it('have a time axis that a finger reads with a tap, and whose row the next tap shows', async () => {
    const phone = { cookie, viewport: { width: 390, height: 844 }, hasTouch: true }
    const { page, open, close } = await openScreen(browser, running.url, phone)
    await open('/shop/people/id:u-2')
    const cursor = page.getByRole('slider', { name: 'Entries on the time axis' })
    await cursor.tap()
    await page.getByText(/ · Error .*failure 0/).waitFor()
    const focused = page.locator('a.row-link:focus')
    assert.equal(await focused.count(), 0)
    await cursor.tap()
    await focused.filter({ hasText: 'failure 0' }).waitFor()
    await close()
  })

  it('are not deleted with many more than was said, which is said next', async () => {
    const { page } = screen
    await fail({ id: HOSTILE }, 1)
    await screen.open(`/shop/people/${encodeURIComponent(`id:${HOSTILE}`)}`)
    await page.getByRole('heading', { level: 1, name: HOSTILE }).waitFor()
    await page.getByRole('button', { name: 'Delete data…' }).click()
    await fail({ id: HOSTILE }, 11)
    const dialog = page.getByRole('dialog', { name: /^Delete the data of/ })
    await dialog.getByRole('button', { name: 'Delete 1 event' }).click()
    await dialog.getByRole('alert').filter({ hasText: 'There is more data now: 12 events' }).waitFor()
    await dialog.getByRole('button', { name: 'Delete 12 events' }).click()
    await page.getByText('No data about this person').first().waitFor()
    screen.assertQuiet(/409/)
  })
  it('are not deleted with many more than was said, which is said next, without scripts as well', async () => {
    await using context = await browser.newContext({ baseURL: running.url, javaScriptEnabled: false })
    const [name = '', value = ''] = cookie.split('=')
    await context.addCookies([{ name, value, url: running.url }])
    const plain = await context.newPage()
    await fail({ id: 'u-9' }, 1)
    await plain.goto('/shop/people/id:u-9')
    await plain.getByRole('button', { name: 'Delete data…' }).click()
    await fail({ id: 'u-9' }, 11)
    await plain.getByRole('button', { name: 'Delete 1 event' }).click()
    await plain.getByRole('status').filter({ hasText: 'There is more data now: 12 events' }).waitFor()
    await plain.getByRole('button', { name: 'Delete data…' }).click()
    await plain.getByRole('button', { name: 'Delete 12 events' }).click()
    await plain.getByText('No data about this person').first().waitFor()
  })
})
