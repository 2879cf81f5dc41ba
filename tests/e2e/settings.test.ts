/** Settings in a real browser: each is found by what stands beside it, and has one place. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser } from '../support/browser.ts'
import { type Person, signIn } from '../support/person.ts'
import { openScreen, type Screen } from '../support/screen.ts'
import { OWNER, type RunningErrata, type SetUp, startShop } from '../support/start-errata.ts'

/** Pages that list the pages of their settings. */
const LISTS = ['/account', '/shop/settings', '/shop/projects/web/settings']

/** A label and the page that it stands on. */
interface Labelled {
  readonly label: string
  readonly path: string
  /** Name of the page, which tells apart what has one name on several. */
  readonly page: string
}

describe('settings', { timeout: 900_000 }, () => {
  let running: RunningErrata & { readonly shop: SetUp }
  let browser: Browser
  let owner: Person
  let screen: Screen
  let labels: readonly Labelled[]

  before(async () => {
    running = await startShop()
    browser = await launchBrowser()
    owner = await signIn(running.url, OWNER)
    screen = await openScreen(browser, running.url, { cookie: owner.cookie })
    labels = await labelsOf(screen)
  })
  after(async () => {
    await browser?.close()
    await running?.[Symbol.asyncDispose]()
  })

  it('are all found by their labels, on their page', async () => {
    assert.ok(labels.length > 80, `${labels.length} labels`)
    const missing: string[] = []
    for (const { label, path, page } of labels) {
      const found = [...(await pathsFor(owner, label)), ...(await pathsFor(owner, `${label} ${page}`))]
      if (!found.some((one) => one.split(/[?#]/)[0] === path)) missing.push(`${label} (${path})`)
    }
    assert.deepEqual(missing, [])
  })

  it('are beside members and organisations, found without accents, and whoever asks for an assignment', async () => {
    await owner.act('account.profile', '/account', { name: 'Łucja Núñez' })
    for (const text of ['lucja', 'NUNEZ', 'núñez łu'])
      assert.ok(
        (await pathsFor(owner, text)).some((path) => path.startsWith('/shop/settings/members')),
        text,
      )
    assert.ok((await pathsFor(owner, 'shóp')).includes('/shop'))
    for (const [text, names] of [
      ['assign to me', ['Łucja Núñez']],
      ['assign lucja', ['Łucja Núñez']],
      ['assign to nobody', ['nobody']],
      ['assign to no such person', []],
    ] as const) {
      const answer = await owner.script(`/palette?${new URLSearchParams({ org: 'shop', q: text })}`)
      const { assignees } = await answer.json()
      const found = assignees.map(({ name }: { name: string }) => name)
      assert.deepEqual(found, names, text)
    }
  })

  it('say inside the frame that the server cannot be reached, and come when it can', async () => {
    const { page, open } = screen
    await open('/shop/settings')
    await page.context().setOffline(true)
    const sections = page.getByRole('navigation', { name: /settings/i })
    await sections.getByRole('link', { name: 'Audit log' }).click()
    await page.getByText('Errata didn’t respond. Check your connection, then try again.').waitFor()
    await page.context().setOffline(false)
    await page.getByRole('link', { name: 'Overview', exact: true }).click()
    await page.getByRole('heading', { name: 'No data yet' }).waitFor()
  })
})

/** Returns labels, legends and headings of all pages that the lists name. */
async function labelsOf({ page, open }: Screen): Promise<readonly Labelled[]> {
  const labels: Labelled[] = []
  for (const list of LISTS) {
    await open(list)
    const paths = await page
      .getByRole('navigation', { name: /settings|account|sections/i })
      .getByRole('link')
      .evaluateAll((links) => links.map((link) => new URL((link as HTMLAnchorElement).href).pathname))
    for (const path of new Set([list, ...paths])) {
      await open(path)
      const name = ((await page.getByRole('heading', { level: 1 }).textContent()) ?? '').split(' · ')[0] ?? ''
      for (const label of await labelsOn(page)) labels.push({ label, path, page: name })
    }
  }
  return labels
}

/**
 * Reads what is written beside each field of a form that saves something: its group's legend, where it is one of several
 * choices. The rows of a table are things with names of their own, and a dialog asks whether somebody is sure.
 */
function labelsOn(page: Page): Promise<readonly string[]> {
  return page.locator('main').evaluate((main) => {
    const firstText = (element: Element | null | undefined): string => {
      if (element === null || element === undefined) return ''
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
        if (node.textContent?.trim()) return node.textContent.trim()
      return ''
    }
    const fields = [...main.querySelectorAll('form[method=post] :is(input, select, textarea)')].filter(
      (field) => field.matches(':not([type=hidden])') && field.closest('table, dialog') === null,
    )
    return [
      ...new Set(
        fields.map((field) => {
          const legend = field.closest('fieldset')?.querySelector('legend')
          if (field.matches('[type=radio], [type=checkbox]') && legend) return firstText(legend)
          return field.getAttribute('aria-label') ?? firstText((field as HTMLInputElement).labels?.[0])
        }),
      ),
    ]
  })
}

async function pathsFor(person: Person, text: string): Promise<readonly string[]> {
  const answer = await person.script(`/palette?${new URLSearchParams({ org: 'shop', q: text })}`)
  const { groups, pages, creations } = await answer.json()
  return [...groups.flatMap(({ entries }: { entries: [] }) => entries), ...pages, ...creations].map(
    ({ path }: { path: string }) => path,
  )
}
