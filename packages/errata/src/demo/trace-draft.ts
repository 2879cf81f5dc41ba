/**
 * Spans of one trace of the sample as SDKs send them: each segment of a JavaScript half as a batch of its own, of the
 * Python half as a transaction.
 */
import { type DemoItem, hexId } from './plan-events.ts'

export interface SpanParts {
  readonly name: string
  readonly op: string
  readonly startMs: number
  readonly ms: number
  /** `null` where nothing is above it. */
  readonly parent: string | null
  readonly id?: string
  readonly isFailed?: boolean
  readonly attributes?: Readonly<Record<string, string | number | boolean>>
}

/** Service or browser that runs a segment. */
export interface Runner {
  readonly project: string
  readonly half: 'browser' | 'server' | 'python'
  readonly release: string
  readonly userId: string
}

interface DraftedSpan extends SpanParts {
  readonly id: string
}

/** Segment: its own span first, then what it did below it. */
export class SegmentDraft {
  readonly id: string
  readonly #traceId: string
  readonly #runner: Runner
  readonly #random: () => number
  readonly #spans: DraftedSpan[] = []

  constructor(
    of: { readonly traceId: string; readonly random: () => number },
    runner: Runner,
    own: SpanParts,
  ) {
    this.#traceId = of.traceId
    this.#random = of.random
    this.#runner = runner
    this.id = this.add(own)
  }

  /** Answers the span's id. */
  add(parts: SpanParts): string {
    const id = parts.id ?? hexId(this.#random, 16)
    this.#spans.push({ ...parts, id })
    return id
  }

  /** Sent when its last span has ended. */
  item(): DemoItem {
    const atMs = Math.ceil(Math.max(...this.#spans.map(({ startMs, ms }) => startMs + ms)))
    return this.#runner.half === 'python' ? this.#transaction(atMs) : this.#batch(atMs)
  }

  #batch(atMs: number): DemoItem {
    const { project, half, release, userId } = this.#runner
    const said = {
      'sentry.segment.id': this.id,
      'sentry.segment.name': this.#spans[0]?.name ?? '',
      'sentry.release': release,
      'sentry.environment': 'production',
      'sentry.sdk.name': half === 'browser' ? 'sentry.javascript.nextjs.browser' : 'sentry.javascript.nextjs',
      'user.id': userId,
      ...(half === 'server' ? { 'server.name': 'web-1', 'process.runtime.name': 'node' } : {}),
    }
    const items = this.#spans.map(({ id, parent, name, op, isFailed = false, attributes, ...times }) => ({
      ...{ trace_id: this.#traceId, span_id: id, name, status: isFailed ? 'error' : 'ok' },
      ...(parent === null ? {} : { parent_span_id: parent }),
      ...{ is_segment: id === this.id, start_timestamp: times.startMs / 1_000 },
      end_timestamp: (times.startMs + times.ms) / 1_000,
      attributes: typeAttributes({
        'sentry.op': op,
        'sentry.segment.name.source': 'route',
        ...said,
        ...attributes,
      }),
    }))
    const settings = half === 'browser' ? { ingest_settings: { infer_ip: 'never' } } : {}
    return { project, type: 'span', payload: { version: 2, ...settings, items }, atMs }
  }

  #transaction(atMs: number): DemoItem {
    const { project, release, userId } = this.#runner
    const [own, ...below] = this.#spans
    if (own === undefined) throw new Error('a segment has its own span')
    const trace = {
      ...{ trace_id: this.#traceId, span_id: own.id, parent_span_id: own.parent, op: own.op },
      ...{ status: own.isFailed === true ? 'internal_error' : 'ok', data: own.attributes },
    }
    const payload = {
      ...{ event_id: hexId(this.#random, 32), type: 'transaction', transaction: own.name },
      ...{ transaction_info: { source: 'route' }, platform: 'python', release, environment: 'production' },
      ...{ start_timestamp: own.startMs / 1_000, timestamp: (own.startMs + own.ms) / 1_000 },
      ...{ contexts: { trace, runtime: { name: 'CPython', version: '3.13.2' } }, user: { id: userId } },
      sdk: { name: 'sentry.python.fastapi', version: '2.44.0' },
      spans: below.map(({ id, parent, name, op, startMs, ms, attributes }) => ({
        ...{ trace_id: this.#traceId, span_id: id, parent_span_id: parent, op, description: name },
        ...{ start_timestamp: startMs / 1_000, timestamp: (startMs + ms) / 1_000, data: attributes },
        status: 'ok',
      })),
    }
    return { project, type: 'transaction', payload, atMs }
  }
}

function typeAttributes(attributes: Readonly<Record<string, string | number | boolean>>) {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [name, { type: typeOf(value), value }]),
  )
}

function typeOf(value: string | number | boolean): string {
  if (typeof value !== 'number') return typeof value
  return Number.isInteger(value) ? 'integer' : 'double'
}
