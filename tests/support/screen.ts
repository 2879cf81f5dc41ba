/** A tab of a real browser that keeps count of what was asked and of everything the browser complains about. */
import assert from 'node:assert/strict'
import type { Browser, BrowserContextOptions, Locator, Page, Request, Response } from 'playwright-core'
import { HEADERS } from '../../packages/web/src/wire/names.ts'
import { waitFor } from './wait-for.ts'

export interface Screen {
  readonly page: Page
  /** Every request since the start or the last `forget`, oldest first. */
  readonly asked: readonly Request[]
  forget(): void
  /** Loads an address and waits until its scripts have taken the page over. */
  open(path: string): Promise<void>
  /** Fails when the browser logged an error or warning, refused something by policy, or a script failed. */
  assertQuiet(expected?: RegExp): void
  close(): Promise<void>
}

export interface ScreenOptions extends BrowserContextOptions {
  /** `name=value` of a session. */
  readonly cookie?: string | null
}

/** Console messages that a test expects: the browser logs each address that answers with an error status. */
const QUIET = /^$/

export async function openScreen(
  browser: Browser,
  url: string,
  { cookie, ...options }: ScreenOptions = {},
): Promise<Screen> {
  const context = await browser.newContext({
    baseURL: url,
    locale: 'en-GB',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
    viewport: { width: 1440, height: 900 },
    ...options,
  })
  context.setDefaultTimeout(60_000)
  if (cookie !== undefined && cookie !== null) {
    const [name = '', value = ''] = cookie.split('=')
    await context.addCookies([{ name, value, url, httpOnly: true, sameSite: 'Lax' }])
  }
  const page = await context.newPage()
  const asked: Request[] = []
  const complaints: string[] = []
  page.on('request', (request) => asked.push(request))
  page.on('console', (message) => {
    const from = `${message.location().url}, on ${page.url()}`
    if (['error', 'warning'].includes(message.type())) complaints.push(`${message.text()} (${from})`)
  })
  page.on('pageerror', (error) => complaints.push(`${error.message} (${page.url()})`))
  return {
    page,
    asked,
    forget: () => void asked.splice(0),
    async open(path) {
      await page.goto(path)
      await hydrated(page)
    },
    assertQuiet(expected = QUIET) {
      // Taken out first, so that each complaint fails one test.
      const unexpected = complaints.splice(0).filter((text) => !expected.test(text))
      assert.deepEqual(unexpected, [])
    },
    close: () => context.close(),
  }
}

/** Fills the sign-in form and waits for where it leads. */
export async function signInOn(
  { page, open }: Screen,
  who: { readonly email: string; readonly password: string },
) {
  await open('/sign-in')
  await page.getByLabel('Email').fill(who.email)
  await page.getByLabel('Password').fill(who.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL((url) => !url.pathname.includes('/sign-in'))
}

/**
 * Presses keys of a shortcut as fast as somebody types, however long the page takes for each: the second one of a pair
 * counts for a while alone.
 */
export async function pressAtOnce(page: Page, ...keys: readonly string[]): Promise<void> {
  await Promise.all(keys.map((key) => page.keyboard.press(key)))
}

/** Whether it asks for an action: pages post what they report of themselves too, whenever that is. */
export const isAction = (request: Request): boolean => HEADERS.action.toLowerCase() in request.headers()

/** The answer to the next action of a page that is taken over. */
export const actionAnswered = (page: Page): Promise<Response> =>
  page.waitForResponse((answer) => isAction(answer.request()))

/** Opens a page again and again, until it shows what the server comes to know by itself a moment after others do. */
export async function openUntil({ open }: Screen, path: string, shown: Locator): Promise<void> {
  await waitFor(`${path} to show ${shown}`, async () => {
    await open(path)
    return (await shown.count()) > 0
  })
}

/** Text of an element, hidden parts included. */
export async function textOf(found: Locator): Promise<string> {
  return (await found.textContent()) ?? ''
}

/** React says so on the element it took over; effects such as key listeners run before the second frame after that. */
export async function hydrated(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const root = document.getElementById('errata-root')
    const name = Object.keys(root ?? {}).find((key) => key.startsWith('__reactContainer$'))
    if (root === null || name === undefined) return false
    const fiber = Reflect.get(root, name) as {
      stateNode: { current: { memoizedState: { isDehydrated: boolean } } }
    } // React's own; there is no public way to ask
    return !fiber.stateNode.current.memoizedState.isDehydrated
  })
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
}
