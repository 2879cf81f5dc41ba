/** Merging, similar issues and fingerprint rules in a real browser, and changes of everything that a search finds. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { type ApiIssue, apiGet, issues } from '../support/api.ts'
import { launchBrowser } from '../support/browser.ts'
import { signIn } from '../support/person.ts'
import { openScreen, type Screen } from '../support/screen.ts'
import { anEvent, send } from '../support/send.ts'
import { OWNER, type RunningErrata, type SetUp, startShop } from '../support/start-errata.ts'
import { waitFor } from '../support/wait-for.ts'

/** More than one page of the list. */
const MANY = 27

describe('grouping, and changes of many issues', { timeout: 900_000 }, () => {
  let running: RunningErrata & { readonly shop: SetUp }
  let browser: Browser
  let screen: Screen

  before(async () => {
    running = await startShop()
    const { shop } = running
    browser = await launchBrowser()
    const { cookie } = await signIn(running.url, OWNER)
    screen = await openScreen(browser, running.url, { cookie })
    const apart = (type: string, message: string, name: string) =>
      send(shop.dsn, anEvent({ type, message, more: { fingerprint: [name] } }))
    await apart('TimeoutError', 'order 1 timed out', 'left')
    await apart('TimeoutError', 'order 22 timed out', 'right')
    await apart('TaxError', 'no rate', 'tax')
    // Letters: numbers in a fingerprint make no group of their own.
    for (let index = 0; index < MANY; index++) await apart('BulkError', 'many', 'many'.padEnd(5 + index, 'y'))
    await waitFor('all issues', async () => (await issues(shop)).length === MANY + 3)
  })
  after(async () => {
    await browser?.close()
    await running?.[Symbol.asyncDispose]()
  })

  const found = (query: string) => issues(running.shop, query)
  const only = async (query: string): Promise<ApiIssue> => {
    const [issue, ...others] = await found(query)
    assert.ok(issue !== undefined && others.length === 0, `not one issue of ${query}`)
    return issue
  }

  it('names similar issues with the reason, merges one, and gives its group to another', async () => {
    const { page } = screen
    const { shortId } = await only('"order 1 timed"')
    const tax = await only('error.type:TaxError')
    await screen.open(`/shop/issues/${shortId}/similar`)
    const row = page.getByRole('row').filter({ hasText: 'order 22 timed out' })
    await row.getByText('messages differ only in numbers and IDs').waitFor()
    await row.getByRole('button', { name: /^Merge with/ }).click()
    await page.waitForURL(/\/merged$/)
    assert.equal((await found('error.type:TimeoutError')).length, 1)
    const group = page.getByRole('row').filter({ hasText: 'order 22 timed out' })
    const move = page.getByLabel('Move to (optional)')
    await group.getByRole('checkbox').check()
    await move.fill('SHOP-9999')
    await page.getByRole('button', { name: 'Unmerge' }).click()
    await page.getByText('There is no such issue to move them to.').waitFor()
    await move.fill(tax.shortId)
    await page.getByLabel('Reason (optional)').fill('A tax call')
    await page.getByRole('button', { name: 'Unmerge' }).click()
    await page.waitForURL(new RegExp(`/issues/${tax.id}|/issues/${tax.shortId}`))
    await screen.open(`/shop/issues/${tax.shortId}/activity`)
    await page
      .getByText(/here from .*A tax call/)
      .first()
      .waitFor()
    assert.equal((await apiGet<ApiIssue>(running.shop, `/issues/${tax.id}/`)).count, '2')
    screen.assertQuiet(/status of 400/)
  })

  it('writes a rule for future events of an issue, and says what it would have changed', async () => {
    const { page } = screen
    const { shortId } = await only('"order 1 timed"')
    await screen.open(`/shop/issues/${shortId}/merged`)
    await page.getByRole('link', { name: 'add a fingerprint rule' }).click()
    const rules = page.getByLabel('Fingerprint rules')
    await rules.waitFor()
    assert.match(await rules.inputValue(), /error\.type:"TimeoutError".* -> "from-/)
    await page.getByRole('button', { name: 'Preview' }).click()
    await page
      .getByRole('status')
      .getByText(/Would change 2 events of 2 issues/)
      .waitFor()
    await page.getByText(/Line 1: 2 events, such as TimeoutError: order/).waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved').waitFor()
    await send(running.shop.dsn, anEvent({ type: 'TimeoutError', message: 'order 333 timed out' }))
    await waitFor('an issue of its own', async () => (await found('"order 333 timed"')).length === 1)
    screen.assertQuiet()
  })

  it('splits an issue by message, after it has said which issues that makes', async () => {
    const { page } = screen
    const { dsn } = running.shop
    const SAID = ['no mobile number', 'authentication failed', 'no order 17', 'no order 23']
    for (const message of SAID) await send(dsn, anEvent({ type: 'ApiError', message }))
    await waitFor('one issue', async () => Number((await found('error.type:ApiError'))[0]?.count) === 4)
    const { shortId } = await only('error.type:ApiError')
    await screen.open(`/shop/issues/${shortId}/merged`)
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByText('Would make 3 issues.').waitFor()
    await page.getByText(/ApiError: no order \d+: 2 events/).waitFor()
    await page.getByRole('button', { name: 'Split by message' }).click()
    await page.getByText('Rule added').waitFor()
    for (const message of SAID) await send(dsn, anEvent({ type: 'ApiError', message }))
    await waitFor('issues by message', async () => (await found('error.type:ApiError')).length === 4)
    assert.equal((await found('error.type:ApiError')).filter(({ count }) => count === '2').length, 1)
    screen.assertQuiet()
  })

  it('changes everything that a search finds, and takes it back', async () => {
    const { page } = screen
    const query = 'error.type:BulkError'
    const count = async (more: string) => (await found(`${query} ${more}`)).length
    const chooseAll = async () => {
      await screen.open(`/shop/issues?query=${encodeURIComponent(query)}`)
      await page.getByLabel('Select all issues on this page').check()
      await page.getByRole('button', { name: `Select all ${MANY} that match` }).click()
    }
    const undo = async () => {
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByText(`${MANY} issues restored`).waitFor()
    }
    await chooseAll()
    await page.getByRole('button', { name: 'Assign', exact: true }).click()
    await page.getByRole('button', { name: /#/ }).first().click()
    await page.getByText(`${MANY} issues assigned`).waitFor()
    assert.equal(await count('is:assigned'), MANY)
    await undo()
    assert.equal(await count('is:assigned'), 0)
    await chooseAll()
    await page.getByRole('button', { name: 'Resolve' }).click()
    await page.getByText(`${MANY} issues resolved`).waitFor()
    assert.equal(await count('is:resolved'), MANY)
    await undo()
    assert.equal(await count('is:new'), MANY)
    screen.assertQuiet()
  })

  it('underlines in the search of an issue’s events what it does not understand', async () => {
    const { page } = screen
    const { shortId } = await only('error.type:TaxError')
    await screen.open(`/shop/issues/${shortId}/events?query=rate+events:%3E1`)
    await page.getByRole('alert').getByText('“events:” can’t be searched among events.').waitFor()
    assert.equal(await page.locator('u').textContent(), 'events:>1')
    await page.getByLabel('Search the events of this issue').fill('rate')
    await page.locator('u').waitFor({ state: 'detached' })
    screen.assertQuiet()
  })
})
