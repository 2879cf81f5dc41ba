/** Handles issues as a person does, in a real browser: find, read, decide, look up a digest, count. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser, Locator } from 'playwright-core'
import { issues } from '../support/api.ts'
import { launchBrowser } from '../support/browser.ts'
import { type Person, signIn } from '../support/person.ts'
import { openScreen, type Screen, textOf } from '../support/screen.ts'
import { anEvent, post, send } from '../support/send.ts'
import { OWNER, type RunningErrata, type SetUp, startShop } from '../support/start-errata.ts'
import { waitFor } from '../support/wait-for.ts'

const DIGEST = '2674428404'
const FIRST = ['StockError', 'LoginError', 'MailError', 'SearchError'] as const
const TYPES = [...FIRST, 'CacheError', 'QueueError', 'LeftError', 'RightError'] as const

describe('issues', { timeout: 900_000 }, () => {
  let running: RunningErrata & { readonly shop: SetUp }
  let shop: SetUp
  let browser: Browser
  let rosa: Person
  let screen: Screen
  let newestPayment = ''

  before(async () => {
    running = await startShop()
    shop = running.shop
    browser = await launchBrowser()
    rosa = await signIn(running.url, OWNER)
    screen = await openScreen(browser, running.url, { cookie: rosa.cookie })
    for (const [index, type] of TYPES.entries())
      await send(shop.dsn, anEvent({ type, message: `no ${index}` }))
    for (const [index, colour] of ['red', 'green', 'blue'].entries()) {
      newestPayment = await send(shop.dsn, payment(colour, Date.now() / 1_000 - 30 + index * 10))
    }
    await waitFor('all issues', async () => (await issues(shop)).length === TYPES.length + 1)
    await waitFor('all events', async () => (await issues(shop, 'PaymentError'))[0]?.count === '3')
  })
  after(async () => {
    await browser?.close()
    await running?.[Symbol.asyncDispose]()
  })

  it('leads from the list to the issue and its newest event', async () => {
    const { page } = screen
    await screen.open('/')
    await page.waitForURL('**/shop')
    await page.getByRole('link', { name: /PaymentError/ }).click()
    await page.getByRole('heading', { level: 1, name: /PaymentError/ }).waitFor()
    const main = page.locator('main')
    for (const text of ['checkOut', 'src/cart.js', 'return pay(cart.total.amount)', '1 frame of express'])
      await main.getByText(text).first().waitFor()
    assert.equal(await main.getByText('handleRequest').isVisible(), false)
    await main.getByText('1 frame of express').click()
    await main.getByText('handleRequest').waitFor()
    for (const title of ['Breadcrumbs', 'Tags of all events', 'This event', 'Tags', 'User', 'Grouping'])
      await main.getByRole('heading', { name: title, exact: true }).waitFor()
    screen.assertQuiet()
  })

  it('steps through the events with [ and ], and back and forward', async () => {
    const { page } = screen
    // The place among the events: the tags of all events name every colour at any time.
    const isAt = (place: number) =>
      page
        .getByRole('navigation', { name: 'Events' })
        .locator('xpath=following-sibling::span[1]')
        .getByText(String(place), { exact: true })
        .first()
        .waitFor()
    await isAt(3)
    await page.keyboard.press('[')
    await page.waitForURL(/\/events\/[0-9a-f]{32}/)
    await isAt(2)
    await page.keyboard.press('[')
    await isAt(1)
    await page.keyboard.press(']')
    await isAt(2)
    await page.goBack()
    await isAt(1)
    await page.goForward()
    await isAt(2)
    await page.getByRole('link', { name: 'Latest event' }).click()
    await page.waitForURL(`**/events/${newestPayment}`)
    await page.getByRole('link', { name: /^Events/ }).click()
    const events = page.getByRole('table', { name: 'Events of this issue' })
    await events.waitFor()
    assert.equal(await events.getByRole('row').count(), 4)
    screen.assertQuiet()
  })

  it('searches by state, tag and words, and says what it does not understand', async () => {
    const { page } = screen
    const titles = async (query: string) => {
      await screen.open(`/shop/issues?tab=all&query=${encodeURIComponent(query)}`)
      return page.locator('[data-issue]').allTextContents()
    }
    assert.equal((await titles('colour:green')).length, 1)
    assert.equal((await titles('!has:colour')).length, TYPES.length)
    assert.equal((await titles('is:unresolved level:error environment:production')).length, TYPES.length + 1)
    assert.deepEqual(await titles('"no 2"'), ['MailError no 2'])
    assert.deepEqual(await titles('is:resolved'), [])
    await screen.open('/shop/issues')
    await page.keyboard.press('/')
    const field = page.getByRole('combobox', { name: 'Search issues' })
    await page.keyboard.type('is:purple')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Invalid search' }).waitFor()
    assert.match(await textOf(page.getByRole('alert')), /purple/)
    assert.equal(await field.inputValue(), 'is:purple')
    await page.getByRole('link', { name: 'Clear the search' }).click()
    await page.locator('[data-issue]').first().waitFor()
    await field.fill(DIGEST)
    await field.press('Enter')
    await page.getByText(DIGEST).first().waitFor()
    await page
      .getByText(/PaymentError/)
      .first()
      .waitFor()
    screen.assertQuiet()
  })

  it('moves with j and k, selects with x, resolves with e, archives with a, and takes it back', async () => {
    const { page } = screen
    await screen.open('/shop/issues')
    const rows = page.locator('[data-issue]')
    const names = await rows.evaluateAll((all) => all.map((one) => one.getAttribute('data-issue')))
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('data-issue'))
    await page.keyboard.press('j')
    assert.equal(await focused(), names[0])
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('k')
    assert.equal(await focused(), names[1])
    await page.keyboard.press('x')
    await page.getByText(`1 of ${names.length}`).waitFor()
    await page.keyboard.press('e')
    await page.getByText('1 issue resolved').waitFor()
    await page.locator(`[data-issue="${names[1]}"]`).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('1 issue restored').waitFor()
    await page.locator(`[data-issue="${names[1]}"]`).waitFor()
    await page.locator(`[data-issue="${names[2]}"]`).focus()
    await page.keyboard.press('a')
    await page.getByRole('button', { name: '100 more events' }).click()
    await page.getByText('1 issue archived until 100 more events').waitFor()
    await page.keyboard.press('?')
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await dialog.getByText('Next row').waitFor()
    await dialog.getByRole('button', { name: 'Close' }).click()
    await screen.open('/shop/issues?tab=review')
    await page.locator(`[data-issue="${names[1]}"]`).waitFor()
    await screen.open('/shop/issues?tab=archived')
    await page.locator(`[data-issue="${names[2]}"]`).waitFor()
    screen.assertQuiet()
  })

  it('opens any screen and a pasted digest from the palette', async () => {
    const { page } = screen
    await screen.open('/shop/issues')
    await page.keyboard.press('Control+k')
    const field = page.getByRole('dialog', { name: 'Go to' }).getByRole('combobox')
    await field.fill('outcom')
    await field.press('Enter')
    await page.waitForURL('**/shop/outcomes')
    await page.keyboard.press('Control+k')
    await field.fill(`Application error: a server-side exception has occurred\nDigest: ${DIGEST}`)
    await page.getByRole('option', { name: /PaymentError/ }).click()
    await page.getByRole('heading', { level: 1, name: /PaymentError/ }).waitFor()
    await page.keyboard.press('Control+k')
    await field.fill(newestPayment)
    await page.getByRole('option', { name: new RegExp(newestPayment) }).click()
    await page.waitForURL(`**/events/${newestPayment}`)
    screen.assertQuiet()
  })

  it('resolves an issue, and the next event makes it regressed', async () => {
    const { page } = screen
    const ref = await open('LoginError')
    await page.getByRole('button', { name: /^Resolve(?! in)/ }).click()
    await page.getByRole('button', { name: /^Unresolve/ }).waitFor()
    await page.locator('h1').getByText('Resolved').waitFor()
    await send(shop.dsn, anEvent({ type: 'LoginError', message: 'no 1' }))
    await waitFor(
      'the regression',
      async () => (await issues(shop, 'LoginError'))[0]?.substatus === 'regressed',
    )
    await page.reload()
    await page.locator('h1').getByText('Regressed').waitFor()
    await screen.open(`/shop/issues/${ref}/activity`)
    const told = await page.locator('main ol').last().getByRole('listitem').allTextContents()
    assert.match(told[0] ?? '', /Regressed/)
    assert.match(told[1] ?? '', /resolved/)
    screen.assertQuiet()
  })

  it('brings an archived issue back after so many more events', async () => {
    const { page } = screen
    await open('MailError')
    await page.getByRole('button', { name: /^Archive/ }).click()
    await page.getByRole('button', { name: '10 more events' }).click()
    await page.getByText('Archived until 10 more events').first().waitFor()
    const sendOne = () => send(shop.dsn, anEvent({ type: 'MailError', message: 'no 2' }))
    for (let count = 0; count < 9; count++) await sendOne()
    await waitFor('nine events', async () => (await issues(shop, 'MailError'))[0]?.count === '10')
    assert.equal((await issues(shop, 'MailError'))[0]?.status, 'ignored')
    await sendOne()
    await waitFor('it is back', async () => (await issues(shop, 'MailError'))[0]?.status === 'unresolved')
    screen.assertQuiet()
  })

  it('assigns and comments, and keeps both in the activity', async () => {
    const { page } = screen
    const ref = await open('StockError')
    await page.getByRole('button', { name: /Unassigned/ }).click()
    await page.locator('main').getByRole('button', { name: OWNER.email }).click()
    await page.getByText('1 issue assigned').waitFor()
    await page.getByRole('link', { name: /^Activity/ }).click()
    await page.waitForURL(`**/${ref}/activity`)
    await page.getByLabel('Comment').fill('<b>Looked</b> at it')
    await page.getByRole('button', { name: 'Comment' }).click()
    await page.locator('main ol').getByText('<b>Looked</b> at it').waitFor()
    await waitFor('an empty field', async () => (await page.getByLabel('Comment').inputValue()) === '')
    const told = (await page.locator('main ol').last().getByRole('listitem').allTextContents()).join('\n')
    assert.match(told, /commented/)
    assert.match(told, /assigned/)
    screen.assertQuiet()
  })

  it('deletes an issue after saying in numbers what goes', async () => {
    const { page } = screen
    const ref = await open('CacheError')
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('button', { name: 'Delete…' }).click()
    const dialog = page.getByRole('dialog', { name: `Delete ${ref}?` })
    await dialog.getByText(/This deletes 1 event/).waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('button', { name: 'Delete…' }).click()
    await confirm(dialog.getByRole('button', { name: 'Delete 1 event' }))
    await page.waitForURL('**/shop/issues')
    await page.getByRole('link', { name: /CacheError/ }).waitFor({ state: 'detached' })
    screen.assertQuiet()
    await screen.open(`/shop/issues/${ref}`)
    await page.getByRole('heading', { name: `Issue ${ref} not found` }).waitFor()
    await page.getByRole('link', { name: `Search for ${ref}` }).waitFor()
    screen.assertQuiet(/status of 404/)
  })

  it('changes and deletes several at once', async () => {
    const { page } = screen
    await screen.open('/shop/issues?tab=all&query=SearchError')
    await page.getByRole('checkbox', { name: 'Select all issues on this page' }).check()
    await page.getByRole('button', { name: /^Resolve(?! in)/ }).click()
    await page.getByText('1 issue resolved').waitFor()
    await screen.open('/shop/issues?tab=all')
    for (const type of ['SearchError', 'QueueError']) {
      const row = page.getByRole('row').filter({ hasText: type })
      await row.getByRole('checkbox').check()
    }
    await page.getByText(/^2 of /).waitFor()
    await page.getByRole('button', { name: 'Delete…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete 2 issues?' })
    await confirm(dialog.getByRole('button', { name: 'Delete 2 events' }))
    await page.getByText('2 issues deleted').waitFor()
    await page.locator('[data-issue]').filter({ hasText: 'QueueError' }).waitFor({ state: 'detached' })
    assert.deepEqual(await issues(shop, 'QueueError'), [])
    screen.assertQuiet()
  })

  it('merges several into one, with the events of all, and takes it back', async () => {
    const { page } = screen
    const types = ['LeftError', 'RightError'] as const
    const merge = async () => {
      await screen.open('/shop/issues?tab=all')
      for (const type of types)
        await page.getByRole('row').filter({ hasText: type }).getByRole('checkbox').check()
      await page.locator('#bulk-merge').waitFor({ state: 'attached' })
      await page.getByRole('button', { name: 'Merge 2' }).click()
      await page.getByLabel('Reason (optional)').fill('One queue')
      await page.getByRole('dialog').getByRole('button', { name: 'Merge', exact: true }).click()
      await page.getByText('2 issues merged into one').waitFor()
    }
    await merge()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('1 issue restored').waitFor()
    for (const type of types) assert.equal((await issues(shop, type))[0]?.count, '1')
    await merge()
    const kept = (await Promise.all(types.map((type) => issues(shop, type)))).flat()
    assert.deepEqual([...new Set(kept.map(({ count }) => count))], ['2'])
    assert.equal(new Set(kept.map(({ id }) => id)).size, 1)
    await screen.open(`/shop/issues/${kept[0]?.shortId}/activity`)
    const note = page.getByText(/into it.*One queue/).first()
    await note.waitFor()
    screen.assertQuiet()
  })

  it('gives an event as JSON', async () => {
    const { page } = screen
    await open('PaymentError')
    const path = await page.getByRole('link', { name: 'JSON' }).getAttribute('href')
    const answer = await page.request.get(path ?? '')
    assert.match(answer.headers()['content-type'] ?? '', /^application\/json/)
    assert.equal(((await answer.json()) as { event_id: string }).event_id, newestPayment)
  })

  it('says what a digest stands for, and that an unknown one was not seen', async () => {
    const { page } = screen
    await screen.open('/digest')
    const text = page.getByLabel('Number or text of the error page')
    await text.fill(`Application error: a server-side exception has occurred\nDigest: ${DIGEST}`)
    await page.getByRole('button', { name: 'Look up' }).click()
    await page.getByText('1 digest found in the text').waitFor()
    const answer = page.getByRole('region', { name: 'Answer' })
    await answer.getByRole('heading', { name: /PaymentError/ }).waitFor()
    await answer.getByText('return pay(cart.total.amount)').waitFor()
    await answer.getByRole('cell', { name: 'shop@1.0.0' }).waitFor()
    await answer.getByRole('link', { name: 'Open the issue' }).click()
    await page.getByRole('heading', { level: 1, name: /PaymentError/ }).waitFor()
    await screen.open('/digest/1112223334')
    await page.getByRole('heading', { name: 'Not seen', level: 2 }).waitFor()
    await page.getByText('tags: { digest: error.digest }').waitFor()
    await screen.open('/digest?text=nothing+here')
    await page.getByRole('heading', { name: 'No digest in this text' }).waitFor()
    await screen.open(`/digest?text=Reference:+${'0f'.repeat(16)}`)
    await page.getByRole('heading', { name: 'Not seen' }).waitFor()
    await screen.open(`/digest?text=Reference:+${newestPayment}`)
    await page.getByText('1 reference found in the text').waitFor()
    await answer.getByRole('link', { name: 'Open the event' }).click()
    await page.getByRole('heading', { level: 1, name: /PaymentError/ }).waitFor()
    screen.assertQuiet()
  })

  it('balances what was sent against what was stored', async () => {
    const { page } = screen
    const before = await ledger()
    const twice = anEvent({ type: 'StockError', message: 'no 0' })
    await send(shop.dsn, twice)
    await post(shop.dsn, twice)
    await sendOddItem()
    const after = await waitFor('all three are counted', async () => {
      const now = await ledger()
      return now.sent === before.sent + 3 && now
    })
    assert.equal(after.stored, before.stored + 1)
    assert.equal(after.parts, after.sent)
    await page.getByText('Adds up: every item is counted once').waitFor()
    screen.assertQuiet()
  })

  it('shows a hostile event as text', async () => {
    const { page } = screen
    const id = await send(shop.dsn, hostile())
    await waitFor('the hostile issue', async () => (await issues(shop, id)).length > 0)
    let dialogs = 0
    page.on('dialog', (dialog) => {
      dialogs += 1
      void dialog.dismiss()
    })
    screen.forget()
    for (const path of ['/shop/issues', `/shop/issues?query=${id}`, '/shop/outcomes']) {
      await screen.open(path)
      await page.locator('main').waitFor()
    }
    await screen.open('/shop/issues')
    await page.locator('[data-issue]').first().click()
    await page.getByRole('heading', { level: 1 }).waitFor()
    for (const summary of await page.locator('main summary').all()) await summary.click()
    assert.equal(await page.evaluate(() => 'owned' in window), false)
    assert.equal(await page.locator('main img, main iframe, main script, main object').count(), 0)
    const links = await page
      .locator('a[href]')
      .evaluateAll((all) => all.map((one) => one.getAttribute('href')))
    assert.deepEqual(
      links.filter((href) => !/^(?:\/(?!\/)|https?:\/\/|#)/.test(href ?? '')),
      [],
    )
    const elsewhere = screen.asked
      .map((request) => request.url())
      .filter((url) => !url.startsWith(running.url))
    assert.deepEqual(elsewhere, [])
    assert.equal(dialogs, 0)
    const height = await page.locator('h1').evaluate((heading) => heading.getBoundingClientRect().height)
    assert.ok(height < 120, `the title takes ${height} px`)
    screen.assertQuiet()
  })

  /** By keyboard, with the pointer away: resting on a row that goes, it would fetch that row's page in vain. */
  async function confirm(button: Locator): Promise<void> {
    await screen.page.mouse.move(0, 0)
    await button.press('Enter')
  }

  async function open(type: string): Promise<string> {
    const [issue] = await issues(shop, type)
    const ref = issue?.shortId ?? ''
    await screen.open(`/shop/issues/${ref}`)
    await screen.page.getByRole('heading', { level: 1, name: new RegExp(type) }).waitFor()
    return ref
  }

  /** The line of sums on /outcomes. */
  async function ledger() {
    const { page } = screen
    await screen.open('/shop/outcomes?project=web')
    const numbers = page
      .getByRole('table', { name: 'Items by category' })
      .getByRole('row')
      .last()
      .getByRole('cell')
    const [sent = 0, stored = 0, ...rest] = (await numbers.allTextContents()).map((text) =>
      Number(text.replace(/[^\d]/g, '')),
    )
    const parts = stored + rest.slice(0, 5).reduce((sum, count) => sum + count, 0)
    return { sent, stored, parts }
  }

  /** An item of a kind that nobody knows. */
  async function sendOddItem(): Promise<void> {
    const { username, pathname, origin } = new URL(shop.dsn)
    const answer = await fetch(`${origin}/api${pathname}/envelope/?sentry_key=${username}`, {
      method: 'POST',
      body: '{}\n{"type":"something_new"}\n{}\n',
    })
    assert.equal(answer.status, 200)
  }
})

function payment(colour: string, timestamp: number) {
  return anEvent({
    type: 'PaymentError',
    message: 'Card declined',
    more: {
      timestamp,
      tags: { colour, digest: DIGEST },
      user: { id: `u-${colour}` },
      breadcrumbs: { values: [{ timestamp: timestamp - 2, category: 'query', message: 'select 1' }] },
    },
  })
}

const SCRIPT = '"><img src=x onerror="window.owned=1"><script>window.owned=1</script>'
const SCHEME = 'javascript:window.owned=1'

/** Markup, script schemes, right-to-left overrides and a very long title, wherever an SDK may put text. */
function hostile() {
  const frames = [
    {
      function: SCRIPT,
      filename: SCRIPT,
      abs_path: SCHEME,
      module: SCRIPT,
      lineno: 1,
      in_app: true,
      context_line: `</script>${SCRIPT}`,
      vars: { [SCRIPT]: SCRIPT },
    },
  ]
  return anEvent({
    message: '',
    more: {
      exception: {
        values: [
          {
            type: `\u202e${SCRIPT}`,
            value: `${SCRIPT}\u2066${'W'.repeat(16_384)}`,
            mechanism: { type: SCRIPT, help_link: SCHEME, handled: false },
            stacktrace: { frames },
          },
        ],
      },
      transaction: SCRIPT,
      release: SCRIPT,
      environment: 'a<b>',
      server_name: SCRIPT,
      tags: { 'a.b': SCRIPT, url: SCHEME, 'c<d>': 'x' },
      user: { id: SCRIPT, username: SCRIPT, email: SCHEME, ip_address: '127.0.0.1' },
      request: {
        url: SCHEME,
        method: SCRIPT,
        headers: [['Referer', SCHEME]],
        data: { a: SCRIPT },
        query_string: SCRIPT,
      },
      breadcrumbs: {
        values: [{ category: SCRIPT, message: SCRIPT, type: SCRIPT, data: { url: SCHEME, to: SCHEME } }],
      },
      contexts: { [SCRIPT]: { [SCRIPT]: SCRIPT }, app: { app_name: SCRIPT } },
      extra: { [SCRIPT]: [SCRIPT, { deep: SCHEME }] },
      modules: { [SCRIPT]: SCRIPT },
      sdk: { name: SCRIPT, version: SCRIPT },
      fingerprint: [SCRIPT],
    },
  })
}
