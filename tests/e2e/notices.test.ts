/** Notices in the built product: set in a browser, received by a real mail server and a real webhook. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { type Hook, openHook, openPost, type Post } from '../../packages/server/testing/notices/receivers.ts'
import { launchBrowser } from '../support/browser.ts'
import { type Person, signIn } from '../support/person.ts'
import { openScreen, openUntil, type Screen } from '../support/screen.ts'
import { anEvent, send } from '../support/send.ts'
import { OWNER, type RunningErrata, type SetUp, startShop } from '../support/start-errata.ts'
import { waitFor } from '../support/wait-for.ts'

const SETTINGS = '/shop/projects/web/settings/alerts'

describe('notices', { timeout: 900_000 }, () => {
  let post: Post
  let hook: Hook
  let running: RunningErrata & { readonly shop: SetUp }
  let browser: Browser
  let rosa: Person
  let screen: Screen
  let secret = ''

  before(async () => {
    post = await openPost()
    hook = await openHook()
    running = await startShop({
      args: [
        '--smtp-url',
        `smtp://127.0.0.1:${post.smtp.port}`,
        '--mail-from',
        'Errata <errata@shop.example>',
        '--webhook-private-targets',
        'allow',
      ],
    })
    browser = await launchBrowser()
    rosa = await signIn(running.url, OWNER)
    screen = await openScreen(browser, running.url, { cookie: rosa.cookie })
  })
  after(async () => {
    await browser?.close()
    await running?.[Symbol.asyncDispose]()
    await hook?.close()
    await post?.close()
  })

  it('has one place for webhooks, keeps the one of a project, and shows its new secret once', async () => {
    const { page } = screen
    await screen.open(SETTINGS)
    const none = page.getByRole('region', { name: 'Webhook and chat' })
    await none.getByRole('link', { name: 'channels' }).waitFor()
    assert.equal(await page.getByLabel('URL').count(), 0)
    await rosa.act('notices.webhook', SETTINGS, { url: hook.url() })
    await openWebhook(screen)
    await page.getByRole('button', { name: 'New secret' }).click()
    const box = page.getByRole('status').filter({ hasText: 'New secret' })
    secret = (await box.locator('code').textContent()) ?? ''
    assert.match(secret, /^[\w-]{43}$/)
    await page.reload()
    assert.ok(!(await page.content()).includes(secret))
    screen.assertQuiet()
  })

  it('says beside the field what is wrong with an address', async () => {
    const { page } = screen
    await openWebhook(screen)
    await page.getByLabel('URL').fill('https://user:password@hooks.example.com/')
    await page.getByRole('button', { name: 'Save' }).last().click()
    await page.getByRole('alert').filter({ hasText: 'No user name or password' }).waitFor()
    screen.assertQuiet(/status of 4\d\d/)
  })

  it('sends tests and says what came of them', async () => {
    const { page } = screen
    await openWebhook(screen)
    const tests = page.getByRole('button', { name: 'Send test' })
    await tests.first().click()
    await page.getByText(`Sent to ${OWNER.email}: Accepted by the mail server.`).waitFor()
    await tests.last().click()
    await page.getByText('Sent to 127.0.0.1').waitFor()
    assert.deepEqual(post.letters.at(-1)?.to, [OWNER.email])
    assert.equal(JSON.parse(hook.calls.at(-1)?.body ?? '').kind, 'test')
    await page.getByRole('region', { name: 'Alerts, newest first' }).getByText('Test').first().waitFor()
    screen.assertQuiet()
  })

  it('tells of a new issue by mail and signed webhook, and logs it', async () => {
    const { page } = screen
    await send(running.shop.dsn, anEvent({ type: 'PaymentError', message: 'card declined' }))
    const body = await waitFor('the webhook', async () =>
      hook.calls.find((call) => call.body.includes('PaymentError')),
    )
    assert.ok(body !== undefined)
    const signature = String(body.headers['errata-signature'])
    const seconds = /^t=(\d+),/.exec(signature)?.[1]
    const hex = createHmac('sha256', secret).update(`${seconds}.${body.body}`).digest('hex')
    assert.equal(signature, `t=${seconds},v1=${hex}`)
    const { url, issue } = JSON.parse(body.body)
    assert.equal(url, `${running.url}/shop/issues/${issue.shortId}`)
    const letter = await waitFor('the mail', async () =>
      post.letters.find(({ raw }) => raw.includes('PaymentError')),
    )
    assert.ok(letter !== undefined)
    await screen.open(url.slice(running.url.length))
    await page.getByRole('heading', { level: 1, name: /PaymentError/ }).waitFor()
    const row = page.getByRole('row').filter({ hasText: 'PaymentError' })
    // The receiver has it before it is written down that it answered.
    await openUntil(screen, SETTINGS, row.getByText('webhook called: Answered 204.'))
    await row.getByRole('link', { name: issue.shortId }).waitFor()
    // The log of the organisation has it beside what rules send, and leads here.
    await screen.open('/shop/alerts/log?kind=webhook&rule=projects')
    const sent = page.getByRole('row').filter({ hasText: `${issue.shortId} is new: PaymentError` })
    await sent.getByText('Answered 204.').waitFor()
    await sent.getByRole('cell', { name: 'Alerts of web' }).waitFor()
    await sent.getByRole('link').click()
    await page.waitForURL((at) => at.pathname === SETTINGS)
    await screen.open('/shop/alerts/log?rule=rules')
    await page.getByRole('heading', { name: 'No message matches' }).waitFor()
    assert.equal(await page.getByRole('link', { name: 'Search people' }).count(), 0)
    await screen.open('/shop/alerts/log?text=nobody%40else.example')
    await page.getByRole('link', { name: 'Search people' }).click()
    await page.waitForURL(/people\?query=nobody%40else\.example/)
    screen.assertQuiet()
  })

  it('leads from an old page of the log back to the newest', async () => {
    const { page } = screen
    // Emails that were sent before link to the page by its old name.
    await screen.open(`${SETTINGS.replace('alerts', 'notices')}?before=1`)
    await page.getByText('No older alerts').waitFor()
    assert.ok(page.url().endsWith(`${SETTINGS}?before=1`))
    await page.getByRole('link', { name: 'Newest' }).click()
    await page.getByRole('row').filter({ hasText: 'PaymentError' }).waitFor()
    screen.assertQuiet()
  })

  it('mails nobody who switched it off', async () => {
    const { page } = screen
    await screen.open('/account/notices')
    await page.waitForURL(/\/account\/alerts$/)
    await page.getByRole('heading', { name: 'Notifications', exact: true }).waitFor()
    await page.getByLabel('Email me').uncheck()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Saved').waitFor()
    await page.reload()
    assert.equal(await page.getByLabel('Email me').isChecked(), false)
    await send(running.shop.dsn, anEvent({ type: 'OtherError', message: 'out of stock' }))
    await waitFor('the webhook', async () => hook.calls.some((call) => call.body.includes('OtherError')))
    assert.ok(!post.letters.some(({ raw }) => raw.includes('OtherError')))
    screen.assertQuiet()
  })

  it('works before scripts have loaded', async () => {
    const answer = await rosa.form(SETTINGS, [
      ['errata-action', 'notices.test'],
      ['errata-form', 'notices.test&channel=webhook'],
      ['channel', 'webhook'],
    ])
    assert.ok((await answer.text()).includes('Sent to 127.0.0.1'))
  })
})

/** Opens the settings with the line of the webhook unfolded. */
async function openWebhook(screen: Screen) {
  await screen.open(SETTINGS)
  await screen.page.getByRole('heading', { name: 'Webhook', exact: true }).click()
}
