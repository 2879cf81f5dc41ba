/** How long requests take and how they end, by route and kind, and one route in full, in a real browser. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser, Locator, Page } from 'playwright-core'
import { launchBrowser } from '../support/browser.ts'
import { type Person, signIn } from '../support/person.ts'
import { type SentRequest, sendRequests } from '../support/requests.ts'
import { openScreen, pressAtOnce, type Screen } from '../support/screen.ts'
import { anEvent, send } from '../support/send.ts'
import { OWNER, type RunningErrata, type SetUp, startShop } from '../support/start-errata.ts'
import { waitFor } from '../support/wait-for.ts'

const HOUR = 3_600_000
const ORDERS = '/orders/[id]'
const PAGE = '/shop/performance'
/** Without Errata's own pages, which are looked at meanwhile. */
const OF_PROJECT = `${PAGE}?project=web`
const ROUTE_PAGE = `/shop/performance/web/route?route=${encodeURIComponent(ORDERS)}`

/** 40 documents that got slower with a release, page data of which some fail behind 200, and prefetches. */
const REQUESTS: readonly SentRequest[] = [
  ...many(40, { route: ORDERS, ms: 100, agoMs: 5 * HOUR, release: 'shop@1.0.0' }),
  ...many(40, { route: ORDERS, ms: 400, agoMs: HOUR, release: 'shop@1.1.0', queries: 6 }),
  ...many(8, { route: ORDERS, kind: 'page-data', ms: 50 }),
  ...many(2, { route: ORDERS, kind: 'page-data', ms: 50, end: 'behind 200' }),
  ...many(30, { route: ORDERS, kind: 'prefetch', ms: 9_000 }),
  ...many(5, { route: '/about', ms: 3_500, vitals: { lcp: 4_500, cls: 0.02 } }),
  ...many(1, { route: '/about', ms: 20, end: 'failed' }),
]

describe('performance', { timeout: 900_000 }, () => {
  let running: RunningErrata & { readonly shop: SetUp }
  let browser: Browser
  let rosa: Person
  let screen: Screen

  before(async () => {
    running = await startShop()
    browser = await launchBrowser()
    rosa = await signIn(running.url, OWNER)
    screen = await openScreen(browser, running.url, { cookie: rosa.cookie })
  })
  after(async () => {
    await browser?.close()
    await running?.[Symbol.asyncDispose]()
  })

  it('says how to turn tracing on while nothing came', async () => {
    const { page } = screen
    await screen.open('/shop/issues')
    await pressAtOnce(page, 'g', 'p')
    await page.waitForURL((url) => url.pathname === PAGE)
    await page.getByRole('heading', { name: 'No requests' }).waitFor()
    await page.getByText('tracesSampleRate: 1,').waitFor()
    screen.assertQuiet()
    await sendRequests(running.shop.dsn, REQUESTS)
    await waitFor('the figures', async () => {
      const html = await (await page.request.get(PAGE)).text()
      // The last of them: all five page loads, of four each.
      return html.includes(ORDERS) && html.includes('/about') && html.includes('≈ 20')
    })
  })

  it('shows each route with its kinds, and no prefetch in the sums', async () => {
    const { page } = screen
    await screen.open(PAGE)
    const orders = rowsOf(page, ORDERS)
    assert.match((await orders.nth(0).textContent()) ?? '', /90/)
    const kinds = await orders.locator('.badge').allTextContents()
    assert.deepEqual(kinds, ['document', 'page-data', 'prefetch'])
    assert.match((await orders.nth(3).textContent()) ?? '', /30.*9\.\d+ s/)
    const behind = orders.nth(2).locator('td a[href*="failed-behind-200"]')
    assert.equal(await behind.textContent(), '2')
    const address = new URL((await behind.getAttribute('href')) ?? '', running.url)
    assert.equal(address.pathname, '/shop/traces')
    assert.equal(address.searchParams.get('query'), `route:${ORDERS} kind:page-data status:failed-behind-200`)
    screen.assertQuiet()
  })

  it('says what got slower with the newest release', async () => {
    const worse = screen.page.getByRole('region', { name: 'Got worse' })
    assert.match(
      (await worse.textContent()) ?? '',
      /\/orders\/\[id\].*slower since 1\.1\.0: p75 \d+ ms.*with 1\.0\.0/,
    )
  })

  it('is sorted and narrowed by its address', async () => {
    const { page } = screen
    const names = () => page.locator('tbody th code').allTextContents()
    await screen.open(OF_PROJECT)
    assert.deepEqual((await names()).slice(0, 2), [ORDERS, '/about'])
    await page.getByRole('link', { name: 'p95', exact: true }).click()
    await page.waitForURL(/sort=p95/)
    await waitFor('the order', async () => (await names())[0] === '/about')
    await page.getByRole('link', { name: 'p95', exact: true }).click()
    await page.waitForURL(/order=asc/)
    await waitFor('the other order', async () => (await names())[0] === ORDERS)
    await page
      .getByRole('navigation', { name: 'Request kinds' })
      .getByRole('link', { name: /prefetch/ })
      .click()
    await page.waitForURL(/kind=prefetch/)
    await waitFor(
      'prefetches alone',
      async () => !(await page.getByRole('table', { name: 'Routes by' }).textContent())?.includes('/about'),
    )
    await screen.open(OF_PROJECT)
    const search = page.getByRole('combobox', { name: 'Filter routes' })
    await search.fill('ABOUT')
    await page.keyboard.press('Enter')
    await page.waitForURL(/text=ABOUT/)
    await rowsOf(page, ORDERS).first().waitFor({ state: 'detached' })
    screen.assertQuiet()
  })

  it('finds routes by bounds on their figures, completes them, and says what it does not know', async () => {
    const { page } = screen
    await screen.open(OF_PROJECT)
    const search = page.getByRole('combobox', { name: 'Filter routes' })
    await page.keyboard.press('/')
    await page.getByRole('option', { name: /^failures:>2%/ }).waitFor()
    await page.keyboard.type('p9')
    await page.getByRole('option', { name: 'p99' }).waitFor()
    await search.fill('route:')
    await page.getByRole('option', { name: '/about' }).waitFor()
    await search.fill('about requests:>0')
    await page.keyboard.press('Enter')
    await page.waitForURL(/requests/)
    await rowsOf(page, ORDERS).first().waitFor({ state: 'detached' })
    await rowsOf(page, '/about').first().waitFor()
    await search.fill('about requests:>1000000')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'No route matches' }).waitFor()
    await search.fill('p94:>1s')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('p94 is not known of routes. Did you mean p95?').waitFor()
    assert.equal(await search.getAttribute('aria-invalid'), 'true')
    screen.assertQuiet()
  })

  it('rates web vitals by the public thresholds, and marks counts that are estimated', async () => {
    const { page } = screen
    await screen.open(PAGE.replace('/performance', '/performance/vitals'))
    const row = page.getByRole('table', { name: 'Web vitals by page' }).getByRole('row', { name: /\/about/ })
    const text = (await row.textContent()) ?? ''
    assert.match(text, /≈ 20/)
    // Of few page loads a value is not judged, and says of how many it is.
    assert.match(text, /4\.\d+ s.*of 20/)
    assert.match(text, /0\.02.*of 20/)
  })

  it('shows a route by the kind that people wait for, its N+1 and examples that open their trace', async () => {
    const { page } = screen
    await screen.open(ROUTE_PAGE)
    await page.getByRole('heading', { level: 1, name: ORDERS }).waitFor()
    await page.getByText(/80 requests in 24 h, half within/).waitFor()
    const repeated = page.getByRole('region', { name: 'N+1 query' })
    assert.match(
      (await repeated.textContent()) ?? '',
      /SELECT \* FROM lines WHERE id = \?.*In 40 of 80 requests since .* UTC: run 240 times.*6 calls, .*: SELECT \* FROM lines/s,
    )
    assert.equal(await repeated.locator('figure svg').last().locator('rect').count(), 6)
    const spans = page.getByRole('table', { name: 'Costliest spans' })
    assert.match(
      (await spans
        .getByRole('row', { name: /FROM lines/ })
        .locator('[data-label=Calls]')
        .textContent()) ?? '',
      /^3\.0$/,
    )
    const example = page.getByRole('table', { name: 'Slow and failed requests' }).getByRole('link').first()
    assert.match((await example.getAttribute('href')) ?? '', /^\/shop\/traces\/[0-9a-f]{32}\?near=\d+&span=/)
    const bar = page.getByRole('region', { name: 'Duration' }).getByRole('link').first()
    assert.match(
      decodeURIComponent((await bar.getAttribute('href')) ?? ''),
      /duration:>[\d.]+ms\+duration:<=[\d.]+ms/,
    )
    await page.getByRole('group', { name: 'Request kind' }).getByRole('link', { name: 'page-data' }).click()
    await page.waitForURL(/kind=page-data/)
    await page.getByText(/10 requests in 24 h/).waitFor()
    await page.getByText('failed with status 200').first().waitFor()
    await page.getByText('These requests have no child spans.').waitFor()
    const failed = page
      .getByRole('region', { name: 'Duration' })
      .getByRole('link', { name: /: [12] failed,/ })
    const names = await failed.evaluateAll((bars) => bars.map((bar) => bar.getAttribute('aria-label') ?? ''))
    assert.equal(
      names.reduce((sum, name) => sum + Number(/: (\d) failed/.exec(name)?.[1]), 0),
      2,
    )
    assert.match(decodeURIComponent((await failed.first().getAttribute('href')) ?? ''), /kind:page-data/)
    const apart = page
      .getByRole('complementary', { name: 'Figures' })
      .getByRole('row', { name: /failed, p95/ })
    assert.match((await apart.textContent()) ?? '', /5\d ms/)
    screen.assertQuiet()
  })

  it('reads charts by keys, and takes a part that is chosen on them into the address', async () => {
    const { page } = screen
    await screen.open(ROUTE_PAGE)
    const lines = page.getByRole('slider', { name: /^p50, p75 and p95 over time/ })
    await lines.focus()
    await page.keyboard.press('End')
    const last = (await lines.getAttribute('aria-valuenow')) ?? ''
    assert.equal(last, await lines.getAttribute('aria-valuemax'))
    assert.match((await lines.getAttribute('aria-valuetext')) ?? '', /still running: p95 .*, p75 .*, p50 /)
    await page.keyboard.press('ArrowLeft')
    assert.equal(await lines.getAttribute('aria-valuenow'), String(Number(last) - 1))
    await page.keyboard.press('Escape')
    assert.match((await lines.getAttribute('aria-valuetext')) ?? '', /^Arrow keys/)
    const table = page.getByRole('table', { name: /^p50, p75 and p95 over time/ })
    assert.ok((await table.getByRole('row').count()) >= 2)
    await lines.focus()
    for (const key of ['End', 'Shift+ArrowLeft', 'Shift+ArrowLeft', 'Enter']) await page.keyboard.press(key)
    await page.waitForURL(/[?&]from=[^&]+Z&to=[^&]+Z/)
    const [from, to] = ['from', 'to'].map((name) =>
      Date.parse(new URL(page.url()).searchParams.get(name) ?? ''),
    )
    assert.equal(Number(to) - Number(from), 3 * 3_600_000)
    await page.getByRole('heading', { level: 1, name: ORDERS }).waitFor()
    screen.assertQuiet()
  })

  it('takes a box of a heat map into the address, and lists the requests within', async () => {
    const { page } = screen
    await screen.open('/shop/traces?chart=heat')
    const values = page.getByRole('slider', { name: /^Duration over time/ })
    await values.waitFor()
    const { x, y, width, height } = await boxOf(values)
    const [left, right] = [x + width * 0.8, x + width - 1]
    await page.mouse.move(left, y + height * 0.3)
    await page.mouse.down()
    await page.mouse.move(right, y + height - 2, { steps: 5 })
    // Names beside the plot are no text that is selected.
    assert.equal(await page.evaluate(() => String(getSelection())), '')
    await page.mouse.up()
    await page.waitForURL(/query=duration.*&from=[^&]+&to=/)
    const { searchParams } = new URL(page.url())
    assert.match(searchParams.get('query') ?? '', /^duration:>=\S+ duration:<\S+$/)
    await page.getByText(/\d+ requests on .* match/).waitFor()
    screen.assertQuiet()
  })

  it('reads a chart by a tap, and opens what is read by another', async () => {
    const own = await openScreen(browser, running.url, {
      ...{ cookie: rosa.cookie, viewport: { width: 390, height: 844 }, hasTouch: true },
    })
    const { page } = own
    await own.open(ROUTE_PAGE)
    const values = page.getByRole('slider', { name: /^Durations: p50/ })
    await values.scrollIntoViewIfNeeded()
    const bars = page.getByRole('figure', { name: /^Durations: p50/ }).locator('svg rect.fill-bar')
    const bar = await boxOf(bars.first())
    const tap = () => page.touchscreen.tap(bar.x + bar.width / 2, bar.y + bar.height / 2)
    await tap()
    await page.getByText('Tap again to open').waitFor()
    assert.match((await values.getAttribute('aria-valuetext')) ?? '', /succeeded [1-9]/)
    await tap()
    await page.waitForURL(/\/shop\/traces\?query=/)
    own.assertQuiet()
    await own.close()
  })

  it('leads from a route to what fails on it', async () => {
    const { page } = screen
    const message =
      'Cannot read properties of undefined (reading the total of an order that was never placed)'
    const more = { transaction: `GET ${ORDERS}` }
    await send(running.shop.dsn, anEvent({ type: 'TypeError', message, more }))
    await send(
      running.shop.dsn,
      anEvent({ type: 'OtherError', message, more: { transaction: 'GET /about' } }),
    )
    const issues = page.getByRole('region', { name: 'Issues', exact: true })
    await waitFor('the issue', async () => {
      await screen.open(ROUTE_PAGE)
      return (await issues.getByRole('link').count()) === 1
    })
    const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    assert.ok(over <= 0, `${over} px too wide`)
    await issues.getByRole('link', { name: /^TypeError Cannot read/ }).click()
    await page.waitForURL(/\/shop\/issues\/WEB-\d+/)
    screen.assertQuiet()
  })

  it('knows no route of a project that is not there', async () => {
    const answer = await screen.page.request.get('/shop/performance/no-such/route?route=/')
    assert.equal(answer.status(), 404)
  })

  it('keeps every number in sight beside a route of 120 characters', async () => {
    const route = `/${'a-part-of-it/'.repeat(9)}[id]`
    await sendRequests(running.shop.dsn, [{ route, ms: 60 }])
    const own = await openScreen(browser, running.url, {
      cookie: rosa.cookie,
      viewport: { width: 1440, height: 900 },
    })
    const row = rowsOf(own.page, route).first()
    await waitFor('the route', async () => {
      await own.open(`${PAGE}?text=a-part`)
      return (await row.count()) === 1
    })
    const box = await row.getByRole('cell').last().boundingBox()
    assert.ok(box !== null && box.x + box.width <= 1_440, JSON.stringify(box))
    own.assertQuiet()
    await own.close()
  })

  it('fits a phone', async () => {
    const viewport = { width: 390, height: 844 }
    const own = await openScreen(browser, running.url, { cookie: rosa.cookie, viewport })
    for (const path of [PAGE, ROUTE_PAGE]) {
      await own.open(path)
      const over = await own.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
      assert.ok(over <= 0, `${path}: ${over} px too wide`)
    }
    // The name of a line lies on the plot, which has the whole width.
    const chart = own.page
      .getByRole('figure', { name: /^p50, p75 and p95/ })
      .locator('svg')
      .first()
    const { width = 0 } = (await chart.boundingBox()) ?? {}
    assert.ok(width > 300, `a chart is ${width} px wide`)
    own.assertQuiet()
    await own.close()
  })

  it('opens a route on a phone wherever its row is pressed, numbers too', async () => {
    const viewport = { width: 390, height: 844 }
    const own = await openScreen(browser, running.url, { cookie: rosa.cookie, viewport })
    await own.open(PAGE)
    const row = own.page.getByRole('table', { name: 'Routes by request kind' }).locator('tr:has(.row-link)')
    const number = await row.first().locator('td a').first().boundingBox()
    assert.ok(number !== null)
    await own.page.mouse.click(number.x + number.width / 2, number.y + number.height / 2)
    await own.page.waitForURL(/\/performance\/[^/?]+\/route\?/)
    own.assertQuiet()
    await own.close()
  })
})

function many(count: number, request: SentRequest): readonly SentRequest[] {
  // Not all alike: percentiles of equal values are their own bounds.
  return Array.from({ length: count }, (_, at) => ({ ...request, ms: request.ms * (1 + at / (count * 10)) }))
}

/** The rows of one route: its own, then one a kind. */
function rowsOf(page: Page, route: string) {
  return page
    .getByRole('table', { name: 'Routes by request kind' })
    .locator('tbody')
    .filter({ has: page.locator('code', { hasText: route }) })
    .locator('tr')
}

async function boxOf(locator: Locator) {
  const box = await locator.boundingBox()
  assert.ok(box !== null, 'it is in sight')
  return box
}
