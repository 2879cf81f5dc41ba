/**
 * Errata's own requests as spans of its own project: the web app says what it answered, a few are kept for each stretch of
 * time and sent together, long after their answers have left. Of a request goes out its route pattern, its kind, how it ended
 * and how long it took; never a path, a query or a person. What comes through accept is no request of the web app, so
 * nothing loops.
 */
import { writeEnvelope } from '@errata/protocol'
import type { Clock } from '#base/clock.ts'
import type { Log } from '#base/log.ts'
import type { Random } from '#base/random.ts'
import { max } from '#limits/limits.ts'
import type { RequestKind } from '#model/event.ts'
import { type SelfSender, sendSelf } from './self-send.ts'

/** A request that Errata's web app has answered. */
export interface SelfRequest {
  readonly requestKind: Extract<
    RequestKind,
    'document' | 'page-data' | 'prefetch' | 'action' | 'route-handler'
  >
  readonly method: string
  /** The route pattern such as `/:org/issues/:id`. */
  readonly route: string
  /** Name of an action; `null` for anything else, and where the form did not say. */
  readonly action: string | null
  readonly status: number
  /** 32 hex characters. */
  readonly traceId: string
  /** The span of the browser that asked; `null` for a document, which its page goes on from. */
  readonly parentSpanId: string | null
  /** When it was answered, and how long that took. */
  readonly atMs: number
  readonly ms: number
}

export interface SelfTrace {
  /** Takes note of a request; never throws, never waits. */
  record(request: SelfRequest): void
  /** Drops what is not sent yet. */
  close(): void
}

interface SelfTraceOptions extends SelfSender {
  readonly release: string
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
}

/** Time over which spans are gathered into one envelope. */
const STRETCH_MS = 5_000
const CONTENT_TYPE = 'application/vnd.sentry.items.span.v2+json'

export function createSelfTrace(options: SelfTraceOptions): SelfTrace {
  const requestsMax = max('selfRequestsPerBatch')
  let kept: SelfRequest[] = []
  let seen = 0
  let timer: NodeJS.Timeout | null = null
  const flush = () => {
    timer = null
    const [requests, share] = [kept, kept.length / seen]
    kept = []
    seen = 0
    sendSelf(selfBatch(requests, share, options), options).catch((cause: unknown) => {
      options.log.warn('own requests not recorded', { reason: String(cause).slice(0, 200) })
    })
  }
  return {
    record(request) {
      seen += 1
      if (kept.length < requestsMax) kept.push(request)
      timer ??= setTimeout(flush, STRETCH_MS).unref()
    },
    close() {
      if (timer !== null) clearTimeout(timer)
      timer = null
      kept = []
    },
  }
}

/** `share`: of all requests of the stretch, so that figures count those that were left out too. */
function selfBatch(
  requests: readonly SelfRequest[],
  share: number,
  { clock, random, release }: SelfTraceOptions,
): Uint8Array {
  const items = requests.map((request) => {
    const { method, route, traceId, parentSpanId: parent, status, atMs, ms } = request
    return {
      ...{ trace_id: traceId, is_segment: true, name: `${method} ${route}` },
      // The page names its document by the first half of the trace: see the document's `sentry-trace`.
      ...(parent === null
        ? { span_id: traceId.slice(0, 16) }
        : { span_id: random.hex(8), parent_span_id: parent }),
      ...{ start_timestamp: (atMs - ms) / 1_000, end_timestamp: atMs / 1_000 },
      status: status >= 500 ? 'error' : 'ok',
      attributes: typeAttributes({
        ...requestAttributes(request),
        'sentry.sample_rate': share,
        'sentry.release': release,
      }),
    }
  })
  const header = { type: 'span', item_count: items.length, content_type: CONTENT_TYPE }
  const payload = JSON.stringify({ version: 2, items })
  return writeEnvelope({ sent_at: new Date(clock.now()).toISOString() }, [{ header, payload }])
}

function requestAttributes({ method, route, requestKind, action, status }: SelfRequest) {
  return {
    'sentry.op': 'http.server',
    'sentry.environment': 'self',
    'sentry.sdk.name': 'sentry.javascript.errata',
    'sentry.segment.name.source': 'route',
    'process.runtime.name': 'node',
    'process.runtime.version': process.version,
    'http.request.method': method,
    'http.response.status_code': status,
    'http.route': route,
    'errata.request_kind': requestKind,
    ...(action === null ? {} : { 'errata.action': action }),
  }
}

function typeAttributes(attributes: Readonly<Record<string, string | number>>) {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => {
      const type = typeof value === 'string' ? 'string' : Number.isInteger(value) ? 'integer' : 'double'
      return [name, { type, value }]
    }),
  )
}
