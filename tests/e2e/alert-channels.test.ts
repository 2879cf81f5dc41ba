/** Channels and the log in the built product: set up in a browser, received by a real HTTP server. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { anIssueRule } from '../../packages/server/testing/builders/alert-rule.ts'
import { type Hook, openHook } from '../../packages/server/testing/notices/receivers.ts'
import { FIELDS } from '../../packages/web/src/wire/names.ts'
import { launchBrowser } from '../support/browser.ts'
import { type Person, signIn } from '../support/person.ts'
import { hydrated, openScreen, type Screen } from '../support/screen.ts'
import { anEvent, send } from '../support/send.ts'
import { OWNER, type RunningErrata, type SetUp, startShop } from '../support/start-errata.ts'
import { waitFor } from '../support/wait-for.ts'

const CHANNELS = '/shop/alerts/channels'
const LOG = '/shop/alerts/log'
const SECRET_PATH = '/services/T0/B0/of-the-channel'

describe('channels of alerts', { timeout: 900_000 }, () => {
  let hook: Hook
  let running: RunningErrata & { readonly shop: SetUp }
  let browser: Browser
  let rosa: Person
  let screen: Screen

  before(async () => {
    hook = await openHook(({ url = '' }, response) =>
      response.writeHead(url.startsWith('/gone') ? 410 : 200).end('ok'),
    )
    running = await startShop({ args: ['--webhook-private-targets', 'allow'] })
    browser = await launchBrowser()
    rosa = await signIn(running.url, OWNER)
    screen = await openScreen(browser, running.url, { cookie: rosa.cookie })
  })
  after(async () => {
    await browser?.close()
    await running?.[Symbol.asyncDispose]()
    await hook?.close()
  })

  it('are added by the form of their kind, and never show a secret again', async () => {
    const { page } = screen
    await screen.open(CHANNELS)
    await page.getByRole('heading', { name: 'No channels yet' }).waitFor()
    await page.getByRole('link', { name: 'New channel' }).click()
    await page.getByRole('link', { name: 'Slack, incoming webhook' }).click()
    await page.getByLabel('Name').fill('#shop-alerts')
    await page.getByLabel('Webhook URL').fill(hook.url(SECRET_PATH))
    await page.getByRole('button', { name: 'Add channel' }).click()
    await page.getByRole('heading', { name: '#shop-alerts' }).waitFor()
    await page.getByText('It is set and isn’t shown again').waitFor()
    await page.reload()
    await hydrated(page)
    assert.ok(!(await page.content()).includes(SECRET_PATH))
    screen.assertQuiet()
  })

  it('send a test, and say what the receiver answered', async () => {
    const { page } = screen
    await page.getByRole('button', { name: 'Send a test' }).click()
    await page.getByRole('status').filter({ hasText: 'Delivered: Answered 200.' }).waitFor()
    const call = hook.calls.at(-1)
    assert.equal(call?.url, SECRET_PATH)
    assert.match(call?.body ?? '', /this channel works/)
    screen.assertQuiet()
  })

  it('say beside the field what is wrong, and repeat no secret', async () => {
    const { page } = screen
    await screen.open(`${CHANNELS}/new?kind=telegram`)
    await page.getByLabel('Name').fill('Night shift')
    await page.getByLabel('Bot token').fill('1:token-of-the-bot')
    await page.getByLabel('Chat ID').fill('not a chat')
    await page.getByRole('button', { name: 'Add channel' }).click()
    await page.getByRole('alert').filter({ hasText: 'A number such as' }).waitFor()
    screen.assertQuiet(/status of 400/)
    // The same without script, where the server fills the form again.
    const answer = await rosa.form(`${CHANNELS}/new?kind=telegram`, [
      [FIELDS.action, 'channel.save'],
      [FIELDS.form, 'channel.save&kind=telegram'],
      ['kind', 'telegram'],
      ['name', 'Night shift'],
      ['secret-token', '1:token-of-the-bot'],
      ['value-chat', 'not a chat'],
    ])
    const text = await answer.text()
    assert.match(text, /A number such as/)
    assert.ok(text.includes('value="not a chat"') && !text.includes('token-of-the-bot'))
  })

  it('preview a template while it is typed, by what delivers', async () => {
    const { page } = screen
    await screen.open(`${CHANNELS}/new?kind=webhook`)
    const preview = page.getByRole('region', { name: 'Preview' })
    const body = page.getByLabel('Body')
    await body.fill('{"say":"{{issue.shortId}} {{because}}"}')
    await preview.getByText('"say": "SHOP-12 a resolved issue regressed"').waitFor()
    await body.fill('{"say":"{{nothing}}"}')
    await preview.getByRole('alert').filter({ hasText: 'There is no field “nothing”.' }).waitFor()
    screen.assertQuiet(/status of 400/)
  })

  it('show what a rule sent in the log, send it again and give a file of it', async () => {
    const { page } = screen
    const { shop } = running
    const gone = await post('/alert-channels/', {
      ...{ kind: 'webhook', name: 'deploy-bot' },
      values: { url: hook.url('/gone'), secret: 'a secret of twenty' },
    })
    const to = (channelId: number) => ({ target: { to: 'channel', channelId }, fromLevel: 'warning' })
    const rule = { ...anIssueRule({ on: 'new' }), name: 'New in the shop', everyMinutes: 0 }
    await post('/alerts/rules/', { ...rule, notify: [to(1), to(Number(gone.id))] })
    const before = hook.calls.length
    await send(shop.dsn, anEvent({ type: 'CheckoutError', message: 'no stock' }))
    await waitFor('two settled messages', async () => {
      const answer = await rosa.api('GET', '/organizations/shop/alert-log/')
      const { counts }: { readonly counts: Record<string, number> } = await answer.json()
      return counts.sent === 1 && counts.failed === 1 ? counts : null
    })
    assert.equal(hook.calls.length, before + 2)
    await screen.open(LOG)
    await page.getByText('1 not delivered').waitFor()
    const row = page.getByRole('row').filter({ hasText: '#shop-alerts' })
    await row.getByText('Answered 200.').waitFor()
    await page.getByRole('row').filter({ hasText: 'deploy-bot' }).getByRole('link').click()
    const side = page.getByRole('complementary', { name: 'Message' })
    await side.getByText('Not delivered').waitFor()
    await side.getByText('"title": "CheckoutError: no stock"').waitFor()
    const failed = hook.calls.filter(({ url }) => url === '/gone').length
    await side.getByRole('button', { name: 'Send again' }).click()
    await waitFor('another try', async () =>
      hook.calls.filter(({ url }) => url === '/gone').length > failed ? true : null,
    )
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'CSV' }).click()
    const file = await readFile(await (await download).path(), 'utf8')
    assert.match(file, /^time,rule,level,what,kind,to,state,answer,tries,took ms,issue\r\n/)
    assert.match(file, /New in the shop,info,.*,slack,#shop-alerts,sent,Answered 200\.,1,\d+,WEB-1\r\n/)
    await screen.open(`${LOG}?state=delivered`)
    assert.equal(await page.getByRole('row').filter({ hasText: 'deploy-bot' }).count(), 0)
    await screen.open(`${LOG}?text=nothing-has-this`)
    await page.getByRole('heading', { name: 'No message matches' }).waitFor()
    screen.assertQuiet()
  })

  it('take an issue that a person sends, with a note', async () => {
    const { page } = screen
    await screen.open('/shop/issues')
    await page
      .getByRole('link', { name: /CheckoutError/ })
      .first()
      .click()
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('link', { name: 'Send to…' }).click()
    const option = page.getByRole('option', { name: /#shop-alerts/ })
    await page.getByLabel('Channel').selectOption(await option.getAttribute('value'))
    await page.getByLabel('Note').fill('<b>please</b> look')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.waitForURL('**/shop/issues/WEB-1')
    const call = await waitFor('the message', async () =>
      hook.calls.findLast(({ body }) => body.includes('please') && body.includes('WEB-1')),
    )
    assert.ok(!call.body.includes('<b>'), 'escaped for the service')
    screen.assertQuiet()
  })

  it('are deleted with what goes along said in numbers', async () => {
    const { page } = screen
    await screen.open(CHANNELS)
    await page.getByRole('row').filter({ hasText: '#shop-alerts' }).getByText('Answered 200.').waitFor()
    await page.getByRole('link', { name: '#shop-alerts' }).click()
    await page.getByRole('button', { name: 'Delete channel' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('1 rule uses it and will no longer notify it; no messages are waiting.').waitFor()
    await dialog.getByRole('button', { name: 'Delete channel' }).click()
    await page.waitForURL((url) => url.pathname === CHANNELS)
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: '#shop-alerts' }).waitFor({ state: 'detached' })
    assert.equal(await page.getByRole('link', { name: '#shop-alerts' }).count(), 0)
    screen.assertQuiet()
  })

  async function post(path: string, body: unknown): Promise<{ readonly id: unknown }> {
    const answer = await rosa.api('POST', `/organizations/shop${path}`, body)
    assert.equal(answer.status, 201, await answer.clone().text())
    const made: { readonly id: unknown } = await answer.json()
    return made
  }
})
