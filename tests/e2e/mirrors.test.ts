/** A server's failure and its echo in a browser, on the pages of both, in a real browser. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { issues } from '../support/api.ts'
import { launchBrowser } from '../support/browser.ts'
import { signIn } from '../support/person.ts'
import { openScreen, type Screen, textOf } from '../support/screen.ts'
import { anEvent, send } from '../support/send.ts'
import { OWNER, type RunningErrata, type SetUp, startShop } from '../support/start-errata.ts'
import { waitFor } from '../support/wait-for.ts'

describe('a mirror and what it mirrors', { timeout: 120_000 }, () => {
  let running: RunningErrata & { readonly shop: SetUp }
  let shop: SetUp
  let browser: Browser
  let screen: Screen

  before(async () => {
    running = await startShop()
    shop = running.shop
    browser = await launchBrowser()
    const { cookie } = await signIn(running.url, OWNER)
    screen = await openScreen(browser, running.url, { cookie })
  })
  after(async () => {
    await browser?.close()
    await running?.[Symbol.asyncDispose]()
  })

  it('shows the number of the event on the screen, and leads from a mirror to the server’s event and back', async () => {
    const { page } = screen
    const numbered = (digest: string) =>
      anEvent({ type: 'OrderError', message: 'no order', more: { tags: { digest } } })
    const older = await send(shop.dsn, numbered('1203400501'))
    await send(shop.dsn, numbered('1203400502'))
    const value = 'Minified React error #441; visit https://react.dev/errors/441'
    const echo = {
      platform: 'javascript',
      exception: { values: [{ type: 'Error', value }] },
      tags: { digest: '1203400501' },
    }
    await send(shop.dsn, anEvent({ message: value, more: echo }))
    await waitFor('both', async () => (await issues(shop, 'OrderError'))[0]?.count === '2')
    await waitFor('the echo', async () => (await issues(shop, '"React error #441"')).length === 1)
    const [{ shortId: ref = '' } = {}] = await issues(shop, 'OrderError')
    await screen.open(`/shop/issues/${ref}`)
    await page.getByRole('heading', { level: 1, name: /OrderError/ }).waitFor()
    const shown = page.locator('main header .digest')
    assert.match(await textOf(shown), /1203400502/)
    await screen.open(`/shop/issues/${ref}/events/${older}`)
    await page.locator('main header .digest', { hasText: '1203400501' }).waitFor()
    const mirrors = page.getByRole('list', { name: 'In the browser' })
    await mirrors.getByRole('link').click()
    await page.getByText('Browser mirror:').waitFor()
    await page.getByRole('list', { name: 'On the server' }).getByRole('link', { name: ref }).click()
    await page.waitForURL(`**/shop/issues/${ref}/events/${older}`)
    screen.assertQuiet()
  })
})
