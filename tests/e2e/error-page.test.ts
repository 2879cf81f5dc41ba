/** The error page, letter for letter, for every way Errata's own app can fail; and that each number leads to the failure. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser } from '../support/browser.ts'
import { joinAs, type Person, resultOf, signIn } from '../support/person.ts'
import { openScreen, type Screen, textOf } from '../support/screen.ts'
import { OWNER, type RunningErrata, type SetUp, startShop } from '../support/start-errata.ts'
import { waitFor } from '../support/wait-for.ts'

const SERVER_SIDE = 'Application error: a server-side exception has occurred'
const CLIENT_SIDE = 'Application error: a client-side exception has occurred'
const EXPECTED = /status of (?:500|409)|Self-test:|ServerFailure/

describe('the error page', { timeout: 900_000 }, () => {
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

  for (const [control, kind, message] of [
    ['Document', 'document', 'the loader of a document fails on purpose'],
    ['Page data', 'page data', 'the loader of a page-data request fails on purpose'],
    ['Route handler', 'route handler', 'a route handler fails on purpose'],
    ['Action', 'action', 'a server action fails on purpose'],
  ] as const) {
    it(`shows the digest of a failing ${kind}, and the digest leads to the exception`, async () => {
      const { page } = screen
      await screen.open('/system/self-test')
      screen.forget()
      await controlOf(page, control).click()
      await page.getByRole('heading', { name: SERVER_SIDE, exact: true }).waitFor()
      const loaded = screen.asked.filter((request) => request.isNavigationRequest()).length
      assert.equal(loaded, ['Document', 'Route handler'].includes(control) ? 1 : 0)
      const digest = await shownDigest(page)
      await page.getByRole('link', { name: 'Reload' }).waitFor()
      await page.getByRole('link', { name: 'Back' }).waitFor()
      assert.equal(
        await page.getByRole('link', { name: 'What was recorded' }).getAttribute('href'),
        `/digest/${digest}`,
      )
      await assertFound(digest, message)
      screen.assertQuiet(EXPECTED)
    })
  }

  it('shows the digest of a failing document without JavaScript, in the HTML of the 500', async () => {
    const plain = await openScreen(browser, running.url, {
      ...{ cookie: rosa.cookie, javaScriptEnabled: false },
      viewport: { width: 390, height: 844 },
    })
    const { page } = plain
    await page.goto('/system/self-test')
    const [answer] = await Promise.all([
      page.waitForResponse('**/self-test/document'),
      controlOf(page, 'Document').click(),
    ])
    assert.equal(answer.status(), 500)
    // The answer is there before its page is.
    await page.getByRole('heading', { name: SERVER_SIDE, exact: true }).waitFor()
    const digest = await shownDigest(page)
    for (const link of await page.getByRole('link').all())
      assert.equal((await link.boundingBox())?.height, 44)
    await page.getByRole('link', { name: 'Back' }).click()
    await page.waitForURL('**/system/self-test')
    await controlOf(page, 'Action').click()
    await page.getByRole('heading', { name: SERVER_SIDE, exact: true }).waitFor()
    assert.notEqual(await shownDigest(page), digest)
    await plain.close()
  })

  it('shows no digest for a failure while the browser renders, and leads to what was recorded', async () => {
    const { page } = screen
    await screen.open('/system/self-test')
    await controlOf(page, 'Rendering in the browser').click()
    await page.getByRole('heading', { name: CLIENT_SIDE, exact: true }).waitFor()
    assert.ok(!/digest/i.test(await textOf(page.locator('main'))))
    await followRecorded(page, 'a component fails on purpose while rendering')
    screen.assertQuiet(EXPECTED)
  })

  it('records a rejection that nobody waits for, and shows the page as it was', async () => {
    const { page } = screen
    await screen.open('/system/self-test')
    await controlOf(page, 'Unhandled rejection').click()
    await page.getByRole('status').getByRole('link', { name: 'What was recorded' }).waitFor()
    await page.getByRole('heading', { level: 1, name: 'Self-test' }).waitFor()
    await followRecorded(page, 'a promise is rejected on purpose')
    screen.assertQuiet(EXPECTED)
  })

  it('reloads a stale page once and records that it was', async () => {
    const { page } = screen
    await screen.open('/system/self-test')
    screen.forget()
    await controlOf(page, 'Stale build').click()
    await page.getByText('The page reloaded itself.').waitFor()
    assert.equal(screen.asked.filter((request) => request.isNavigationRequest()).length, 1)
    const recorded = await page.getByRole('link', { name: 'What was recorded' }).getAttribute('href')
    await assertFound(recorded?.split('/').at(-1) ?? '', 'StaleBuild')
    screen.assertQuiet(EXPECTED)
  })

  it('is there for the operator alone', async () => {
    const input = { email: 'vera@shop.example', role: 'owner', teams: [] }
    const made = await resultOf<{ url: string }>(
      await rosa.act('member.invite', '/shop/settings/members', input),
    )
    const vera = await joinAs(running.url, made.url, 'a password of Vera')
    const other = await openScreen(browser, running.url, { cookie: vera.cookie })
    for (const path of ['/system/self-test', '/system/self-test/document', '/system']) {
      await other.page.goto(path)
      await other.page.getByRole('heading', { name: `Page ${path} not found` }).waitFor()
    }
    other.assertQuiet(/status of 404/)
    await other.close()
  })

  it('lets nothing of an address, a query or a title into what it recorded', async () => {
    const { page } = screen
    await page.goto('/system/self-test/document?secret=hunter2-query')
    const digest = await shownDigest(page)
    await assertFound(digest, 'the loader of a document fails on purpose')
    await page.getByRole('link', { name: 'Open the issue' }).click()
    await page.getByRole('heading', { level: 1, name: /SelfTestFailure/ }).waitFor()
    assert.ok(!(await page.content()).includes('hunter2-query'))
    screen.assertQuiet(EXPECTED)
  })

  /** Pastes a digest into `/digest`, as a person would, until what it stands for is stored. */
  async function assertFound(digest: string, text: string): Promise<void> {
    const { page } = screen
    await waitFor(`digest ${digest}`, async () => {
      await screen.open('/digest')
      await page.getByLabel('Number or text of the error page').fill(`${SERVER_SIDE}\nDigest: ${digest}`)
      await page.getByRole('button', { name: 'Look up' }).click()
      await page.getByText('1 digest found in the text').waitFor()
      return (await page.getByRole('link', { name: 'Open the issue' }).count()) === 1
    })
    await page.getByRole('region', { name: 'Answer' }).getByText(text).first().waitFor()
  }
})

/** A control of the self-test, whatever it is made of. */
function controlOf(page: Page, name: string) {
  return page
    .locator('main')
    .getByRole('link', { name, exact: true })
    .or(page.locator('main').getByRole('button', { name, exact: true }))
}

async function shownDigest(page: Page): Promise<string> {
  const text = await textOf(page.locator('main'))
  const digest = /Digest:\s*(\d+)/.exec(text)?.[1]
  assert.ok(digest !== undefined, text)
  return digest
}

/** Follows the link to what was recorded, until it is stored. */
async function followRecorded(page: Page, text: string): Promise<void> {
  const href = await page.getByRole('link', { name: 'What was recorded' }).getAttribute('href')
  await waitFor('what was recorded', async () => {
    await page.goto(href ?? '')
    return (await textOf(page.locator('main'))).includes(text)
  })
}
