/** The editor of alert rules in the built product: made with a preview, tested, muted, fired, seen in the list and the log. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { type Hook, openHook } from '../../packages/server/testing/notices/receivers.ts'
import { rulesHaveLooked } from '../support/alert-looks.ts'
import { issues } from '../support/api.ts'
import { changeBeside } from '../support/beside.ts'
import { launchBrowser } from '../support/browser.ts'
import { type Person, signIn } from '../support/person.ts'
import { openScreen, openUntil, type Screen } from '../support/screen.ts'
import { anEvent, send } from '../support/send.ts'
import { OWNER, type RunningErrata, type SetUp, startShop } from '../support/start-errata.ts'
import { waitFor } from '../support/wait-for.ts'

const RULES = '/shop/alerts'

describe('alert rules', { timeout: 900_000 }, () => {
  let hook: Hook
  let running: RunningErrata & { readonly shop: SetUp }
  let browser: Browser
  let rosa: Person
  let screen: Screen

  before(async () => {
    hook = await openHook((_, response) => response.writeHead(200).end('ok'))
    running = await startShop({ args: ['--webhook-private-targets', 'allow'] })
    browser = await launchBrowser()
    rosa = await signIn(running.url, OWNER)
    screen = await openScreen(browser, running.url, { cookie: rosa.cookie })
    await rosa.api('POST', '/organizations/shop/alert-channels/', {
      ...{ kind: 'slack', name: '#rules', values: { url: hook.url('/rules') } },
    })
    await send(running.shop.dsn, anEvent({ type: 'CheckoutError', message: 'no stock' }))
    await waitFor('the issue', async () => (await issues(running.shop)).length === 1)
    await rulesHaveLooked(running)
  })
  after(async () => {
    await browser?.close()
    await running?.[Symbol.asyncDispose]()
    await hook?.close()
  })

  it('on issues are made with a preview of what they would have done and sent', async () => {
    const { page } = screen
    await screen.open(`${RULES}/rules/new?kind=issue`)
    await page.getByLabel('Name').fill('Urgent in the shop')
    await page.getByRole('button', { name: 'Add a condition' }).click()
    await page.getByLabel('Condition').selectOption('priority')
    await page.getByLabel('Value').selectOption('high')
    await page.getByLabel('Receiver').selectOption({ label: 'Slack, incoming webhook #rules' })
    await page.getByRole('button', { name: 'Show preview' }).click()
    const preview = page.getByRole('region', { name: 'Preview' })
    await preview.getByText('Would have fired 0 times').waitFor()
    await page.getByLabel('Value').selectOption('low')
    await page.getByRole('button', { name: 'Show preview' }).click()
    await preview.getByText('Would have fired 1 time').waitFor()
    await preview.getByRole('link', { name: 'WEB-1' }).waitFor()
    const message = page.getByRole('figure', { name: 'The message as Slack shows it' })
    await message.getByText('A new issue in production (Urgent in the shop)').waitFor()
    await page.getByRole('button', { name: 'Create rule' }).click()
    await page.getByRole('heading', { name: 'Urgent in the shop' }).waitFor()
    await page.getByText('It has not fired yet.').waitFor()
    assert.equal(await page.getByLabel('Condition').first().inputValue(), 'priority')
    screen.assertQuiet()
  })

  it('say beside the field what is wrong of them', async () => {
    const { page } = screen
    await screen.open(`${RULES}/rules/new?kind=metric`)
    await page.getByLabel('Name').fill('Nonsense')
    await page.getByLabel('Threshold of critical').fill('1')
    await page.getByLabel('Threshold of warning').fill('5')
    await page.getByRole('button', { name: 'Create rule' }).click()
    const said = 'The critical threshold must be beyond the warning threshold.'
    await page.getByRole('alert').filter({ hasText: said }).waitFor()
    screen.assertQuiet(/status of 400/)
  })

  it('on metrics show their figures of two weeks, and of the last day', async () => {
    const { page } = screen
    await screen.open(`${RULES}/rules/new?kind=metric`)
    await page.getByLabel('Name').fill('Errors at all')
    await page.getByLabel('Measure').selectOption('events')
    await page.getByLabel('Window', { exact: true }).selectOption('60')
    await page.getByLabel('At least').fill('0')
    await page.getByLabel('Threshold of critical').fill('0')
    await page.getByLabel('Threshold of warning').fill('')
    await page.getByRole('button', { name: 'Show preview' }).click()
    const preview = page.getByRole('region', { name: 'Preview' })
    await preview.getByText('Would have fired 1 time').waitFor()
    const chart = preview.getByRole('figure')
    const points = async () =>
      (await chart.locator('path').first().getAttribute('d'))?.match(/[Ml]/g)?.length ?? 0
    assert.equal(await points(), 14 * 24)
    await preview.getByRole('button', { name: '24 h' }).click()
    await waitFor('the last day', async () => (await points()) === 24)
    await page.getByRole('figure', { name: 'The message as an email shows it' }).waitFor()
    screen.assertQuiet()
  })

  it('send a test to their receivers, and fire', async () => {
    const { page } = screen
    await screen.open(RULES)
    await page.getByRole('link', { name: 'Urgent in the shop' }).click()
    await page.getByRole('button', { name: 'Send a test' }).click()
    const tested = await waitFor('the test', async () => hook.calls.at(-1) ?? null)
    assert.match(tested.body, /Test: Urgent in the shop/)
    await send(running.shop.dsn, anEvent({ type: 'StockError', message: 'shelf is empty' }))
    const fired = await waitFor('the alert', async () => hook.calls[1] ?? null)
    assert.match(fired.body, /StockError: shelf is empty/)
    await openUntil(
      screen,
      new URL(page.url()).pathname,
      page.getByRole('row').filter({ hasText: 'it was seen for the first time' }),
    )
    // The receiver has them before it is written down that it answered.
    await openUntil(screen, RULES, page.getByText('fired 1 time and sent 2 messages'))
    await page.getByRole('link', { name: /^Log/ }).click()
    await page.getByRole('row').filter({ hasText: 'StockError' }).getByText('Answered 200.').waitFor()
    screen.assertQuiet()
  })

  it('are muted for an hour and listed among the mutes', async () => {
    const { page } = screen
    await screen.open(RULES)
    await page.getByRole('link', { name: 'Urgent in the shop' }).click()
    await page.getByRole('button', { name: 'Mute', exact: true }).click()
    await page.getByRole('button', { name: 'Mute for 1 hour' }).click()
    await page.getByText(/^Muted until/).waitFor()
    await page.getByRole('link', { name: 'Alerts', exact: true }).first().click()
    await page.getByRole('link', { name: /^Mutes/ }).click()
    await page.getByText('Urgent in the shop').waitFor()
    screen.assertQuiet()
  })

  it('of another version are shown as text, with why they never fire, and are deleted', async () => {
    const { page } = screen
    changeBeside(
      running.data,
      `UPDATE alert_rules SET draft = json_set(draft, '$.when', json('[{"on":"moonrise"}]'))
        WHERE draft ->> '$.name' = 'Urgent in the shop'`,
    )
    await screen.open(RULES)
    const row = page.getByRole('row').filter({ hasText: 'Urgent in the shop' })
    await row.getByText('This rule can’t be evaluated as saved.').waitFor()
    await row.getByRole('link', { name: 'Urgent in the shop' }).click()
    await page.getByText('this version of Errata can’t read it').waitFor()
    await page.getByRole('region', { name: 'Stored rule' }).getByText('"moonrise"').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Save changes' }).count(), 0)
    await page.getByRole('button', { name: 'Delete rule' }).click()
    await page.getByRole('heading', { name: 'Alerts' }).waitFor()
    await page.getByText('Urgent in the shop').waitFor({ state: 'detached' })
    screen.assertQuiet()
  })
})
