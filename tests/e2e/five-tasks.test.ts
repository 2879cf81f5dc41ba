/**
 * Five things that people do, on the sample organisation, in a real browser: by pointer and by keyboard alone, each in as
 * many actions as it may take. An action is a click, a chosen option, a text that is typed and sent, or a key, and opening
 * the search that a text is typed into; moving to what is pressed is none.
 */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { launchBrowser } from '../support/browser.ts'
import { type Person, signIn } from '../support/person.ts'
import { hydrated, pressAtOnce } from '../support/screen.ts'
import { type RunningErrata, serve } from '../support/start-errata.ts'
import { waitFor } from '../support/wait-for.ts'

const ORG = '/marlow-finch'

/** Somebody's actions on a page, counted. */
interface Hands {
  readonly actions: () => number
  press(what: Locator): Promise<void>
  choose(what: Locator, option: string): Promise<void>
  /** Opens the palette, finds a text, and opens a result of this group: the first, or the one named. */
  find(text: string, group: string, result?: RegExp): Promise<void>
  key(key: string): Promise<void>
}

function pointer(page: Page): Hands {
  let actions = 0
  const press = async (what: Locator) => {
    await what.click()
    actions++
  }
  return {
    actions: () => actions,
    press,
    choose: async (what, option) => {
      await what.selectOption({ label: option })
      actions++
    },
    find: async (text, group, result) => {
      await page.locator('a.jump:visible').first().click()
      actions++
      await searchField(page).fill(text)
      const first = firstResult(page, group)
      await (result === undefined ? first : page.getByRole('option', { name: result })).click()
      actions++
    },
    key: () => Promise.reject(new Error('a pointer has no keys')),
  }
}

const TABS_MAX = 150

function keyboard(page: Page): Hands {
  let actions = 0
  /** Moves on until it has the focus: what no key reaches fails here. */
  const reach = async (what: Locator) => {
    const isFocused = () => what.evaluate((element) => element === document.activeElement)
    for (let tabs = 0; tabs < TABS_MAX; tabs++) {
      if (await isFocused()) return
      await page.keyboard.press('Tab')
    }
    throw new Error(`no key reaches ${what}`)
  }
  return {
    actions: () => actions,
    press: async (what) => {
      await what.waitFor()
      await reach(what)
      await page.keyboard.press('Enter')
      actions++
    },
    choose: async (what, option) => {
      await reach(what)
      await page.keyboard.type(option)
      actions++
    },
    find: async (text, group) => {
      await page.keyboard.press('Control+k')
      actions++
      await searchField(page).waitFor()
      await page.keyboard.type(text)
      await firstResult(page, group).waitFor()
      await page.keyboard.press('Enter')
      actions++
    },
    key: async (key) => {
      await pressAtOnce(page, ...key.split(' '))
      actions++
    },
  }
}

function searchField(page: Page): Locator {
  return page.getByRole('dialog', { name: 'Go to' }).getByRole('combobox')
}

/** The chosen result, once the server has answered. */
function firstResult(page: Page, group: string): Locator {
  return page.getByRole('group', { name: group, exact: true }).getByRole('option', { selected: true })
}

describe('five tasks on the sample organisation', { timeout: 900_000 }, () => {
  let running: RunningErrata
  let rosa: Person
  let browser: Browser
  let context: BrowserContext
  let page: Page
  let digest: string

  before(async () => {
    running = await serve({ args: ['--demo'] })
    const filled = () => /sample organisation is filled/.test(running.output())
    await waitFor('the sample organisation', async () => filled(), 300_000)
    const said = (what: RegExp) => what.exec(running.output())?.[1] ?? ''
    digest = said(/A digest\s+(\S+)/)
    rosa = await signIn(running.url, {
      email: 'rosa@marlowfinch.example',
      password: said(/Password\s+(\S+)/),
    })
    browser = await launchBrowser()
  })
  after(async () => {
    await browser?.close()
    await running?.[Symbol.asyncDispose]()
  })
  beforeEach(async () => {
    await context?.close()
    context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
    const [name = '', ...value] = rosa.cookie?.split(';')[0]?.split('=') ?? []
    await context.addCookies([{ name, value: value.join('='), url: running.url }])
    page = await context.newPage()
    page.setDefaultTimeout(60_000)
    await page.goto(`${running.url}${ORG}`)
    await hydrated(page)
  })
  const link = (name: string | RegExp) => page.getByRole('link', { name }).first()
  const button = (name: string | RegExp) => page.getByRole('button', { name }).first()

  /** A digest that a customer names, and a team that is told. */
  async function tellOfDigest(hands: Hands, isByKey: boolean) {
    await hands.find(digest, 'Found')
    await page.waitForURL(/\/issues\/[A-Z]+-\d+/)
    await button('More actions').waitFor()
    if (isByKey) await hands.key('s')
    else {
      await hands.press(button('More actions'))
      await hands.press(page.getByRole('link', { name: 'Send to…' }))
    }
    await page.waitForURL(/\/send$/)
    await hands.press(button('Send'))
    await page.waitForURL(/\/issues\/[A-Z]+-\d+$/)
    await page
      .getByText(/sent it to/)
      .first()
      .waitFor()
    assert.ok(hands.actions() <= 6, `${hands.actions()} actions`)
  }

  async function findSlower(hands: Hands, isByKey: boolean) {
    if (isByKey) await hands.key('g v')
    else await hands.press(link('Releases'))
    await page.waitForURL(/\/releases$/)
    await hands.press(link(/^2026\.11\.20-2$/))
    await page.waitForURL(/\/releases\/shop/)
    await hands.press(link(/^Regressions/))
    await page.waitForURL(/\/slower/)
    // The route, and the commit that touched it.
    const row = page.getByRole('row').filter({ hasText: '/orders/[id]' }).filter({ hasText: 'touched' })
    await row.first().waitFor()
    assert.ok(hands.actions() <= 4, `${hands.actions()} actions`)
  }

  /** Silences an issue that needs somebody, from where it is listed. */
  async function silence(hands: Hands, isByKey: boolean, title: RegExp) {
    await hands.press(page.getByRole('main').getByRole('link', { name: title }))
    await page.waitForURL(/\/issues\/STOREFRONT-\d+$/)
    await button(/^Archive/).waitFor()
    if (isByKey) await hands.key('a')
    else await hands.press(button(/^Archive/))
    await hands.press(page.getByRole('button', { name: 'Until it escalates' }))
    await page
      .getByText(/escalat/i)
      .first()
      .waitFor()
    await button('Unarchive').waitFor()
    assert.ok(hands.actions() <= 3, `${hands.actions()} actions`)
  }

  async function alertOnCheckout(hands: Hands, isByKey: boolean) {
    if (isByKey) await hands.find('/checkout', 'Routes')
    else await hands.press(link('Performance'))
    await page.waitForURL(/\/performance/)
    await hands.press(link(/^\/checkout/))
    await page.waitForURL(/route=/)
    await hands.press(link('New alert rule'))
    await page.waitForURL(/rules\/new/)
    await hands.choose(page.getByLabel('Receiver').first(), 'Slack, bot #shop-alerts')
    await hands.press(button('Create rule'))
    await page.waitForURL(/\/alerts\/rules\/\d+$|\/alerts\/\d+$|\/alerts$/)
    await page
      .getByText(/Failures of \/checkout/)
      .first()
      .waitFor()
    assert.ok(hands.actions() <= 6, `${hands.actions()} actions`)
  }

  async function forgetPerson(hands: Hands, isByKey: boolean, person: string) {
    // Typed out, the deletion is the first result; else it stands below the person.
    await hands.find(isByKey ? `delete ${person}` : person, 'Affected users', /^Export or delete data of u-/)
    await page.waitForURL(/\/people\//)
    const dialog = page.getByRole('dialog', { name: /^Delete the data of/ })
    await dialog.waitFor()
    await page.getByRole('region', { name: 'Timeline' }).getByText('Errors').waitFor()
    const download = page.waitForEvent('download')
    await hands.press(dialog.getByRole('link', { name: 'Export data' }))
    assert.match((await download).suggestedFilename(), /\.jsonl$/)
    await hands.press(dialog.getByRole('button', { name: /^Delete \d/ }))
    await page
      .getByText(/deleted|nothing is stored/i)
      .first()
      .waitFor()
    assert.ok(hands.actions() <= 4, `${hands.actions()} actions`)
  }

  for (const [way, handsOf] of [
    ['pointer', pointer],
    ['keyboard', keyboard],
  ] as const) {
    const isByKey = way === 'keyboard'
    it(`a team is told of a digest by ${way}`, () => tellOfDigest(handsOf(page), isByKey))
    it(`what got slower since the newest release, and why, is found by ${way}`, () =>
      findSlower(handsOf(page), isByKey))
    it(`an issue is silenced until it gets worse by ${way}`, () =>
      silence(handsOf(page), isByKey, isByKey ? /^PaymentError: paywell/ : /^OutOfStockError: Variant/))
    it(`a failing checkout alerts a chat by ${way}`, () => alertOnCheckout(handsOf(page), isByKey))
    it(`a person's errors are found, exported and deleted by ${way}`, () =>
      forgetPerson(handsOf(page), isByKey, isByKey ? 'person127@shop.example' : 'person141@shop.example'))
  }
})
