/** A server's failure and what a browser saw of it, on the issue's page, in a real browser. */
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

describe('a mirror and what it mirrors', { timeout: 900_000 }, () => {
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

  const mirrorOf = (digest: string) => {
    const value = 'Minified React error #441; visit https://react.dev/errors/441'
    const exception = { values: [{ type: 'Error', value }] }
    const sdk = { name: 'sentry.javascript.nextjs', version: '11.8.0' }
    const page = { platform: 'javascript', sdk, contexts: {}, exception, tags: { digest } }
    return anEvent({ message: value, more: page })
  }

  it('are one issue, whose strip says by what, and parted when a person says so', async () => {
    const { page } = screen
    const numbered = (digest: string) =>
      anEvent({ type: 'OrderError', message: 'no order', more: { tags: { digest } } })
    const older = await send(shop.dsn, numbered('1203400501'))
    await send(shop.dsn, numbered('1203400502'))
    const mirrored = await send(shop.dsn, mirrorOf('1203400501'))
    await waitFor('all three', async () => (await issues(shop, 'OrderError'))[0]?.count === '3')
    assert.equal((await issues(shop, '')).length, 1)
    const [{ shortId: ref = '' } = {}] = await issues(shop, 'OrderError')
    await screen.open(`/shop/issues/${ref}`)
    await page.getByRole('heading', { level: 1, name: /OrderError/ }).waitFor()
    const shown = page.locator('main header .digest')
    assert.match(await textOf(shown), /1203400502/)
    await screen.open(`/shop/issues/${ref}/events/${older}`)
    await page.locator('main header .digest', { hasText: '1203400501' }).waitFor()
    const strip = page.getByRole('region', { name: 'Browser copies' })
    assert.match(await textOf(strip), /Browser copy merged: 1 of 3 events/)
    assert.match(await textOf(strip), /1 event, matched by digest/)
    await strip.getByRole('link', { name: 'Show events' }).click()
    await page.getByRole('link', { name: mirrored.slice(0, 8) }).waitFor()
    await strip.getByRole('button', { name: 'Not the same failure' }).click()
    await waitFor('two issues', async () => (await issues(shop, '')).length === 2)
    const [{ shortId: own = '' } = {}] = await issues(shop, '"React error #441"')
    await screen.open(`/shop/issues/${own}`)
    await strip.getByText('Browser copy without a server event').waitFor()
    assert.match(await textOf(strip), /Split off by/)
    screen.assertQuiet()
  })

  it('waits for the server’s half, and its event says so', async () => {
    const { page } = screen
    const before = (await issues(shop, '')).length
    const event = await send(shop.dsn, mirrorOf('1203400999'))
    const place = await waitFor('the event', async () => {
      const answer = await fetch(`${shop.url}/api/0/organizations/${shop.organisation}/eventids/${event}/`, {
        headers: { authorization: `Bearer ${shop.token}` },
      })
      return answer.status === 200 ? await answer.text() : null
    })
    const { groupId = '' }: { groupId?: string } = JSON.parse(place)
    await screen.open(`/shop/issues/${groupId}/events/${event}`)
    const strip = page.getByRole('region', { name: 'Browser copies' })
    await strip.getByText('Waiting for the server’s event.').waitFor()
    assert.equal((await issues(shop, '')).length, before)
    screen.assertQuiet()
  })
})
