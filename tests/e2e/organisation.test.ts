/** Projects, their settings, outcomes and the audit log in a real browser. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser, Locator, Page } from 'playwright-core'
import { launchBrowser } from '../support/browser.ts'
import { type Person, signIn } from '../support/person.ts'
import { actionAnswered, hydrated, openScreen, type Screen, textOf } from '../support/screen.ts'
import { anEvent, send } from '../support/send.ts'
import { OWNER, type RunningErrata, type SetUp, startShop } from '../support/start-errata.ts'
import { waitFor } from '../support/wait-for.ts'

const PAGES = [
  '/shop/projects',
  '/shop/outcomes',
  '/shop/settings/audit',
  '/shop/settings/members',
  '/shop/settings/tokens',
  '/account/sessions',
  '/shop/projects/web/setup',
  '/shop/projects/web/settings',
  '/shop/projects/web/settings/keys',
  '/shop/projects/web/settings/scrubbing',
  '/shop/projects/web/settings/filters',
  '/shop/projects/web/settings/retention',
  '/shop/projects/web/settings/alerts',
  '/shop/projects/web/settings/danger',
]

describe('an organisation and its projects', { timeout: 900_000 }, () => {
  let running: RunningErrata & { readonly shop: SetUp }
  let browser: Browser
  let rosa: Person
  let screen: Screen

  before(async () => {
    running = await startShop()
    browser = await launchBrowser()
    rosa = await signIn(running.url, OWNER)
    screen = await openScreen(browser, running.url, { cookie: rosa.cookie })
    await rosa.act('project.create', '/shop/projects/new', { name: 'Kiosk', slug: 'kiosk', platform: '' })
    const long = 'Cannot read properties of undefined (reading the total of an order that was never placed)'
    await send(running.shop.dsn, anEvent({ message: long }))
    const twice = anEvent({ message: 'sent twice' })
    await send(running.shop.dsn, twice)
    await send(running.shop.dsn, twice)
  })
  after(async () => {
    await browser?.close()
    await running?.[Symbol.asyncDispose]()
  })

  it('lists how each project fares, and leads one without events to its set-up', async () => {
    const { page } = screen
    const row = (name: string) =>
      page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) })
    await waitFor('both events', async () => {
      await screen.open('/shop/projects')
      return (await cellsOf(row('web')))[2] === '2'
    })
    const [, health, , , unresolved, fresh, regressed, crashFree, , last] = await cellsOf(row('web'))
    assert.deepEqual([health, unresolved, fresh, regressed, crashFree], ['OK', '1', '1', '0', '–'])
    assert.match(last ?? '', /^(now|\d+ s|1 min)$/)
    assert.match(await textOf(row('Kiosk')), /Waiting for the first event/)
    await page.getByText('1 is OK, Kiosk waits for its first event.').waitFor()
    const search = page.getByLabel('Find a project')
    await search.fill('nothing like it')
    await search.press('Enter')
    await page.getByRole('heading', { name: 'No project matches' }).waitFor()
    await search.fill('KIO')
    await search.press('Enter')
    await page.waitForURL('**/shop/projects?query=KIO')
    await row('Kiosk').waitFor()
    assert.equal(await row('web').count(), 0)
    await row('Kiosk').getByRole('link', { name: 'Kiosk', exact: true }).click()
    await page.waitForURL('**/shop/projects/kiosk/setup')
    await page.getByRole('heading', { name: 'Send the first event' }).waitFor()
    screen.assertQuiet()
  })

  it('keeps the filters of the audit log in its address', async () => {
    const { page } = screen
    await screen.open('/shop/settings/audit')
    await page.getByRole('button', { name: 'All changes' }).click()
    await page.getByRole('link', { name: 'Projects and releases', exact: true }).last().click()
    await page.waitForURL('**/settings/audit?what=projects')
    const log = page.getByRole('region', { name: 'Audit log, newest first' })
    await log.filter({ hasText: 'Created the project Kiosk', hasNotText: 'Signed in' }).waitFor()
    await page.getByRole('button', { name: 'Everyone' }).click()
    await page.getByRole('link', { name: 'Rosa' }).last().click()
    await page.waitForURL(/who=1&what=projects/)
    await log.filter({ hasText: 'Created the project Kiosk' }).waitFor()
    const day = new Date().toISOString().slice(0, 10)
    await page.getByLabel('From').fill(day)
    await page.getByRole('button', { name: 'Show' }).click()
    await page.waitForURL(new RegExp(`who=1&what=projects&from=${day}`))
    await page.getByLabel('From').fill('1 Jan 2020')
    await page.getByLabel('To (UTC)').fill('2020-01-31')
    await page.getByRole('button', { name: 'Show' }).click()
    await page.waitForURL(/from=2020-01-01&to=2020-01-31/)
    await page.getByRole('heading', { name: 'No matching entries' }).waitFor()
    assert.equal(await page.getByLabel('To (UTC)').inputValue(), '31 Jan 2020')
    await page.getByRole('link', { name: 'Clear' }).click()
    await page.waitForURL('**/settings/audit')
    await log.filter({ hasText: 'Signed in' }).waitFor()
    screen.assertQuiet()
  })

  it('refuses the form of a key, of alerts, of a webhook or of an account that another tab changed meanwhile', async () => {
    const { page } = screen
    await rosa.act('notices.webhook', '/shop/projects/web/settings/alerts', {
      url: 'https://hooks.example.com',
    })
    const other = await page.context().newPage()
    for (const { path, fill, button } of STALE) {
      for (const tab of [page, other]) {
        await tab.goto(path)
        await hydrated(tab)
      }
      assert.equal(await saved(page, { fill, button }, 'first'), 200, path)
      assert.equal(await saved(other, { fill, button }, 'second'), 409, path)
      await other.getByText('These settings changed since you opened the page.').waitFor()
      // The first one has seen what it saved itself.
      assert.equal(await saved(page, { fill, button }, 'third'), 200, path)
    }
    await other.close()
    screen.assertQuiet(/status of 409/)
  })

  it('says how much of what build tools upload is kept, and keeps as much as it is told', async () => {
    const { page } = screen
    await screen.open('/shop/settings')
    const section = page.getByRole('region', { name: 'Uploads of build tools' })
    await section.locator('summary').click()
    await section.getByLabel('Bundles').fill('12')
    await section.getByLabel('Size').fill('250')
    await section.getByLabel('Unused days').fill('30')
    await section.getByRole('button', { name: 'Save' }).click()
    await section.locator('summary').getByText('12 bundles, 250 MiB').waitFor()
    await screen.open('/shop/settings')
    await section.locator('summary').click()
    await section.getByLabel('Restore the defaults').check()
    await section.getByRole('button', { name: 'Save' }).click()
    await section.getByLabel('Restore the defaults').waitFor({ state: 'detached' })
    screen.assertQuiet()
  })

  it('says which slug is free where that of a new team is taken', async () => {
    const { page } = screen
    await rosa.act('team.create', '/shop/settings/teams', { name: 'Front' })
    await screen.open('/shop/settings/teams')
    const form = page.locator('form').filter({ has: page.getByRole('button', { name: 'Create team' }) })
    await form.getByLabel('Name').fill('Front')
    await form.getByRole('button', { name: 'Create team' }).click()
    await form.getByText('“front” is taken; “front-2” is free.').waitFor()
    await form.getByLabel('Slug').fill('front-2')
    await form.getByRole('button', { name: 'Create team' }).click()
    await page.getByText('Team created').waitFor()
    screen.assertQuiet(/status of 409/)
  })

  it('has no table that scrolls sideways, and no row that collides, from a phone to a tablet', async () => {
    const { page } = screen
    const problems: string[] = []
    for (const path of PAGES) {
      await screen.open(path)
      for (const width of [390, 700, 768, 900, 1_000]) {
        await page.setViewportSize({ width, height: 900 })
        problems.push(...(await sidewaysOn(page)).map((problem) => `${path} at ${width}: ${problem}`))
      }
      await page.setViewportSize({ width: 1440, height: 900 })
    }
    assert.deepEqual(problems, [])
    screen.assertQuiet()
  })

  it('folds the list of settings to the chosen page where there is no room for it', async () => {
    const { page } = screen
    await page.setViewportSize({ width: 390, height: 844 })
    await screen.open('/shop/projects/web/settings/danger')
    const shown = page.getByRole('navigation', { name: 'Settings of the project' })
    assert.equal(await shown.count(), 0)
    await page.locator('summary', { hasText: 'Danger zone' }).click()
    await shown.getByRole('link', { name: 'Alerts' }).click()
    await page.waitForURL(/settings\/alerts/)
    await page.locator('summary', { hasText: 'Alerts' }).waitFor()
    await shown.waitFor({ state: 'hidden' })
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  it('has buttons and fields on a phone that a finger meets', async () => {
    const { page } = screen
    const problems: string[] = []
    for (const path of PAGES) {
      await screen.open(path)
      await page.setViewportSize({ width: 390, height: 844 })
      problems.push(...(await smallOn(page)).map((small) => `${path}: ${small}`))
      await page.setViewportSize({ width: 1440, height: 900 })
    }
    assert.deepEqual(problems, [])
  })

  it('shows fifty projects on a page, what needs a look first, and speaks of all', async () => {
    for (let number = 1; number <= 100; number++)
      await rosa.api('POST', '/teams/shop/shop/projects/', { name: `Service ${number}` })
    await screen.open('/shop/projects')
    const { page } = screen
    const names = page.locator('tbody').getByRole('link', { name: /^(web|Kiosk|Service \d+)$/ })
    assert.equal(await names.count(), 50)
    await page.getByText('1 is OK, 101 wait for their first event.').waitFor()
    await page.getByText(/^102 projects, \d+ errors stored in 24 h$/).waitFor()
    assert.deepEqual((await names.allTextContents()).slice(0, 4), ['web', 'Kiosk', 'Service 1', 'Service 2'])
    await page.getByRole('link', { name: 'Next', exact: true }).click()
    await page.waitForURL('**/shop/projects?page=2')
    await page.getByRole('link', { name: 'Next', exact: true }).click()
    await page.waitForURL('**/shop/projects?page=3')
    await page.getByRole('link', { name: 'Service 100', exact: true }).waitFor()
    assert.equal(await names.count(), 2)
    screen.assertQuiet()
  })
})

/** Forms that two tabs may hold at once; `fill` puts something new into one. */
const STALE = [
  {
    path: '/shop/projects/web/settings/keys',
    button: 'Save',
    fill: async (tab: Page, text: string) => {
      const details = tab.locator('details').filter({ hasText: 'Name and rate limit' }).first()
      if ((await details.getAttribute('open')) === null) await details.locator('summary').click()
      await details.getByLabel('Name').fill(`Key ${text}`)
    },
  },
  {
    path: '/shop/projects/web/settings/alerts',
    button: 'Save',
    fill: async (tab: Page, text: string) => {
      await tab.getByLabel('At most once per issue every').fill(String(text.length))
    },
  },
  {
    path: '/shop/projects/web/settings/alerts',
    button: /Save/,
    fill: async (tab: Page, text: string) => {
      const details = tab.getByRole('region', { name: 'Webhook' }).locator('details')
      if ((await details.getAttribute('open')) === null) await details.locator('summary').click()
      await tab.getByLabel('URL').fill(`https://hooks.example.com/${text}`)
    },
  },
  {
    path: '/account',
    button: 'Save',
    fill: (tab: Page, text: string) => tab.getByLabel('Name').fill(`Rosa ${text}`),
  },
  {
    path: '/account/notices',
    button: 'Save',
    fill: (tab: Page, text: string) =>
      tab.getByLabel(text === 'second' ? 'Email me' : 'Metric warnings').click(),
  },
] as const

async function cellsOf(row: Locator): Promise<readonly string[]> {
  return (await row.getByRole('cell').allTextContents()).map((text) => text.trim())
}

async function saved(
  tab: Page,
  { fill, button }: Pick<(typeof STALE)[number], 'fill' | 'button'>,
  text: string,
): Promise<number> {
  await fill(tab, text)
  const answering = actionAnswered(tab)
  const form = tab.locator('form').filter({ has: tab.locator('input[name=seen]') })
  const buttons = form.getByRole('button', { name: button })
  await (typeof button === 'string' ? buttons.first() : buttons.last()).click()
  const status = (await answering).status()
  if (status === 200) await tab.waitForFunction(() => document.querySelector('[aria-busy=true]') === null)
  return status
}

/** Lists what is wider than its place, or lies on its neighbour in a row. */
function sidewaysOn(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const found: string[] = []
    if (document.documentElement.scrollWidth > innerWidth) found.push('the page scrolls sideways')
    for (const box of document.querySelectorAll('.table-scroll')) {
      if (box.scrollWidth > box.clientWidth + 1)
        found.push(`${box.getAttribute('aria-label')} scrolls sideways`)
    }
    for (const row of document.querySelectorAll('tbody tr')) {
      const boxes = [...row.children]
        .map((cell) => cell.getBoundingClientRect())
        .filter(({ width }) => width > 0)
      for (const [index, one] of boxes.entries()) {
        for (const next of boxes.slice(index + 1)) {
          const across = Math.min(one.right, next.right) - Math.max(one.left, next.left)
          const down = Math.min(one.bottom, next.bottom) - Math.max(one.top, next.top)
          if (across > 1 && down > 1) found.push(`cells collide in “${row.textContent?.slice(0, 40)}”`)
        }
      }
    }
    return found
  })
}

/** Buttons, fields and links of rows that are less than 44 px high; a box with its label counts as one. */
function smallOn(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const wanted = 'main button, main .btn, main .field, main .tall-links a, main summary'
    return [...document.querySelectorAll(wanted)]
      .filter((element) => {
        const { width, height } = element.getBoundingClientRect()
        return width > 0 && height > 0 && height < 44
      })
      .map((element) => `${element.tagName} “${(element.textContent ?? '').slice(0, 30)}”`)
  })
}
