/** Accounts in the built product: links by mail, fields that say what they lack, tokens, sessions, forms of two people. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { openPost, type Post } from '../../packages/server/testing/notices/receivers.ts'
import { launchBrowser } from '../support/browser.ts'
import { joinAs, type Person, person, resultOf, signIn } from '../support/person.ts'
import { isAction, openScreen, type Screen, textOf } from '../support/screen.ts'
import { OWNER, type RunningErrata, type SetUp, startShop } from '../support/start-errata.ts'
import { waitFor } from '../support/wait-for.ts'

const NEXT = 'a brand new password'
const MEMBERS = '/shop/settings/members'

describe('accounts', { timeout: 900_000 }, () => {
  let post: Post
  let running: RunningErrata & { readonly shop: SetUp }
  let browser: Browser
  let rosa: Person
  let screen: Screen

  before(async () => {
    post = await openPost({
      onRcptTo: ({ address }, _session, done) =>
        done(
          address.startsWith('bad')
            ? Object.assign(new Error('no such mailbox'), { responseCode: 550 })
            : null,
        ),
    })
    const mail = [
      ...['--smtp-url', `smtp://127.0.0.1:${post.smtp.port}`],
      ...['--mail-from', 'Errata <errata@shop.example>'],
    ]
    running = await startShop({ args: mail })
    browser = await launchBrowser()
    rosa = await signIn(running.url, OWNER)
    screen = await openScreen(browser, running.url, { cookie: rosa.cookie })
  })
  after(async () => {
    await browser?.close()
    await running?.[Symbol.asyncDispose]()
    await post?.close()
  })

  /** The link of the newest mail to an address. */
  async function linkTo(email: string): Promise<string> {
    const letter = await waitFor('the mail', async () =>
      post.letters.findLast(({ to }) => to.includes(email)),
    )
    const text = (letter?.raw ?? '').replace(/=\r?\n/g, '')
    const link = /^http:\S+\/(?:reset|join)\/[\w-]{43}\s*$/m.exec(text)?.[0].trim()
    assert.ok(link !== undefined, text)
    assert.ok(link.startsWith(running.url), link)
    return link
  }

  it('says beside each field what it lacks, and sends nothing before', async () => {
    const { page, open, asked, close, assertQuiet } = await openScreen(browser, running.url)
    await open('/sign-in')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('Email is required.').waitFor()
    await page.getByText('Password is required.').waitFor()
    const email = page.getByLabel('Email')
    assert.equal(await email.getAttribute('aria-invalid'), 'true')
    const note = await email.getAttribute('aria-describedby')
    assert.equal(await textOf(page.locator(`[id="${note}"]`)), 'Email is required.')
    assert.ok(await email.evaluate((element) => element === document.activeElement))
    await email.pressSequentially('rosa')
    await page.getByText('Enter an email such as name@example.com.').waitFor()
    await email.pressSequentially('@shop.example')
    await page.getByText('Enter an email such as name@example.com.').waitFor({ state: 'detached' })
    await page.getByLabel('Password').fill('shown as typed')
    await page.getByRole('button', { name: 'Show what you typed' }).click()
    assert.equal(await page.getByLabel('Password').getAttribute('type'), 'text')
    assert.deepEqual(asked.filter(isAction), [])
    assertQuiet()
    await close()
  })

  it('says the same without script, by the server’s answer', async () => {
    const { page, close } = await openScreen(browser, running.url, { javaScriptEnabled: false })
    await page.goto('/forgot')
    await page.getByLabel('Email').fill('rosa')
    await page.getByRole('button', { name: 'Email me a link' }).click()
    await page.getByText('Enter an email such as name@example.com.').waitFor()
    assert.equal(await page.getByLabel('Email').inputValue(), 'rosa')
    await page.getByLabel('Email').fill('nobody@shop.example')
    await page.getByRole('button', { name: 'Email me a link' }).click()
    await page.getByText('If there’s an account with that email').waitFor()
    await close()
  })

  it('answers alike whether there is such an account or not', async () => {
    const anybody = person(running.url, null)
    const ask = async (email: string) => {
      const answer = await anybody.act('auth.forgot', '/forgot', { email })
      return [answer.status, await answer.json()]
    }
    assert.deepEqual(await ask(OWNER.email), await ask('nobody@shop.example'))
  })

  it('replaces a forgotten password by the link that was mailed', async () => {
    const { page, open, close, assertQuiet } = await openScreen(browser, running.url)
    const { email } = await invitedMember('vera@shop.example')
    await open('/sign-in')
    await page.getByRole('link', { name: 'Forgot password?' }).click()
    await page.waitForURL('**/forgot')
    await page.getByLabel('Email').fill(email)
    await page.getByRole('button', { name: 'Email me a link' }).click()
    await page.getByText('If there’s an account with that email').waitFor()
    const link = await linkTo(email)
    await open(link)
    await page.getByLabel('New password').fill(NEXT)
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.waitForURL('**/shop')
    await signIn(running.url, { email, password: NEXT })
    await open(link)
    await page.getByText('This link was used or has expired.').waitFor()
    await page.getByRole('link', { name: 'Get a new link' }).click()
    await page.waitForURL('**/forgot')
    assertQuiet(/status of 410/)
    await close()
    assert.ok(!running.output().includes(new URL(link).pathname.split('/')[2] ?? ''), 'the code is logged')
  })

  it('makes links with its own address, whatever Host says', async () => {
    const { email } = await invitedMember('host@shop.example')
    const evil = { host: 'evil.example', origin: running.url, 'sec-fetch-site': 'same-origin' }
    const answer = await person(running.url, null).act('auth.forgot', '/forgot', { email }, evil)
    assert.equal(answer.status, 200)
    assert.ok((await linkTo(email)).startsWith(`${running.url}/reset/`))
  })

  it('lets no request from a page with a code name its address', async () => {
    const policyAt = async (path: string) => {
      const { headers } = await person(running.url, null).document(path)
      return headers.get('referrer-policy')
    }
    const code = 'x'.repeat(43)
    for (const path of [`/reset/${code}`, `/join/${code}`])
      assert.equal(await policyAt(path), 'strict-origin')
    assert.equal(await policyAt('/sign-in'), 'same-origin')
  })

  it('mails an invitation, shows what became of it, and keeps the link to copy', async () => {
    const { page } = screen
    for (const email of ['new@shop.example', 'bad@shop.example']) {
      await screen.open(MEMBERS)
      await page.getByLabel('Email', { exact: true }).fill(email)
      await page.getByRole('button', { name: 'Invite' }).click()
      await page.getByText(`Invitation for ${email}`).waitFor()
    }
    const shown = (await textOf(page.getByRole('status').locator('code'))).trim()
    assert.ok(shown.startsWith(`${running.url}/join/`))
    assert.notEqual(await linkTo('new@shop.example'), shown)
    const row = (email: string) => page.getByRole('row').filter({ hasText: email })
    await waitFor('the refusal', async () => {
      await screen.open(MEMBERS)
      return (
        (await row('bad@shop.example')
          .getByText(/Email failed.*no such mailbox/)
          .count()) > 0 || undefined
      )
    })
    await row('new@shop.example').getByText('Emailed').waitFor()
    await page.getByLabel('Email the invitation').uncheck()
    await page.getByLabel('Email', { exact: true }).fill('quiet@shop.example')
    await page.getByRole('button', { name: 'Invite' }).click()
    await row('quiet@shop.example').getByText('By link only').waitFor()
    screen.assertQuiet()
  })

  it('makes a token with the scopes of a preset and an end, or scope by scope', async () => {
    const { page } = screen
    await screen.open('/shop/settings/tokens')
    await page.getByLabel('Name').fill('reader')
    await page.getByLabel('Expires').selectOption('30')
    await page.getByRole('button', { name: 'Create token' }).click()
    const token = (await textOf(page.getByRole('status').locator('code'))).trim()
    const row = page.getByRole('row', { name: /reader/ })
    await row.getByText('Read issues').waitFor()
    await row.getByText('in 30 d').waitFor()
    const ask = (method: string) =>
      fetch(`${running.url}/api/0/organizations/shop/issues/`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(method === 'GET' ? {} : { body: '{"status":"resolved"}' }),
      })
    assert.equal((await ask('GET')).status, 200)
    assert.equal((await ask('PUT')).status, 403)
    const scopes = page.getByLabel(/^event:write/)
    assert.equal(await scopes.isVisible(), false)
    await page.getByRole('radio', { name: /^Custom/ }).check()
    await page.getByLabel('Name').fill('odd one')
    await page.getByRole('button', { name: 'Create token' }).click()
    await page.getByText('Choose at least one scope.').waitFor()
    await scopes.check()
    await page.getByRole('button', { name: 'Create token' }).click()
    await page
      .getByRole('row', { name: /odd one/ })
      .getByText('event:write')
      .waitFor()
    screen.assertQuiet(/status of 400/)
  })

  it('names devices and marks this one', async () => {
    const { page } = screen
    await screen.open('/account/sessions')
    const own = page.getByRole('row').filter({ hasText: 'This device' })
    assert.equal(await own.count(), 1)
    assert.equal(await own.getByRole('button', { name: /End/ }).count(), 0)
    const other = await openScreen(browser, running.url, {
      userAgent:
        'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
    })
    await other.open('/sign-in')
    await other.page.getByLabel('Email').fill(OWNER.email)
    await other.page.getByLabel('Password').fill(OWNER.password)
    await other.page.getByRole('button', { name: 'Sign in' }).click()
    await other.page.waitForURL(/\/shop$/)
    await other.close()
    await screen.open('/account/sessions')
    await page.getByRole('cell', { name: 'Chrome on macOS', exact: true }).waitFor()
    screen.assertQuiet()
  })

  it('writes over nothing that a form of a team or organisation has not shown', async () => {
    const made = await rosa.act('team.create', '/shop/settings/teams', { name: 'Payments' })
    const team = String(await resultOf<number>(made))
    const other = await openScreen(browser, running.url, { cookie: rosa.cookie })
    const pages = [screen, other]
    for (const { page, open } of pages) {
      await open('/shop/settings/teams')
      await page.getByRole('region', { name: 'Payments' }).getByText('Change').click()
    }
    const nameIn = ({ page }: Screen) => page.locator(`form:has(input[name=team][value="${team}"])`).first()
    await nameIn(screen).getByLabel('Name').fill('Checkout')
    await nameIn(screen).getByRole('button', { name: 'Save' }).click()
    await screen.page.getByText('Saved', { exact: true }).waitFor()
    await nameIn(screen).getByLabel('Name').fill('Checkout team')
    await nameIn(screen).getByRole('button', { name: 'Save' }).click()
    await screen.page.getByRole('heading', { name: 'Checkout team' }).waitFor()
    await nameIn(other).getByLabel('Name').fill('Mine')
    await nameIn(other).getByRole('button', { name: 'Save' }).click()
    await other.page.getByText('These settings changed since you opened the page').waitFor()
    const stale = { name: 'Mine', slug: 'shop', seen: JSON.stringify({ name: 'Another', slug: 'shop' }) }
    assert.equal((await rosa.act('org.rename', '/shop/settings', stale)).status, 409)
    const seen = { ...stale, name: 'Shop', seen: JSON.stringify({ name: 'Shop', slug: 'shop' }) }
    assert.equal((await rosa.act('org.rename', '/shop/settings', seen)).status, 200)
    const night = { isOn: 'on', from: '22:00', until: '06:00', timeZone: 'Europe/Zurich' }
    const quiet = { ...night, seen: JSON.stringify({ isOn: false }) }
    const saved = await rosa.act('alerts.quiet', '/shop/alerts/quiet-hours', quiet)
    assert.match((await resultOf<{ readonly seen: string }>(saved)).seen, /"fromMinute":1320/)
    assert.equal((await rosa.act('alerts.quiet', '/shop/alerts/quiet-hours', quiet)).status, 409)
    await other.close()
    screen.assertQuiet()
  })

  it('fits a phone: rows of lines, and targets of 44 px', async () => {
    const phone = await openScreen(browser, running.url, {
      cookie: rosa.cookie,
      viewport: { width: 390, height: 844 },
    })
    const pages = [MEMBERS, '/shop/settings/tokens', '/shop/settings/teams', '/account/sessions', '/account']
    for (const path of pages) {
      await phone.open(path)
      const small = await phone.page.evaluate(() =>
        [...document.querySelectorAll('main .btn, main .field, .auth .btn')]
          .filter((element) => element.checkVisibility())
          .filter((element) => element.getBoundingClientRect().height < 44)
          .map((element) => element.textContent ?? ''),
      )
      assert.deepEqual(small, [], path)
      const beyond = await phone.page.evaluate(() =>
        [document.documentElement, ...document.querySelectorAll('.table-scroll')].some(
          (element) => element.scrollWidth > element.clientWidth,
        ),
      )
      assert.equal(beyond, false, `${path} is wider than the phone`)
    }
    await phone.close()
  })

  /** Somebody who joined by a link that was shown. */
  async function invitedMember(email: string): Promise<{ readonly email: string }> {
    const invited = await rosa.act('member.invite', MEMBERS, { email, role: 'member', teams: [] })
    const { url } = await resultOf<{ readonly url: string }>(invited)
    await joinAs(running.url, url, 'the first password')
    return { email }
  }
})
