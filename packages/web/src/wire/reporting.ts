/** The SDK itself, loaded lazily. Everything that leaves the page goes through `private-event.ts` first. */
import {
  breadcrumbsIntegration,
  captureException,
  getCurrentScope,
  getTraceData,
  init,
  startInactiveSpan,
} from '@sentry/browser'
import { PageRefusal, ServerFailure } from './failures.ts'
import { privateBreadcrumb, privateEvent, privateTransaction } from './private-event.ts'

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
  /** A page was opened by a link; `startedMs` on the clock of `performance.now()`. */
  navigated(pattern: string, startedMs: number): void
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
    tracesSampleRate: 1,
    // One item for each page that was opened, instead of a stream of spans.
    traceLifecycle: 'static',
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
    beforeSendTransaction: (event) => privateTransaction(event, privacy),
  })
  inTrace(traceId)
  recordPageLoad(patternOf(window.location.pathname))
  return {
    capture: (error) => captureException(error, { mechanism: { handled: false, type: 'errata.boundary' } }),
    navigated(pattern, startedMs) {
      inTrace(randomTraceId())
      span(pattern, 'navigation', { startMs: startedMs, endMs: performance.now() })
    },
    trace: () => getTraceData()['sentry-trace'],
  }
}

/** Replaced below, or nothing Errata asks about itself. Console lines may quote a page. */
const LEFT_OUT: readonly string[] = ['Breadcrumbs', 'Console', 'BrowserSession']

function inTrace(traceId: string): void {
  getCurrentScope().setPropagationContext({ traceId, sampleRand: Math.random() })
}

function randomTraceId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** From the request of the document until the app could be used. */
function recordPageLoad(pattern: string): void {
  const [timing] = performance.getEntriesByType('navigation')
  if (!(timing instanceof PerformanceNavigationTiming)) return
  span(pattern, 'pageload', {
    startMs: 0,
    endMs: timing.loadEventEnd > 0 ? timing.loadEventEnd : performance.now(),
    attributes: {
      'browser.performance.time_to_first_byte': timing.responseStart,
      'browser.performance.dom_interactive': timing.domInteractive,
      'http.response.status_code': timing.responseStatus,
    },
  })
}

interface SpanTimes {
  readonly startMs: number
  readonly endMs: number
  readonly attributes?: Readonly<Record<string, number>>
}

function span(name: string, op: 'pageload' | 'navigation', { startMs, endMs, attributes }: SpanTimes): void {
  const at = (ms: number) => (performance.timeOrigin + ms) / 1_000
  const started = startInactiveSpan({
    name,
    op,
    forceTransaction: true,
    startTime: at(startMs),
    attributes: { 'sentry.source': 'route', ...attributes },
  })
  started.end(at(endMs))
}
