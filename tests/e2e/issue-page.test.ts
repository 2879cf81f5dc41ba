/** The pages of one issue in a real browser: the way through its list, what is folded, what tells events apart, phones. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { issues } from '../support/api.ts'
import { launchBrowser } from '../support/browser.ts'
import { signIn } from '../support/person.ts'
import { hydrated, openScreen, type Screen, textOf } from '../support/screen.ts'
import { anEvent, send } from '../support/send.ts'
import { OWNER, type RunningErrata, type SetUp, startShop } from '../support/start-errata.ts'
import { waitFor } from '../support/wait-for.ts'

const PHONE = { width: 390, height: 844 }
const WIDE = { width: 1440, height: 900 }
const TYPES = ['AlphaError', 'BetaError', 'GammaError', 'DeltaError'] as const

describe('the pages of an issue', { timeout: 900_000 }, () => {
  let running: RunningErrata & { readonly shop: SetUp }
  let shop: SetUp
  let browser: Browser
  let screen: Screen
  const refs = new Map<string, string>()

  before(async () => {
    running = await startShop()
    shop = running.shop
    browser = await launchBrowser()
    screen = await openScreen(browser, running.url, { cookie: (await signIn(running.url, OWNER)).cookie })
    const now = Date.now() / 1_000
    for (const [index, type] of TYPES.entries()) {
      const colour = type === 'DeltaError' ? 'grey' : 'blue'
      const more = { timestamp: now - 600 + index * 60, tags: { colour }, ...FACTS }
      await send(shop.dsn, anEvent({ type, message: 'failed', more }))
    }
    for (const [index, user] of ['u-1', 'u-2', 'u-3'].entries()) {
      // What was scrubbed says so to assistive technology, in a line that is cropped where it is narrow.
      const secrets = ['from', 'to'].map((key) => [
        key,
        `/reset/payments-of-${'this-'.repeat(6)}week?token=s3cr3t-${key}`,
      ])
      const breadcrumbs = { values: [{ category: 'navigation', data: Object.fromEntries(secrets) }] }
      const release = `shop@2.${index}.0`
      const more = { timestamp: now - 300 + index, user: { id: user }, release, breadcrumbs }
      await send(shop.dsn, anEvent({ type: 'PaymentError', message: 'declined', more }))
    }
    await send(shop.dsn, minified())
    await waitFor('all issues', async () => (await issues(shop)).length === TYPES.length + 2)
    await waitFor('all events', async () => (await issues(shop, 'PaymentError'))[0]?.count === '3')
    for (const type of [...TYPES, 'PaymentError', 'BuiltError'])
      refs.set(type, (await issues(shop, type))[0]?.shortId ?? '')
  })
  after(async () => {
    await browser?.close()
    await running?.[Symbol.asyncDispose]()
  })

  const isAt = (page: Page, type: string) =>
    page.getByRole('heading', { level: 1, name: new RegExp(type) }).waitFor()

  it('leads through the list it was opened from, with its search and sort, by keys and links', async () => {
    const { page } = screen
    await screen.open('/shop/issues?query=colour%3Ablue&sort=new')
    // The newest first: Gamma, Beta, Alpha. Delta is of another colour.
    await page.getByRole('link', { name: /BetaError/ }).click()
    await isAt(page, 'BetaError')
    const head = page.locator('main header')
    assert.match(await textOf(head), /2 of 3 in Unresolved, filtered/)
    await page.keyboard.press('j')
    await isAt(page, 'AlphaError')
    assert.match(await textOf(head), /3 of 3/)
    const next = head.getByRole('img', { name: 'Next issue: This is the last issue of the list' })
    await next.waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('k')
    await isAt(page, 'BetaError')
    await head.getByRole('link', { name: 'Previous issue' }).click()
    await isAt(page, 'GammaError')
    await page.getByRole('link', { name: /^Activity/ }).click()
    await page.waitForURL('**/activity?**')
    await head.getByRole('link', { name: 'Next issue' }).click()
    await isAt(page, 'BetaError')
    await head.getByRole('link', { name: 'Unresolved, filtered' }).click()
    await page.waitForURL('**/shop/issues?query=colour%3Ablue&sort=new')
    screen.assertQuiet()
  })

  it('keeps its place in the list when it leaves it', async () => {
    const { page } = screen
    await screen.open(`/shop/issues/${refs.get('BetaError')}?list=query%3Dcolour%253Ablue%26sort%3Dnew`)
    const head = page.locator('main header')
    assert.match(await textOf(head), /2 of 3 in/)
    await page.keyboard.press('e')
    await page.locator('h1').getByText('Resolved').waitFor()
    await head.getByText(/^2 in/).last().waitFor()
    await page.keyboard.press('j')
    await isAt(page, 'AlphaError')
    assert.match(await textOf(head), /2 of 2 in/)
    screen.assertQuiet()
  })

  it('walks the list as it first opens when the address names none', async () => {
    await screen.open(`/shop/issues/${refs.get('GammaError')}`)
    assert.match(await textOf(screen.page.locator('main header')), /of \d in Unresolved/)
    screen.assertQuiet()
  })

  it('folds the raw facts to one line each, and remembers what was opened', async () => {
    const { page } = screen
    await screen.open(`/shop/issues/${refs.get('GammaError')}`)
    const facts = page.getByRole('region', { name: 'This event' })
    const lines = await facts.locator('summary').allTextContents()
    assert.deepEqual(
      lines.filter((line) => /^(Request|User|Contexts|Modules)/.test(line)),
      [
        'RequestPOST https://shop.example/pay1 header',
        'Useru-7, ada@shop.example',
        'ContextsChrome 141, node 24, trace3',
        'Modulesexpress 5.0.0, next 16.0.0, react 19.0.0 and 1 more4',
      ],
    )
    const header = facts.getByText('x-colour')
    assert.equal(await header.isVisible(), false)
    await facts.getByRole('heading', { name: 'Request' }).click()
    await header.waitFor()
    await page.reload()
    await hydrated(page)
    await header.waitFor()
    await page.keyboard.press('j')
    await page.waitForURL((url) => !url.pathname.endsWith(refs.get('GammaError') ?? ''))
    await page.getByRole('region', { name: 'This event' }).getByText('x-colour').waitFor()
    await facts.getByRole('button', { name: 'Open all' }).click()
    await facts.getByText('ada@shop.example').last().waitFor()
    await facts.getByRole('button', { name: 'Close all' }).click()
    await header.waitFor({ state: 'hidden' })
    await page.reload()
    await hydrated(page)
    assert.equal(await facts.locator('details[open]').count(), 0)
    screen.assertQuiet()
  })

  it('is taken over as the server rendered it, whatever its texts begin with and wherever they are cut', async () => {
    const react = { componentStack: '\n    at Price\n    at Cart', long: `\n${'😀'.repeat(600)}` }
    // An odd one first: wherever the page cuts at an even number, it is within a pair.
    const message = `a${'😀'.repeat(400)}`
    const more = { contexts: { react }, extra: { message } }
    await send(shop.dsn, anEvent({ type: 'FirstRenderError', message, more }))
    await waitFor('the issue', async () => (await issues(shop, 'FirstRenderError')).length === 1)
    const [issue] = await issues(shop, 'FirstRenderError')
    await screen.open(`/shop/issues/${issue?.shortId}`)
    screen.assertQuiet()
  })

  it('stands what the events share above the raw facts', async () => {
    const { page } = screen
    await screen.open(`/shop/issues/${refs.get('GammaError')}`)
    const titles = await page.locator('main h2').allTextContents()
    assert.ok(titles.indexOf('Tags of all events') < titles.indexOf('This event'))
    assert.ok(titles.indexOf('Exception') < titles.indexOf('Tags of all events'))
  })

  it('tells events apart by what differs, and says the rest once', async () => {
    const { page } = screen
    await screen.open(`/shop/issues/${refs.get('PaymentError')}/events`)
    const table = page.getByRole('table', { name: 'Events of this issue' })
    assert.deepEqual(await table.getByRole('columnheader').allTextContents(), [
      'Event',
      'When',
      'Release',
      'User',
    ])
    await table.getByRole('cell', { name: 'id:u-2' }).waitFor()
    await page.getByText(/^Same in every row: .*environment production/).waitFor()
    await table.getByRole('row').nth(2).click()
    await page.waitForURL(/\/events\/[0-9a-f]{32}/)
    screen.assertQuiet()
  })

  it('crops a minified line around its column, and says what makes it readable', async () => {
    const { page } = screen
    await screen.open(`/shop/issues/${refs.get('BuiltError')}`)
    const code = page.getByRole('region', { name: 'Source of boom' })
    assert.equal(await textOf(code.locator('.code-mark')), 'explode')
    const line = await textOf(code.locator('.code-line-marked code'))
    assert.match(line, /^…(?:a;)+explode\(\)(?:;b)+;?…$/)
    assert.ok(line.length <= 142, line)
    await page.getByText('Minified code. Source maps make it readable.').waitFor()
    // The SDK calls Turbopack's chunk of packages the app's own.
    await page.getByText('1 frame of next').waitFor()
    screen.assertQuiet()
  })

  it('says on a phone what failed before when, whom and in which releases, in targets of 44 px, without scrolling sideways', async () => {
    const { page } = screen
    await page.setViewportSize(PHONE)
    await screen.open(`/shop/issues/${refs.get('PaymentError')}`)
    const topOf = async (name: string) =>
      (await page.getByRole('region', { name, exact: true }).first().boundingBox())?.y ?? 0
    const places = await Promise.all(
      ['Events over time', 'Exception', 'When', 'Affected', 'Releases'].map(topOf),
    )
    assert.deepEqual(
      places,
      [...places].sort((a, b) => a - b),
    )
    for (const path of ['', '/events', '/activity']) {
      await screen.open(`/shop/issues/${refs.get('PaymentError')}${path}`)
      const trend = page.getByRole('region', { name: 'Events over time' })
      assert.equal(await trend.isVisible(), path === '', path)
      assert.deepEqual(await smallTargets(page), [], path)
      await assertAsWide(page)
    }
    // One line of its code is longer than any screen.
    await screen.open(`/shop/issues/${refs.get('BuiltError')}`)
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('button', { name: 'Bookmark', exact: true }).and(page.locator(':focus')).waitFor()
    await page.getByRole('button', { name: 'Share by link…' }).click()
    await page.getByRole('button', { name: 'Create link' }).click()
    const link = await page.getByLabel('Share link').inputValue()
    await page.getByText(/^Shared by .* now\. Expires in \d+ d\.$/).waitFor()
    await screen.open(new URL(link).pathname)
    await page.locator('pre').waitFor()
    await assertAsWide(page)
    await page.setViewportSize(WIDE)
    screen.assertQuiet()
  })
})

/** Nothing of it is reached by scrolling sideways. */
async function assertAsWide(page: Page): Promise<void> {
  const [scroll = 0, shown = 0] = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    innerWidth,
  ])
  assert.ok(scroll <= shown, `${page.url()} is ${scroll} px wide`)
}

/** Lists targets that a finger hits in less than 44 px of height, the area beyond what is drawn included. */
function smallTargets(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const pressed = document.querySelectorAll<HTMLElement>(
      'main :is(a, button, summary, input:not([type=hidden]))',
    )
    const isHit = (element: HTMLElement, x: number, y: number) => {
      const hit = document.elementFromPoint(x, y)
      return hit !== null && (element.contains(hit) || hit.contains(element))
    }
    return [...pressed].flatMap((element) => {
      element.scrollIntoView({ block: 'center' })
      const box = element.getBoundingClientRect()
      if (box.width === 0 || !element.checkVisibility()) return []
      const [x, y] = [box.x + Math.min(box.width, 40) / 2, box.y + box.height / 2]
      const reach = (step: number) => {
        let far = 0
        while (Math.abs(far) < 44 && isHit(element, x, y + far + step)) far += step
        return Math.abs(far)
      }
      const height = reach(-1) + reach(1) + 1
      return height >= 43 ? [] : [`${element.tagName} ${element.textContent?.trim().slice(0, 40)}`]
    })
  })
}

const FACTS = {
  request: { url: 'https://shop.example/pay', method: 'POST', headers: [['x-colour', 'blue']] },
  user: { id: 'u-7', email: 'ada@shop.example' },
  contexts: {
    trace: { trace_id: 'a'.repeat(32), span_id: 'b'.repeat(16) },
    runtime: { name: 'node', version: '24' },
    browser: { name: 'Chrome', version: '141' },
  },
  modules: { express: '5.0.0', next: '16.0.0', react: '19.0.0', 'react-dom': '19.0.0' },
}

function minified() {
  const line = `${'a;'.repeat(100)}explode()${';b'.repeat(100)}`
  const frames = [
    {
      function: 'render',
      filename: 'app:///_next/server/chunks/ssr/node_modules_next_dist_1a2b._.js',
      in_app: true,
      lineno: 1,
      colno: 2,
    },
    {
      function: 'boom',
      filename: 'app:///_next/server/chunks/ssr/_0pun_xa7luig2._.js',
      in_app: true,
      lineno: 1,
      colno: 201,
      context_line: line,
    },
  ]
  const exception = { values: [{ type: 'BuiltError', value: 'boom', stacktrace: { frames } }] }
  return anEvent({ message: '', more: { exception } })
}
