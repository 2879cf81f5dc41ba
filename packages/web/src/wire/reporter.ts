/**
 * The browser half of Errata's reports to itself. The SDK is loaded after hydration; what fails before that waits in
 * the document's buffer. What is sent says which route pattern it was, never the address, title or text of a page.
 */
import type { PageState } from './answers.ts'
import { PageRefusal, ServerFailure } from './failures.ts'
import type { Reporting, ReportingOptions } from './reporting.ts'

export interface Reporter {
  /** Records an error that an error boundary caught; the same error is recorded once. */
  capture(error: unknown): void
  /** Id of the event that an error was recorded as; `null` when it was not, or is not yet. */
  eventIdOf(error: unknown): Promise<string | null>
  /** Calls `listener` with the id of each event that is recorded from now on; answers how to stop. */
  onRecorded(listener: (eventId: string) => void): () => void
  /** A page was opened by a link. */
  navigated(): void
  /** Value of the `sentry-trace` header; `undefined` until the SDK is there. */
  trace(): string | undefined
}

declare global {
  /** What the document's own script keeps until the SDK is there. */
  interface Window {
    errataEarly?: unknown[]
    errataEarlyStop?: () => void
  }
}

/** How many errors wait for the SDK. */
const WAITING_MAX = 20

export function startReporter(state: PageState, options: Pick<ReportingOptions, 'patternOf'>): Reporter {
  const { report, build } = state
  if (report === null)
    return {
      capture() {},
      eventIdOf: async () => null,
      onRecorded: () => () => {},
      navigated() {},
      trace: () => undefined,
    }
  const ids = new WeakMap<object, string>()
  const listeners = new Set<(eventId: string) => void>()
  const onRecorded = (eventId: string) => {
    for (const listener of listeners) listener(eventId)
  }
  let current: Reporting | null = null
  const loaded = whenIdle().then(async () => {
    const { startReporting } = await import('./reporting.ts')
    const reporting = startReporting({
      ...options,
      ...report,
      release: build,
      traceId: state.traceId,
      onRecorded,
    })
    current = reporting
    window.errataEarlyStop?.()
    for (const error of window.errataEarly ?? []) send(reporting, ids, error)
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
        if (reporting !== null) send(reporting, ids, error)
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
    navigated: () => void settled.then((reporting) => reporting?.navigated()),
    trace: () => current?.trace(),
  }
}

/** What the server answered with was recorded there. */
function send(reporting: Reporting, ids: WeakMap<object, string>, error: unknown): void {
  if (error instanceof ServerFailure || error instanceof PageRefusal) return
  if (typeof error === 'object' && error !== null && ids.has(error)) return
  const id = reporting.capture(error)
  if (typeof error === 'object' && error !== null) ids.set(error, id)
}

const IDLE_MS_MAX = 2_000

function whenIdle(): Promise<void> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: IDLE_MS_MAX })
    else setTimeout(resolve, 1)
  })
}
