/** Single sign-on in the built product and a real browser, through a real OpenID provider. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import {
  CLIENT,
  type OpenIdProvider,
  openIdProvider,
} from '../../packages/server/testing/sign-in/openid-provider.ts'
import { launchBrowser } from '../support/browser.ts'
import { type DnsServer, startDnsServer } from '../support/dns-server.ts'
import { signIn } from '../support/person.ts'
import { openScreen, textOf } from '../support/screen.ts'
import { OWNER, type RunningErrata, startShop } from '../support/start-errata.ts'

describe('single sign-on', { timeout: 900_000 }, () => {
  let running: RunningErrata
  let browser: Browser
  let id: OpenIdProvider
  let dns: DnsServer

  before(async () => {
    dns = await startDnsServer()
    running = await startShop({
      args: ['--sign-in-private-issuers', 'allow', '--dns-servers', dns.address],
    })
    browser = await launchBrowser()
    id = await openIdProvider(`${running.url}/sign-in/back/1/oidc`, `${running.url}/sign-in`)
    id.people.set('nia', { email: 'nia@shop.example', email_verified: true, name: 'Nia', groups: ['ops'] })
  })
  after(async () => {
    await browser?.close()
    await id?.close()
    await running?.[Symbol.asyncDispose]()
    await dns?.close()
  })

  it('is set up by an owner, and the secret isn’t shown again', async () => {
    const { cookie } = await signIn(running.url, OWNER)
    const { page, open, close, assertQuiet } = await openScreen(browser, running.url, { cookie })
    await open('/shop/settings/sign-in')
    const section = page.getByRole('region', { name: 'OpenID Connect' })
    await section.getByRole('heading').click()
    assert.ok((await textOf(section)).includes(`${running.url}/sign-in/back/1/oidc`))
    await section.getByLabel('Name').fill('Shop ID')
    await section.getByLabel('Issuer').fill(id.issuer)
    await section.getByLabel('Client ID').fill(CLIENT.id)
    await section.getByLabel('Client secret').fill(CLIENT.secret)
    await section.getByLabel('Email domains').fill('shop.example')
    await section.getByLabel('Claim for roles').fill('groups')
    await section.getByLabel('Roles by group').fill('ops = manager')
    await section.getByRole('button', { name: 'Turn on' }).click()
    await page.getByText('Sign-in method saved').waitFor()
    await open('/shop/settings/sign-in')
    await section.getByRole('heading').click()
    assert.equal(await section.getByLabel('Issuer').inputValue(), id.issuer)
    assert.equal(await section.getByLabel('Client secret').inputValue(), '')
    // What comes next is refused at first, which the browser notes.
    assertQuiet()
    const domains = page.getByRole('region', { name: 'Email domains' })
    await domains.getByRole('button', { name: 'Verify shop.example' }).click()
    await domains.getByText('No TXT record with this text was found at _errata.shop.example').waitFor()
    const [record = ''] = /errata-domain=[0-9a-f]+/.exec(await textOf(domains)) ?? []
    dns.texts.set('_errata.shop.example', record)
    await domains.getByRole('button', { name: 'Verify shop.example' }).click()
    await domains.getByText('Verified', { exact: true }).waitFor()
    await close()
  })

  it('signs somebody in, back to where they were going, and out again', async () => {
    const { page, close } = await openScreen(browser, running.url)
    await page.goto(`${running.url}/shop/settings/members`)
    await page.getByRole('link', { name: 'Continue with Shop ID' }).click()
    await signInThere(page, 'nia')
    await page.waitForURL(`${running.url}/shop/settings/members`)
    const row = page.getByRole('row').filter({ hasText: 'nia@shop.example' })
    assert.match(await textOf(row), /Nia.*manager/s)
    await page.goto(`${running.url}/sign-out`)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('link', { name: 'Sign out of Shop ID too' }).click()
    await page.waitForURL((url) => url.origin === id.issuer)
    await page.goto(`${running.url}/shop/issues`)
    await page.waitForURL((url) => url.pathname === '/sign-in')
    await close()
  })

  it('asks whoever has an account once, and shows them nothing of it by the provider alone', async () => {
    id.people.set('ada', { email: OWNER.email, email_verified: true, name: 'Ada', groups: [] })
    const { page, close } = await openScreen(browser, running.url)
    await page.goto(`${running.url}/sign-in`)
    await page.getByRole('link', { name: 'Continue with Shop ID' }).click()
    await signInThere(page, 'ada')
    await page.getByRole('heading', { name: 'Is this your account?' }).waitFor()
    assert.deepEqual(
      (await page.context().cookies(running.url)).filter(({ name }) => name === 'errata'),
      [],
    )
    await page.getByRole('link', { name: 'Sign in to confirm' }).click()
    await page.getByLabel('Email').fill(OWNER.email)
    await page.getByLabel('Password').fill(OWNER.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('button', { name: 'Use Shop ID for' }).click()
    await page.waitForURL(`${running.url}/shop`)
    for (const [path, note] of [
      ['/account', 'change your name'],
      ['/account/security', 'manage passkeys'],
      ['/account/sessions', 'see your other sessions'],
      ['/account/password', 'change your password'],
      ['/account/alerts', 'change your notifications'],
    ] as const) {
      await page.goto(`${running.url}${path}`)
      assert.ok((await textOf(page.getByRole('note'))).includes(note), path)
    }
    assert.equal(await page.getByRole('row').count(), 0)
    await page.goto(`${running.url}/account/sessions`)
    assert.equal(await page.getByRole('row').count(), 2)
    await close()
  })

  it('says what went wrong, and signs nobody in', async () => {
    id.people.set('eve', { email: OWNER.email, email_verified: false, name: 'Eve', groups: [] })
    const { page, close } = await openScreen(browser, running.url)
    await page.goto(`${running.url}/sign-in`)
    await page.getByRole('link', { name: 'Continue with Shop ID' }).click()
    await signInThere(page, 'eve')
    await page.getByText('It has not verified your email.').waitFor()
    await page.goto(`${running.url}/shop/issues`)
    await page.waitForURL((url) => url.pathname === '/sign-in')
    await close()
  })
})

/** Fills the sign-in page of the provider, and consents on the one behind it. */
async function signInThere(page: Page, login: string): Promise<void> {
  const field = page.locator('input[name="login"]')
  await field.fill(login)
  await page.locator('input[name="password"]').fill('any')
  await page.locator('button[type="submit"]').click()
  await field.waitFor({ state: 'detached' })
  await page.locator('button[type="submit"]').click()
}
