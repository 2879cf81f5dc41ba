/** Spans as SDKs send them, and the envelope that carries them. */
import type { SpansContext } from '#normalize/spans/fragments.ts'
import { NOW } from './times.ts'

export const TRACE = 'aaaabbbbccccddddaaaabbbbccccdddd'

export interface SpanParts {
  /** Id of one or two hex characters; the rest is filled up. */
  readonly id: string
  readonly parent?: string | null
  readonly name?: string
  readonly op?: string
  /** Milliseconds from `NOW`. */
  readonly at?: number
  readonly ms?: number
  readonly status?: string
  readonly isSegment?: boolean
  readonly segment?: string
  readonly trace?: string
  readonly attributes?: Readonly<Record<string, string | number | boolean>>
}

export function spanId(id: string): string {
  return id.padStart(16, '1')
}

/** A span of a batch, with typed attributes. */
export function aSpan(parts: SpanParts) {
  const { id, parent = null, name = 'GET /orders/[id]', op = 'http.server', at = 0, ms = 100 } = parts
  const { status = 'ok', isSegment = false, segment, trace = TRACE, attributes = {} } = parts
  const all = {
    'sentry.op': op,
    'sentry.sdk.name': 'sentry.javascript.node',
    ...(segment === undefined ? {} : { 'sentry.segment.id': spanId(segment) }),
    ...attributes,
  }
  return {
    ...{ trace_id: trace, span_id: spanId(id), name, status, is_segment: isSegment },
    ...(parent === null ? {} : { parent_span_id: spanId(parent) }),
    ...{ start_timestamp: (NOW + at) / 1_000, end_timestamp: (NOW + at + ms) / 1_000 },
    attributes: Object.fromEntries(
      Object.entries(all).map(([key, value]) => [key, { type: typeOf(value), value }]),
    ),
  }
}

function typeOf(value: string | number | boolean): string {
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'double'
  return typeof value
}

/** An envelope with one container of spans; `envelope`: what its header says. */
export function spanEnvelope(
  spans: readonly unknown[],
  settings: object = {},
  envelope: object = {},
): Uint8Array {
  const payload = JSON.stringify({ version: 2, ...settings, items: spans })
  const header = {
    ...{ type: 'span', item_count: spans.length, length: Buffer.byteLength(payload) },
    content_type: 'application/vnd.sentry.items.span.v2+json',
  }
  return Buffer.from(`${JSON.stringify(envelope)}\n${JSON.stringify(header)}\n${payload}\n`)
}

/** An envelope with one transaction. */
export function transactionEnvelope(transaction: Readonly<Record<string, unknown>>): Uint8Array {
  const payload = JSON.stringify({ type: 'transaction', ...transaction })
  const id = typeof transaction.event_id === 'string' ? { event_id: transaction.event_id } : {}
  const header = { type: 'transaction', length: Buffer.byteLength(payload) }
  return Buffer.from(`${JSON.stringify(id)}\n${JSON.stringify(header)}\n${payload}\n`)
}

/** Builds what an envelope says beside its spans. */
export function aSpansContext(change: Partial<SpansContext> = {}): SpansContext {
  return {
    ...{ eventId: null, receivedMs: NOW + 1_000, sentAt: null, clientAddress: null, userAgent: null },
    ...{ sdk: undefined, client: null, trace: undefined, ...change },
  }
}
