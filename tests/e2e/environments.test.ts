/** Releases with odd names, and environments that are hidden and ordered, in a real browser. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { issues } from '../support/api.ts'
import { launchBrowser } from '../support/browser.ts'
import { type Person, signIn } from '../support/person.ts'
import { openScreen, type Screen } from '../support/screen.ts'
import { anEvent, send } from '../support/send.ts'
import { OWNER, type RunningErrata, type SetUp, startShop } from '../support/start-errata.ts'
import { waitFor } from '../support/wait-for.ts'

const PHONE = { width: 390, height: 844 }
const SETTINGS = '/shop/projects/web/settings/environments'
const ODD = ['@shop/web@1.0.0+5', 'feature/a b', '%2F', '100% #1?x&y=ü', 'C:\\build\\7'] as const
/** Pages say the version of a package without it. */
const shown = (release: string) => (release === ODD[0] ? /^1\.0\.0/ : release)
const ENVIRONMENTS = ['production', 'production', 'production', 'staging', 'staging', 'pr 7']

describe('releases with odd names, and environments', { timeout: 900_000 }, () => {
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
    const now = Date.now() / 1_000
    for (const [index, release] of ODD.entries()) {
      const more = { release, timestamp: now - 3_600 * (index * 40 + 2) }
      await send(shop.dsn, anEvent({ type: 'OddError', message: 'odd', more }))
    }
    for (const environment of ENVIRONMENTS)
      await send(shop.dsn, anEvent({ type: 'StageError', message: 'here', more: { environment } }))
    await waitFor('all events', async () => {
      const [odd, stage] = [await issues(shop, 'OddError'), await issues(shop, 'StageError')]
      return odd[0]?.count === String(ODD.length) && stage[0]?.count === String(ENVIRONMENTS.length)
    })
  })
  after(async () => {
    await browser?.close()
    await running?.[Symbol.asyncDispose]()
  })

  for (const release of ODD) {
    it(`leads to the page of ${release}, from the list and by its address`, async () => {
      const { page } = screen
      const isThere = () => page.getByRole('heading', { level: 1, name: shown(release) }).waitFor()
      await screen.open('/shop/releases')
      await page
        .locator(`a[href="/shop/releases/${encodeURIComponent(release)}"]`)
        .first()
        .click()
      await isThere()
      await page.reload()
      await isThere()
      screen.assertQuiet()
    })
  }

  it('marks releases on the trend, each a link to its page, by the keyboard too', async () => {
    const { page } = screen
    const [odd] = await issues(running.shop, 'OddError')
    await screen.open(`/shop/issues/${odd?.shortId}`)
    const marks = page
      .getByRole('region', { name: 'Events over time' })
      .getByRole('link', { name: /^Release / })
    assert.equal(await marks.count(), 4)
    await marks.last().focus()
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.pathname === `/shop/releases/${encodeURIComponent(ODD[0])}`)
    await page.getByRole('heading', { level: 1, name: shown(ODD[0]) }).waitFor()
    screen.assertQuiet()
  })

  const names = (page: Page) =>
    page.locator('tr[id^="environment "]').evaluateAll((rows) => rows.map((row) => row.id.slice(12)))

  it('puts environments in order by the keyboard, and keeps the focus on what moves', async () => {
    const { page } = screen
    await screen.open(SETTINGS)
    assert.deepEqual(await names(page), ['production', 'staging', 'pr 7'])
    await page.getByRole('button', { name: 'Move pr 7 up' }).focus()
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => document.querySelectorAll('tbody tr')[1]?.id === 'environment pr 7')
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
    await waitFor('the focus', async () => (await focused()) === 'Move pr 7 up')
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => document.querySelectorAll('tbody tr')[0]?.id === 'environment pr 7')
    await waitFor('the focus', async () => (await focused()) === 'Move pr 7 down')
    assert.deepEqual(await names(page), ['pr 7', 'production', 'staging'])
    screen.assertQuiet()
  })

  it('hides an environment from the menu and from suggestions, not from the list', async () => {
    const { page } = screen
    await screen.open(SETTINGS)
    await page.getByRole('button', { name: 'Hide staging' }).click()
    await page.getByRole('button', { name: 'Show staging' }).waitFor()
    const offered = async () => {
      const answer = await page.request.get('/shop/issues/suggestions?key=environment&prefix=')
      return (await answer.json()) as unknown // compared whole
    }
    assert.deepEqual(await offered(), {
      suggestions: [
        { text: 'pr 7', count: 1 },
        { text: 'production', count: 8 },
      ],
    })
    assert.equal((await issues(running.shop, 'environment:staging')).length, 1)
    screen.assertQuiet()
  })

  it('suggests releases with the events that each has', async () => {
    const { page } = screen
    await screen.open('/shop/issues')
    const field = page.getByRole('combobox', { name: 'Search issues' })
    await field.fill('release:feature')
    const option = page.getByRole('option', { name: 'feature/a b' })
    await option.waitFor()
    assert.match((await option.textContent()) ?? '', /1 event$/)
    await option.click()
    await page.keyboard.press('Enter')
    await page.waitForURL(/query=release%3A%22feature%2Fa\+b%22/)
    await page.locator('[data-issue]').first().waitFor()
    screen.assertQuiet()
  })

  it('is changed on a phone, without sideways scrolling', async () => {
    const own = await openScreen(browser, running.url, { cookie: rosa.cookie, viewport: PHONE })
    const { page } = own
    await own.open(SETTINGS)
    await page.getByRole('button', { name: 'Move production up' }).click()
    await page.waitForFunction(
      () => document.querySelectorAll('tbody tr')[0]?.id === 'environment production',
    )
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    assert.ok(overflow <= 0, `${overflow} px too wide`)
    own.assertQuiet()
    await own.close()
  })
})
