/** Menus and forms that were refused: nothing serious by axe, no sideways scrolling, light and dark. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser, Locator } from 'playwright-core'
import { issues } from '../support/api.ts'
import { accessibilityOf, openWithAxe, widthOf } from '../support/axe.ts'
import { launchBrowser } from '../support/browser.ts'
import { signIn } from '../support/person.ts'
import { openScreen, type Screen, textOf } from '../support/screen.ts'
import { anEvent, send } from '../support/send.ts'
import { OWNER, type RunningErrata, type SetUp, startShop } from '../support/start-errata.ts'
import { waitFor } from '../support/wait-for.ts'

const [WIDE, MIDDLE, NARROW] = [
  { width: 1440, height: 900 },
  { width: 768, height: 900 },
  { width: 390, height: 844 },
] as const
/** Each width in both themes; the second time only colours differ. */
const LOOKS = [
  { colorScheme: 'light', viewport: WIDE, rules: 'all' },
  { colorScheme: 'dark', viewport: WIDE, rules: 'contrast' },
  { colorScheme: 'dark', viewport: MIDDLE, rules: 'all' },
  { colorScheme: 'light', viewport: MIDDLE, rules: 'contrast' },
  { colorScheme: 'dark', viewport: NARROW, rules: 'all' },
  { colorScheme: 'light', viewport: NARROW, rules: 'contrast' },
] as const

describe('what is open', { timeout: 1_800_000 }, () => {
  let running: RunningErrata & { readonly shop: SetUp }
  let browser: Browser
  let screen: Screen
  let issue = ''

  before(async () => {
    running = await startShop()
    browser = await launchBrowser()
    const rosa = await signIn(running.url, OWNER)
    const more = { user: { id: '42' } }
    for (const name of ['One', 'Two'])
      await send(running.shop.dsn, anEvent({ type: `${name}Error`, message: 'no', more }))
    await waitFor('both issues', async () => (await issues(running.shop)).length === 2)
    issue = (await issues(running.shop))[0]?.shortId ?? ''
    screen = await openScreen(browser, running.url, { cookie: rosa.cookie })
  })
  after(async () => {
    await browser?.close()
    await running?.[Symbol.asyncDispose]()
  })

  for (const { colorScheme, viewport, rules } of LOOKS) {
    const where = `${colorScheme} at ${viewport.width}`
    const look = async (name: string): Promise<readonly string[]> => [
      ...(await accessibilityOf(screen.page, name, rules)),
      ...(await widthOf(screen.page, name)),
    ]

    it(`has menus of the frame, the list and an issue without complaint, ${where}`, async () => {
      const { page } = screen
      await page.setViewportSize(viewport)
      await page.emulateMedia({ colorScheme })
      const problems: string[] = []
      for (const path of [
        '/shop',
        '/shop/issues',
        `/shop/issues/${issue}`,
        '/shop/alerts',
        '/shop/releases',
      ]) {
        await openWithAxe(screen, path)
        for (const button of await page.locator('button[popovertarget]:visible').all()) {
          const name = `menu ${(await button.getAttribute('aria-label')) ?? (await textOf(button))} of ${path}, ${where}`
          await button.click()
          await page.locator(':popover-open').first().waitFor()
          problems.push(...(await look(name)))
          await page.keyboard.press('Escape')
          await page.locator(':popover-open').waitFor({ state: 'detached' })
        }
      }
      assert.deepEqual(problems, [])
      screen.assertQuiet()
    })

    it(`has dialogs that say what they would do without complaint, ${where}`, async () => {
      const { page } = screen
      await page.setViewportSize(viewport)
      await page.emulateMedia({ colorScheme })
      const problems: string[] = []
      const open = async (button: Locator, name: string) => {
        await button.click()
        await page.getByRole('dialog', { name }).waitFor()
        problems.push(...(await look(`${name}, ${where}`)))
        await page.keyboard.press('Escape')
        await page.getByRole('dialog', { name }).waitFor({ state: 'hidden' })
      }
      const button = (name: string) => page.getByRole('main').getByRole('button', { name, exact: true })
      await openWithAxe(screen, '/shop/people/id%3A42')
      await open(button('Delete data…'), 'Delete the data of 42?')
      await openWithAxe(screen, '/shop/releases/shop%401.0.0')
      await open(button('Delete…'), 'Delete release 1.0.0?')
      await openWithAxe(screen, '/shop/projects/web/settings/danger')
      await open(button('Delete…'), 'Delete project')
      await openWithAxe(screen, `/shop/issues/${issue}`)
      for (const [item, name] of [
        ['Share by link…', 'Share'],
        ['Delete…', 'Delete'],
      ] as const) {
        await button('More actions').click()
        await open(page.locator(':popover-open').getByRole('button', { name: item }), name)
      }
      assert.deepEqual(problems, [])
      screen.assertQuiet()
    })

    it(`has forms with refusals beside their fields without complaint, ${where}`, async () => {
      const { page } = screen
      await page.setViewportSize(viewport)
      await page.emulateMedia({ colorScheme })
      const problems: string[] = []
      await openWithAxe(screen, '/shop/alerts/quiet-hours')
      await page.getByLabel('From').fill('25:00')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Enter a time from 00:00 to 23:59').waitFor()
      problems.push(...(await look(`quiet hours, ${where}`)))
      await openWithAxe(screen, '/shop/alerts/rules/new?kind=metric')
      await page.getByLabel('Name').fill('Nonsense')
      await page.getByLabel('Threshold of critical').fill('1')
      await page.getByLabel('Threshold of warning').fill('5')
      await page.getByRole('button', { name: 'Add a condition' }).click()
      await page.getByRole('button', { name: 'Create rule' }).click()
      await page.getByRole('alert').first().waitFor()
      problems.push(...(await look(`a rule, ${where}`)))
      await openWithAxe(screen, `/shop/issues/${issue}/change`)
      await page.getByRole('textbox', { name: 'Number' }).fill('none')
      await page.getByRole('button', { name: 'Archive', exact: true }).click()
      await page.getByRole('alert').first().waitFor()
      problems.push(...(await look(`archiving, ${where}`)))
      assert.deepEqual(problems, [])
      screen.assertQuiet(/status of 4\d\d/)
    })
  }

  it('takes what was typed while the palette was still loading', async () => {
    const { page } = screen
    await page.setViewportSize(WIDE)
    let letGo = () => {}
    const held = new Promise<void>((resolve) => {
      letGo = resolve
    })
    await page.route('**/palette-*.js', async (route) => {
      await held
      await route.continue()
    })
    await screen.open('/shop/issues')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('skew')
    letGo()
    const field = page.getByRole('combobox', { name: 'Go to a page or issue, or paste a digest' })
    await waitFor('what was typed', async () => (await field.inputValue()) === 'skew')
    await page.unroute('**/palette-*.js')
  })
})
