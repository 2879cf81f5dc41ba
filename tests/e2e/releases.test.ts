/** Releases in a real browser: the list and its filters, one release, archiving and deleting it. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { issues } from '../support/api.ts'
import { launchBrowser } from '../support/browser.ts'
import { signIn } from '../support/person.ts'
import { openScreen, type Screen, textOf } from '../support/screen.ts'
import { anEvent, send } from '../support/send.ts'
import { OWNER, type RunningErrata, type SetUp, startShop } from '../support/start-errata.ts'
import { uploadBundle } from '../support/upload-bundle.ts'
import { waitFor } from '../support/wait-for.ts'

const COMMIT = 'c41f9e2b60a8c41f9e2b60a8c41f9e2b60a8c41f'
const EARLIER = 'web@1.9.0'
const VERSION = 'web@1.10.0+1287'

describe('releases', { timeout: 900_000 }, () => {
  let running: RunningErrata & { readonly shop: SetUp }
  let shop: SetUp
  let browser: Browser
  let screen: Screen

  const call = async (method: string, path: string, body: object) => {
    const answer = await fetch(`${running.url}/api/0/organizations/shop/${path}`, {
      ...{ method, body: JSON.stringify(body) },
      headers: { authorization: `Bearer ${shop.token}`, 'content-type': 'application/json' },
    })
    assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${await answer.text()}`)
  }
  const fail = async (message: string, release: string, environment = 'production') => {
    const event = await send(
      shop.dsn,
      anEvent({ message, more: { release, environment, fingerprint: [message] } }),
    )
    await waitFor('the event', async () => (await issues(shop, event)).length === 1)
    return (await issues(shop, event))[0]?.shortId ?? ''
  }

  const sendSessions = async (release: string) => {
    const { protocol, host, username, pathname } = new URL(shop.dsn)
    const agoOf = (ms: number) => new Date(Date.now() - ms).toISOString()
    const item = {
      aggregates: [
        { started: agoOf(60_000), exited: 1_200, crashed: 3 },
        { started: agoOf(30 * 3_600_000), exited: 0, crashed: 97 },
      ],
      attrs: { release, environment: 'canary' },
    }
    const answer = await fetch(`${protocol}//${host}/api${pathname}/envelope/?sentry_key=${username}`, {
      method: 'POST',
      body: ['{}', '{"type":"sessions"}', JSON.stringify(item)].join('\n'),
    })
    assert.ok(answer.ok, `sessions: ${answer.status}`)
  }

  before(async () => {
    running = await startShop()
    shop = running.shop
    browser = await launchBrowser()
    const rosa = await signIn(running.url, OWNER)
    screen = await openScreen(browser, running.url, { cookie: rosa.cookie })
    const back = await fail('comes back', EARLIER, 'staging')
    await sendSessions(EARLIER)
    await call('PUT', `issues/${back}/`, { status: 'resolved', statusDetails: { inRelease: EARLIER } })
    const commits = [
      {
        ...{ id: COMMIT, message: 'Show the paid total', repository: 'shop/web' },
        ...{ author_name: 'Rosa', author_email: OWNER.email, timestamp: new Date().toISOString() },
        patch_set: [{ path: 'src/cart.js', type: 'M' }],
      },
      { id: 'b00', message: 'Bump ui', author_name: 'Tomás Ortiz', author_email: 'tomas@x.example' },
    ]
    await call('POST', 'releases/', { version: VERSION, projects: ['web'], commits })
    const url = 'https://ci.example.com/runs/7'
    await call('POST', `releases/${encodeURIComponent(VERSION)}/deploys/`, {
      ...{ environment: 'production', name: 'run 7', url },
    })
    const bytes = Buffer.from('var one=1\n')
    await uploadBundle(
      shop,
      {
        'a.js': { type: 'minified_source', url: '~/a.js', bytes },
        'b.js': { type: 'minified_source', url: '~/b.js', bytes },
      },
      { release: VERSION },
    )
    await fail('comes back', VERSION)
    await fail('is new', VERSION)
  })
  after(async () => {
    await browser?.close()
    await running?.[Symbol.asyncDispose]()
  })

  it('are listed with what came with each, and say which got worse', async () => {
    const { page } = screen
    await screen.open('/shop/releases')
    assert.match(
      await textOf(page.locator('main')),
      /1\.10\.0 \(1287\) of web, first seen .*, brought 1 new issue and 1 regressed issue\./,
    )
    const rows = page.getByRole('region', { name: 'Releases', exact: true }).getByRole('row')
    const newest = await textOf(rows.nth(1))
    assert.match(newest, /^1\.10\.0 \(1287\)web.*productionno sessions21102/)
    assert.match(newest, /RTOunused$/)
    assert.match(await textOf(rows.nth(2)), /^1\.9\.0web/)
    screen.assertQuiet()
  })

  it('show how each is adopted, and say what is counted', async () => {
    const { page } = screen
    const chart = page.getByRole('region', { name: 'Adoption' })
    await screen.open('/shop/releases')
    assert.match(await textOf(chart), /^Adoption of webshare of sessions, 7 days, .*1\.9\.0100 %$/s)
    await screen.open('/shop/releases?environment=staging')
    await page.locator('tbody th a').first().waitFor()
    assert.equal(await chart.count(), 0)
    screen.assertQuiet()
  })

  it('name where a release runs that only sessions came from', async () => {
    const { page } = screen
    await screen.open(`/shop/releases/${EARLIER}/deploys`)
    const place = page.getByRole('row', { name: /canary/ })
    assert.match(await textOf(place), /canary100 %1,30092\.30 %.*0none reported/)
    screen.assertQuiet()
  })

  it('fit every screen, as a table or as lines', async () => {
    const { page } = screen
    const own = page.viewportSize()
    for (const width of [390, 768, 1024, 1200, 1280, 1366, 1440]) {
      await page.setViewportSize({ width, height: 800 })
      await screen.open('/shop/releases')
      const box = page.getByRole('region', { name: 'Releases', exact: true })
      const beyond = await box.evaluate((element) => element.scrollWidth - element.clientWidth)
      assert.ok(beyond <= 0, `${beyond} px too wide at ${width} px`)
    }
    if (own !== null) await page.setViewportSize(own)
    screen.assertQuiet()
  })

  it('are found by environment, order and commit, all of it in the address', async () => {
    const { page } = screen
    const names = () => page.locator('tbody th a').allTextContents()
    await screen.open('/shop/releases')
    await page.getByRole('button', { name: 'All environments' }).click()
    await page.getByRole('link', { name: 'staging' }).click()
    await page.waitForURL(/environment=staging/)
    await waitFor('the rows', async () => (await names()).join() === '1.9.0')
    await page.getByRole('button', { name: 'Order newest deploy' }).click()
    await page.getByRole('link', { name: 'version', exact: true }).click()
    await page.waitForURL(/environment=staging.*sort=semver/)
    await screen.open('/shop/releases')
    assert.deepEqual(await names(), ['1.10.0 (1287)', '1.9.0'])
    await page.keyboard.press('/')
    await page.keyboard.type(COMMIT.slice(0, 8))
    await page.keyboard.press('Enter')
    await page.waitForURL(/query=c41f9e2b/)
    await waitFor('the one found', async () => (await names()).join() === '1.10.0 (1287)')
    await screen.open('/shop/releases?query=nobody%40else.example')
    await page.getByText('No release matches').waitFor()
    await page.getByRole('link', { name: 'Search people' }).click()
    await page.waitForURL(/people\?query=nobody%40else\.example/)
    screen.assertQuiet()
  })

  it('go from row to row by key, and from release to release', async () => {
    const { page } = screen
    await screen.open('/shop/releases')
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.waitForURL(/releases\/web%401\.9\.0/)
    await page.getByRole('heading', { level: 1, name: '1.9.0' }).waitFor()
    await page.keyboard.press(']')
    await page.waitForURL(/releases\/web%401\.10\.0%2B1287/)
    await page.getByRole('heading', { level: 1, name: '1.10.0 (1287)' }).waitFor()
    await page.keyboard.press('[')
    await page.waitForURL(/releases\/web%401\.9\.0/)
    screen.assertQuiet()
  })

  it('show issues beside the release before at the same age, and the rest on tabs with addresses of their own', async () => {
    const { page } = screen
    await screen.open(`/shop/releases/${encodeURIComponent(VERSION)}`)
    const text = (name: string) => textOf(page.getByRole('region', { name, exact: true }))
    assert.match(await text('Regressed'), /Regressed1.*comes back/)
    assert.match(await text('New'), /New1.*is new/)
    assert.match(await text('Resolved'), /No issues are resolved in this release/)
    assert.match(await text('Compared'), /with 1\.9\.0, at 1 h/)
    assert.match(await text('Compared'), /New issuessame1, was 1Regressions\+11, was 0/)
    // Two in one bar, or one in each of two where a bar ended between them.
    assert.match(await text('Regressed'), /Trend, 7 d.*[12]\/6h/)
    const open = async (name: string, path: string) => {
      await page.getByRole('link', { name }).click()
      await page.waitForURL((url) => url.pathname.endsWith(`/${path}`))
      await page.locator('.tabs [aria-current="page"]', { hasText: name }).waitFor()
    }
    await open('Regressions', 'slower')
    assert.match(await text('Slower, or failing more, than in 1.9.0'), /No requests carry this release/)
    await open('Commits', 'commits')
    assert.match(await text('Commits'), /Commits2.*c41f9e2Show the paid total/)
    assert.match(await text('Commits'), /Tomás Ortiz, not a member/)
    await open('Deploys', 'deploys')
    assert.match(await text('Where it runs'), /productionno sessions2.*run 7production/)
    const run = page.getByRole('region', { name: 'Where it runs' }).getByRole('link', { name: 'run 7' })
    assert.equal(await run.getAttribute('href'), 'https://ci.example.com/runs/7')
    await open('Artifacts', 'artifacts')
    assert.match(await text('Artifacts'), /1 bundle, 2 files.*never/)
    // The tab counts the rows of its list.
    await page.getByRole('link', { name: /^Artifacts\s*1$/ }).waitFor()
    await page.getByRole('link', { name: 'Source maps' }).click()
    await page.waitForURL(/settings\/source-maps\?query=web%401\.10\.0/)
    // A version that is typed as it reads.
    await screen.open(`/shop/releases/${VERSION}/commits`)
    assert.equal(await page.locator('.tabs [aria-current="page"]').textContent(), 'Commits2')
    screen.assertQuiet()
  })

  it('are as free of crashes on the overview as in the list', async () => {
    const { page } = screen
    // 100 of 1,300 crashed, 97 of them before the last 24 hours.
    await screen.open('/shop/releases')
    const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: '1.9.0' }) })
    assert.match(await textOf(row), /92\.30 %/)
    await screen.open('/shop')
    const releases = page.getByRole('region', { name: 'Latest releases' })
    assert.match(await textOf(releases), /1\.9\.0 web.*Crash-free sessions92\.30 %/)
    // The list has it of all time: the share of a day leads to no other number.
    const ofDay = page.getByRole('complementary').getByText('Crash-free', { exact: true })
    assert.equal(await ofDay.count(), 1)
    assert.equal(await page.getByRole('link', { name: 'Crash-free', exact: true }).count(), 0)
    screen.assertQuiet()
  })

  it('are led to from the issue and its event', async () => {
    const { page } = screen
    await screen.open('/shop/issues?query=is+new')
    await page.locator('a', { hasText: 'is new' }).first().click()
    await page
      .getByRole('region', { name: 'When' })
      .getByRole('link', { name: '1.10.0 (1287)' })
      .first()
      .click()
    await page.waitForURL(/releases\/web%401\.10\.0%2B1287/)
    screen.assertQuiet()
  })

  it('are named whole in the filter of issues, and by their version where an issue is resolved in one', async () => {
    const { page } = screen
    const ref = await fail('is done', EARLIER)
    await screen.open('/shop/issues')
    await page.locator('main').getByRole('button', { name: 'Release', exact: true }).click()
    await page.getByRole('link', { name: EARLIER, exact: true }).click()
    await page.waitForURL(/query=release/)
    await page.getByRole('button', { name: `Release: ${EARLIER}` }).waitFor()
    await screen.open(`/shop/issues/${ref}/change`)
    const field = page.getByRole('combobox', { name: 'Release' })
    await field.fill('1.9')
    await page.getByRole('button', { name: 'Resolve' }).click()
    await page.getByText('The project has no release of this name.').waitFor()
    await field.fill('1.9.0')
    await page.getByRole('button', { name: 'Resolve' }).click()
    await page.getByText('Resolved in 1.9.0').waitFor()
    screen.assertQuiet(/422|400/)
  })

  it('are archived, restored and deleted, in numbers', async () => {
    const { page } = screen
    await screen.open(`/shop/releases/${encodeURIComponent(VERSION)}`)
    await page.getByRole('button', { name: 'Archive' }).click()
    await page.getByText('Release archived').waitFor()
    await page.getByRole('button', { name: 'Restore' }).waitFor()
    await screen.open('/shop/releases')
    assert.deepEqual(await page.locator('tbody th a').allTextContents(), ['1.9.0'])
    await screen.open('/shop/releases?status=archived')
    await page.getByRole('link', { name: '1.10.0 (1287)' }).click()
    await page.getByRole('button', { name: 'Restore' }).click()
    await page.getByRole('button', { name: 'Archive' }).waitFor()
    await page.getByRole('button', { name: 'Delete…' }).click()
    const dialog = page.getByRole('dialog')
    assert.match(
      await textOf(dialog),
      /This deletes the release, 2 commits, 1 deploy and 1 artifact bundle \(2 files, /,
    )
    await dialog.getByRole('button', { name: 'Delete release and 1 bundle' }).click()
    await page.waitForURL(/\/shop\/releases$/)
    await waitFor('the list', async () => (await page.locator('tbody th a').allTextContents()).length === 1)
    screen.assertQuiet()
  })
})
