/** Events as an SDK sends them, made by hand. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'

export interface EventParts {
  readonly type?: string
  readonly message: string
  /** Anything else of the event; wins over what is made here. */
  readonly more?: Readonly<Record<string, unknown>>
}

/** An error with two frames, one of the app and one of a library. */
export function anEvent({ type = 'Error', message, more = {} }: EventParts) {
  return {
    event_id: randomUUID().replaceAll('-', ''),
    timestamp: Date.now() / 1_000,
    platform: 'node',
    level: 'error',
    environment: 'production',
    release: 'shop@1.0.0',
    sdk: { name: 'sentry.javascript.node', version: '11.12.0' },
    exception: { values: [{ type, value: message, stacktrace: { frames: FRAMES } }] },
    ...more,
  }
}

const FRAMES = [
  {
    function: 'handleRequest',
    filename: 'node_modules/express/lib/router.js',
    abs_path: '/srv/shop/node_modules/express/lib/router.js',
    lineno: 12,
    colno: 3,
    in_app: false,
  },
  {
    function: 'checkOut',
    filename: 'src/cart.js',
    abs_path: '/srv/shop/src/cart.js',
    lineno: 41,
    colno: 9,
    in_app: true,
    pre_context: ['function checkOut(cart) {'],
    context_line: '  return pay(cart.total.amount)',
    post_context: ['}'],
  },
]

/** Posts one event to the DSN's envelope endpoint and answers its id; fails unless the answer is 200. */
export async function send(dsn: string, event: ReturnType<typeof anEvent>): Promise<string> {
  const answer = await post(dsn, event)
  assert.equal(answer.status, 200, await answer.text())
  return event.event_id
}

/** The same, answering what came back. */
export function post(dsn: string, event: ReturnType<typeof anEvent>): Promise<Response> {
  const { username, pathname, origin } = new URL(dsn)
  const envelope = `${JSON.stringify({ event_id: event.event_id, dsn })}\n{"type":"event"}\n${JSON.stringify(event)}`
  return fetch(`${origin}/api${pathname}/envelope/?sentry_key=${username}&sentry_version=7`, {
    method: 'POST',
    body: envelope,
    headers: { 'content-type': 'application/x-sentry-envelope' },
  })
}

export interface SpanParts {
  readonly id: string
  readonly parent?: string
  readonly op: string
  readonly name: string
  /** Milliseconds since 1970. */
  readonly atMs: number
  readonly ms: number
  /** Span id of the segment; its own if it is one. */
  readonly segment: string
  readonly trace: string
  readonly status?: string
  readonly attributes?: Readonly<Record<string, string | number | boolean>>
}

/** Posts spans as a batch of version 2, as SDKs of generation 11 do; `isBrowser`: as their browser half does. */
export async function sendSpans(dsn: string, spans: readonly SpanParts[], isBrowser = false): Promise<void> {
  const settings = isBrowser ? { ingest_settings: { infer_ip: 'never', infer_user_agent: 'never' } } : {}
  const payload = JSON.stringify({ version: 2, ...settings, items: spans.map(asSent) })
  const header = {
    ...{ type: 'span', item_count: spans.length, length: Buffer.byteLength(payload) },
    content_type: 'application/vnd.sentry.items.span.v2+json',
  }
  const { username, pathname, origin } = new URL(dsn)
  const answer = await fetch(`${origin}/api${pathname}/envelope/?sentry_key=${username}&sentry_version=7`, {
    method: 'POST',
    body: `{}\n${JSON.stringify(header)}\n${payload}\n`,
    headers: { 'content-type': 'application/x-sentry-envelope' },
  })
  assert.equal(answer.status, 200, await answer.text())
}

function asSent(span: SpanParts) {
  const { id, parent, op, name, atMs, ms, segment, trace, status = 'ok', attributes = {} } = span
  const all = { 'sentry.op': op, 'sentry.segment.id': segment, ...attributes }
  return {
    ...{ trace_id: trace, span_id: id, name, status, is_segment: id === segment },
    ...(parent === undefined ? {} : { parent_span_id: parent }),
    ...{ start_timestamp: atMs / 1_000, end_timestamp: (atMs + ms) / 1_000 },
    attributes: Object.fromEntries(
      Object.entries(all).map(([key, value]) => [
        key,
        { type: typeof value === 'number' ? 'integer' : typeof value, value },
      ]),
    ),
  }
}
