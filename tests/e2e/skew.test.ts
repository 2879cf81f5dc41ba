/** Clicks that failed in tabs of an older build, deploy by deploy, in a real browser. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { launchBrowser } from '../support/browser.ts'
import { type Person, signIn } from '../support/person.ts'
import { openScreen, pressAtOnce, type Screen } from '../support/screen.ts'
import { anEvent, send, sendSpans } from '../support/send.ts'
import { OWNER, type RunningErrata, type SetUp, startShop } from '../support/start-errata.ts'
import { waitFor } from '../support/wait-for.ts'

const MINUTE = 60_000
const PAGE = '/shop/skew'
const [OLD, NEW] = ['web@1.0.0', 'web@1.1.0']
const ACTION = `40${'ef'.repeat(20)}`
const CHUNK = '/_next/static/chunks/checkout-1a2b3c4d.js'

describe('deploy skew', { timeout: 900_000 }, () => {
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

  /** A tab’s error, as the SDK of Next.js sends it. */
  const stale = (nth: number, type: string, message: string) =>
    send(
      running.shop.dsn,
      anEvent({
        ...{ type, message },
        more: {
          ...{ platform: 'javascript', release: OLD, transaction: '/checkout', user: { id: `u-${nth}` } },
          ...{ timestamp: (Date.now() - (20 - nth) * MINUTE) / 1_000 },
          sdk: { name: 'sentry.javascript.nextjs', version: '11.8.0' },
          contexts: { trace: { trace_id: String(nth).repeat(32), span_id: 'b'.repeat(16) } },
        },
      }),
    )

  it('says that nothing was stale while nothing was', async () => {
    const { page } = screen
    await screen.open('/shop/issues')
    await pressAtOnce(page, 'g', 'k')
    await page.waitForURL((url) => url.pathname === PAGE)
    await page.getByRole('heading', { name: 'No stale clicks' }).waitFor()
    await page.getByRole('link', { name: 'Show the last 90 days' }).click()
    await page.waitForURL(/range=90d/)
    await screen.open(`${PAGE}?environment=nowhere`)
    await page.getByRole('link', { name: 'Show all projects and environments' }).waitFor()
    screen.assertQuiet()
  })

  it('counts what browser and server tell of one click once, and says why', async () => {
    const { page } = screen
    const authorization = `Bearer ${running.shop.token}`
    const call = (path: string, body: object) =>
      fetch(`${running.url}/api/0/organizations/shop/releases/${path}`, {
        ...{ method: 'POST', body: JSON.stringify(body) },
        headers: { authorization, 'content-type': 'application/json' },
      })
    const dateFinished = new Date(Date.now() - 30 * MINUTE).toISOString()
    await call('', { version: NEW, projects: ['web'] })
    await call(`${NEW}/deploys/`, { environment: 'production', dateFinished })
    for (const nth of [1, 2]) {
      await stale(nth, 'UnrecognizedActionError', `Server Action "${ACTION}" was not found on the server`)
      const attributes = {
        ...{ 'http.request.method': 'POST', 'http.response.status_code': 404, 'http.route': '/checkout' },
        ...{ 'http.request.header.next-action': ACTION, 'sentry.release': NEW },
        ...{ 'sentry.environment': 'production', 'sentry.kind': 'server' },
      }
      const segment = { id: 'c'.repeat(16), segment: 'c'.repeat(16), trace: String(nth).repeat(32) }
      const times = { atMs: Date.now() - (20 - nth) * MINUTE, ms: 9, status: 'error' }
      await sendSpans(running.shop.dsn, [
        { ...segment, ...times, op: 'http.server', name: 'POST /checkout', attributes },
      ])
    }
    await stale(3, 'ChunkLoadError', `Failed to load chunk ${CHUNK} from module 7`)
    await waitFor('the clicks', async () =>
      (await (await page.request.get(PAGE)).text()).includes('3 clicks'),
    )
    await screen.open(PAGE)
    const text = (await page.locator('main').textContent()) ?? ''
    assert.match(text, /After 1\.1\.0 went out 3\d min ago, 3 clicks of 3 users failed/)
    // As fine as spans of a quarter of an hour are, wherever the clock stands in one.
    assert.match(text, /Half happened within \d{1,2} min; 3 in the last hour\. Two causes, both avoidable\./)
    const causes = page.getByRole('complementary', { name: 'Causes' })
    assert.deepEqual(await causes.getByRole('heading', { level: 3 }).allTextContents(), [
      'Action IDs changed',
      'Old assets were removed too early',
    ])
    await causes.getByText('NEXT_SERVER_ACTIONS_ENCRYPTION_KEY=').waitFor()
    screen.assertQuiet()
  })

  it('is led to by the overview’s clicks of a day, with as many', async () => {
    const { page } = screen
    await screen.open('/shop')
    const sessions = page.getByRole('region', { name: 'Sessions' })
    const [, clicks] = /Clicks in stale tabs(\d+)/.exec((await sessions.textContent()) ?? '') ?? []
    assert.equal(clicks, '3')
    await sessions.getByRole('link', { name: 'Clicks in stale tabs' }).click()
    await page.waitForURL((url) => url.pathname === PAGE && url.searchParams.get('range') === '24h')
    const deploys = page.getByRole('region', { name: 'All deploys' }).filter({ hasText: '24 h' })
    await deploys
      .getByRole('row')
      .filter({ hasText: '1.1.0' })
      .getByText(clicks, { exact: true })
      .first()
      .waitFor()
    await screen.open(PAGE)
    screen.assertQuiet()
  })

  it('leads to the issue, an event, a trace, and from the issue back', async () => {
    const { page } = screen
    const places = page.getByRole('table', { name: 'Failures by page' }).locator('tbody tr')
    assert.match((await places.nth(0).textContent()) ?? '', /Unknown server action.*\/checkout.*2.*404/s)
    assert.match((await places.nth(1).textContent()) ?? '', /Missing chunk.*checkout-1a2b3c4d\.js/s)
    const trace = await places.nth(0).getByRole('link', { name: 'Trace' }).getAttribute('href')
    assert.match(trace ?? '', /^\/shop\/traces\/2{32}\?near=/)
    await places.nth(0).getByRole('link', { name: 'Event' }).click()
    await page.getByRole('heading', { name: `Stale tabs failed after the deploy of ${NEW}` }).waitFor()
    await page.getByRole('link', { name: 'All stale clicks in this deploy' }).click()
    await page.waitForURL((url) => url.pathname === PAGE && url.searchParams.get('release') === OLD)
    await page.getByText('went out').waitFor()
    screen.assertQuiet()
  })

  it('has advice for each framework', async () => {
    const { page } = screen
    await page.getByRole('navigation', { name: 'Framework' }).getByRole('link', { name: 'SvelteKit' }).click()
    await page.waitForURL(/framework=sveltekit/)
    await page.getByText('pollInterval').waitFor()
    await page.getByText('_app/immutable').first().waitFor()
    screen.assertQuiet()
  })
})
