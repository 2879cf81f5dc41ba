/** Transactions of about 28 KB as the Node SDK sends them with `traceLifecycle: 'static'`: a trace and its spans. */
import { makeBreadcrumbs } from './breadcrumbs.ts'
import { type Dice, diceOf } from './random.ts'
import { modulePath, NOUNS } from './words.ts'

const SPANS = 62

export interface TransactionRequest {
  readonly seed: number
  readonly number: number
  readonly id: string
  /** When it ended, milliseconds since 1970. */
  readonly atMs: number
}

export function makeTransaction({
  seed,
  number,
  id,
  atMs,
}: TransactionRequest): Readonly<Record<string, unknown>> {
  const dice = diceOf(seed ^ 0x7a, number)
  const [traceId, rootId] = [dice.hex(32), dice.hex(16)]
  const route = `/${modulePath(dice.below(60))}/[id]`
  const end = atMs / 1_000
  const start = end - 0.05 - dice.below(900) / 1_000
  return {
    contexts: {
      trace: {
        span_id: rootId,
        trace_id: traceId,
        op: 'http.server',
        status: dice.below(40) === 0 ? 'internal_error' : 'ok',
        origin: 'auto.http.nextjs',
        data: { 'sentry.source': 'route', 'http.request.method': 'GET', 'http.response.status_code': 200 },
      },
      runtime: { name: 'node', version: 'v24.21.0' },
    },
    event_id: id,
    type: 'transaction',
    platform: 'node',
    transaction: `GET ${route}`,
    transaction_info: { source: 'route' },
    start_timestamp: start,
    timestamp: end,
    environment: 'production',
    release: 'shop@2026.11.21-1',
    breadcrumbs: makeBreadcrumbs(dice, { side: 'node', count: 6, untilSeconds: start }),
    spans: Array.from({ length: SPANS }, (_, index) => span(dice, { traceId, rootId, start, index })),
    sdk: { name: 'sentry.javascript.nextjs', version: '10.78.0' },
  }
}

interface SpanPlace {
  readonly traceId: string
  readonly rootId: string
  readonly start: number
  readonly index: number
}

function span(dice: Dice, { traceId, rootId, start, index }: SpanPlace) {
  const from = start + (index * 9 + dice.below(9)) / 1_000
  const isQuery = dice.below(3) > 0
  const noun = dice.pick(NOUNS)
  return {
    span_id: dice.hex(16),
    trace_id: traceId,
    parent_span_id: rootId,
    start_timestamp: from,
    timestamp: from + dice.below(40) / 1_000,
    op: isQuery ? 'db' : 'http.client',
    origin: isQuery ? 'auto.db.otel.postgres' : 'auto.http.otel.node_fetch',
    status: 'ok',
    description: isQuery
      ? `SELECT id, name, total FROM ${noun}s WHERE customer_id = $1 AND created_at > $2 LIMIT ${dice.below(100)}`
      : `GET http://${noun}s.internal:8080/v1/${modulePath(dice.below(3_000))}`,
    data: isQuery
      ? { 'db.system': 'postgresql', 'db.name': 'shop', 'db.operation': 'SELECT', 'net.peer.port': 5432 }
      : { 'http.request.method': 'GET', 'http.response.status_code': 200, 'server.port': 8080 },
  }
}
