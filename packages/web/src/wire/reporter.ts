/**
 * The browser half of Errata's reports to itself. What is needed of the SDK is loaded once the page is there and the
 * browser idle; what fails before that waits, here or in the document's buffer. What is sent says which route pattern
 * it was, never the address, title or text of a page.
 */
import type { Breadcrumb } from '@sentry/browser'
import type { PageState } from './answers.ts'
import type { PageSegment } from './page-spans.ts'
import { randomHex } from './random-hex.ts'
import type { Reporting, ReportingOptions } from './reporting.ts'

export interface Reporter {
  /** Records an error that an error boundary caught; the same error is recorded once. */
  capture(error: unknown): void
  /** Id of the event that an error was recorded as; `null` when it was not. */
  eventIdOf(error: unknown): Promise<string | null>
  /** Calls `listener` with the id of each event that is recorded from now on; answers how to stop. */
  onRecorded(listener: (eventId: string) => void): () => void
  /** Whether another page is being opened, as often as that is said. */
  going(isGoing: boolean): void
  /** A page was opened by a link. */
  navigated(): void
  /** Value of the `sentry-trace` header, so that the server's failure joins the browser's trace. */
  trace(): string | undefined
  /** The same `fetch`, whose requests are noted as what happened before an error. */
  noting(fetch: typeof window.fetch): typeof window.fetch
}

declare global {
  /** Queue that the document's own script keeps until the SDK is there. */
  interface Window {
    errataEarly?: unknown[]
    errataEarlyStop?: () => void
  }
}

/** How many errors wait for the SDK. */
const WAITING_MAX = 20
const BREADCRUMBS_MAX = 50

const SILENT: Reporter = {
  capture() {},
  eventIdOf: async () => null,
  onRecorded: () => () => {},
  going() {},
  navigated() {},
  trace: () => undefined,
  noting: (fetch) => fetch,
}

export function startReporter(state: PageState, options: Pick<ReportingOptions, 'patternOf'>): Reporter {
  const { report, build } = state
  if (report === null) return SILENT
  const ids = new WeakMap<object, string>()
  const listeners = new Set<(eventId: string) => void>()
  const { breadcrumbs, note } = createBreadcrumbs()
  let path = window.location.pathname
  const first = { name: options.patternOf(path), traceId: state.traceId, spanId: randomHex(16) }
  let segment: PageSegment = first
  let goingSinceMs: number | null = null
  const send = (reporting: Reporting, error: unknown): void => {
    const id = reporting.capture(error)
    if (id !== null && typeof error === 'object' && error !== null) ids.set(error, id)
  }
  const loaded = whenIdle().then(async () => {
    const { startReporting } = await import('./reporting.ts')
    const reporting = startReporting({
      ...options,
      ...report,
      release: build,
      first,
      traceId: () => segment.traceId,
      breadcrumbs: () => breadcrumbs,
      onRecorded: (eventId) => {
        for (const listener of listeners) listener(eventId)
      },
    })
    window.errataEarlyStop?.()
    for (const error of window.errataEarly ?? []) send(reporting, error)
    window.errataEarly = []
    return reporting
  })
  // Without the SDK (blocked, offline) the app works on; there is nobody left to tell.
  const settled = loaded.catch(() => null)
  let waiting = 0
  return {
    capture(error) {
      if (waiting >= WAITING_MAX) return
      waiting += 1
      void settled.then((reporting) => {
        waiting -= 1
        if (reporting !== null) send(reporting, error)
      })
    },
    async eventIdOf(error) {
      await settled
      return typeof error === 'object' && error !== null ? (ids.get(error) ?? null) : null
    },
    onRecorded(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    going(isGoing) {
      if (isGoing === (goingSinceMs !== null)) return
      const startMs = goingSinceMs
      goingSinceMs = isGoing ? Date.now() : null
      // What is asked for on the way belongs to the page that comes.
      if (isGoing) segment = { traceId: randomHex(32), spanId: randomHex(16) }
      const of = segment
      if (startMs !== null) void settled.then((reporting) => reporting?.opened(of, startMs))
    },
    navigated() {
      const from = path
      path = window.location.pathname
      note({ category: 'navigation', data: { from, to: path } })
    },
    trace: () => `${segment.traceId}-${segment.spanId}`,
    noting: (fetch) => notingFetch(fetch, note),
  }
}

function createBreadcrumbs() {
  const breadcrumbs: Breadcrumb[] = []
  const note = (breadcrumb: Breadcrumb): void => {
    breadcrumbs.push({ ...breadcrumb, timestamp: Date.now() / 1000 })
    if (breadcrumbs.length > BREADCRUMBS_MAX) breadcrumbs.shift()
  }
  return { breadcrumbs, note }
}

function notingFetch(
  fetch: typeof window.fetch,
  note: (breadcrumb: Breadcrumb) => void,
): typeof window.fetch {
  return async (input, init) => {
    const data = { url: String(input), method: init?.method ?? 'GET' }
    try {
      const answer = await fetch(input, init)
      note({ category: 'fetch', type: 'http', data: { ...data, status_code: answer.status } })
      return answer
    } catch (error) {
      note({ category: 'fetch', type: 'http', level: 'error', data })
      throw error
    }
  }
}

const IDLE_MS_MAX = 2_000

/** After everything that the page itself needs. */
async function whenIdle(): Promise<void> {
  if (document.readyState !== 'complete')
    await new Promise((resolve) => window.addEventListener('load', resolve, { once: true }))
  await new Promise<void>((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: IDLE_MS_MAX })
    else setTimeout(resolve, 1)
  })
}
