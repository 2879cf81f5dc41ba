/** The issue list at every width: what fits, what a finger reaches, and that a phone can do what a desk can. */
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

/** 720 is a laptop of 1440 at twice the size. */
const WIDTHS = [320, 360, 390, 700, 720, 768, 900, 1099, 1100, 1280, 1440]
const FINGER = 44

describe('the issue list at every width', { timeout: 900_000 }, () => {
  let running: RunningErrata & { readonly shop: SetUp }
  let shop: SetUp
  let browser: Browser
  let rosa: Person
  let screen: Screen

  before(async () => {
    running = await startShop()
    shop = running.shop
    browser = await launchBrowser()
    rosa = await signIn(running.url, OWNER)
    screen = await openScreen(browser, running.url, { cookie: rosa.cookie })
    for (const event of EVENTS) await send(shop.dsn, event)
    await waitFor('all issues', async () => (await issues(shop)).length === EVENTS.length)
  })
  after(async () => {
    await browser?.close()
    await running?.[Symbol.asyncDispose]()
  })

  for (const width of WIDTHS) {
    it(`keeps every cell in its column at ${width} px`, async () => {
      const { page } = screen
      await page.setViewportSize({ width, height: 900 })
      await screen.open('/shop/issues?tab=all')
      assert.deepEqual(await collisions(page), [])
      await page
        .getByRole('checkbox', { name: /^Select WEB-/ })
        .first()
        .check()
      await page.getByText(`1 of ${EVENTS.length}`).waitFor()
      assert.deepEqual(await collisions(page), [])
      screen.assertQuiet()
    })
  }

  it('shows a phone two or three lines an issue, with the counts below the title', async () => {
    const { page } = screen
    await page.setViewportSize({ width: 390, height: 844 })
    await screen.open('/shop/issues?tab=all')
    const row = page.getByRole('row').filter({ hasText: 'OutOfStockError' })
    const [title, count] = await Promise.all([
      row.locator('[data-issue]').boundingBox(),
      row.getByText('event', { exact: false }).first().boundingBox(),
    ])
    assert.ok(title !== null && count !== null && count.y >= title.y + title.height)
    const { height = 999 } = (await row.boundingBox()) ?? {}
    assert.ok(height <= 130, `a row is ${height} px high`)
    // Below the bar, one row of filters, the search and the tabs.
    const first = await page.locator('[data-issue]').first().boundingBox()
    assert.ok((first?.y ?? 999) <= 240, `the list begins at ${first?.y} px`)
    assert.equal(await page.getByRole('columnheader', { name: 'Events' }).isVisible(), false)
  })

  it('finds a release among many by any part of it, in the menu of its filter', async () => {
    const { page } = screen
    await page.setViewportSize({ width: 390, height: 844 })
    await screen.open('/shop/issues?tab=all')
    await page.getByRole('button', { name: 'Release', exact: true }).click()
    const option = page.getByRole('link', { name: 'shop@1.0.0', exact: true })
    await option.waitFor()
    // As it was sent, whatever it begins with.
    assert.equal(await option.locator('span').last().evaluate(firstLetterOf), 'none')
    const field = page.getByRole('textbox', { name: 'Find release' })
    await field.fill('nothing@')
    await page.getByText('No release matches “nothing@”.').waitFor()
    await field.fill('1.0')
    await option.waitFor()
    await field.press('Enter')
    await page.waitForURL(/query=[^&]*release%3Ashop%401\.0\.0/)
    screen.assertQuiet()
  })

  it('shows a phone every tab, and what is beside the tabs elsewhere among its filters', async () => {
    const { page } = screen
    await page.setViewportSize({ width: 390, height: 844 })
    await screen.open('/shop/issues?tab=all')
    const tabs = page.getByRole('navigation', { name: 'Issues by state' }).getByRole('link')
    const ends = await tabs.evaluateAll((all) => all.map((tab) => tab.getBoundingClientRect().right))
    assert.equal(ends.length, 4)
    assert.ok(Math.max(...ends) <= 390, `tabs end at ${ends}`)
    const [search, sort] = await Promise.all([
      page.locator('[data-search]').boundingBox(),
      page.getByRole('button', { name: 'Sort: last seen' }).boundingBox(),
    ])
    assert.ok(search !== null && sort !== null && sort.y + sort.height <= search.y)
    await page.getByRole('button', { name: 'Sort: last seen' }).click()
    await page.getByRole('link', { name: 'Users', exact: true }).click()
    await page.getByRole('button', { name: 'Sort: users' }).waitFor()
  })

  for (const width of [390, 1440]) {
    it(`keeps filters and tabs where they are when the timeline opens at ${width} px`, async () => {
      const { page } = screen
      await page.setViewportSize({ width, height: 844 })
      await screen.open('/shop/issues?tab=all')
      const tab = page.getByRole('link', { name: /^All/ })
      const before = await tab.boundingBox()
      await page.getByRole('link', { name: 'Timeline', exact: true }).click()
      const matrix = page.getByRole('region', { name: 'Issues over time' })
      await matrix.waitFor()
      assert.deepEqual(await tab.boundingBox(), before)
      const [box, first] = await Promise.all([
        matrix.boundingBox(),
        page.locator('[data-issue]').first().boundingBox(),
      ])
      assert.ok(box !== null && first !== null && before !== null)
      assert.ok(before.y < box.y && box.y + box.height <= first.y)
    })
  }

  it('leads from a cell of the timeline to as many events', async () => {
    const { page } = screen
    await page.setViewportSize({ width: 1440, height: 900 })
    await screen.open('/shop/issues/timeline?tab=all')
    const row = page.getByRole('region', { name: 'Issues over time' }).getByRole('row')
    const cell = row.filter({ hasText: 'OutOfStockError' }).getByRole('link', { name: /: \d+ events?$/ })
    const [, count] = /: (\d+) events?$/.exec((await cell.last().getAttribute('aria-label')) ?? '') ?? []
    await cell.last().click()
    await page.waitForURL(/\/events\?query=timestamp/)
    await page.getByText(new RegExp(`^${count} of ${count} events?`)).waitFor()
  })

  it('gives a finger room on every control', async () => {
    const { page } = screen
    await page.setViewportSize({ width: 390, height: 844 })
    await screen.open('/shop/issues?tab=all&query=level:error+has:release')
    assert.deepEqual(await tooSmall(page), [])
    await page
      .getByRole('checkbox', { name: /^Select WEB-/ })
      .first()
      .check()
    await page.getByText(/^1 of /).waitFor()
    assert.deepEqual(await tooSmall(page), [])
    await page.getByRole('combobox', { name: 'Search issues' }).fill('is:')
    await page.getByRole('option').first().waitFor()
    assert.deepEqual(await tooSmall(page), [])
  })

  it('says what a bar of a trend stands for, under the pointer and by the arrow keys, at one time in all rows', async () => {
    const { page } = screen
    await page.setViewportSize({ width: 1440, height: 900 })
    // A bar of 14 days stands for 24 hours, the last of them up to now: an hour that ends meanwhile moves nothing out.
    await screen.open('/shop/issues?tab=all&range=14d')
    const row = page.getByRole('row').filter({ hasText: 'OutOfStockError' })
    const box = await row.getByRole('img', { name: /^Trend/ }).boundingBox()
    assert.ok(box !== null)
    await page.mouse.move(box.x + box.width - 3, box.y + box.height / 2)
    const readout = page.locator('.chart-readout')
    await readout.getByText('1 event').waitFor()
    assert.equal(await page.locator('[data-column="trend"] .stroke-accent').count(), EVENTS.length)
    const status = row.getByRole('status')
    assert.equal(await status.count(), 0, 'the pointer says nothing aloud')
    await page.mouse.move(0, 0)
    await readout.waitFor({ state: 'detached' })
    await row.locator('[data-issue]').focus()
    await status.waitFor({ state: 'attached' })
    assert.equal(await status.textContent(), '', 'it is there before its text')
    await page.keyboard.press('ArrowRight')
    await row.getByRole('status').filter({ hasText: '1 event' }).waitFor()
    await page.keyboard.press('ArrowLeft')
    await row.getByRole('status').filter({ hasText: '0 events' }).waitFor()
    screen.assertQuiet()
  })

  it('leaves the arrow keys to whatever else they are for', async () => {
    const { page } = screen
    await page.setViewportSize({ width: 1440, height: 900 })
    await screen.open('/shop/issues?tab=all')
    const link = page.getByRole('row').filter({ hasText: 'OutOfStockError' }).locator('[data-issue]')
    await link.focus()
    await link.getByText('OutOfStockError').first().waitFor()
    const isTaken = (prepare: 'nothing' | 'prevented' | 'editable') =>
      link.evaluate((element, how) => {
        const event = new KeyboardEvent('keydown', { key: 'ArrowLeft', bubbles: true, cancelable: true })
        if (how === 'nothing') return !element.dispatchEvent(event)
        if (how === 'editable') {
          element.setAttribute('contenteditable', 'true')
          const isKept = element.dispatchEvent(event)
          element.removeAttribute('contenteditable')
          return !isKept
        }
        element.addEventListener('keydown', (early) => early.preventDefault(), { once: true })
        element.dispatchEvent(event)
        return element.closest('tr')?.querySelector('.chart-readout') !== null
      }, prepare)
    assert.equal(await isTaken('prevented'), false)
    assert.equal(await isTaken('editable'), false)
    assert.equal(await isTaken('nothing'), true)
    // Where the trend is hidden, they scroll.
    await page.locator('.issue-list').evaluate((list) => list.setAttribute('data-hidden', 'trend'))
    assert.equal(await isTaken('nothing'), false)
    screen.assertQuiet()
  })

  it('selects and resolves on a phone', async () => {
    const phone = await openScreen(browser, running.url, {
      cookie: rosa.cookie,
      viewport: { width: 390, height: 844 },
      hasTouch: true,
    })
    const { page } = phone
    await phone.open('/shop/issues')
    const row = page.getByRole('row').filter({ hasText: 'ShortError' })
    // Anywhere at the row's start, not only on the box.
    const box = await row.boundingBox()
    assert.ok(box !== null)
    await page.touchscreen.tap(box.x + 40, box.y + 40)
    await page.getByText(`1 of ${EVENTS.length}`).waitFor()
    assert.equal(new URL(page.url()).pathname, '/shop/issues')
    await page.getByRole('button', { name: /^Resolve(?! in)/ }).tap()
    await page.getByText('1 issue resolved').waitFor()
    await row.waitFor({ state: 'detached' })
    phone.assertQuiet()
    await phone.close()
  })

  it('counts what a search matches, beside the whole where that is more, and fits a phone', async () => {
    const { page } = screen
    const many = Array.from({ length: 120 }, (_, at) => {
      const more = { user: { id: `u-${at}` }, tags: { half: at < 50 ? 'first' : 'last', both: 'yes' } }
      return anEvent({ type: 'ManyError', message: 'many people', more })
    })
    for (const event of many) await send(shop.dsn, event)
    await waitFor('all events', async () => (await issues(shop, 'ManyError'))[0]?.count === '120')
    const row = page.getByRole('row').filter({ hasText: 'ManyError' })
    const shown = async (query: string, width: number) => {
      await page.setViewportSize({ width, height: 844 })
      await screen.open(`/shop/issues?tab=all&query=${query}`)
      const cells = row.locator('[data-column=events], [data-column=users]')
      assert.deepEqual(await collisions(page), [], query)
      return (await cells.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '))
    }
    assert.deepEqual(await shown('half:first', 1440), ['50 of 120', '50 of 120'])
    assert.deepEqual(await shown('half:last', 390), ['70 events', '70 users'])
    // A search that leaves nothing out has nothing to add.
    assert.deepEqual(await shown('both:yes', 1440), ['120', '120'])
    assert.deepEqual(await shown('both:yes', 390), ['120 events', '120 users'])
    screen.assertQuiet()
  })
})

const LONG =
  'Cannot read properties of undefined (reading "amount") of the order that was sent from the checkout'

const EVENTS = [
  anEvent({
    type: 'TypeError',
    message: LONG,
    more: {
      transaction: 'POST /an/address/that/is/longer/than/a/narrow/column',
      request: { url: 'https://shop.example/an/address/that/is/longer/than/a/narrow/column', method: 'POST' },
    },
  }),
  anEvent({ type: 'OutOfStockError', message: 'Variant 40118 has 0 left, 2 were requested by one customer' }),
  anEvent({ type: 'ShortError', message: 'no' }),
  anEvent({ type: `Unbroken${'Name'.repeat(30)}`, message: 'x'.repeat(120) }),
]

/** Cells and lines of the list that hold more than they have room for, and a page that is wider than the screen. */
function collisions(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const found: string[] = []
    const boxes = document.querySelectorAll<HTMLElement>('main tr > *, main tr .overflow-hidden')
    for (const box of boxes) {
      const isHead = box.closest('thead') !== null
      // What the bulk bar lies over; it scrolls by itself.
      if (isHead && document.querySelector('.row-check:checked') !== null) continue
      if (box.offsetWidth > 0 && box.scrollWidth > box.clientWidth + 1)
        found.push(`${box.scrollWidth} in ${box.clientWidth} px: ${(box.textContent ?? '').slice(0, 60)}`)
    }
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth > clientWidth) found.push(`the page is ${scrollWidth} px wide`)
    return found
  })
}

/**
 * Lists what can be pressed and is smaller than a finger. A whole row is its title's target, a label its
 * box's.
 */
function tooSmall(page: Page): Promise<readonly string[]> {
  return page.evaluate((finger) => {
    const targets = document.querySelectorAll<HTMLElement>(
      '.bar :is(a, button), .bottom-bar :is(a, button), main :is(a, button, select), main [role="option"], main input:not([type="hidden"])',
    )
    return [...targets].flatMap((target) => {
      if (target.offsetWidth === 0 || target.closest('[popover]') !== null) return []
      // A link within a sentence is as high as its line.
      if (target.matches('.link-text')) return []
      const whole =
        target.closest('label') ?? target.closest('form.field') ?? target.closest('tbody tr') ?? target
      const { width, height } = whole.getBoundingClientRect()
      const reach = getComputedStyle(target, '::after')
      const around =
        reach.content === 'none' ? 0 : -Number.parseFloat(reach.top) - Number.parseFloat(reach.bottom)
      const isHigh = height + (Number.isFinite(around) ? Math.max(0, around) : 0) >= finger - 0.5
      // Tabs and tokens stand side by side: wide by their words.
      const isWide = width >= finger - 0.5 || target.matches('.tab')
      return isHigh && isWide
        ? []
        : [`${target.tagName} ${target.ariaLabel ?? target.textContent}: ${width} × ${height}`]
    })
  }, FINGER)
}

/** How the first letter of a text is written. */
function firstLetterOf(element: Element): string {
  return getComputedStyle(element, '::first-letter').textTransform
}
