/** Requests of an app as SDKs trace them: segments with queries below, and page loads with their web vitals. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { spanEnvelope, transactionEnvelope } from '../../packages/server/testing/builders/spans.ts'

export interface SentRequest {
  readonly route: string
  readonly kind?: 'document' | 'page-data' | 'prefetch'
  readonly ms: number
  readonly agoMs?: number
  /** `behind 200`: it threw, and the status says that all is well. */
  readonly end?: 'ok' | 'failed' | 'behind 200'
  readonly release?: string
  /** So often the same query runs, one after the other. */
  readonly queries?: number
  /** Vitals of the page load that asked for it. */
  readonly vitals?: Readonly<Record<string, number>>
}

const KINDS = {
  document: { 'next.rsc': false },
  'page-data': { 'next.rsc': true },
  prefetch: { 'next.rsc': true, 'http.request.header.next-router-prefetch': '1' },
} as const
const RELEASE = 'shop@1.0.0'

export async function sendRequests(dsn: string, requests: readonly SentRequest[]): Promise<void> {
  await post(dsn, spanEnvelope(requests.flatMap(spansOf)))
  for (const request of requests) {
    if (request.vitals !== undefined) await post(dsn, pageLoad(request, request.vitals))
  }
}

function spansOf(request: SentRequest): readonly object[] {
  const { route, kind = 'document', ms, agoMs = 60_000, end = 'ok', release = RELEASE, queries = 0 } = request
  const [trace, segment] = [hex(16), hex(8)]
  const startMs = Date.now() - agoMs - ms
  const shared = {
    ...{ 'sentry.segment.id': segment, 'sentry.segment.name': `GET ${route}`, 'sentry.release': release },
    ...{ 'sentry.environment': 'production', 'sentry.sdk.name': 'sentry.javascript.nextjs' },
  }
  const answered = { 'http.request.method': 'GET', 'http.response.status_code': end === 'failed' ? 500 : 200 }
  const root = span({
    ...{ trace_id: trace, span_id: segment, name: `GET ${route}`, is_segment: true },
    ...{ status: end === 'ok' ? 'ok' : 'error', startMs, ms },
    attributes: { ...shared, ...answered, 'sentry.op': 'http.server', 'http.route': route, ...KINDS[kind] },
  })
  const below = Array.from({ length: queries }, (_, at) =>
    span({
      ...{ trace_id: trace, span_id: hex(8), parent_span_id: segment, is_segment: false, status: 'ok' },
      ...{ name: `SELECT * FROM lines WHERE id = ${at}`, startMs: startMs + at * 5, ms: 4 },
      attributes: { ...shared, 'sentry.op': 'db' },
    }),
  )
  return [root, ...below]
}

interface SpanParts extends Readonly<Record<string, unknown>> {
  readonly startMs: number
  readonly ms: number
  readonly attributes: Readonly<Record<string, string | number | boolean>>
}

function span({ startMs, ms, attributes, ...rest }: SpanParts): object {
  const typed = Object.entries(attributes).map(([key, value]) => [
    key,
    { type: typeof value === 'number' ? 'integer' : typeof value, value },
  ])
  return {
    ...rest,
    ...{ start_timestamp: startMs / 1_000, end_timestamp: (startMs + ms) / 1_000 },
    attributes: Object.fromEntries(typed),
  }
}

/** A browser sends one of four. */
function pageLoad(
  { route, agoMs = 60_000 }: SentRequest,
  vitals: Readonly<Record<string, number>>,
): Uint8Array {
  const start = (Date.now() - agoMs) / 1_000
  const trace = { trace_id: hex(16), span_id: hex(8), op: 'pageload', data: { 'sentry.sample_rate': 0.25 } }
  const unit = (vital: string) => (vital === 'cls' ? '' : 'millisecond')
  return transactionEnvelope({
    ...{ event_id: hex(16), transaction: route, platform: 'javascript', release: RELEASE },
    ...{ environment: 'production', start_timestamp: start, timestamp: start + 1.5, spans: [] },
    ...{ transaction_info: { source: 'route' }, contexts: { trace } },
    measurements: Object.fromEntries(
      Object.entries(vitals).map(([vital, value]) => [vital, { value, unit: unit(vital) }]),
    ),
  })
}

async function post(dsn: string, envelope: Uint8Array): Promise<void> {
  const { origin, pathname, username } = new URL(dsn)
  const answer = await fetch(`${origin}/api${pathname}/envelope/?sentry_key=${username}`, {
    method: 'POST',
    body: Buffer.from(envelope),
  })
  await answer.body?.cancel()
  assert.equal(answer.status, 200)
}

function hex(bytes: number): string {
  return randomBytes(bytes).toString('hex')
}
