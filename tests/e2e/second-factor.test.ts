/** Passkeys with a virtual authenticator, codes of an app, recovery codes, and what asks again who one is. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import type { Browser } from 'playwright-core'
import { changeBeside } from '../support/beside.ts'
import { launchBrowser } from '../support/browser.ts'
import { type Person, person, resultOf, signIn } from '../support/person.ts'
import { hydrated, openScreen, type Screen, signInOn, textOf } from '../support/screen.ts'
import { OWNER, type RunningErrata, type SetUp, startShop } from '../support/start-errata.ts'

const SECURITY = '/account/security'
const MINUTE = 60_000

describe('second factors', { timeout: 900_000 }, () => {
  let running: RunningErrata & { readonly shop: SetUp }
  let browser: Browser
  /** Passkeys exist at names alone, not at addresses. */
  let url: string

  before(async () => {
    running = await startShop()
    url = running.url.replace('127.0.0.1', 'localhost')
    browser = await launchBrowser()
  })
  after(async () => {
    await browser?.close()
    await running?.[Symbol.asyncDispose]()
  })

  /** A tab whose device keeps passkeys and answers with them. */
  async function withAuthenticator(): Promise<Screen> {
    const screen = await openScreen(browser, url)
    const cdp = await screen.page.context().newCDPSession(screen.page)
    await cdp.send('WebAuthn.enable')
    await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true },
        ...{ hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
      },
    })
    return screen
  }

  /** Every session was confirmed long ago, as if its person had come back from lunch. */
  function ageSessions(): void {
    changeBeside(running.data, `UPDATE sessions SET confirmed_ms = confirmed_ms - ${11 * MINUTE}`)
  }

  /** Another person of the organisation, by way of an invitation. */
  async function invited(email: string): Promise<{ readonly email: string; readonly password: string }> {
    const rosa = await signIn(running.url, OWNER)
    const answer = await rosa.act('member.invite', '/shop/settings/members', {
      ...{ email, role: 'manager', teams: [] },
    })
    const link = (await resultOf<{ readonly url: string }>(answer)).url
    const password = 'another long password'
    const joined = await person(running.url, null).act('auth.join', new URL(link).pathname, {
      ...{ name: 'Vera', password },
    })
    assert.equal(joined.status, 200)
    return { email, password }
  }

  const codeOf = (secret: string, timestamp: number): string =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp })

  it('registers a passkey, signs in with it, and asks for it before a dangerous action', async () => {
    const vera = await invited('passkey@shop.example')
    const screen = await withAuthenticator()
    const { page, open, close, assertQuiet } = screen
    await signInOn(screen, vera)
    await open(SECURITY)
    await page.getByLabel('Name').fill('Work laptop')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByText('Your recovery codes').waitFor()
    assert.equal(await page.locator('[role=status] li').count(), 10)
    await page.getByRole('cell', { name: 'Work laptop', exact: true }).waitFor()
    assert.match(await textOf(page.getByRole('region', { name: 'Recovery codes' })), /10 of 10 left/)

    await open('/sign-out')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL('**/sign-in')
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.waitForURL(/\/shop$/)
    await open(SECURITY)
    assert.doesNotMatch(await textOf(page.getByRole('row').filter({ hasText: 'Work laptop' })), /Never/)

    ageSessions()
    await page.getByRole('button', { name: 'Remove the passkey Work laptop' }).click()
    await page.waitForURL(/\/confirm\?next=%2Faccount%2Fsecurity/)
    await page.getByRole('heading', { name: 'Confirm it’s you to remove a passkey' }).waitFor()
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.waitForURL(`**${SECURITY}`)
    await page.getByRole('heading', { name: 'Passkeys' }).waitFor()
    // What was chosen is done: nobody presses it twice.
    await page.getByRole('cell', { name: 'Work laptop', exact: true }).waitFor({ state: 'detached' })

    ageSessions()
    await page.getByLabel('Name').fill('Key ring')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.waitForURL(/\/confirm\?next=%2Faccount%2Fsecurity/)
    await page.getByLabel('Password').fill(vera.password)
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.waitForURL(`**${SECURITY}`)
    await page.getByRole('cell', { name: 'Key ring', exact: true }).waitFor()
    assertQuiet()
    await close()
  })

  it('turns an app on, asks for its code after the password, and takes each code once', async () => {
    const vera = await invited('app@shop.example')
    const screen = await openScreen(browser, url)
    const { page, open, close, assertQuiet } = screen
    await signInOn(screen, vera)
    await open(SECURITY)
    await page.getByRole('button', { name: 'Set up an app' }).click()
    await page.getByRole('img', { name: 'QR code of the secret' }).waitFor()
    const secret = (await textOf(page.locator('code.foreign'))).replaceAll(' ', '')
    assert.match(secret, /^[A-Z2-7]{32}$/)
    await page.getByLabel('Code from your app').fill('000000')
    await page.getByRole('button', { name: 'Turn on' }).click()
    await page.getByText('The code is incorrect.').waitFor()
    const turnedOnMs = Date.now()
    await page.getByLabel('Code from your app').fill(codeOf(secret, turnedOnMs))
    await page.getByRole('button', { name: 'Turn on' }).click()
    await page.getByText('Your recovery codes').waitFor()
    const recovery = await textOf(page.locator('[role=status] li').first())
    await close()

    const fresh = await openScreen(browser, url)
    const secondStep = async () => {
      await fresh.page.context().clearCookies()
      await fresh.open('/sign-in?next=/account')
      await fresh.page.getByLabel('Email').fill(vera.email)
      await fresh.page.getByLabel('Password').fill(vera.password)
      await fresh.page.getByRole('button', { name: 'Sign in' }).click()
      await fresh.page.waitForURL(/\/sign-in\/[\w-]{43}\?next=/)
      await hydrated(fresh.page)
    }
    await secondStep()
    // Of the step after the one that is used, or of now where that is over: clocks may be a step apart.
    const code = codeOf(secret, Math.max(Date.now(), turnedOnMs + MINUTE / 2))
    // It sends itself when it is full, as it is typed or pasted.
    await fresh.page.getByLabel('Code from your app').focus()
    await fresh.page.keyboard.insertText(`${code.slice(0, 3)} ${code.slice(3)}`)
    await fresh.page.waitForURL('**/account')
    await secondStep()
    await fresh.page.getByLabel('Code from your app').fill(code)
    await fresh.page.getByText('The code is incorrect or was already used.').waitFor()
    await fresh.page.getByRole('link', { name: 'Use a recovery code' }).click()
    await fresh.page.getByLabel('Recovery code').waitFor()
    assert.equal(await fresh.page.getByText('The code is incorrect').count(), 0)
    await fresh.page.getByLabel('Recovery code').fill(recovery.toUpperCase())
    await fresh.page.getByRole('button', { name: 'Sign in' }).click()
    await fresh.page.waitForURL('**/account')
    await fresh.open(SECURITY)
    assert.match(await textOf(fresh.page.getByRole('region', { name: 'Recovery codes' })), /9 of 10 left/)
    fresh.assertQuiet(/400|Bad Request/)
    assertQuiet(/400|Bad Request/)
    await fresh.close()
  })

  it('asks for the password again before a token is created, and works without script', async () => {
    const vera = await invited('password@shop.example')
    const { page, close } = await openScreen(browser, url, { javaScriptEnabled: false })
    await page.goto('/sign-in')
    await page.getByLabel('Email').fill(vera.email)
    await page.getByLabel('Password').fill(vera.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL(/\/shop$/)
    ageSessions()
    await page.goto(SECURITY)
    await page.getByRole('button', { name: 'Set up an app' }).click()
    await page.waitForURL(/\/confirm/)
    await page.getByLabel('Password').fill('not the password')
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.getByText('Password is incorrect.').waitFor()
    await page.getByLabel('Password').fill(vera.password)
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.waitForURL(`**${SECURITY}`)
    await page.getByRole('img', { name: 'QR code of the secret' }).waitFor()
    await close()
  })

  it('refuses dangerous calls of the web API and actions until it is confirmed', async () => {
    const vera: Person = await signIn(running.url, await invited('api@shop.example'))
    ageSessions()
    const refused = await vera.api('DELETE', '/projects/shop/web/')
    assert.equal(refused.status, 403)
    const input = { name: 'ci', kind: 'personal', preset: '', scopes: ['org:read'], expires: '' }
    const led: unknown = await (await vera.act('token.create', '/shop/settings/tokens', input)).json()
    assert.deepEqual(led, { redirect: '/confirm?next=%2Fshop%2Fsettings%2Ftokens&for=token.create' })
  })

  it('does what was chosen after the confirmation, once, and nothing without it', async () => {
    const member = await invited('held@shop.example')
    const vera: Person = await signIn(running.url, member)
    const tokens = '/shop/settings/tokens'
    const create = (name: string) =>
      vera.form(tokens, [
        ['errata-action', 'token.create'],
        ['errata-form', 'token.create'],
        ...([
          ['name', name],
          ['kind', 'personal'],
          ['preset', ''],
          ['expires', ''],
        ] as const),
        ['scopes[]', 'org:read'],
      ])
    const confirm = async (next: string) => {
      const answer = await vera.act('auth.confirm-password', '/confirm', { password: member.password, next })
      return (await answer.json()) as unknown
    }
    ageSessions()
    await create('forgotten')
    await create('ci')
    // Whoever goes back without having confirmed finds the page as it was.
    assert.doesNotMatch(await (await vera.document(tokens)).text(), /Token “/)
    assert.deepEqual(await confirm(tokens), { redirect: tokens, isDocument: true })
    const done = await (await vera.document(tokens)).text()
    assert.match(done, /Token “(?:<!-- -->)?ci/)
    assert.doesNotMatch(done, /forgotten/)
    assert.doesNotMatch(await (await vera.document(tokens)).text(), /Token “/)
    // There is nothing left to do.
    assert.deepEqual(await confirm(tokens), { redirect: tokens })
    // Nobody else’s confirmation does it, nor one that leads elsewhere.
    ageSessions()
    await create('never')
    assert.deepEqual(await confirm('/account'), { redirect: '/account' })
    assert.doesNotMatch(await (await vera.document(tokens)).text(), /never/)
  })

  it('keeps what was typed where the session has ended meanwhile', async () => {
    const member = await invited('ended@shop.example')
    const nobody = person(running.url, null)
    const tokens = '/shop/settings/tokens'
    const sent = await nobody.form(tokens, [
      ['errata-action', 'token.create'],
      ['errata-form', 'token.create'],
      ['name', 'typed with care'],
      ['kind', 'personal'],
    ])
    const to = new URL(sent.headers.get('location') ?? '', running.url)
    assert.equal(to.pathname, '/sign-in')
    const next = to.searchParams.get('next') ?? ''
    assert.match(next, /held=[0-9a-f]{32}$/)
    const vera: Person = await signIn(running.url, member)
    const page = await (await vera.document(next)).text()
    assert.match(page, /value="typed with care"/)
    assert.match(page, /Your session had ended, so nothing was changed/)
    assert.doesNotMatch(await (await vera.document(next)).text(), /typed with care/)
  })

  it('leads a member to set one up where the organisation requires it, and opens up then', async () => {
    const member = await invited('required@shop.example')
    const vera = await signIn(running.url, member)
    const rosa = await withAuthenticator()
    await signInOn(rosa, OWNER)
    await rosa.open('/shop/settings')
    await rosa.page.getByRole('heading', { name: 'Two-factor authentication' }).click()
    const box = rosa.page.getByLabel('Require a second factor for every member')
    await box.check()
    const section = rosa.page.getByRole('region', { name: 'Two-factor authentication' })
    await section.getByRole('button', { name: 'Save' }).click()
    await section.getByText('Set up two-factor authentication for your own account first.').waitFor()
    await rosa.open(SECURITY)
    await rosa.page.getByLabel('Name').fill('Key')
    await rosa.page.getByRole('button', { name: 'Add a passkey' }).click()
    await rosa.page.getByText('Your recovery codes').waitFor()
    await rosa.open('/shop/settings')
    await rosa.page.getByRole('heading', { name: 'Two-factor authentication' }).click()
    await box.check()
    await section.getByRole('button', { name: 'Save' }).click()
    await rosa.page.getByText('Saved').waitFor()

    const led = await vera.document('/shop/issues')
    assert.deepEqual([led.status, led.headers.get('location')], [303, SECURITY])
    assert.equal((await vera.api('GET', '/organizations/shop/issues/')).status, 404)
    const told = await (await vera.document(SECURITY)).text()
    assert.match(told, /requires a second factor/)

    const screen = await withAuthenticator()
    await screen.open('/sign-in')
    await screen.page.getByLabel('Email').fill(member.email)
    await screen.page.getByLabel('Password').fill(member.password)
    await screen.page.getByRole('button', { name: 'Sign in' }).click()
    await screen.page.waitForURL(`**${SECURITY}`)
    await hydrated(screen.page)
    await screen.page.getByLabel('Name').fill('Phone')
    await screen.page.getByRole('button', { name: 'Add a passkey' }).click()
    await screen.page.getByText('Your recovery codes').waitFor()
    await screen.open('/shop/issues')
    assert.match(screen.page.url(), /\/shop\/issues/)
    screen.assertQuiet()
    rosa.assertQuiet(/409|Conflict/)
    await screen.close()
    await rosa.close()
  })
})
