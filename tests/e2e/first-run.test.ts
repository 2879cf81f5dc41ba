/** From an empty data directory to a team at work, in a real browser: setup, projects, keys, people, accounts. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import type { Browser } from 'playwright-core'
import { changeBeside } from '../support/beside.ts'
import { launchBrowser } from '../support/browser.ts'
import {
  actionAnswered,
  hydrated,
  isAction,
  openScreen,
  type Screen,
  signInOn,
  textOf,
} from '../support/screen.ts'
import { anEvent, post, send } from '../support/send.ts'
import { type RunningErrata, serve } from '../support/start-errata.ts'
import { waitFor } from '../support/wait-for.ts'

const ROSA = { email: 'rosa@shop.example', password: 'correct horse battery' }
const DSN = /http:\/\/[0-9a-f]{32}@localhost:\d+\/\d+/
const NEW_PASSWORD = 'battery staple correct'

describe('from an empty data directory', { timeout: 900_000 }, () => {
  let running: RunningErrata
  let browser: Browser
  let rosa: Screen
  let dsn = ''

  before(async () => {
    running = await serve()
    browser = await launchBrowser()
    rosa = await openScreen(browser, running.url)
  })
  after(async () => {
    await browser?.close()
    await running?.[Symbol.asyncDispose]()
  })

  it('asks for the printed code and says beside each field what it takes', async () => {
    const { page } = rosa
    const code = await waitFor('the code', async () => /Setup code\s+(\S+)/.exec(running.output())?.[1])
    await rosa.open('/')
    await page.waitForURL('**/setup')
    // Where it was opened: what DSNs and links begin with.
    assert.equal(await page.getByLabel('Address of this Errata').inputValue(), running.url)
    await page.getByLabel('Setup code').fill('0000-0000')
    await page.getByLabel('Email').fill(ROSA.email)
    await page.getByLabel('Your name').fill('Rosa Kim')
    await page.getByLabel('Password').fill('short')
    await page.getByLabel('Organisation').fill('Shop')
    await page.getByLabel('First project').fill('Web')
    await page.getByLabel('Platform').selectOption('node')
    await page.getByRole('button', { name: 'Set up' }).click()
    await page.getByRole('alert').filter({ hasText: 'At least' }).waitFor()
    assert.equal(await page.getByLabel('Password').getAttribute('aria-invalid'), 'true')
    assert.equal(await page.getByLabel('Email').inputValue(), ROSA.email)
    await page.getByLabel('Password').fill(ROSA.password)
    await page.getByRole('button', { name: 'Set up' }).click()
    await page.getByRole('alert').filter({ hasText: /code/i }).first().waitFor()
    await page.getByLabel('Setup code').fill(code)
    await page.getByRole('button', { name: 'Set up' }).click()
    await page.waitForURL('**/shop/projects/web/setup')
    rosa.assertQuiet(/status of 4\d\d/)
  })

  it('shows snippets with the DSN, and turns live by itself when the first event arrives', async () => {
    const { page } = rosa
    await page.getByRole('heading', { name: 'Waiting for the first event' }).waitFor()
    dsn = DSN.exec(await textOf(page.locator('main')))?.[0] ?? ''
    assert.match(dsn, new RegExp(`@localhost:${running.port}/\\d+$`))
    await send(dsn, anEvent({ type: 'TypeError', message: 'the very first' }))
    await page.getByRole('heading', { name: 'First event received' }).waitFor()
    await page.getByRole('link', { name: 'Open WEB-1' }).click()
    await page.getByRole('heading', { level: 1, name: /the very first/ }).waitFor()
    rosa.assertQuiet()
  })

  it('is set up once', async () => {
    const other = await openScreen(browser, running.url)
    await other.open('/setup')
    await other.page.waitForURL('**/sign-in')
    await other.close()
  })

  it('says whom to ask for a new password where it sends no mail', async () => {
    const other = await openScreen(browser, running.url)
    await other.open('/sign-in')
    await other.page.getByRole('link', { name: 'Forgot password?' }).click()
    await other.page.getByText('This server sends no email').waitFor()
    await other.page.getByText('errata user reset-password --email').waitFor()
    assert.equal(await other.page.getByLabel('Email').count(), 0)
    await other.page.getByRole('link', { name: 'Back to sign-in' }).click()
    await other.page.waitForURL('**/sign-in')
    other.assertQuiet()
    await other.close()
  })

  it('signs out, says the same of a wrong password and an unknown account, and signs in to where one was going', async () => {
    const { page } = rosa
    await page.getByRole('button', { name: /Rosa Kim: account/ }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL('**/sign-in')
    await rosa.open('/shop/outcomes')
    await page.waitForURL('**/sign-in?next=*')
    const said: string[] = []
    for (const [email, password] of [
      [ROSA.email, 'not the password'],
      ['nobody@shop.example', 'not the password'],
    ] as const) {
      await page.getByLabel('Email').fill(email)
      await page.getByLabel('Password').fill(password)
      // By its request: the browser may tell of the answer to an earlier one, such as signing out, as late as this.
      const [asked] = await Promise.all([
        page.waitForRequest(isAction),
        page.getByRole('button', { name: 'Sign in' }).click(),
      ])
      const answer = await asked.response()
      said.push(`${answer?.status()} ${await textOf(page.getByRole('alert'))}`)
    }
    assert.deepEqual(said, Array(2).fill('401 Email or password is incorrect.'))
    await page.getByLabel('Email').fill(ROSA.email)
    await page.getByLabel('Password').fill(ROSA.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL('**/shop/outcomes')
    rosa.assertQuiet(/status of 4\d\d/)
  })

  it('creates a project', async () => {
    const { page } = rosa
    await page.getByRole('navigation', { name: 'Places' }).getByRole('link', { name: 'Projects' }).click()
    await page.getByRole('link', { name: 'New project' }).first().click()
    await page.getByLabel('Name').fill('Checkout')
    await page.getByLabel('Slug').fill('Not A Slug')
    await page.getByRole('button', { name: 'Create project' }).click()
    await page.getByRole('alert').waitFor()
    assert.equal(await page.getByLabel('Name').inputValue(), 'Checkout')
    await page.getByLabel('Slug').fill('')
    await page.getByRole('button', { name: 'Create project' }).click()
    await page.waitForURL('**/shop/projects/checkout/setup')
    rosa.assertQuiet(/status of 4\d\d/)
  })

  it('has a command that sends an event, and shows each as it comes', async () => {
    const { page } = rosa
    await newProject(rosa, 'Pasted')
    await page.getByRole('link', { name: 'curl', exact: true }).click()
    const command = await textOf(page.locator('pre', { hasText: '/envelope/' }))
    const answer = await promisify(execFile)('sh', ['-c', command])
    const { id } = JSON.parse(answer.stdout)
    assert.match(id, /^[0-9a-f]{32}$/)
    await page.getByRole('heading', { name: 'First event received' }).waitFor()
    const href = await page.getByRole('link', { name: 'Open PASTED-1' }).getAttribute('href')
    assert.equal(href, `/shop/issues/PASTED-1/events/${id}`)
    await send(await textOf(page.locator('main code').first()), anEvent({ message: 'the next one' }))
    await page.getByRole('link', { name: 'the next one' }).waitFor()
    rosa.assertQuiet()
  })

  it('takes traces of OpenTelemetry with the variables it shows', async () => {
    const { page } = rosa
    await newProject(rosa, 'Spans')
    await page.getByRole('link', { name: 'OpenTelemetry' }).click()
    const lines = await textOf(page.locator('pre', { hasText: 'OTEL_SERVICE_NAME' }))
    const shown = [...lines.matchAll(/^export (\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [
      name,
      value,
    ])
    const env = { ...process.env, ...Object.fromEntries(shown) }
    await promisify(execFile)(process.execPath, ['--input-type=module', '-e', EXPORTS_ONE_SPAN], { env })
    await page.getByRole('heading', { name: 'First trace received' }).waitFor()
    const traces = await page.getByRole('link', { name: 'Open traces' }).getAttribute('href')
    assert.equal(traces, '/shop/traces?project=spans')
    rosa.assertQuiet()
  })

  it('disables, enables and rotates keys, and ingest follows', async () => {
    const { page } = rosa
    await rosa.open('/shop/projects/web/settings/keys')
    await page.getByRole('button', { name: 'Disable' }).click()
    await page.getByText('Disabled', { exact: true }).waitFor()
    assert.equal((await post(dsn, anEvent({ message: 'refused' }))).status, 403)
    await page.getByRole('button', { name: 'Enable' }).click()
    await page.getByRole('button', { name: 'Disable' }).waitFor()
    assert.equal((await post(dsn, anEvent({ message: 'taken again' }))).status, 200)
    await page.getByRole('button', { name: 'Replace' }).click()
    await page.getByText('Disabled', { exact: true }).waitFor()
    const shown = (await textOf(page.locator('main'))).match(new RegExp(DSN, 'g')) ?? []
    const next = shown.find((one) => one !== dsn)
    assert.equal((await post(dsn, anEvent({ message: 'old key' }))).status, 403)
    assert.equal((await post(next ?? '', anEvent({ message: 'new key' }))).status, 200)
    dsn = next ?? ''
    rosa.assertQuiet()
  })

  it('scrubs the keys that a project names, from then on', async () => {
    const { page } = rosa
    await rosa.open('/shop/projects/web/settings/scrubbing')
    await page.getByLabel('Additional secret keys').fill('iban\npolicy')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    const extra = { customerIban: 'DE02120300000000202051', colour: 'green' }
    const id = await send(dsn, anEvent({ message: 'with an iban', more: { extra } }))
    await eventPage(rosa, id)
    const text = await textOf(page.locator('main'))
    assert.ok(text.includes('customerIban') && text.includes('[Filtered]'), text)
    assert.ok(text.includes('green'))
    assert.ok(!(await page.content()).includes('DE02120300000000202051'))
    rosa.assertQuiet()
  })

  it('writes nothing over settings that another tab changed meanwhile', async () => {
    const { page } = rosa
    const saved = async (of: typeof page) => {
      const answering = actionAnswered(of)
      await of.getByRole('button', { name: 'Save' }).click()
      return (await answering).status()
    }
    const secrets = (of: typeof page) => of.getByLabel('Additional secret keys')
    await rosa.open('/shop/projects/web/settings/scrubbing')
    const other = await page.context().newPage()
    await other.goto(page.url())
    await hydrated(other)
    await secrets(page).fill('iban\npolicy\npin')
    assert.equal(await saved(page), 200)
    await other.getByLabel('Safe keys').fill('session_length')
    assert.equal(await saved(other), 409)
    await other.getByText('These settings changed since you opened the page.').waitFor()
    // The first one has seen what it saved itself.
    await page.getByText('Saved', { exact: true }).waitFor()
    await secrets(page).fill('iban\npolicy')
    assert.equal(await saved(page), 200)
    await other.reload()
    assert.equal(await secrets(other).inputValue(), 'iban\npolicy')
    await other.close()
  })

  it('keeps spans for as long, and as many, as a project wants', async () => {
    const { page } = rosa
    const save = async () => {
      const answering = actionAnswered(page)
      await page.getByRole('button', { name: 'Save' }).click()
      return (await answering).status()
    }
    await rosa.open('/shop/projects/web/settings/retention')
    const [days, percent] = [page.getByLabel('Retention of spans'), page.getByLabel('Sample rate')]
    assert.deepEqual([await days.inputValue(), await percent.inputValue()], ['30', ''])
    await days.fill('14')
    await percent.fill('150')
    assert.equal(await save(), 400)
    await page.getByText('Above 0 and below 100; leave empty to keep all.').waitFor()
    // More digits than a form would show by itself: the API may set them.
    await percent.fill('12.3456789')
    await page.getByLabel('Slow from').fill('800')
    assert.equal(await save(), 200)
    await page.getByText('Saved', { exact: true }).waitFor()
    await page.reload()
    await hydrated(page)
    assert.deepEqual([await days.inputValue(), await percent.inputValue()], ['14', '12.3456789'])
    await percent.fill('')
    assert.equal(await save(), 200)
    await page.reload()
    assert.equal(await percent.inputValue(), '')
  })

  it('says which slug is free for a second project of the same name', async () => {
    const { page } = rosa
    await rosa.open('/shop/projects/new')
    await page.getByLabel('Name').fill('Web')
    await page.getByRole('button', { name: 'Create project' }).click()
    await page.getByText('“web” is taken; “web-2” is free.').waitFor()
    assert.equal(await page.getByLabel('Slug').getAttribute('aria-invalid'), 'true')
    await page.getByLabel('Slug').fill('web-2')
    await page.getByRole('button', { name: 'Create project' }).click()
    await page.waitForURL('**/shop/projects/web-2/setup')
    rosa.assertQuiet(/status of 4\d\d/)
  })

  it('lets people sign in at every address that reaches it', async () => {
    const other = await openScreen(browser, `http://127.0.0.1:${running.port}`)
    await signInOn(other, ROSA)
    await other.page.waitForURL('**/shop')
    other.assertQuiet()
    await other.close()
  })

  it('says of an expired invitation that it has expired, and who can send a new one', async () => {
    const { page } = rosa
    await rosa.open('/shop/settings/members')
    await page.getByLabel('Email').fill('late@shop.example')
    await page.getByRole('button', { name: 'Create invitation link' }).click()
    const link = (await textOf(page.getByRole('status').locator('code'))).trim()
    changeBeside(running.data, 'UPDATE invitations SET expires_ms = 1000')
    const late = await openScreen(browser, running.url)
    await late.open(new URL(link).pathname)
    await late.page.getByRole('heading', { name: 'This link no longer works' }).waitFor()
    await late.page
      .getByText('This invitation to Shop has expired. An owner or manager of Shop can')
      .waitFor()
    assert.equal(await late.page.getByRole('link', { name: 'Try again' }).count(), 0)
    late.assertQuiet(/status of 4\d\d/)
    await late.close()
    rosa.assertQuiet()
  })

  it('lets an invited person in, within their role', async () => {
    const { page } = rosa
    await rosa.open('/shop/settings/members')
    await page.getByLabel('Email').fill('vera@shop.example')
    await page.getByLabel('Role', { exact: true }).selectOption('viewer')
    await page.getByRole('button', { name: 'Create invitation link' }).click()
    const link = (await textOf(page.getByRole('status').locator('code'))).trim()
    const vera = await openScreen(browser, running.url)
    await vera.open(link)
    await vera.page.getByLabel('Your name').fill('Vera')
    await vera.page.getByLabel('Password').fill('a password of Vera')
    await vera.page.getByRole('button', { name: 'Create account and join' }).click()
    await vera.page.waitForURL('**/shop')
    await vera.page.getByRole('link', { name: /the very first/ }).click()
    const resolve = vera.page.getByRole('button', { name: /Resolve/ })
    assert.equal(await resolve.isDisabled(), true)
    await vera.page.keyboard.press('e')
    await vera.open('/shop/projects/web/settings')
    assert.equal(await vera.page.getByRole('button', { name: 'Save' }).count(), 0)
    vera.assertQuiet()
    await vera.open('/shop/projects/new')
    await vera.page.getByRole('heading', { name: 'Not allowed' }).waitFor()
    await vera.open('/system')
    await vera.page.getByRole('heading', { name: 'Page /system not found' }).waitFor()
    await vera.open(link)
    await vera.page.getByText(/was used/).waitFor()
    vera.assertQuiet(/status of 4\d\d/)
    await vera.close()
    await page.reload()
    await page.getByRole('cell', { name: /^Vera/ }).waitFor()
    rosa.assertQuiet()
  })

  it('makes a token that works until it is revoked', async () => {
    const { page } = rosa
    await rosa.open('/shop/settings/tokens')
    await page.getByLabel('Name').fill('nightly script')
    await page.getByRole('button', { name: 'Create token' }).click()
    const token = (await textOf(page.getByRole('status').locator('code'))).trim()
    const ask = () =>
      fetch(`${running.url}/api/0/organizations/shop/issues/`, {
        headers: { authorization: `Bearer ${token}` },
      })
    assert.equal((await ask()).status, 200)
    await page.reload()
    assert.ok(!(await page.content()).includes(token))
    const row = page.getByRole('row', { name: /nightly script/ })
    await row.getByRole('button', { name: 'Revoke' }).click()
    await row.waitFor({ state: 'detached' })
    assert.equal((await ask()).status, 401)
    rosa.assertQuiet()
  })

  it('remembers a theme', async () => {
    const { page } = rosa
    await rosa.open('/account/theme')
    for (const [name, theme] of [
      ['Dark', 'dark'],
      ['Light', 'light'],
    ] as const) {
      await page.getByRole('radio', { name: new RegExp(`^${name}`) }).check()
      await page.locator(`html[data-theme=${theme}]`).waitFor()
      const html = await (await page.request.get('/account')).text()
      assert.ok(html.includes(`data-theme="${theme}"`))
    }
    await page.getByRole('radio', { name: /^System/ }).check()
    await page.locator('html:not([data-theme])').waitFor()
    rosa.assertQuiet()
  })

  it('ends every other session with a new password', async () => {
    const other = await openScreen(browser, running.url)
    await signInOn(other, ROSA)
    const { page } = rosa
    await rosa.open('/account/password')
    await page.getByLabel('Current password').fill('wrong')
    await page.getByLabel('New password').fill(NEW_PASSWORD)
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByRole('alert').waitFor()
    await page.getByLabel('Current password').fill(ROSA.password)
    await page.getByLabel('New password').fill(NEW_PASSWORD)
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('Every other session was ended').waitFor()
    await other.open('/shop/issues')
    await other.page.waitForURL('**/sign-in?next=*')
    await signInOn(other, { email: ROSA.email, password: NEW_PASSWORD })
    await other.close()
    await rosa.open('/account/sessions')
    await page.getByRole('button', { name: 'End' }).first().click()
    await page.getByText('Session ended').waitFor()
    rosa.assertQuiet(/status of 4\d\d/)
  })

  it('deletes a project after its name was typed, saying what goes', async () => {
    const { page } = rosa
    await rosa.open('/shop/projects/checkout/settings/danger')
    await page.getByRole('button', { name: 'Delete…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(/This deletes 0 issues, 0 events and 1 key/).waitFor()
    await dialog.getByLabel('Type checkout to confirm').fill('web')
    await dialog.getByRole('button', { name: 'Delete project' }).click()
    await dialog.getByRole('alert').waitFor()
    await dialog.getByLabel('Type checkout to confirm').fill('checkout')
    await dialog.getByRole('button', { name: 'Delete project' }).click()
    await page.waitForURL('**/shop/projects')
    // The address changes before the page does.
    await page.getByRole('heading', { name: 'Projects', exact: true }).waitFor()
    await page.getByRole('main').getByText('Checkout').first().waitFor({ state: 'detached' })
    rosa.assertQuiet(/status of 4\d\d/)
  })

  /** Opens an event by its id, as soon as it is stored. */
  async function eventPage({ page }: Screen, id: string): Promise<void> {
    await waitFor(`event ${id}`, async () => {
      await rosa.open(`/shop/issues?query=${id}`)
      return (await textOf(page.locator('main article, main h1').first())) !== 'Issues' || null
    })
  }
})

/** Ends on its set-up. */
async function newProject({ open, page }: Screen, name: string): Promise<void> {
  await open('/shop/projects/new')
  await page.getByLabel('Name').fill(name)
  await page.getByRole('button', { name: 'Create project' }).click()
  await page.waitForURL(`**/shop/projects/${name.toLowerCase()}/setup`)
}

/** An app of OpenTelemetry that is told by its environment alone where to send. */
const EXPORTS_ONE_SPAN = `
import { SpanKind } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node'
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(new OTLPTraceExporter())] })
provider.getTracer('app').startSpan('GET /orders', { kind: SpanKind.SERVER }).end()
await provider.shutdown()
`
