/** Span containers of 60 spans, about 30 KB, as the Node SDK sends them with span streaming: one request of a page. */
import { type Dice, diceOf } from './random.ts'
import { modulePath, NOUNS } from './words.ts'

export const SPANS_PER_BATCH = 60
const ROUTES = 60
/** Attributes that the segment gives to all of its spans. */
const SHARED = {
  'sentry.release': 'shop@2026.11.21-1',
  'sentry.environment': 'production',
  'sentry.sdk.name': 'sentry.javascript.nextjs',
  'sentry.sdk.version': '11.12.0',
}

export interface SpanBatchRequest {
  readonly seed: number
  readonly number: number
  /** When its segment ended, milliseconds since 1970. */
  readonly atMs: number
  /** The segment's own included; default `SPANS_PER_BATCH`. */
  readonly spans?: number
}

/** The name of a route of the corpus, of `0` to any number. */
export function routeName(number: number): string {
  return `/${modulePath(number)}/[id]`
}

/** The trace that a container of the corpus is of. */
export function traceOf(seed: number, number: number): string {
  return diceOf(seed ^ 0x5a, number).hex(32)
}

export function makeSpanBatch(of: SpanBatchRequest): Readonly<Record<string, unknown>> {
  const { seed, number, atMs, spans = SPANS_PER_BATCH } = of
  const dice = diceOf(seed ^ 0x5a, number)
  const [traceId, rootId] = [dice.hex(32), dice.hex(16)]
  const route = routeName(dice.below(ROUTES))
  const seconds = 0.6 + dice.below(900) / 1_000
  const start = atMs / 1_000 - seconds
  const place = { traceId, rootId, start, route }
  const children = Array.from({ length: spans - 1 }, (_, index) => child(dice, { ...place, index }))
  const root = span(place, {
    ...{ spanId: rootId, name: `GET ${route}`, op: 'http.server', from: start, seconds },
    isSegment: true,
    status: dice.below(40) === 0 ? 'error' : 'ok',
    attributes: {
      ...{ 'http.route': route, 'http.request.method': 'GET', 'http.response.status_code': 200 },
      ...{ 'http.target': route.replace('[id]', String(dice.below(1e6))), 'next.rsc': false },
      ...{ 'http.request.header.accept': 'text/html', 'server.address': 'shop.example', 'server.port': 443 },
    },
  })
  return { version: 2, items: [...children, root] }
}

interface Place {
  readonly traceId: string
  readonly rootId: string
  readonly start: number
  readonly route: string
}

interface Made {
  readonly spanId: string
  readonly parentId?: string
  readonly name: string
  readonly op: string
  readonly from: number
  readonly seconds: number
  readonly isSegment?: boolean
  readonly status?: string
  readonly attributes: Readonly<Record<string, string | number | boolean>>
}

function child(dice: Dice, place: Place & { readonly index: number }): object {
  const isQuery = dice.below(3) > 0
  const noun = dice.pick(NOUNS)
  const made = { spanId: dice.hex(16), parentId: place.rootId, seconds: dice.below(40) / 1_000 }
  const from = place.start + (place.index * 9 + dice.below(9)) / 1_000
  if (isQuery) {
    const text = `SELECT id, name, total FROM ${noun}s WHERE customer_id = $1 LIMIT ${dice.below(100)}`
    const attributes = { 'db.system.name': 'postgresql', 'db.operation.name': 'SELECT' }
    return span(place, { ...made, from, name: text, op: 'db', attributes })
  }
  const url = `http://${noun}s.internal:8080/v1/${modulePath(dice.below(3_000))}`
  const attributes = { 'http.request.method': 'GET', 'http.response.status_code': 200 }
  return span(place, { ...made, from, name: `GET ${url}`, op: 'http.client', attributes })
}

function span({ traceId, rootId, route }: Place, made: Made): object {
  const { spanId, parentId, name, op, from, seconds, isSegment = false, status = 'ok' } = made
  const own = isSegment ? SHARED : { 'sentry.segment.id': rootId, 'sentry.segment.name': `GET ${route}` }
  const all = { 'sentry.op': op, ...own, ...made.attributes }
  const typed = Object.entries(all).map(([key, value]) => [key, { type: typeOf(value), value }])
  return {
    ...{ trace_id: traceId, span_id: spanId, name, status, is_segment: isSegment },
    ...(parentId === undefined ? {} : { parent_span_id: parentId }),
    ...{ start_timestamp: from, end_timestamp: from + seconds, attributes: Object.fromEntries(typed) },
  }
}

function typeOf(value: string | number | boolean): string {
  return typeof value === 'number' ? 'integer' : typeof value
}
