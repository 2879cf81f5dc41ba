/** Keys and clicks on a page that is seen already, whose scripts are still on their way. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser } from '../support/browser.ts'
import { type Person, signIn } from '../support/person.ts'
import { openScreen } from '../support/screen.ts'
import { OWNER, type RunningErrata, startShop } from '../support/start-errata.ts'
import { waitFor } from '../support/wait-for.ts'

describe('a page before its scripts are there', { timeout: 300_000 }, () => {
  let running: RunningErrata
  let browser: Browser
  let rosa: Person

  before(async () => {
    running = await startShop()
    browser = await launchBrowser()
    rosa = await signIn(running.url, OWNER)
  })
  after(async () => {
    await browser?.close()
    await running?.[Symbol.asyncDispose]()
  })

  for (const [name, ask, answered] of [
    [
      'a key',
      (page: Page) => page.keyboard.press('?'),
      (page: Page) => page.getByRole('dialog', { name: 'Keyboard shortcuts' }),
    ],
    [
      'Ctrl K',
      (page: Page) => page.keyboard.press('ControlOrMeta+k'),
      (page: Page) => page.getByRole('dialog', { name: 'Go to' }),
    ],
    [
      'a click',
      (page: Page) => page.getByRole('button', { name: 'Collapse the rail' }).click(),
      (page: Page) => page.getByRole('button', { name: 'Collapse the rail', pressed: true }),
    ],
  ] as const) {
    it(`answers ${name} from before its scripts were there`, async () => {
      const { page, letThrough, close } = await openWithoutScripts('/shop/issues')
      await page.getByRole('button', { name: 'Collapse the rail' }).waitFor()
      await ask(page)
      letThrough()
      await answered(page).waitFor()
      await close()
    })
  }

  it('types what followed an early Ctrl K into the palette, and runs none of it', async () => {
    const { page, letThrough, close } = await openWithoutScripts('/shop/issues')
    await page.getByRole('button', { name: 'Collapse the rail' }).waitFor()
    await page.keyboard.press('ControlOrMeta+k')
    await page.keyboard.type('rel')
    letThrough()
    const field = page.getByRole('dialog', { name: 'Go to' }).getByRole('combobox')
    await field.waitFor()
    await waitFor('what was typed', async () => (await field.inputValue()) === 'rel')
    await close()
  })

  it('takes what a browser fills in by itself for no key', async () => {
    const { page, assertQuiet, letThrough, close } = await openWithoutScripts('/shop/issues')
    await page.getByRole('button', { name: 'Collapse the rail' }).waitFor()
    await page.evaluate(() => document.body.dispatchEvent(new Event('keydown', { bubbles: true })))
    await page.keyboard.press('?')
    letThrough()
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    assertQuiet()
    await close()
  })

  it('types what followed an early / into the search, and runs none of it', async () => {
    const { page, letThrough, close } = await openWithoutScripts('/shop/issues')
    await page.getByRole('button', { name: 'Collapse the rail' }).waitFor()
    await page.keyboard.type('/not ? [')
    letThrough()
    const field = page.getByRole('combobox', { name: 'Search issues' })
    await waitFor('what was typed', async () => (await field.inputValue()) === 'not ? [')
    assert.equal(await page.getByRole('dialog').count(), 0)
    await close()
  })

  it('leaves a field that somebody is in alone', async () => {
    const { page, letThrough, close } = await openWithoutScripts('/shop/issues')
    const field = page.getByRole('combobox', { name: 'Search issues' })
    await field.waitFor()
    await page.keyboard.press('?')
    await field.click()
    await page.keyboard.type('?ge')
    letThrough()
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    assert.equal(await field.inputValue(), '?ge')
    await close()
  })

  it('answers once a button that was clicked again because it did not answer', async () => {
    const { page, letThrough, close } = await openWithoutScripts('/shop/issues')
    const button = page.getByRole('button', { name: 'Collapse the rail' })
    await button.click()
    await button.click()
    await page.keyboard.press('?')
    letThrough()
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    assert.equal(await page.locator('.app').getAttribute('data-rail'), 'collapsed')
    await close()
  })

  /** Opens a page whose scripts are held back until they are let through. */
  async function openWithoutScripts(path: string) {
    const { page, assertQuiet, close } = await openScreen(browser, running.url, { cookie: rosa.cookie })
    const { promise: scripts, resolve: letThrough } = Promise.withResolvers<void>()
    await page.route('**/assets/*.js', async (route) => {
      await scripts
      await route.continue()
    })
    await page.goto(path, { waitUntil: 'commit' })
    return { page, assertQuiet, letThrough, close }
  }
})
