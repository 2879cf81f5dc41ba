/** Somebody who presses a button of an example, and sees what comes of it. */
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'

/** Begins before the press, and ends when what it causes has happened. */
export type Until = (page: Page) => Promise<unknown>

export interface Press {
  readonly url: URL
  readonly button: string
  readonly until: Until
}

export async function press(page: Page, { url, button, until }: Press): Promise<void> {
  await page.goto(url.href)
  // Before React has it, a press would load documents where the app navigates.
  await page.waitForFunction((id) => {
    const element = document.getElementById(id)
    return element !== null && Object.keys(element).some((key) => key.startsWith('__reactProps'))
  }, button)
  const [happened] = await Promise.all([until(page), page.locator(`#${button}`).click()])
  assert.ok(happened !== null)
}

/** The browser has sent an error that has this text, and Errata has it: what an earlier page sends late is another one. */
export const reported =
  (text: string): Until =>
  (page) =>
    page.waitForResponse((response) => {
      const sent = response.request().postData() ?? ''
      const isRelayed = new URL(response.url()).pathname === '/monitoring'
      return isRelayed && sent.includes('"type":"event"') && sent.includes(text)
    })

/** An error page shows its number, and the browser has said so. */
export const numberShown =
  (id: string, text: string): Until =>
  (page) =>
    Promise.all([reported(text)(page), page.locator(id).waitFor()])

/** So many requests for a path are answered: the page stays until then, or it would give the later ones up. */
export const answered =
  (path: string, times = 1): Until =>
  (page) => {
    let left = times
    return page.waitForResponse((response) => new URL(response.url()).pathname === path && --left === 0)
  }

export const heading =
  (text: string): Until =>
  async (page) => {
    await page.getByRole('heading', { name: text }).waitFor()
    return text
  }

export const urlIs =
  (path: string): Until =>
  async (page) => {
    await page.waitForURL((url) => url.pathname === path)
    return path
  }
