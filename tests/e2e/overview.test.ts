/** The first screen in a real browser: its numbers are those of the pages it leads to, and its place is marked on every width. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser, Locator } from 'playwright-core'
import { launchBrowser } from '../support/browser.ts'
import { signIn } from '../support/person.ts'
import { sendRequests } from '../support/requests.ts'
import { openScreen, openUntil, type Screen, textOf } from '../support/screen.ts'
import { anEvent, send } from '../support/send.ts'
import { OWNER, type RunningErrata, type SetUp, startShop } from '../support/start-errata.ts'
import { waitFor } from '../support/wait-for.ts'

const HOUR = 3_600_000
const PROJECT = '/shop/projects/web'
const WIDE = { width: 1440, height: 900 }
const NARROW = { width: 390, height: 844 }

describe('the overview', { timeout: 900_000 }, () => {
  let running: RunningErrata & { readonly shop: SetUp }
  let browser: Browser
  let screen: Screen

  before(async () => {
    running = await startShop()
    browser = await launchBrowser()
    const rosa = await signIn(running.url, OWNER)
    screen = await openScreen(browser, running.url, { cookie: rosa.cookie })
    // In the first hour of the 24, in the middle, and now.
    for (const agoMs of [23.99 * HOUR, 5 * HOUR, 1_000])
      await sendRequests(running.shop.dsn, [
        { route: '/a', ms: 90, agoMs },
        { route: '/a', ms: 90, agoMs, end: 'failed' },
        { route: '/a', kind: 'page-data', ms: 40, agoMs, end: 'behind 200' },
        { route: '/a', kind: 'page-data', ms: 40, agoMs },
        { route: '/a', kind: 'prefetch', ms: 10, agoMs },
        { route: '/b', ms: 700, agoMs, vitals: { lcp: 3_000, inp: 90, cls: 0.4 } },
      ])
    await send(running.shop.dsn, anEvent({ type: 'FirstError', message: 'one' }))
    await send(running.shop.dsn, anEvent({ type: 'OtherError', message: 'two' }))
    await openUntil(screen, PROJECT, screen.page.getByText('FirstError').first())
    await openUntil(screen, PROJECT, screen.page.getByRole('link', { name: 'Largest contentful paint' }))
  })
  after(async () => {
    await browser?.close()
    await running?.[Symbol.asyncDispose]()
  })

  it('counts requests and failures of each kind as the page behind them does', async () => {
    const { page } = screen
    await screen.open(PROJECT)
    const rows = page.getByRole('row').filter({ has: page.locator('.badge') })
    const said = await rows.evaluateAll((all) =>
      all.map((row) => ({
        to: row.querySelector('a')?.getAttribute('href') ?? '',
        cells: [...row.querySelectorAll('td')].map((cell) => cell.textContent),
      })),
    )
    assert.deepEqual(
      said.map(({ cells }) => cells[0]),
      ['document', 'page-data', 'prefetch'],
    )
    for (const { to, cells } of said) {
      await screen.open(to)
      const tile = page.locator('[aria-current="true"]').filter({ has: page.locator('.badge') })
      const [, count, failed] = /([\d,]+) ([\d,]+) failed/.exec(await tileText(tile)) ?? []
      assert.deepEqual([count, failed], [cells[1], cells[2]], to)
    }
  })

  it('says of a vital what its page says', async () => {
    const { page } = screen
    await screen.open(PROJECT)
    const line = page.getByRole('listitem').filter({ hasText: 'argest contentful paint' })
    const [value = ''] = /\d\.\d\d s(?=needs improvement)/.exec(await textOf(line)) ?? []
    assert.match(value, /^3\.0\d s$/)
    await line.getByRole('link').click()
    await page.waitForURL(/\/performance\/vitals\?.*vital=lcp/)
    // The address is written before the page is there.
    const main = page.locator('main')
    await waitFor('the same value', async () => (await textOf(main)).includes(`the p75 is ${value}`))
  })

  it('counts what needs somebody as its list has it', async () => {
    const { page } = screen
    await screen.open(PROJECT)
    const needs = await page
      .locator('section', { hasText: 'Needs you' })
      .first()
      .getByRole('listitem')
      .count()
    assert.match(
      await textOf(page.locator('main')),
      new RegExp(`${needs} things need you, ${needs} have no assignee`),
    )
    for (const link of [`All ${needs} issues`, `${needs} have no assignee`]) {
      await screen.open(PROJECT)
      await page.getByRole('link', { name: link }).click()
      const tab = page.getByRole('link', { name: /^Unresolved/ })
      await waitFor(link, async () => (await textOf(tab)) === `Unresolved${needs}`)
    }
    screen.assertQuiet()
  })

  it('marks every deploy of the 24 hours, not only the releases it tells of', async () => {
    const { shop, url } = running
    const versions = ['cart@1', 'mail@1', 'search@1', 'stock@1']
    const call = async (path: string, body: object) => {
      const answer = await fetch(`${url}/api/0/organizations/shop/releases/${path}`, {
        ...{ method: 'POST', body: JSON.stringify(body) },
        headers: { authorization: `Bearer ${shop.token}`, 'content-type': 'application/json' },
      })
      assert.ok(answer.ok, `${path}: ${answer.status}`)
    }
    for (const version of versions) {
      await call('', { version, projects: ['web'] })
      await call(`${encodeURIComponent(version)}/deploys/`, { environment: 'production' })
    }
    await screen.open(PROJECT)
    const chart = screen.page.getByRole('figure', { name: /^Failed requests per hour/ })
    for (const version of versions) assert.ok((await textOf(chart)).includes(version), version)
    screen.assertQuiet()
  })

  it('marks when a flag was changed, by whom, at the line, under the cursor and in the table', async () => {
    const { shop, url } = running
    const { page } = screen
    const at = new Date()
    const change = { action: 'updated', change_id: 1, created_at: at.toISOString(), flag: 'new-checkout' }
    const data = [{ ...change, created_by: { id: 'Ada', type: 'name' } }]
    const answer = await fetch(`${url}/api/0/organizations/shop/flags/hooks/provider/generic/`, {
      ...{ method: 'POST', body: JSON.stringify({ data, meta: { version: 1 } }) },
      headers: { authorization: `Bearer ${shop.token}`, 'content-type': 'application/json' },
    })
    assert.equal(answer.status, 200)
    await screen.open(PROJECT)
    const chart = page.getByRole('figure', { name: /^Failed requests per hour/ })
    const named = /^new-checkout was changed by Ada, \d+ \w+, \d\d:\d\d$/
    // Its line has no width where deploys of the same hour took the room for names.
    await chart.getByRole('img', { name: named }).waitFor({ state: 'attached' })
    await chart.getByRole('cell', { name: named }).waitFor({ state: 'attached' })
    const cursor = chart.getByRole('slider')
    await cursor.focus()
    await page.keyboard.press('End')
    await waitFor('the flag under the cursor', async () =>
      /new-checkout was changed by Ada/.test((await cursor.getAttribute('aria-valuetext')) ?? ''),
    )
    await page.getByText('flag changed', { exact: true }).waitFor()
    screen.assertQuiet()
  })

  it('says on a phone which issue needs somebody, why and how many it hits', async () => {
    const { page } = screen
    await page.setViewportSize(NARROW)
    await screen.open(PROJECT)
    const row = page.getByRole('listitem').filter({ hasText: 'FirstError' })
    const [title, id] = await Promise.all([
      row.getByRole('link').boundingBox(),
      row.getByText(/^WEB-\d+$/).boundingBox(),
    ])
    assert.ok(title !== null && id !== null)
    assert.ok(title.y + title.height <= id.y && id.x + id.width <= NARROW.width)
    await page.setViewportSize(WIDE)
  })

  it('leads from a project’s rules to its own', async () => {
    await screen.open(PROJECT)
    const rules = screen.page.getByRole('complementary').getByRole('link', { name: /^\d+ rules? on$/ })
    assert.equal(await rules.getAttribute('href'), '/shop/alerts?project=web')
  })

  it('is the place of a project’s overview too, and the menu of what no other place stands for', async () => {
    const { page } = screen
    const here = (name: string) => page.getByRole('navigation', { name }).locator('[aria-current]')
    await page.setViewportSize(WIDE)
    for (const [path, place] of [
      [PROJECT, 'Overview'],
      ['/shop/projects/new', 'Projects'],
    ] as const) {
      await screen.open(path)
      assert.match(await textOf(here('Places')), new RegExp(`^${place}`))
    }
    await page.setViewportSize(NARROW)
    for (const [path, place] of [
      [PROJECT, 'Overview'],
      ['/shop/issues', 'Issues'],
      ['/inbox', 'Menu'],
      ['/shop/projects', 'Menu'],
    ] as const) {
      await screen.open(path)
      assert.equal(await textOf(here('Most used')), place, path)
    }
  })
})

async function tileText(tile: Locator): Promise<string> {
  return (await tile.first().innerText()).replaceAll(/\s+/g, ' ')
}
