/** The wire of the web app as a browser speaks it: page data, prefetch, actions, stale builds, forms without script. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { Browser, Request } from 'playwright-core'
import { HEADERS } from '../../packages/web/src/wire/names.ts'
import { issues } from '../support/api.ts'
import { launchBrowser } from '../support/browser.ts'
import { type Person, signIn } from '../support/person.ts'
import { hydrated, openScreen, pressAtOnce, type Screen, textOf } from '../support/screen.ts'
import { anEvent, send } from '../support/send.ts'
import { OWNER, type RunningErrata, type SetUp, startShop } from '../support/start-errata.ts'
import { waitFor } from '../support/wait-for.ts'

const STYLE_BYTES_MAX = 30_000
/** Playwright names headers in lower case. */
const PAGE = HEADERS.page.toLowerCase()
const PURPOSE = HEADERS.purpose.toLowerCase()
const BUILD = HEADERS.build.toLowerCase()
const ACTION = HEADERS.action.toLowerCase()

describe('the wire in a browser', { timeout: 900_000 }, () => {
  let running: RunningErrata & { readonly shop: SetUp }
  let shop: SetUp
  let browser: Browser
  let rosa: Person
  let screen: Screen

  before(async () => {
    running = await startShop()
    shop = running.shop
    browser = await launchBrowser()
    rosa = await signIn(running.url, OWNER)
    screen = await openScreen(browser, running.url, { cookie: rosa.cookie })
    for (const type of ['WireError', 'FormError', 'PlainError'])
      await send(shop.dsn, anEvent({ type, message: type }))
    await waitFor('the issues', async () => (await issues(shop)).length === 3)
  })
  after(async () => {
    await browser?.close()
    await running?.[Symbol.asyncDispose]()
  })

  it('asks once for the data of a page, at its own address', async () => {
    const { page } = screen
    await screen.open('/shop/issues')
    screen.forget()
    await pressAtOnce(page, 'g', 'b')
    await page.waitForURL('**/shop/outcomes')
    await page.getByText('items sent').waitFor()
    const asked = own(screen)
    assert.deepEqual(
      asked.map((request) => `${request.method()} ${pathOf(request)}`),
      ['GET /shop/outcomes'],
    )
    const headers = asked[0]?.headers() ?? {}
    assert.equal(headers[PAGE], 'data')
    assert.equal(headers[PURPOSE], undefined)
    assert.ok((headers[BUILD] ?? '').length > 0)
    const answer = await asked[0]?.response()
    assert.equal(answer?.headers()['cache-control'], 'no-store')
    assert.match(answer?.headers().vary ?? '', new RegExp(PAGE, 'i'))
    screen.assertQuiet()
  })

  it('asks on hover and focus, says that nobody waits yet, and asks no more when the link is pressed', async () => {
    const { page } = screen
    await screen.open('/shop/issues')
    const link = page.getByRole('link', { name: /WireError/ })
    screen.forget()
    await link.hover()
    await waitFor('the prefetch', async () => own(screen).length === 1)
    assert.equal(own(screen)[0]?.headers()[PURPOSE], 'prefetch')
    await own(screen)[0]?.response()
    await link.click()
    await page.getByRole('heading', { level: 1, name: /WireError/ }).waitFor()
    assert.equal(own(screen).length, 1)
    // Resting on a link, it would ask for that page as well.
    await page.mouse.move(0, 0)
    await screen.open('/shop/issues')
    screen.forget()
    await page.getByRole('link', { name: /FormError/ }).focus()
    await waitFor('the prefetch', async () => own(screen).length === 1)
    assert.equal(own(screen)[0]?.headers()[PURPOSE], 'prefetch')
    screen.assertQuiet()
  })

  it('asks once for each step back and forward', async () => {
    const { page } = screen
    await screen.open('/shop/issues')
    await page.getByRole('link', { name: /WireError/ }).click()
    await page.getByRole('heading', { level: 1, name: /WireError/ }).waitFor()
    screen.forget()
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'Issues' }).waitFor()
    await page.goForward()
    await page.getByRole('heading', { level: 1, name: /WireError/ }).waitFor()
    assert.deepEqual(
      own(screen)
        .filter((request) => request.headers()[PURPOSE] === undefined)
        .map((request) => `${request.headers()[PAGE]} ${pathOf(request).split('/').slice(0, 3).join('/')}`),
      ['data /shop/issues', 'data /shop/issues'],
    )
    screen.assertQuiet()
  })

  it('sends an action to the address of the page, and shows its fresh data without asking for it', async () => {
    const { page } = screen
    const [issue] = await issues(shop, 'WireError')
    await screen.open(`/shop/issues/${issue?.shortId}`)
    screen.forget()
    await page.getByRole('button', { name: /^Resolve(?! in)/ }).click()
    await page.getByRole('button', { name: /^Unresolve/ }).waitFor()
    const asked = own(screen)
    assert.deepEqual(
      asked.map((request) => `${request.method()} ${pathOf(request)} ${request.headers()[ACTION]}`),
      [`POST /shop/issues/${issue?.shortId} issue.change`],
    )
    await page.getByRole('button', { name: /^Unresolve/ }).click()
    await page.getByRole('button', { name: /^Resolve(?! in)/ }).waitFor()
    screen.assertQuiet()
  })

  it('reloads a page of an older build once, and then says so', async () => {
    const stale = await openScreen(browser, running.url, { cookie: rosa.cookie })
    const { page } = stale
    await page.route('**/*', async (route) => {
      const headers = route.request().headers()
      await route.continue({
        headers: headers[BUILD] === undefined ? headers : { ...headers, [BUILD]: 'older' },
      })
    })
    await stale.open('/shop/issues')
    stale.forget()
    await pressAtOnce(page, 'g', 'n')
    await page.getByRole('heading', { name: 'Look up a digest' }).waitFor()
    await hydrated(page)
    const documents = () => stale.asked.filter((request) => request.isNavigationRequest()).map(pathOf)
    const refused = async () => {
      const answers = await Promise.all(own(stale).map((request) => request.response()))
      return answers.filter((answer) => answer?.status() === 409).length
    }
    assert.equal(await refused(), 1)
    assert.deepEqual(documents(), ['/digest'])
    await pressAtOnce(page, 'g', 'i')
    await page.getByText('Errata was updated').waitFor()
    assert.equal(await refused(), 2)
    assert.deepEqual(documents(), ['/digest'])
    stale.assertQuiet(/status of 409/)
    await stale.close()
  })

  it('reloads once for an action of an older build, and changes nothing', async () => {
    const stale = await openScreen(browser, running.url, { cookie: rosa.cookie })
    const { page } = stale
    const [issue] = await issues(shop, 'FormError')
    await stale.open(`/shop/issues/${issue?.shortId}`)
    await page.route('**/*', async (route) => {
      const headers = route.request().headers()
      const isAction = headers[ACTION] !== undefined
      await route.continue({ headers: isAction ? { ...headers, [BUILD]: 'older' } : headers })
    })
    stale.forget()
    await page.getByRole('button', { name: /^Resolve(?! in)/ }).click()
    await waitFor('the reload', async () => stale.asked.some((request) => request.isNavigationRequest()))
    await page.getByRole('button', { name: /^Resolve(?! in)/ }).waitFor()
    assert.equal((await issues(shop, 'FormError'))[0]?.status, 'unresolved')
    await stale.close()
  })

  it('says when the session has ended, and leads through sign-in to where one was going', async () => {
    const guest = await openScreen(browser, running.url, {
      cookie: (await signIn(running.url, OWNER)).cookie,
    })
    const { page } = guest
    const [issue] = await issues(shop, 'FormError')
    await guest.open(`/shop/issues/${issue?.shortId}`)
    await page.context().clearCookies()
    await page.getByRole('button', { name: /^Resolve(?! in)/ }).click()
    await page.getByRole('alert').filter({ hasText: 'Your session has ended' }).waitFor()
    await pressAtOnce(page, 'g', 'b')
    await page.waitForURL('**/sign-in?next=%2Fshop%2Foutcomes')
    await page.getByLabel('Email').fill(OWNER.email)
    await page.getByLabel('Password').fill(OWNER.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL('**/shop/outcomes')
    guest.assertQuiet(/status of 401/)
    await guest.close()
  })

  it('says when no answer comes, and goes on when one does', async () => {
    const { page } = screen
    const [issue] = await issues(shop, 'FormError')
    await screen.open(`/shop/issues/${issue?.shortId}`)
    await page.context().setOffline(true)
    await page.getByRole('button', { name: /^Resolve(?! in)/ }).click()
    await page.getByRole('alert').filter({ hasText: 'Errata didn’t respond' }).waitFor()
    await page.context().setOffline(false)
    await page.getByRole('button', { name: /^Resolve(?! in)/ }).click()
    await page.getByRole('button', { name: /^Unresolve/ }).waitFor()
    screen.assertQuiet(/ERR_INTERNET_DISCONNECTED/)
  })

  it('asks what a page waits for within an organisation alone', async () => {
    const guest = await openScreen(browser, running.url)
    const { page } = guest
    await page.clock.install()
    await guest.open('/sign-in')
    const waited = Promise.withResolvers<void>()
    await page.route('**/forgot', async (route) => {
      await waited.promise
      await route.continue()
    })
    await page.getByRole('link', { name: 'Forgot password?' }).click()
    await page.getByRole('progressbar', { name: 'Loading' }).waitFor({ state: 'attached' })
    await page.clock.runFor(5_000)
    waited.resolve()
    await page.getByText('This server sends no email').waitFor()
    guest.assertQuiet()
    await guest.close()
  })

  it('works without JavaScript: sign in, resolve, create, change a setting', async () => {
    const plain = await openScreen(browser, running.url, { javaScriptEnabled: false })
    const { page } = plain
    await page.goto('/shop/issues')
    await page.getByLabel('Email').fill(OWNER.email)
    await page.getByLabel('Password').fill('not the password')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').waitFor()
    assert.equal(await page.getByLabel('Email').inputValue(), OWNER.email)
    assert.equal(await page.getByLabel('Password').inputValue(), '')
    await page.getByLabel('Password').fill(OWNER.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL('**/shop/issues')
    await page.getByRole('link', { name: /PlainError/ }).click()
    await page.getByRole('button', { name: /^Resolve(?! in)/ }).click()
    await page.getByRole('button', { name: /^Unresolve/ }).waitFor()
    assert.equal((await issues(shop, 'PlainError'))[0]?.status, 'resolved')
    await page.getByRole('button', { name: /^Unresolve/ }).click()
    await page.getByRole('button', { name: /^Resolve(?! in)/ }).waitFor()
    await page.getByRole('button', { name: /^Archive/ }).click()
    await page.getByRole('button', { name: '100 more events' }).click()
    await page.getByText('Archived until 100 more events').first().waitFor()
    await page.goto('/shop/projects/new')
    await page.getByLabel('Name').fill('Without script')
    await page.getByLabel('Slug').fill('NOT a slug')
    await page.getByRole('button', { name: 'Create project' }).click()
    await page.getByRole('alert').waitFor()
    assert.equal(await page.getByLabel('Name').inputValue(), 'Without script')
    assert.equal(await page.getByLabel('Slug').inputValue(), 'NOT a slug')
    assert.equal(await page.getByLabel('Slug').getAttribute('aria-invalid'), 'true')
    await page.getByLabel('Slug').fill('plain')
    await page.getByRole('button', { name: 'Create project' }).click()
    await page.waitForURL('**/shop/projects/plain/setup')
    await page.goto('/shop/projects/plain/settings/retention')
    await page.getByLabel('Rate limit').fill('many')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').waitFor()
    assert.equal(await page.getByLabel('Rate limit').inputValue(), 'many')
    await page.getByLabel('Rate limit').fill('500')
    await Promise.all([
      page.waitForResponse((answer) => answer.request().method() === 'POST'),
      page.getByRole('button', { name: 'Save' }).click(),
    ])
    await page.goto('/shop/projects/plain/settings/retention')
    assert.equal(await page.getByLabel('Rate limit').inputValue(), '500')
    await page.goto('/shop/settings/tokens')
    await page.getByLabel('Name').fill('shown once')
    await page.getByRole('button', { name: 'Create token' }).click()
    assert.match(await textOf(page.getByRole('status').locator('code')), /^sntrys_/)
    await page.goto('/shop/projects/plain/settings/danger')
    await page.getByLabel('Type plain to confirm').fill('plain')
    await page.getByRole('button', { name: 'Delete project' }).click()
    await page.waitForURL('**/shop/projects')
    await page.goto('/sign-out')
    await page.getByRole('main').getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL('**/sign-in')
    await plain.close()
  })

  it('sends little on first load', async () => {
    const html = await (await rosa.document('/shop/issues')).text()
    const named = (pattern: RegExp) => [
      ...new Set([...html.matchAll(pattern)].map((match) => match[1] ?? '')),
    ]
    const scripts = named(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)
    const styles = named(/href="(\/assets\/[^"]+\.css)"/g)
    assert.ok(scripts.length > 0 && styles.length > 0)
    const sizes = async (paths: readonly string[]) => {
      const each = await Promise.all(paths.map((path) => zipped(`${running.url}${path}`)))
      return each.reduce((sum, size) => sum + size, 0)
    }
    const styleBytes = await sizes(styles)
    assert.ok(styleBytes <= STYLE_BYTES_MAX, `${styleBytes} bytes of style, gzip`)
    const first = await openScreen(browser, running.url, { cookie: rosa.cookie })
    await first.page.goto('/shop/issues', { waitUntil: 'load' })
    const early = first.asked.map(pathOf).filter((path) => path.endsWith('.js'))
    const unnamed = early.filter((path) => !scripts.includes(path) && !/\/reporting-/.test(path))
    assert.deepEqual(unnamed, [], 'the document names every script that its page needs')
    first.assertQuiet()
    await first.close()
  })

  it('goes back to where a page was scrolled to, and begins others at their top', async () => {
    const low = await openScreen(browser, running.url, {
      cookie: rosa.cookie,
      viewport: { width: 1440, height: 300 },
    })
    const { page } = low
    const at = () => page.evaluate(() => Math.round(window.scrollY))
    await low.open('/shop/issues/WEB-1')
    await page.evaluate(() => window.scrollTo(0, 200))
    // A click of the page's own, so that the browser scrolls nothing into view before it.
    await page.evaluate(() => document.querySelector<HTMLElement>('nav a[href="/shop/issues"]')?.click())
    await page.waitForURL(/\/shop\/(?:issues|projects|outcomes)$/)
    await waitFor('the top', async () => (await at()) === 0)
    await page.goBack()
    await page.getByRole('heading', { level: 1 }).waitFor()
    await waitFor('the place before', async () => (await at()) === 200)
    await page.reload()
    await hydrated(page)
    await waitFor('the place before the reload', async () => (await at()) === 200)
    await low.close()
  })

  for (const [name, path, bytesMax] of [
    ['issue list', '/shop/issues', 107_300],
    ['overview', '/shop', 111_200],
    ['issue page', '/shop/issues/WEB-1', 138_600],
  ] as const) {
    it(`loads at most ${bytesMax / 1000} KB of script for the ${name}, the SDK and the palette included`, async () => {
      const own = await openScreen(browser, running.url, { cookie: rosa.cookie })
      await own.open(path)
      if (path.endsWith('WEB-1'))
        await own.page.getByRole('heading', { level: 1, name: /WireError/ }).waitFor()
      await waitFor('the SDK', async () => own.asked.some((request) => /\/reporting-/.test(pathOf(request))))
      await own.page.keyboard.press('?')
      await own.page.getByRole('dialog').waitFor()
      await own.page.keyboard.press('Escape')
      await own.page.keyboard.press('ControlOrMeta+k')
      await own.page.getByRole('dialog').waitFor()
      const scripts = own.asked.filter((request) => pathOf(request).endsWith('.js'))
      const names = scripts.map(pathOf)
      assert.equal(new Set(names).size, names.length, 'each once')
      const sizes = await Promise.all(
        scripts.map(async (request) => (await request.sizes()).responseBodySize),
      )
      const bytes = sizes.reduce((sum, size) => sum + size, 0)
      assert.ok(bytes > bytesMax / 4, `${bytes} bytes: they were counted as sent`)
      assert.ok(bytes <= bytesMax, `${bytes} bytes of script`)
      own.assertQuiet()
      await own.close()
    })
  }

  it('keeps what fails before the SDK is there, and sends it with its cause and no address', async () => {
    const own = await openScreen(browser, running.url, { cookie: rosa.cookie })
    const sent = eventsOf(own)
    const sdkThen: boolean[] = []
    await own.page.exposeFunction('sdkAsked', () =>
      sdkThen.push(own.asked.some((request) => /\/reporting-/.test(pathOf(request)))),
    )
    await own.page.addInitScript(() => {
      document.addEventListener('DOMContentLoaded', () => {
        void Reflect.get(window, 'sdkAsked')()
        throw new TypeError('tooEarly', { cause: new RangeError('deeper') })
      })
    })
    await own.page.goto('/shop/issues/WEB-1')
    await waitFor('the report', async () => sent.length === 1)
    assert.deepEqual(sdkThen, [false])
    const event = JSON.parse(sent[0]?.split('\n')[2] ?? '{}')
    assert.deepEqual(
      event.exception.values.map(({ type, value }: { type: string; value: string }) => `${type}: ${value}`),
      ['RangeError: deeper', 'TypeError: tooEarly'],
    )
    assert.equal(event.transaction, '/:org/issues/:id')
    assert.equal(event.release.length > 0, true)
    assert.ok(!sent[0]?.includes('WEB-1'))
    await own.close()
  })

  it('says what happened before, by patterns, and in which trace', async () => {
    const own = await openScreen(browser, running.url, { cookie: rosa.cookie })
    const sent = eventsOf(own)
    await own.open('/shop/issues')
    const places = own.page.getByRole('navigation', { name: 'Places' })
    await places.getByRole('link', { name: 'Projects' }).click()
    await own.page.waitForURL('**/shop/projects')
    await own.page.getByRole('heading', { name: 'Projects' }).waitFor()
    await own.page.evaluate(() => setTimeout(() => JSON.parse('not JSON')))
    await waitFor('the report', async () => sent.length === 1)
    const event = JSON.parse(sent[0]?.split('\n')[2] ?? '{}')
    assert.deepEqual(
      event.breadcrumbs.map(({ category, data }: { category: string; data: object }) => ({
        category,
        ...data,
      })),
      [
        { category: 'fetch', url: '/:org/projects', method: 'GET', status_code: 200 },
        { category: 'navigation', from: '/:org/issues', to: '/:org/projects' },
      ],
    )
    assert.match(event.contexts.trace.trace_id, /^[0-9a-f]{32}$/)
    assert.match(event.contexts.trace.span_id, /^[0-9a-f]{16}$/)
    await own.close()
  })

  it('tells of a failure in a loop once', async () => {
    const own = await openScreen(browser, running.url, { cookie: rosa.cookie })
    const sent = eventsOf(own)
    await own.open('/shop/issues')
    await waitFor('the SDK', async () => own.asked.some((request) => /\/reporting-/.test(pathOf(request))))
    await own.page.evaluate(() => {
      const fail = () => {
        throw new Error('again and again')
      }
      for (let turn = 0; turn < 5; turn++) setTimeout(fail)
      setTimeout(() => {
        throw new Error('another')
      }, 10)
    })
    await waitFor('the last report', async () => sent.some((text) => text.includes('another')))
    assert.equal(sent.length, 2)
    await own.close()
  })

  it('reports its failures to itself, and nothing that it does not store', async () => {
    const own = await openScreen(browser, running.url, { cookie: rosa.cookie })
    const sent: string[] = []
    own.page.on('request', (request) => {
      if (new URL(request.url()).pathname !== '/monitoring') return
      const text = request.postData() ?? ''
      for (const [, type = ''] of text.matchAll(/^\{"type":"(\w+)"/gm)) sent.push(type)
    })
    await own.page.goto('/shop/issues')
    await hydrated(own.page)
    await own.page.getByRole('navigation', { name: 'Places' }).getByRole('link', { name: 'Projects' }).click()
    await own.page.waitForURL('**/shop/projects')
    await own.page.getByRole('heading', { name: 'Projects' }).waitFor()
    await own.page.evaluate(() => setTimeout(() => JSON.parse('not JSON')))
    await waitFor('the report', async () => sent.includes('event'))
    // Its page loads beside it, where the page had been there long enough.
    assert.deepEqual(
      sent.filter((type) => type !== 'span'),
      ['event'],
    )
    await own.close()
  })

  it('compresses scripts for browsers that know gzip alone', async () => {
    const html = await (await rosa.document('/shop/issues')).text()
    const path = /src="(\/assets\/[^"]+\.js)"/.exec(html)?.[1] ?? ''
    for (const encoding of ['br', 'gzip']) {
      const answer = await fetch(`${running.url}${path}`, { headers: { 'accept-encoding': encoding } })
      await answer.body?.cancel()
      assert.equal(answer.headers.get('content-encoding'), encoding)
    }
  })
})

/** Requests that the page made beside documents, files, reports, and what it waits for where that takes long. */
function own({ asked }: Screen): readonly Request[] {
  return asked.filter(
    (request) =>
      ['fetch', 'xhr'].includes(request.resourceType()) &&
      !/\/(?:monitoring|assets\/|palette|waits$)/.test(request.url()),
  )
}

/** Failures that it reports from now on; spans of its page come beside them where it has been there long enough. */
function eventsOf({ page }: Screen): readonly string[] {
  const sent: string[] = []
  page.on('request', (request) => {
    const text = request.postData() ?? ''
    if (pathOf(request) === '/monitoring' && text.includes('\n{"type":"event"')) sent.push(text)
  })
  return sent
}

function pathOf(request: Request): string {
  return new URL(request.url()).pathname
}

/** Size of an answer's body as gzip. */
async function zipped(url: string): Promise<number> {
  const answer = await fetch(url)
  assert.equal(answer.status, 200, url)
  return gzipSync(Buffer.from(await answer.arrayBuffer()), { level: 9 }).length
}
