/** Somebody who walks through a deployed app, each step of which ends when what it causes has happened. */
import type { Page } from 'playwright-core'
import { type DeployedApp, isReady } from './deployed-app.ts'
import { quiet } from './quiet.ts'

export interface Visitor {
  readonly page: Page
  /** Loads the address as a document. */
  load(path: string, heading?: string): Promise<void>
  /** Follows the link to it on the first page. */
  follow(path: string, heading?: string): Promise<void>
  press(id: string): Promise<void>
}

export async function visitorOf({ url, tab }: DeployedApp): Promise<Visitor> {
  const page = await tab()
  const shown = (name: string) => page.getByRole('heading', { name }).waitFor()
  return {
    page,
    async load(path, heading) {
      await quiet(page)
      // Not its end: an answer that breaks while it is streamed has none.
      await page.goto(url + path, { waitUntil: 'commit' })
      if (heading !== undefined) await shown(heading)
    },
    async follow(path, heading) {
      await quiet(page)
      await page.goto(url)
      await isReady(page)
      await page.locator(`a[href="${path}"]`).click()
      if (heading !== undefined) await shown(heading)
    },
    press: (id) => page.locator(`#${id}`).click(),
  }
}

/** The browser has sent an event that has this text. Begins before what causes it. */
export const told = (page: Page, text: string) =>
  page.waitForResponse((response) => {
    const sent = response.request().postData() ?? ''
    return response.url().includes('/envelope/') && sent.includes('"type":"event"') && sent.includes(text)
  })

/** The address was asked for and answered. Begins before what causes it. */
export const answeredAt = (page: Page, address: string) =>
  page.waitForResponse((response) => response.url().includes(address))
