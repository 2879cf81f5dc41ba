/**
 * Spans of Errata's own pages in this browser: the page load with its vitals, once, and each page opened by a
 * link. Sent when the page is left alone, gone or long there; its name is the pattern of its address.
 */
import type { SerializedStreamedSpan } from '@sentry/core'
import { watchVitals } from './page-vitals.ts'

export interface PageSegment {
  readonly traceId: string
  readonly spanId: string
}

/** The page that the document brought. */
export interface FirstPage extends PageSegment {
  /** Its pattern. */
  readonly name: string
}

export interface PageSpans {
  /** A page opened by a link is there: from `startMs` on, by `Date.now()`. */
  opened(segment: PageSegment, startMs: number): void
}

interface PageSpansOptions {
  readonly first: FirstPage
  readonly release: string
  /** Pattern of the page that is shown. */
  readonly pattern: () => string
  readonly send: (span: SerializedStreamedSpan) => void
}

/** Later, a page load says no more of itself. */
const SETTLED_MS = 8_000
/** Navigations of one document; a page that moves by itself is not sent for ever. */
const NAVIGATIONS_MAX = 200

export function startPageSpans({ first, release, pattern, send }: PageSpansOptions): PageSpans {
  const vitals = watchVitals()
  let [isLoadSent, navigations] = [false, 0]
  const segment = (name: string, op: string, of: PageSegment) => ({
    ...{ trace_id: of.traceId, span_id: of.spanId, name, status: 'ok' as const, is_segment: true },
    attributes: { 'sentry.op': text(op), 'sentry.release': text(release), ...SAID },
  })
  const sendLoad = (): void => {
    if (isLoadSent) return
    isLoadSent = true
    const measured = vitals.read()
    vitals.stop()
    const load = segment(first.name, 'pageload', first)
    const startMs = performance.timeOrigin
    send({
      ...load,
      // The document is the first half of the trace: see its `sentry-trace`.
      parent_span_id: first.traceId.slice(0, 16),
      start_timestamp: startMs / 1_000,
      end_timestamp: (startMs + loadedMs(measured)) / 1_000,
      attributes: { ...load.attributes, ...measuredAttributes(measured) },
    })
  }
  setTimeout(sendLoad, SETTLED_MS)
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') sendLoad()
  })
  return {
    opened(of, startMs) {
      sendLoad()
      navigations += 1
      if (navigations > NAVIGATIONS_MAX) return
      const times = { start_timestamp: startMs / 1_000, end_timestamp: Date.now() / 1_000 }
      send({ ...segment(pattern(), 'navigation', of), ...times })
    },
  }
}

const SAID = {
  'sentry.environment': text('self'),
  'sentry.sdk.name': text('sentry.javascript.browser'),
  'sentry.segment.name.source': text('route'),
}

function text(value: string) {
  return { type: 'string', value } as const
}

/** Until the browser had loaded it, and the largest of it was there. */
function loadedMs({ lcp = 0 }: Readonly<Record<string, number>>): number {
  const [navigation] = performance.getEntriesByType('navigation')
  const loaded = navigation instanceof PerformanceNavigationTiming ? navigation.loadEventEnd : 0
  return Math.max(lcp, loaded)
}

function measuredAttributes(measured: Readonly<Record<string, number>>) {
  return Object.fromEntries(
    Object.entries(measured).map(([name, value]) => [
      `browser.web_vital.${name}.value`,
      { type: 'double', value } as const,
    ]),
  )
}
