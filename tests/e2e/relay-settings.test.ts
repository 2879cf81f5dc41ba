/** The screen that shows a project's relay, and what the setup guide takes from it. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { launchBrowser } from '../support/browser.ts'
import { type Person, resultOf, signIn } from '../support/person.ts'
import { openScreen, type Screen, textOf } from '../support/screen.ts'
import { OWNER, type RunningErrata, type SetUp, startShop } from '../support/start-errata.ts'
import { pageOf } from '../support/two-organisations.ts'

const RELAY = '/shop/projects/web/settings/relay'
const KEYS = '/shop/projects/web/settings/keys'

describe('the relay in a project’s settings', { timeout: 900_000 }, () => {
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

  it('has the project’s own DSN and names, for the framework that is chosen', async () => {
    await screen.open(RELAY)
    const main = screen.page.locator('main')
    const inNext = await textOf(main)
    assert.ok(inNext.includes("from '@errata/relay/next'") && inNext.includes(`dsn: '${running.shop.dsn}'`))
    assert.ok(inNext.includes("tunnel: '/monitoring?o=shop&p=web'"))
    await main.getByRole('link', { name: 'Fastify' }).click()
    await main.getByText("from '@errata/relay/fastify'").waitFor()
    const inFastify = await textOf(main)
    assert.ok(inFastify.includes(`dsn: '${running.shop.dsn}'`) && !inFastify.includes('@errata/relay/next'))
  })

  it('says what a rewrite loses', async () => {
    const text = await (await rosa.document(RELAY)).text()
    assert.match(text, /lose the client’s IP address/)
    assert.ok(text.includes(`${running.url}/monitoring`))
  })

  it('is where the setup guide leads for other frameworks', async () => {
    await screen.open('/shop/projects/web/setup')
    await screen.page.getByRole('link', { name: 'Other frameworks' }).click()
    await screen.page.waitForURL((url) => url.pathname === RELAY)
  })

  it('leads to the client keys where none is active', async () => {
    const { username: key } = new URL(running.shop.dsn)
    const { keys } = await pageOf<{ keys: readonly { id: number; public: string }[] }>(
      rosa,
      KEYS,
      'project-settings.keys',
    )
    for (const { id } of keys)
      await resultOf(await rosa.act('key.switch', KEYS, { key: String(id), to: 'off' }))
    assert.ok(keys.some((one) => one.public === key))
    const without = await (await rosa.document(RELAY)).text()
    assert.match(without, /This project has no active client key/)
    assert.ok(!without.includes(key))
  })
})
