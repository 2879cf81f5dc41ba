/**
 * Waits until a page asks for nothing more: leaving earlier cuts requests off, and its SDK reports them as
 * `Failed to fetch`.
 */
import type { Page, Request } from 'playwright-core'
import { waitFor } from '../support/wait-for.ts'

const QUIET_MS = 250
/** An answer that never ends is cut off in any case. */
const WITHIN_MS = 5_000

interface Watched {
  readonly open: Set<Request>
  lastMs: number
}

const PAGES = new WeakMap<Page, Watched>()

/** Begins to count what the page asks for. */
export function watchRequests(page: Page): void {
  const watched: Watched = { open: new Set(), lastMs: performance.now() }
  PAGES.set(page, watched)
  page.on('request', (request) => {
    watched.open.add(request)
    watched.lastMs = performance.now()
  })
  const ended = (request: Request) => {
    watched.open.delete(request)
    watched.lastMs = performance.now()
  }
  page.on('requestfinished', ended)
  page.on('requestfailed', ended)
}

/** Waits until the page asks for nothing any more, so that it can be left. */
export async function quiet(page: Page): Promise<void> {
  const watched = PAGES.get(page)
  if (watched === undefined) return
  const endMs = performance.now() + WITHIN_MS
  await waitFor('a quiet page', async () => {
    const nowMs = performance.now()
    return nowMs > endMs || (watched.open.size === 0 && nowMs - watched.lastMs > QUIET_MS)
  })
}

/** Leaves the page, once it is quiet. */
export async function leave(page: Page): Promise<void> {
  await quiet(page)
  await page.goto('about:blank')
}
