/** Every screen, light and dark, wide and narrow: no complaint of the browser, nothing serious by axe, no sideways scrolling. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { pages } from '../../packages/web/src/shell/pages.ts'
import { issues } from '../support/api.ts'
import { accessibilityOf, openWithAxe, widthOf } from '../support/axe.ts'
import { launchBrowser } from '../support/browser.ts'
import { capturedPayloads } from '../support/captured.ts'
import { type Person, signIn } from '../support/person.ts'
import { sendRequests } from '../support/requests.ts'
import { openScreen, type Screen, textOf } from '../support/screen.ts'
import { anEvent, send, sendSpans } from '../support/send.ts'
import { OWNER, type RunningErrata, type SetUp, startShop } from '../support/start-errata.ts'
import { waitFor } from '../support/wait-for.ts'

const NEXT_DIGEST = '1513151086'

const WIDE = { width: 1440, height: 900 }
const MIDDLE = { width: 768, height: 1024 }
const NARROW = { width: 390, height: 844 }
const LOOKS = [
  { colorScheme: 'light', viewport: WIDE, rules: 'all' },
  // The same page as before in other colours.
  { colorScheme: 'dark', viewport: WIDE, rules: 'contrast' },
  { colorScheme: 'light', viewport: MIDDLE, rules: 'all' },
  { colorScheme: 'dark', viewport: MIDDLE, rules: 'contrast' },
  { colorScheme: 'dark', viewport: NARROW, rules: 'all' },
  { colorScheme: 'light', viewport: NARROW, rules: 'contrast' },
] as const

const MENU_LOOKS = LOOKS.slice(1)

/** Pages that only lead elsewhere, are there before one is inside, or fail on purpose. */
const LEFT_OUT = new Set(['home', 'setup', 'sign-in', 'reset', 'self-test.document', 'self-test.page-data'])
const ADDRESSES = [
  ...pages.filter(({ id }) => !LEFT_OUT.has(id)).map(({ path }) => (path === '*' ? '/no/such/page' : path)),
  '/:org/issues?query=is%3Apurple',
  '/:org/issues?query=nothing-has-this-name',
  '/:org/issues?tab=archived',
  '/:org/traces?query=nothing-has-this-name',
  '/:org/traces?query=kind%3Apurple',
  '/digest?text=1112223334',
  '/:org/performance?environment=nowhere',
  '/:org/skew?environment=nowhere',
  '/:org/performance/:project/route?route=%2Forders%2F%5Bid%5D',
]

describe('every screen', { timeout: 1_800_000 }, () => {
  let running: RunningErrata & { readonly shop: SetUp }
  let shop: SetUp
  let browser: Browser
  let rosa: Person
  let screen: Screen
  let values: Readonly<Record<string, string>> = {}

  before(async () => {
    running = await startShop()
    shop = running.shop
    browser = await launchBrowser()
    rosa = await signIn(running.url, OWNER)
    for (const { envelope } of capturedPayloads()) await replay(shop, envelope)
    const [trace, span] = ['7'.repeat(32), '7'.repeat(16)]
    const name = `GET /${'w'.repeat(300)}`
    const segment = { op: 'http.server', name, atMs: Date.now() - 5_000, ms: 900, segment: span, trace }
    const attributes = { 'http.response.status_code': 500, 'http.request.method': 'GET' }
    await sendSpans(shop.dsn, [{ id: span, ...segment, status: 'error', attributes }])
    const contexts = { trace: { trace_id: trace, span_id: span } }
    const chunk = `Failed to load chunk /_next/static/chunks/${'w'.repeat(200)}.js from module 7`
    await send(
      shop.dsn,
      anEvent({ type: 'ChunkLoadError', message: chunk, more: { platform: 'javascript' } }),
    )
    const event = await send(
      shop.dsn,
      anEvent({ type: 'LastError', message: 'w'.repeat(300), more: { contexts } }),
    )
    await waitFor('the last event', async () => (await issues(shop, event)).length === 1)
    await sendRequests(shop.dsn, [
      ...[90, 120, 140].map((ms) => ({
        route: '/orders/[id]',
        ms,
        queries: 6,
        vitals: { lcp: 3_000, cls: 0.4 },
      })),
      { route: '/orders/[id]', kind: 'prefetch', ms: 20 },
    ])
    const [issue] = await issues(shop, NEXT_DIGEST)
    await rosa.act('issue.comment', `/shop/issues`, { ref: issue?.shortId, text: 'Looked at it' })
    const latest = await fetch(`${running.url}/api/0/organizations/shop/issues/${issue?.id}/events/latest/`, {
      headers: { authorization: `Bearer ${shop.token}` },
    })
    const { eventID } = (await latest.json()) as { eventID: string } // as the web API says it
    const call = (path: string, body: object) =>
      fetch(`${running.url}/api/0/organizations/shop/releases/${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${shop.token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    const version = 'web@1.0.0'
    const commits = [{ id: 'c0ffee', message: 'w'.repeat(200), author_name: 'Rosa' }]
    await call('', { version, projects: ['web'], ref: 'main', url: 'https://ci.example.com/7', commits })
    await call(`${version}/deploys/`, { environment: 'production', url: 'https://example.com' })
    values = {
      org: 'shop',
      version,
      project: 'web',
      id: issue?.shortId ?? '',
      eventId: eventID,
      number: NEXT_DIGEST,
      trace,
      code: 'no-such-code',
    }
    screen = await openScreen(browser, running.url, { cookie: rosa.cookie })
  })
  after(async () => {
    await browser?.close()
    await running?.[Symbol.asyncDispose]()
  })

  for (const address of ADDRESSES) {
    it(`is fine at ${address}`, async () => {
      const path = address.replace(/:(\w+)/g, (_, name: string) => values[name] ?? name)
      assert.deepEqual(await problemsOf(screen, path), [])
      const primary = await screen.page.locator('main .btn-primary').count()
      assert.ok(primary <= 1 || !/settings|account/.test(address), `${primary} primary buttons`)
      screen.assertQuiet(/status of 4\d\d/)
    })
  }

  it('is fine before one is signed in', async () => {
    const outside = await openScreen(browser, running.url)
    for (const address of ['/sign-in', '/reset/no-such-code', '/join/no-such-code'])
      assert.deepEqual(await problemsOf(outside, address), [])
    outside.assertQuiet(/status of 4\d\d/)
    await outside.close()
  })

  it('keeps a row of saved searches, and what it says to a screen reader, within a phone', async () => {
    const { page } = screen
    for (const name of ['Checkout at risk', 'For review by me', 'Hydration and deploys', 'Many people'])
      await rosa.act('search.save', '/shop/issues', { name, query: 'is:unresolved', sort: 'date' })
    await page.setViewportSize(NARROW)
    await screen.open('/shop/issues')
    const totals = page.getByRole('navigation', { name: 'Saved searches' }).getByText('issues')
    await waitFor('the total of each', async () => (await totals.count()) === 4)
    assert.deepEqual(await widthOf(page, 'saved searches'), [])
    screen.assertQuiet()
  })

  it('shows the whole ID of an issue beside its badges and state, just wider than a phone', async () => {
    const { page } = screen
    await page.setViewportSize({ width: 700, height: 900 })
    await screen.open('/shop/issues')
    const cut = await page
      .locator('main tbody div.overflow-hidden')
      .evaluateAll((lines) => lines.filter((line) => line.scrollWidth > line.clientWidth).map(String))
    assert.deepEqual(cut, [])
  })

  it('has room for the last tab of the settings of a project', async () => {
    const { page } = screen
    await page.setViewportSize(WIDE)
    await screen.open('/shop/projects/web/settings')
    const tabs = page.getByRole('navigation', { name: 'Settings of the project' })
    const cut = await tabs.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
    assert.equal(cut, 0)
  })

  it('opens its menus, palette and list of shortcuts without complaint', async () => {
    const { page } = screen
    const problems: string[] = []
    for (const { colorScheme, viewport } of MENU_LOOKS) {
      await page.setViewportSize(viewport)
      await page.emulateMedia({ colorScheme })
      await openWithAxe(screen, '/shop/issues')
      for (const button of await page.locator('main button[popovertarget]:visible').all()) {
        await button.click()
        await page.locator(':popover-open').waitFor()
        const menu = `menu of ${await textOf(button)}, ${colorScheme} at ${viewport.width}`
        problems.push(...(await widthOf(page, menu)), ...(await accessibilityOf(page, menu, 'contrast')))
        await page.keyboard.press('Escape')
        await page.locator(':popover-open').waitFor({ state: 'detached' })
      }
      for (const [key, name] of [
        ['Control+k', 'Go to'],
        ['?', 'Keyboard shortcuts'],
      ] as const) {
        await page.keyboard.press(key)
        await page.getByRole('dialog', { name }).waitFor()
        problems.push(...(await accessibilityOf(page, name)), ...(await widthOf(page, name)))
        await page.keyboard.press('Escape')
        await page.getByRole('dialog', { name }).waitFor({ state: 'detached' })
      }
    }
    assert.deepEqual(problems, [])
    screen.assertQuiet()
  })
})

/** Loads the page once and looks at it in every width and theme: they differ by style alone. */
async function problemsOf(screen: Screen, address: string): Promise<readonly string[]> {
  const { page } = screen
  const problems: string[] = []
  await page.setViewportSize(LOOKS[0].viewport)
  await openWithAxe(screen, address)
  for (const { colorScheme, viewport, rules } of LOOKS) {
    await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme })
    const look = `${address}, ${colorScheme} at ${viewport.width}`
    problems.push(...(await widthOf(page, look)), ...(await accessibilityOf(page, look, rules)))
  }
  return problems
}

/** Sends what a real SDK sent to this project. */
async function replay(shop: SetUp, envelope: string): Promise<void> {
  const { username, pathname } = new URL(shop.dsn)
  const answer = await fetch(`${shop.url}/api${pathname}/envelope/?sentry_key=${username}`, {
    method: 'POST',
    body: envelope.replaceAll(/"dsn":"[^"]*"/g, `"dsn":"${shop.dsn}"`),
  })
  assert.equal(answer.status, 200)
  await answer.body?.cancel()
}
