/**
 * Parts of the SDK, loaded lazily: its stack parser, exceptions with their causes, and what a server's limits mean. The
 * client around them, its scopes and its transport are four fifths of the bytes and serve what Errata does not send of
 * itself: spans are of pages only. Everything that leaves the page goes through `private-event.ts` first.
 */
import { type Breadcrumb, SDK_VERSION } from '@sentry/browser'
import type { SerializedStreamedSpan } from '@sentry/core'
import { PageRefusal, ServerFailure } from './failures.ts'
import { type FirstPage, type PageSpans, startPageSpans } from './page-spans.ts'
import { privateBreadcrumb, privateEvent } from './private-event.ts'
import { randomHex } from './random-hex.ts'
import { createReportSender } from './report-sender.ts'
import { eventOfThrown, type ThrownEvent } from './thrown.ts'

export interface ReportingOptions {
  readonly dsn: string
  readonly tunnel: string | null
  readonly release: string
  /** Trace of the page that is shown. */
  readonly traceId: () => string
  /** Returns earlier breadcrumbs, oldest first. */
  readonly breadcrumbs: () => readonly Breadcrumb[]
  /** Pattern of the page at a path. */
  readonly patternOf: (path: string) => string
  readonly onRecorded: (eventId: string) => void
  /** The page load as a span. */
  readonly first: FirstPage
}

/** How an error came to be known. */
type Mechanism =
  | 'errata.boundary'
  | 'auto.browser.global_handlers.onerror'
  | 'auto.browser.global_handlers.onunhandledrejection'

export interface Reporting extends PageSpans {
  /** Answers the event's id; `null` for what the server has recorded itself. */
  capture(error: unknown): string | null
}

const SDK = { name: 'sentry.javascript.browser', version: SDK_VERSION } as const

export function startReporting(options: ReportingOptions): Reporting {
  const { sendEvent, sendSpan } = createSenders(options)
  const { first, release, patternOf } = options
  const pattern = () => patternOf(window.location.pathname)
  const spans = startPageSpans({ first, release, pattern, send: sendSpan })
  const known = new WeakMap<object, string>()
  let last = ''
  const report = (error: unknown, mechanism: Mechanism): string | null => {
    if (error instanceof ServerFailure || error instanceof PageRefusal) return null
    const isObject = typeof error === 'object' && error !== null
    const before = isObject ? known.get(error) : undefined
    if (before !== undefined) return before
    const id = randomHex(32)
    if (isObject) known.set(error, id)
    const event = eventOfThrown(error)
    const values = event.exception?.values?.map((value, index, all) =>
      index === all.length - 1
        ? { ...value, mechanism: { ...value.mechanism, handled: false, type: mechanism } }
        : value,
    )
    // What fails in a loop is sent once.
    const print = JSON.stringify(values ?? event.message)
    if (print === last) return id
    last = print
    options.onRecorded(id)
    sendEvent({ ...event, event_id: id, ...(values === undefined ? {} : { exception: { values } }) })
    return id
  }
  window.addEventListener('error', ({ error, message }) => {
    report(error ?? message, 'auto.browser.global_handlers.onerror')
  })
  window.addEventListener('unhandledrejection', ({ reason }) => {
    report(reason, 'auto.browser.global_handlers.onunhandledrejection')
  })
  return { ...spans, capture: (error) => report(error, 'errata.boundary') }
}

type EventOfError = ThrownEvent & { readonly event_id: string }

function createSenders(options: ReportingOptions) {
  const send = createReportSender({ ...options, sdk: SDK })
  return {
    sendEvent: (event: EventOfError): void => {
      send({
        category: 'error',
        header: { event_id: event.event_id },
        itemHeader: { type: 'event' },
        payload: eventItem(event, options),
      })
    },
    sendSpan: (span: SerializedStreamedSpan): void => {
      send({ category: 'span', header: {}, itemHeader: SPANS_HEADER, payload: { ...SPANS, items: [span] } })
    },
  }
}

const SPANS_HEADER = {
  type: 'span',
  item_count: 1,
  content_type: 'application/vnd.sentry.items.span.v2+json',
} as const
/** The browser is told by its User-Agent; of the address nothing is kept. */
const SPANS = { version: 2, ingest_settings: { infer_ip: 'never', infer_user_agent: 'auto' } } as const

function eventItem(event: EventOfError, { release, traceId, breadcrumbs, patternOf }: ReportingOptions) {
  const privacy = { origin: window.location.origin, patternOf }
  const full = {
    ...event,
    type: undefined,
    platform: 'javascript',
    timestamp: Date.now() / 1000,
    release,
    environment: 'self',
    sdk: SDK,
    request: { url: window.location.href },
    contexts: { trace: { trace_id: traceId(), span_id: randomHex(16) } },
    breadcrumbs: breadcrumbs().map((breadcrumb) => privateBreadcrumb(breadcrumb, privacy)),
  } as const
  return privateEvent(full, privacy)
}
