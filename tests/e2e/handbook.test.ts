/** The handbook in a browser: on wide and narrow windows, light and dark, with and without script. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { readHandbook } from '../../packages/web/handbook/build-handbook.ts'
import { launchBrowser } from '../support/browser.ts'
import { signIn } from '../support/person.ts'
import { openScreen } from '../support/screen.ts'
import { OWNER, type RunningErrata, type SetUp, startShop } from '../support/start-errata.ts'
import { waitFor } from '../support/wait-for.ts'
import { ROOT } from '../tidy/sources.ts'

const AXE = readFileSync(createRequire(join(ROOT, 'package.json')).resolve('axe-core/axe.min.js'), 'utf8')
const PAGES = readHandbook(ROOT).handbook.pages.map(({ slug }) => `/docs${slug === '' ? '' : `/${slug}`}`)
const LOOKS = [
  { colorScheme: 'light', viewport: { width: 1440, height: 900 } },
  { colorScheme: 'dark', viewport: { width: 768, height: 1024 } },
  { colorScheme: 'dark', viewport: { width: 390, height: 844 } },
] as const
/** Pages of each kind of content: lists, tables, code, pictures, a search. */
const CHECKED = ['/docs', '/docs/roles', '/docs/relay', '/docs/chat', '/docs/find?q=retention', '/docs/nope']

interface AxeResult {
  readonly violations: readonly {
    readonly id: string
    readonly impact: string | null
    readonly nodes: readonly { readonly target: readonly unknown[] }[]
  }[]
}

describe('the handbook in a browser', { timeout: 900_000 }, () => {
  let running: RunningErrata & { readonly shop: SetUp }
  let browser: Browser
  before(async () => {
    running = await startShop()
    browser = await launchBrowser()
  })
  after(async () => {
    await browser?.close()
    await running?.[Symbol.asyncDispose]()
  })

  for (const look of LOOKS) {
    const name = `${look.colorScheme}, ${look.viewport.width} wide`
    it(`never scrolls sideways, and no part of it is out of reach: ${name}`, async () => {
      const context = await browser.newContext({ baseURL: running.url, ...look })
      await context.addInitScript(AXE)
      const page = await context.newPage()
      const wrong: string[] = []
      for (const path of [...new Set([...PAGES, ...CHECKED])]) {
        await page.goto(path)
        const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
        if (over > 0) wrong.push(`${path} is ${over} px too wide`)
        if (!CHECKED.includes(path)) continue
        const { violations } = await page.evaluate(() => {
          const { axe } = window as unknown as { axe: { run(): Promise<AxeResult> } } // defined when the page was opened
          return axe.run()
        })
        for (const { id, impact, nodes } of violations)
          if (impact === 'serious' || impact === 'critical')
            wrong.push(
              `${path}: ${id} at ${nodes
                .map(({ target }) => target.join(' '))
                .slice(0, 3)
                .join(' | ')}`,
            )
      }
      await context.close()
      assert.deepEqual(wrong, [])
    })
  }

  it('copies code, and opens its list of pages without script', async () => {
    const { page, assertQuiet, close } = await openScreen(browser, running.url)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto('/docs/first-event')
    const box = page.locator('.code').filter({ hasText: 'curl' })
    await box.hover()
    // It says so for a moment.
    await Promise.all([
      box.getByRole('button', { name: 'Copied' }).waitFor(),
      box.getByRole('button', { name: 'Copy' }).click(),
    ])
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    assert.match(copied, new RegExp(`^curl ${running.url}/api/1/store/`))
    assertQuiet()
    await close()
    const plain = await browser.newContext({
      baseURL: running.url,
      javaScriptEnabled: false,
      viewport: { width: 390, height: 844 },
    })
    const quiet = await plain.newPage()
    await quiet.goto('/docs')
    const list = quiet.getByRole('navigation', { name: 'Documentation' })
    assert.equal(await list.isVisible(), false)
    await quiet.getByRole('button', { name: 'Contents' }).click()
    await list.getByRole('link', { name: 'Alerts', exact: true }).click()
    await quiet.getByRole('heading', { name: 'Alert rules', level: 1 }).waitFor()
    await quiet.getByRole('searchbox').fill('quiet hours')
    await quiet.keyboard.press('Enter')
    await quiet.getByRole('heading', { name: 'Search the documentation' }).waitFor()
    await plain.close()
  })

  it('is led to by the button of a screen and by the palette, in a tab of its own', async () => {
    const rosa = await signIn(running.url, OWNER)
    const { page, open, close } = await openScreen(browser, running.url, { cookie: rosa.cookie })
    await open('/shop/projects/web/settings/scrubbing')
    const [docs] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('link', { name: /^Docs about/ }).click(),
    ])
    await docs.waitForURL('**/docs/privacy#what-is-taken-out-first')
    await docs.close()
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').fill('rotate keys')
    const hit = page.getByRole('option', { name: /Rotate keys.*docs/ })
    await hit.waitFor()
    const [found] = await Promise.all([page.waitForEvent('popup'), hit.click()])
    await waitFor('the section', async () => found.url().endsWith('/docs/operating/move#rotate-keys'))
    await close()
  })
})
