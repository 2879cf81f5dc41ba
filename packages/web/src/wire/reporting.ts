/** The SDK itself, loaded lazily. Everything that leaves the page goes through `private-event.ts` first. */
import {
  breadcrumbsIntegration,
  captureException,
  getCurrentScope,
  getTraceData,
  init,
} from '@sentry/browser'
import { PageRefusal, ServerFailure } from './failures.ts'
import { privateBreadcrumb, privateEvent } from './private-event.ts'

export interface ReportingOptions {
  readonly dsn: string
  readonly tunnel: string | null
  readonly release: string
  /** Trace that the document was made in. */
  readonly traceId: string
  /** Pattern of the page at a path. */
  readonly patternOf: (path: string) => string
  readonly onRecorded: (eventId: string) => void
}

export interface Reporting {
  /** Answers the event's id. */
  capture(error: unknown): string
  /** A page was opened by a link. */
  navigated(): void
  /** Value of the `sentry-trace` header, so that the server's failure joins the browser's trace. */
  trace(): string | undefined
}

export function startReporting(options: ReportingOptions): Reporting {
  const { dsn, tunnel, release, traceId, patternOf, onRecorded } = options
  const privacy = { origin: window.location.origin, patternOf }
  init({
    dsn,
    ...(tunnel === null ? {} : { tunnel }),
    release,
    environment: 'self',
    integrations: (defaults) => [
      ...defaults.filter(({ name }) => !LEFT_OUT.includes(name)),
      breadcrumbsIntegration({ dom: false, fetch: true, history: true, xhr: false }),
    ],
    beforeBreadcrumb: (breadcrumb) => privateBreadcrumb(breadcrumb, privacy),
    beforeSend: (event, hint) => {
      const thrown = hint.originalException
      if (thrown instanceof ServerFailure || thrown instanceof PageRefusal) return null
      if (event.event_id !== undefined) onRecorded(event.event_id)
      return privateEvent(event, privacy)
    },
  })
  inTrace(traceId)
  return {
    capture: (error) => captureException(error, { mechanism: { handled: false, type: 'errata.boundary' } }),
    navigated: () => inTrace(randomTraceId()),
    trace: () => getTraceData()['sentry-trace'],
  }
}

/** Replaced below, or what Errata does not store, which it does not send itself either. Console lines may quote a page. */
const LEFT_OUT: readonly string[] = ['Breadcrumbs', 'Console', 'BrowserSession']

function inTrace(traceId: string): void {
  getCurrentScope().setPropagationContext({ traceId, sampleRand: Math.random() })
}

function randomTraceId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
