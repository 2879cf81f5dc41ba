/** Every screen, light and dark, wide and narrow: no complaint of the browser, nothing serious by axe, no sideways scrolling. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { after, before, describe, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { pages } from '../../packages/web/src/app/routes.ts'
import { issues } from '../support/api.ts'
import { launchBrowser } from '../support/browser.ts'
import { capturedPayloads } from '../support/captured.ts'
import { type Person, signIn } from '../support/person.ts'
import { openScreen, type Screen } from '../support/screen.ts'
import { anEvent, send } from '../support/send.ts'
import { OWNER, type RunningErrata, type SetUp, startShop } from '../support/start-errata.ts'
import { waitFor } from '../support/wait-for.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const NEXT_DIGEST = '1513151086'

const LOOKS = [
  { colorScheme: 'light', viewport: { width: 1440, height: 900 } },
  { colorScheme: 'dark', viewport: { width: 1440, height: 900 } },
  { colorScheme: 'light', viewport: { width: 390, height: 844 } },
  { colorScheme: 'dark', viewport: { width: 390, height: 844 } },
] as const

/** Pages that only lead elsewhere, are there before one is inside, or fail on purpose. */
const LEFT_OUT = new Set(['home', 'setup', 'sign-in', 'reset', 'self-test.document', 'self-test.page-data'])

describe('every screen', { timeout: 170_000 }, () => {
  let running: RunningErrata & { readonly shop: SetUp }
  let shop: SetUp
  let browser: Browser
  let rosa: Person
  let addresses: readonly string[] = []

  before(async () => {
    running = await startShop()
    shop = running.shop
    browser = await launchBrowser()
    rosa = await signIn(running.url, OWNER)
    for (const { envelope } of capturedPayloads()) await replay(shop, envelope)
    const event = await send(shop.dsn, anEvent({ type: 'LastError', message: 'w'.repeat(300) }))
    await waitFor('the last event', async () => (await issues(shop, event)).length === 1)
    const [issue] = await issues(shop, NEXT_DIGEST)
    await rosa.act('issue.comment', `/shop/issues`, { ref: issue?.shortId, text: 'Looked at it' })
    const latest = await fetch(`${running.url}/api/0/organizations/shop/issues/${issue?.id}/events/latest/`, {
      headers: { authorization: `Bearer ${shop.token}` },
    })
    const { eventID } = (await latest.json()) as { eventID: string } // as the web API says it
    const values: Readonly<Record<string, string>> = {
      org: 'shop',
      project: 'web',
      id: issue?.shortId ?? '',
      eventId: eventID,
      number: NEXT_DIGEST,
      code: 'no-such-code',
    }
    addresses = [
      ...pages
        .filter(({ id }) => !LEFT_OUT.has(id))
        .map(({ path }) =>
          path === '*' ? '/no/such/page' : path.replace(/:(\w+)/g, (_, name: string) => values[name] ?? name),
        ),
      '/shop/issues?query=is%3Apurple',
      '/shop/issues?query=nothing-has-this-name',
      '/shop/issues?tab=archived',
      '/digest?text=1112223334',
    ]
  })
  after(async () => {
    await browser?.close()
    await running?.[Symbol.asyncDispose]()
  })

  for (const { colorScheme, viewport } of LOOKS) {
    it(`is fine in ${colorScheme} at ${viewport.width} px`, async () => {
      const screen = await openScreen(browser, running.url, { cookie: rosa.cookie, colorScheme, viewport })
      const problems: string[] = []
      for (const address of addresses) problems.push(...(await problemsOf(screen, address)))
      const outside = await openScreen(browser, running.url, { colorScheme, viewport })
      for (const address of ['/sign-in', '/reset/no-such-code'])
        problems.push(...(await problemsOf(outside, address)))
      assert.deepEqual(problems, [])
      screen.assertQuiet(/status of 4\d\d/)
      outside.assertQuiet(/status of 4\d\d/)
      await screen.close()
      await outside.close()
    })
  }

  it('opens its menus, dialogs and palette without complaint', async () => {
    for (const { colorScheme, viewport } of [LOOKS[0], LOOKS[3]]) {
      const screen = await openScreen(browser, running.url, { cookie: rosa.cookie, colorScheme, viewport })
      const { page } = screen
      await screen.open('/shop/issues')
      const problems: string[] = []
      for (const button of await page.locator('main button[popovertarget]:visible').all()) {
        await button.click()
        problems.push(...(await accessibilityOf(page, `menu of ${await button.innerText()}`)))
        await page.keyboard.press('Escape')
      }
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog', { name: 'Jump to' }).waitFor()
      problems.push(...(await accessibilityOf(page, 'palette')), ...(await widthOf(page, 'palette')))
      await page.keyboard.press('Escape')
      await page.keyboard.press('?')
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
      problems.push(...(await accessibilityOf(page, 'shortcuts')), ...(await widthOf(page, 'shortcuts')))
      assert.deepEqual(problems, [])
      screen.assertQuiet()
      await screen.close()
    }
  })
})

async function problemsOf(screen: Screen, address: string): Promise<readonly string[]> {
  await screen.open(address)
  const { page } = screen
  const look = `${address} at ${page.viewportSize()?.width ?? '?'}`
  return [...(await widthOf(page, look)), ...(await accessibilityOf(page, look))]
}

/** The page itself never scrolls sideways; wide tables scroll in a box of their own. */
async function widthOf(page: Page, where: string): Promise<readonly string[]> {
  const { content, window: shown } = await page.evaluate(() => ({
    content: Math.max(document.documentElement.scrollWidth, document.body.scrollWidth),
    window: window.innerWidth,
  }))
  return content > shown ? [`${where}: ${content} px wide in ${shown}`] : []
}

interface AxeResult {
  readonly violations: readonly {
    readonly id: string
    readonly impact: string | null
    readonly nodes: readonly { readonly target: readonly unknown[]; readonly failureSummary?: string }[]
  }[]
}

/** What axe calls serious or critical. */
async function accessibilityOf(page: Page, where: string): Promise<readonly string[]> {
  await page.evaluate(AXE)
  const { violations } = await page.evaluate(() => {
    const { axe } = window as unknown as { axe: { run(options: object): Promise<AxeResult> } } // defined by the line before
    return axe.run({ resultTypes: ['violations'] })
  })
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => {
      const places = nodes.slice(0, 3).map(({ target }) => target.join(' '))
      return `${where}: ${id} (${nodes.length}) at ${places.join(' | ')}`
    })
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
