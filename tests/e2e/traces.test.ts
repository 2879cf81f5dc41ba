/** Traces in a real browser: from the search to a waterfall across browser and server, to its error and back. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { issues } from '../support/api.ts'
import { launchBrowser } from '../support/browser.ts'
import { signIn } from '../support/person.ts'
import { hydrated, openScreen, pressAtOnce, type Screen, textOf } from '../support/screen.ts'
import { anEvent, type SpanParts, send, sendSpans } from '../support/send.ts'
import { OWNER, type RunningErrata, type SetUp, startShop } from '../support/start-errata.ts'
import { waitFor } from '../support/wait-for.ts'

const TRACE = 'abcd'.repeat(8)
const LARGE = 'ab12'.repeat(8)
const LONELY = 'fade'.repeat(8)
const STREAMED = 'bead'.repeat(8)
const LARGE_SPANS = 6_000

const id = (name: string) => name.padStart(16, '0')

describe('traces', { timeout: 900_000 }, () => {
  let running: RunningErrata & { readonly shop: SetUp }
  let shop: SetUp
  let browser: Browser
  let screen: Screen
  let ref = ''

  before(async () => {
    running = await startShop()
    shop = running.shop
    browser = await launchBrowser()
    screen = await openScreen(browser, running.url, { cookie: (await signIn(running.url, OWNER)).cookie })
    const atMs = Date.now() - 60_000
    await sendSpans(shop.dsn, server(atMs))
    // The browser’s clock is 40 ms ahead.
    await sendSpans(shop.dsn, page(atMs + 40), true)
    await sendSpans(shop.dsn, large(atMs).slice(0, LARGE_SPANS / 2))
    await sendSpans(shop.dsn, large(atMs).slice(LARGE_SPANS / 2))
    const error = (trace: string, span: string, type: string) => {
      const contexts = { trace: { trace_id: trace, span_id: span } }
      return anEvent({ type, message: 'failed', more: { contexts, timestamp: (atMs + 150) / 1_000 } })
    }
    await send(shop.dsn, error(TRACE, id('a2'), 'OrderError'))
    await send(shop.dsn, error(LONELY, id('99'), 'LonelyError'))
    await waitFor('the errors', async () => (await issues(shop, 'LonelyError')).length === 1)
    ref = (await issues(shop, 'OrderError'))[0]?.shortId ?? ''
    await waitFor('the spans', async () => {
      const answer = await fetch(`${running.url}/api/0/organizations/shop/events-trace/${LARGE}/`, {
        headers: { authorization: `Bearer ${shop.token}` },
      })
      return answer.ok && (await answer.text()).includes(id(`d${LARGE_SPANS - 1}`))
    })
  })
  after(async () => {
    await browser?.close()
    await running?.[Symbol.asyncDispose]()
  })

  it('are searched by what a request was, and lead to their waterfall', async () => {
    const { page } = screen
    await screen.open('/shop/issues')
    await pressAtOnce(page, 'g', 't')
    await page.waitForURL('**/shop/traces')
    await page.getByRole('row', { name: /\/reports/ }).waitFor()
    await page.keyboard.press('/')
    await page.getByRole('option', { name: /^is:n\+1/ }).waitFor()
    await page.keyboard.type('rou')
    await page.getByRole('option', { name: /^route/ }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('option', { name: /^\/orders\/\[id\] ?\d requests?$/ }).waitFor()
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.type('status:failed duration:>100ms')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/shop/traces?**')
    const rows = page.getByRole('table', { name: 'Traces' }).locator('tbody tr')
    await waitFor('the one found', async () => (await rows.count()) === 1)
    assert.match(await textOf(rows.first()), /\/orders\/\[id\].*failed, 200.*OrderError/s)
    assert.match((await rows.first().textContent()) ?? '', /database 20 ms, server 180 ms/)
    const facets = page.getByRole('complementary', { name: 'Narrow the search' })
    for (const [facet, value, term] of [
      ['Issue', ref, `issue:${ref}`],
      ['Service', 'web', 'service:web'],
      ['Waits for', 'server', 'waits:server'],
    ] as const) {
      const link = facets.getByRole('region', { name: facet }).getByRole('link')
      assert.match(await textOf(link.first()), new RegExp(`^${value}.*1$`, 's'))
      await link.first().click()
      await page.waitForURL(`**${encodeURIComponent(term)}**`)
      await page.getByTitle(`Remove ${term}`).first().waitFor()
      assert.equal(await rows.count(), 1)
    }
    await page
      .getByRole('link', { name: /production/ })
      .first()
      .click()
    await page.waitForURL('**environment%3Aproduction**')
    await rows.first().getByRole('link', { name: '/orders/[id]' }).click()
    await page.getByRole('heading', { level: 1, name: '/orders/[id]' }).waitFor()
    screen.assertQuiet()
  })

  it('show browser and server in one waterfall, with the error in its place', async () => {
    const { page } = screen
    await screen.open(`/shop/traces/${TRACE}`)
    const tree = page.getByRole('tree', { name: 'Spans' })
    const rows = await tree.getByRole('treeitem').allTextContents()
    const order = [/pageload/, /paint/, /http\.client/, /failed with status 200/, /render/, /error/, /db/]
    assert.equal(rows.length, order.length, rows.join('\n'))
    for (const [at, pattern] of order.entries()) assert.match(rows[at] ?? '', pattern)
    assert.match(
      await textOf(page.locator('main header')),
      /5 spans, browser and server, 1 request.*1 error/s,
    )
    await page.getByText('Browser clock runs 40 ms ahead; its spans are shifted by that.').waitFor()
    const panel = page.getByRole('complementary', { name: 'Chosen span' })
    await panel.getByText('OrderError: failed').waitFor()
    const route = panel.getByRole('link', { name: '/orders/[id]' })
    assert.equal(
      await route.getAttribute('href'),
      `/shop/performance/web/route?route=${encodeURIComponent('/orders/[id]')}&kind=page-data&range=1h`,
    )
    await panel.getByRole('link', { name: ref }).click()
    await page.getByRole('heading', { level: 1, name: /OrderError/ }).waitFor()
    const about = page.getByRole('complementary', { name: 'About the issue' })
    const answered = await textOf(about.getByRole('region', { name: 'Response' }))
    assert.match(answered, /page-data, GET.*Status\s*failed with status 200.*200 ms/s)
    const trace = about.getByRole('region', { name: 'Trace' })
    assert.match(await textOf(trace), /5 spans, browser and server, 600 ms/)
    assert.equal(await trace.locator('svg rect').count(), 5)
    await page.getByRole('link', { name: TRACE }).click()
    await page.waitForURL(`**/shop/traces/${TRACE}?near=**`)
    screen.assertQuiet()
  })

  it('are walked by keys, folded and searched; each span has a link that leads back to it', async () => {
    const { page } = screen
    await screen.open(`/shop/traces/${TRACE}?span=${id('a1')}`)
    const tree = page.getByRole('tree', { name: 'Spans' })
    const chosen = tree.locator('[aria-selected=true]')
    const panel = page.getByRole('complementary', { name: 'Chosen span' })
    assert.match(await textOf(chosen), /http\.server/)
    await tree.focus()
    await page.keyboard.press('ArrowLeft')
    const rows = async () => tree.getByRole('treeitem').count()
    await waitFor('folded', async () => (await rows()) === 4)
    await page.keyboard.press('ArrowRight')
    await waitFor('unfolded', async () => (await rows()) === 7)
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await panel.getByText('SELECT * FROM orders').waitFor()
    await panel.getByText('db.rows').waitFor()
    assert.match(page.url(), new RegExp(`span=${id('a3')}`))
    await page.reload()
    await panel.getByText('db.rows').waitFor()
    await hydrated(page)
    await page.keyboard.press('/')
    await page.keyboard.type('render')
    await page.getByText('1 match', { exact: true }).waitFor()
    await page.keyboard.press('Enter')
    await panel.getByRole('heading', { name: 'render' }).waitFor()
    screen.assertQuiet()
  })

  it('are shown flat and by service too, and the next one as the last was looked at', async () => {
    const { page } = screen
    await screen.open(`/shop/traces/${TRACE}`)
    const rows = page.getByRole('tree', { name: 'Spans' }).getByRole('treeitem')
    const order = page.getByRole('group', { name: 'Order of spans' })
    await order.getByRole('button', { name: 'By service' }).click()
    await waitFor('the services', async () => /web, browser/.test((await rows.allTextContents())[0] ?? ''))
    assert.equal(await rows.count(), 9)
    await rows.first().click()
    await waitFor('a folded service', async () => (await rows.count()) === 6)
    await order.getByRole('button', { name: 'Flat' }).click()
    await waitFor('no services', async () => (await rows.count()) === 7)
    for (const row of await rows.all()) assert.equal(await row.getAttribute('aria-expanded'), null)
    await page.reload()
    await hydrated(page)
    const flat = order.getByRole('button', { name: 'Flat' })
    await waitFor('what was chosen', async () => (await flat.getAttribute('aria-pressed')) === 'true')
    await order.getByRole('button', { name: 'Tree' }).click()
    screen.assertQuiet()
  })

  it('draw only what is in sight of thousands of spans, and scroll to the last', async () => {
    const { page } = screen
    await screen.open(`/shop/traces/${LARGE}`)
    const tree = page.getByRole('tree', { name: 'Spans' })
    await page.getByRole('button', { name: 'Expand all' }).click()
    assert.ok((await tree.getByRole('treeitem').count()) < 100)
    await tree.focus()
    await page.keyboard.press('End')
    await tree.getByRole('treeitem', { name: `row ${LARGE_SPANS - 1}`, exact: false }).waitFor()
    assert.ok((await tree.getByRole('treeitem').count()) < 100)
    screen.assertQuiet()
  })

  it('have rows as high as a finger wants them on a phone, down to the last of thousands', async () => {
    const cookie = (await signIn(running.url, OWNER)).cookie
    const phone = await openScreen(browser, running.url, { cookie, viewport: { width: 390, height: 844 } })
    await phone.open(`/shop/traces/${LARGE}`)
    const tree = phone.page.getByRole('tree', { name: 'Spans' })
    await phone.page.getByRole('button', { name: 'Expand all' }).click()
    await tree.focus()
    await phone.page.keyboard.press('End')
    const last = tree.getByRole('treeitem', { name: `row ${LARGE_SPANS - 1}`, exact: false })
    await last.waitFor()
    assert.equal((await last.boundingBox())?.height, 44)
    const { scrolls, sees } = await last.evaluate((row) => {
      const box = row.closest('.overflow-auto')?.getBoundingClientRect()
      const place = row.getBoundingClientRect()
      return {
        scrolls: box !== undefined,
        sees: place.top >= (box?.top ?? 0) && place.top < (box?.bottom ?? 0),
      }
    })
    assert.deepEqual([scrolls, sees], [true, true])
    // The longest span ends where its axis does: its duration stands behind it.
    await phone.page.keyboard.press('Home')
    const longest = tree.getByRole('treeitem', { name: 'GET /reports' }).locator('svg text').last()
    const { x = 0, width = 999 } = (await longest.boundingBox()) ?? {}
    assert.ok(x + width <= 390, `a duration ends at ${x + width} px`)
    phone.assertQuiet()
    await phone.close()
  })

  it('have a page with nothing but errors, and a pasted id leads there', async () => {
    const { page } = screen
    await screen.open('/shop/issues')
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog', { name: 'Go to' }).waitFor()
    await page.keyboard.type(LONELY)
    await page.getByRole('option', { name: `Trace ${LONELY}` }).click()
    await page.waitForURL(`**/shop/traces/${LONELY}`)
    await page.getByText('Only the errors of this trace are stored').waitFor()
    await page.getByRole('complementary').getByText('LonelyError: failed').waitFor()
    screen.assertQuiet()
  })

  it('are called after the request that still runs, whose spans came first', async () => {
    const { page } = screen
    const all = { trace: STREAMED, segment: id('e1'), parent: id('e1'), op: 'db.query', ms: 20 }
    const attributes = { 'sentry.segment.name': 'GET /exports/[id]' }
    const atMs = Date.now() - 30_000
    await sendSpans(shop.dsn, [
      { ...all, id: id('e2'), name: 'SELECT * FROM exports', atMs, attributes },
      { ...all, id: id('e3'), name: 'SELECT * FROM lines', atMs: atMs + 7_000, attributes },
    ])
    await waitFor('the spans', async () => {
      await page.goto(`${running.url}/shop/traces/${STREAMED}`)
      return (await page.getByRole('treeitem').count()) === 2
    })
    await page.getByRole('heading', { level: 1, name: 'GET /exports/[id]' }).waitFor()
    await page.getByText('2 spans are listed at the top level').waitFor()
  })
})

function server(atMs: number): readonly SpanParts[] {
  const all = { trace: TRACE, segment: id('a1') }
  const attributes = {
    ...{ 'http.response.status_code': 200, 'http.request.method': 'GET', 'http.route': '/orders/[id]' },
    ...{ 'next.rsc': true, 'sentry.environment': 'production' },
  }
  const root = {
    ...all,
    id: id('a1'),
    parent: id('b2'),
    op: 'http.server',
    name: 'GET /orders/[id]',
    attributes,
  }
  const query = { op: 'db.query', name: 'SELECT * FROM orders', attributes: { 'db.rows': 3 } }
  return [
    { ...root, atMs: atMs + 100, ms: 200, status: 'error' },
    { ...all, id: id('a2'), parent: id('a1'), op: 'render', name: 'OrderPage', atMs: atMs + 110, ms: 150 },
    { ...all, id: id('a3'), parent: id('a2'), ...query, atMs: atMs + 120, ms: 20 },
  ]
}

function page(atMs: number): readonly SpanParts[] {
  const all = { trace: TRACE, segment: id('b1') }
  const attributes = { 'browser.web_vital.lcp.value': 310 }
  // As long as the answer and a little, but a shift of the clock puts it beside it.
  const request = { op: 'http.client', name: 'GET /orders/7', atMs: atMs + 95, ms: 210 }
  return [
    { ...all, id: id('b1'), op: 'pageload', name: '/orders/[id]', atMs, ms: 600, attributes },
    { ...all, id: id('b2'), parent: id('b1'), ...request },
  ]
}

function large(atMs: number): readonly SpanParts[] {
  const all = { trace: LARGE, segment: id('d0') }
  const attributes = { 'http.response.status_code': 200, 'http.route': '/reports' }
  const root = { ...all, id: id('d0'), op: 'http.server', name: 'GET /reports', atMs, ms: 9_000, attributes }
  return Array.from({ length: LARGE_SPANS }, (_, nth) => {
    if (nth === 0) return root
    const parent = id(nth <= 20 ? 'd0' : `d${1 + (nth % 20)}`)
    // A number alone would make them one line.
    const word = String(nth).replace(/\d/g, (digit) => 'ghijklmnop'[Number(digit)] ?? '')
    const name = `row ${nth} ${word}`
    return { ...all, id: id(`d${nth}`), parent, op: 'task', name, atMs: atMs + nth, ms: 1 }
  })
}
