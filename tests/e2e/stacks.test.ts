/** Readable stacks in a real browser: an upload, an event of its build, the issue, and the screen of source maps. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { issues } from '../support/api.ts'
import { launchBrowser } from '../support/browser.ts'
import { type Person, signIn } from '../support/person.ts'
import { openScreen, type Screen, textOf } from '../support/screen.ts'
import { anEvent, send } from '../support/send.ts'
import { OWNER, type RunningErrata, type SetUp, startShop } from '../support/start-errata.ts'
import { uploadBundle } from '../support/upload-bundle.ts'
import { waitFor } from '../support/wait-for.ts'

const MAPS = '/shop/projects/web/settings/source-maps'
const [ID, UNKNOWN] = ['6f1e77a0-5b1c-4c02-9d7e-11b0c4021234', '7f1e77a0-5b1c-4c02-9d7e-11b0c4021234']
const SOURCE = ['// the cart', 'export function total(lines) {', '  return lines.length', '}', ''].join('\n')
/** The first place of the file comes from the third line, third column. */
const MAP = { version: 3, sources: ['../src/cart.ts'], names: [], mappings: 'AAEE', sourcesContent: [SOURCE] }
const FILE = 'https://shop.example/assets/cart.js'

function failure(file: string, debugId: string, times = 1) {
  const frame = { function: 't', filename: file, abs_path: file, lineno: 1, colno: 1, in_app: true }
  return anEvent({
    message: `no lines of ${debugId.slice(0, 1)}`,
    more: {
      platform: 'javascript',
      debug_meta: { images: [{ type: 'sourcemap', code_file: file, debug_id: debugId }] },
      exception: {
        values: [{ type: 'TypeError', value: 'no lines', stacktrace: { frames: Array(times).fill(frame) } }],
      },
    },
  })
}

describe('readable stacks', { timeout: 900_000 }, () => {
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
  })
  after(async () => {
    await browser?.close()
    await running?.[Symbol.asyncDispose]()
  })

  const mapsText = async () => (await rosa.document(MAPS)).text()

  it('says how to upload while nothing was', async () => {
    await screen.open(MAPS)
    const text = await textOf(screen.page.locator('main'))
    assert.match(text, /No source maps have been uploaded to this project yet\./)
    assert.match(text, /SENTRY_ORG=shop\s*SENTRY_PROJECT=web/)
    screen.assertQuiet()
  })

  it('shows what was written, and what ran one switch away', async () => {
    const headers = { 'debug-id': ID }
    await uploadBundle(shop, {
      'cart.js': {
        ...{ type: 'minified_source', url: '~/assets/cart.js', headers },
        bytes: Buffer.from('function t(n){return n.length}\n'),
      },
      'cart.js.map': {
        ...{ type: 'source_map', url: '~/assets/cart.js.map', headers },
        bytes: Buffer.from(JSON.stringify({ ...MAP, debug_id: ID })),
      },
    })
    await waitFor('the map', async () => {
      const text = await mapsText()
      return text.includes('1 map') && !text.includes(' being processed</span>')
    })
    const event = await send(shop.dsn, failure(FILE, ID))
    await waitFor('the event', async () => (await issues(shop, event)).length === 1)
    const [issue] = await issues(shop, event)
    await rosa.act('mapping.add', MAPS, {
      ...{ stackRoot: 'src/', sourceRoot: 'apps/src/', repository: 'https://git.example/acme/shop' },
      ...{ host: 'forgejo', branch: 'main' },
    })
    const { page } = screen
    await screen.open(`/shop/issues/${issue?.shortId}`)
    const stack = page.getByRole('region', { name: 'Exception' })
    const shown = await textOf(stack)
    assert.match(shown, /src\/cart\.ts:3:3/)
    assert.match(shown, /return lines\.length/)
    assert.match(shown, /Ran as .*cart\.js:1:1.*resolved by debug ID/)
    const repository = await stack.getByRole('link', { name: 'Open in repository' }).getAttribute('href')
    assert.equal(repository, 'https://git.example/acme/shop/src/branch/main/apps/src/cart.ts#L3')
    const [title, link] = await Promise.all([
      stack.getByText('src/cart.ts').boundingBox(),
      stack.getByRole('link', { name: 'Open in repository' }).boundingBox(),
    ])
    assert.ok(title !== null && link !== null)
    assert.ok(Math.abs(title.y - link.y) < 8 && title.x + title.width <= link.x, 'the link ends the title')
    await stack.getByRole('link', { name: 'Minified' }).click()
    await page.waitForURL(/stack=minified/)
    await waitFor('what ran', async () => {
      const ran = await textOf(stack)
      return ran.includes('assets/cart.js:1:1') && !ran.includes('src/cart.ts')
    })
    await stack.getByRole('link', { name: 'Original' }).click()
    await waitFor('what was written', async () => (await textOf(stack)).includes('src/cart.ts:3:3'))
    screen.assertQuiet()
  })

  it('lists what was missed by cause, and takes the steps of its look-up', async () => {
    const event = await send(shop.dsn, failure('https://shop.example/assets/other.js', UNKNOWN))
    await waitFor('the event', async () => (await issues(shop, event)).length === 1)
    const { page } = screen
    await screen.open(MAPS)
    const missed = page.getByRole('region', { name: 'Not resolved, by cause' })
    const text = await textOf(missed.first())
    assert.match(text, /50\.0 % of the frames that needed a source map .* 1 of 2 weren’t, in 1 event\./s)
    assert.match(text, /No map uploaded for this debug ID1other\.js/)
    await page.getByLabel('Event ID, debug ID, or address of a file').fill(event)
    await page.getByRole('button', { name: 'Check' }).click()
    await page.getByText('No map of this ID in this project').waitFor()
    const check = await textOf(page.getByRole('region', { name: 'Check a lookup' }))
    assert.match(check, /There is a debug ID for this file/)
    assert.match(check, /The map opens\s*not checked/)
    assert.match(
      check,
      /sentry-cli --url \S+ sourcemaps upload --org shop --project web --release shop@1\.0\.0/,
    )
    screen.assertQuiet()
  })

  it('says once why frames of one file are unread', async () => {
    const event = await send(shop.dsn, failure('https://shop.example/assets/twice.js', UNKNOWN, 2))
    await waitFor('the event', async () => (await issues(shop, event)).length === 1)
    const [issue] = await issues(shop, event)
    await screen.open(`/shop/issues/${issue?.shortId}/events/${event}`)
    const frames = screen.page.getByRole('region', { name: 'Exception' }).locator('summary')
    const texts = await frames.allTextContents()
    assert.equal(texts.length, 2)
    assert.match(texts[0] ?? '', /no map uploaded for this debug ID/)
    assert.match(texts[1] ?? '', /same file/)
    screen.assertQuiet()
  })

  it('deletes an upload', async () => {
    const { page } = screen
    await screen.open(`${MAPS}?query=${ID}`)
    const uploads = page.getByRole('region', { name: 'Uploads', exact: true })
    assert.match(await textOf(uploads), /1 map/)
    await uploads.getByRole('button', { name: 'Delete' }).click()
    await waitFor('it to be gone', async () => !(await textOf(uploads)).includes('1 map'))
    assert.match(await mapsText(), /No source maps have been uploaded to this project yet/)
    screen.assertQuiet()
  })
})
