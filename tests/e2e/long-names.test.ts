/** Names as long as they may be, in a real browser: no page scrolls sideways, and its title says what it is about. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { launchBrowser } from '../support/browser.ts'
import { type Person, signIn } from '../support/person.ts'
import { openScreen } from '../support/screen.ts'
import { anEvent, send } from '../support/send.ts'
import { OWNER, type RunningErrata, type SetUp, startShop } from '../support/start-errata.ts'
import { waitFor } from '../support/wait-for.ts'

const NAME = 'A name that goes on '.repeat(5).trim()
const SLUG = 'w'.repeat(50)
const RELEASE = `${'p'.repeat(60)}@1.0.0-${'b'.repeat(120)}`
const PAGES = [
  [`/shop/projects/${SLUG}/setup`, `Setup guide · ${NAME} · Errata`],
  [`/shop/projects/${SLUG}/settings/keys`, `Client keys · ${NAME} · Errata`],
  [`/shop/issues/${SLUG}-1/activity`, `Activity · ${SLUG.toUpperCase()}-1 LongError: long · Errata`],
  [`/shop/issues/${SLUG}-1/events`, `Events · ${SLUG.toUpperCase()}-1 LongError: long · Errata`],
  ['/shop/settings/teams', 'Teams · Shop · Errata'],
  ['/shop/releases', 'Releases · shop · Errata'],
  ['/shop/alerts/rules/new?kind=issue', 'New issue rule · Alerts · Errata'],
] as const

describe('names as long as they may be', { timeout: 900_000 }, () => {
  let running: RunningErrata & { readonly shop: SetUp }
  let browser: Browser
  let rosa: Person

  before(async () => {
    running = await startShop()
    const { url, token } = running.shop
    const call = async (method: string, path: string, body?: object) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const sent = body === undefined ? {} : { body: JSON.stringify(body) }
      const answer = await fetch(`${url}/api/0${path}`, { method, headers, ...sent })
      assert.ok(answer.ok, `${path} answered ${answer.status}`)
      return answer.json()
    }
    await call('POST', '/organizations/shop/teams/', { name: NAME, slug: 't'.repeat(50) })
    await call('POST', '/organizations/shop/projects/', { name: NAME, slug: SLUG })
    const [key] = await call('GET', `/projects/shop/${SLUG}/keys/`)
    await send(key.dsn.public, anEvent({ type: 'LongError', message: 'long', more: { release: RELEASE } }))
    await waitFor('the issue', async () => {
      const found = await call('GET', '/organizations/shop/issues/?query=LongError')
      return found.length === 1 ? true : null
    })
    browser = await launchBrowser()
    rosa = await signIn(running.url, OWNER)
  })
  after(async () => {
    await browser?.close()
    await running?.[Symbol.asyncDispose]()
  })

  for (const width of [390, 768, 1440]) {
    it(`fit ${width} px`, async () => {
      const screen = await openScreen(browser, running.url, {
        cookie: rosa.cookie,
        viewport: { width, height: 844 },
      })
      const { page } = screen
      const wide: string[] = []
      for (const [path, title] of PAGES) {
        await screen.open(path)
        assert.equal(await page.title(), title)
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
        if (overflow > 0) wide.push(`${path}: ${overflow} px`)
      }
      assert.deepEqual(wide, [])
      await screen.open(`/shop/issues/${SLUG}-1/events`)
      await page.getByText('1 of 1 event', { exact: true }).waitFor()
      screen.assertQuiet()
      await screen.close()
    })
  }
})
