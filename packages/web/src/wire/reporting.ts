/**
 * What is needed of the SDK, loaded lazily: its stack parser, its events, its transport. The client around them is left
 * out, for it is two thirds of the bytes and serves tracing, sessions and logs, which Errata does not send of itself.
 * Everything that leaves the page goes through `private-event.ts` first.
 */
import {
  type Breadcrumb,
  defaultStackParser,
  type ErrorEvent,
  eventFromException,
  exceptionFromError,
  makeFetchTransport,
  SDK_VERSION,
} from '@sentry/browser'
import {
  applyAggregateErrorsToEvent,
  createEnvelope,
  dsnFromString,
  type EventEnvelope,
  getEnvelopeEndpointWithUrlEncodedAuth,
} from '@sentry/core'
import { PageRefusal, ServerFailure } from './failures.ts'
import { privateBreadcrumb, privateEvent } from './private-event.ts'
import { randomHex } from './random-hex.ts'

export interface ReportingOptions {
  readonly dsn: string
  readonly tunnel: string | null
  readonly release: string
  /** Trace of the page that is shown. */
  readonly traceId: () => string
  /** What happened before, oldest first. */
  readonly breadcrumbs: () => readonly Breadcrumb[]
  /** Pattern of the page at a path. */
  readonly patternOf: (path: string) => string
  readonly onRecorded: (eventId: string) => void
}

/** How an error came to be known. */
type Mechanism =
  | 'errata.boundary'
  | 'auto.browser.global_handlers.onerror'
  | 'auto.browser.global_handlers.onunhandledrejection'

export interface Reporting {
  /** Answers the event's id; `null` for what the server has recorded itself. */
  capture(error: unknown): string | null
}

const SDK = { name: 'sentry.javascript.browser', version: SDK_VERSION } as const
const CAUSES_MAX = 5

export function startReporting(options: ReportingOptions): Reporting {
  const send = createSender(options)
  const known = new WeakMap<object, string>()
  let last = ''
  const report = (error: unknown, mechanism: Mechanism): string | null => {
    if (error instanceof ServerFailure || error instanceof PageRefusal) return null
    const isObject = typeof error === 'object' && error !== null
    const before = isObject ? known.get(error) : undefined
    if (before !== undefined) return before
    const id = randomHex(32)
    if (isObject) known.set(error, id)
    void eventFromException(defaultStackParser, error, { event_id: id }).then((event) => {
      applyAggregateErrorsToEvent(exceptionFromError, defaultStackParser, 'cause', CAUSES_MAX, event, {
        originalException: error,
      })
      const values = event.exception?.values?.map((value, index, all) =>
        index === all.length - 1
          ? { ...value, mechanism: { ...value.mechanism, handled: false, type: mechanism } }
          : value,
      )
      // What fails in a loop is sent once.
      const print = JSON.stringify(values ?? event.message)
      if (print === last) return
      last = print
      options.onRecorded(id)
      send({ ...event, event_id: id, ...(values === undefined ? {} : { exception: { values } }) })
    })
    return id
  }
  window.addEventListener('error', ({ error, message }) => {
    report(error ?? message, 'auto.browser.global_handlers.onerror')
  })
  window.addEventListener('unhandledrejection', ({ reason }) => {
    report(reason, 'auto.browser.global_handlers.onunhandledrejection')
  })
  return { capture: (error) => report(error, 'errata.boundary') }
}

type EventOfError = Omit<ErrorEvent, 'type'> & { readonly event_id: string }

/** Sends an event as an envelope of its own; what the server holds back, the transport does not send. */
function createSender({ dsn, tunnel, release, traceId, breadcrumbs, patternOf }: ReportingOptions) {
  const parts = dsnFromString(dsn)
  if (parts === undefined) return () => {}
  const url = tunnel ?? getEnvelopeEndpointWithUrlEncodedAuth(parts, undefined, SDK)
  const transport = makeFetchTransport({ url, recordDroppedEvent() {} })
  const privacy = { origin: window.location.origin, patternOf }
  return (event: EventOfError): void => {
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
    const headers = { event_id: event.event_id, sent_at: new Date().toISOString(), sdk: SDK }
    const envelope = createEnvelope<EventEnvelope>({ ...headers, ...(tunnel === null ? {} : { dsn }) }, [
      [{ type: 'event' }, privateEvent(full, privacy)],
    ])
    // Offline, or blocked: there is nobody left to tell.
    transport.send(envelope).then(null, () => {})
  }
}
