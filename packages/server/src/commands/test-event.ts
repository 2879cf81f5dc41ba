/** The event that people send themselves from the set-up guide: it says that it is one, and has what a server's failure has. */
import { writeEnvelope } from '@errata/protocol'
import type { Random } from '#base/random.ts'
import { TEST_LOGGER } from '#model/test-event.ts'

const SECOND = 1_000
const TEXT = 'This is a test that Errata sent to itself. Nothing failed in your app.'

interface TestEvent {
  readonly eventId: string
  readonly nowMs: number
  readonly random: Random
}

export function testEnvelope({ eventId, nowMs, random }: TestEvent): Uint8Array {
  const at = (secondsBefore: number) => nowMs / SECOND - secondsBefore
  const event = {
    ...{ event_id: eventId, timestamp: at(0), platform: 'node', level: 'error', logger: TEST_LOGGER },
    ...{ transaction: 'GET /errata-test/orders/[id]', fingerprint: ['errata-test-event'] },
    exception: { values: [CAUSE, FAILURE] },
    contexts: {
      trace: {
        trace_id: random.hex(16),
        span_id: random.hex(8),
        op: 'http.server',
        status: 'internal_error',
      },
      runtime: { name: 'node', version: 'v24.0.0' },
    },
    request: {
      ...{ method: 'GET', url: 'https://shop.example/errata-test/orders/40118' },
      headers: { Accept: 'text/html', 'User-Agent': 'Errata test event' },
    },
    breadcrumbs: {
      values: [
        { timestamp: at(3), type: 'http', category: 'http', data: { ...CALL, status_code: 200 } },
        { timestamp: at(2), category: 'query', message: 'SELECT total FROM orders WHERE id = $1' },
        { timestamp: at(1), level: 'warning', category: 'console', message: 'order 40118 has no total' },
      ],
    },
    tags: { test_event: 'yes', runtime: 'node' },
    user: { id: 'errata-test' },
    // As an error page of the app would show it.
    extra: { digest: String(4_000_000_000 + Number.parseInt(random.hex(3), 16)) },
    sdk: { name: TEST_LOGGER, version: '2' },
  }
  const header = { event_id: eventId, sent_at: new Date(nowMs).toISOString() }
  return writeEnvelope(header, [{ header: { type: 'event' }, payload: JSON.stringify(event) }])
}

const CALL = { method: 'GET', url: 'https://orders.example/orders/40118' }

const CAUSE = {
  type: 'TypeError',
  value: "Cannot read properties of undefined (reading 'amount')",
  mechanism: { type: 'chained', handled: true, source: 'cause', exception_id: 1, parent_id: 0 },
  stacktrace: {
    frames: [
      frame('orders/load-order.ts', 'loadOrder', {
        line: 14,
        before: ['export async function loadOrder(id: string) {', '  const order = await readOrder(id)'],
        text: '  return { ...order, total: totalOf(order) }',
        after: ['}'],
      }),
      frame('orders/totals.ts', 'totalOf', {
        line: 6,
        before: [
          '// The test event of Errata: this code is made up.',
          'export function totalOf(order: Order) {',
        ],
        text: '  return format(order.total.amount)',
        after: ['}'],
        vars: { order: { id: 40_118, total: null } },
      }),
    ],
  },
}

const FAILURE = {
  type: 'ErrataTestError',
  value: TEXT,
  mechanism: { type: 'auto.function.test', handled: false, exception_id: 0 },
  stacktrace: {
    frames: [
      { ...frame('node_modules/framework/server.js', 'renderPage', { line: 412 }), in_app: false },
      frame('app/orders/[id]/page.tsx', 'OrderPage', {
        line: 9,
        before: [
          'export default async function OrderPage({ params }: Props) {',
          '  const { id } = await params',
        ],
        text: '  const order = await loadOrder(id)',
        after: ['  return <Order order={order} />', '}'],
        vars: { id: '40118' },
      }),
      frame('orders/load-order.ts', 'loadOrder', {
        line: 16,
        before: ['  } catch (cause) {'],
        text: `    throw new ErrataTestError('${TEXT}', { cause })`,
        after: ['  }', '}'],
      }),
    ],
  },
}

interface Lines {
  readonly line: number
  readonly before?: readonly string[]
  readonly text?: string
  readonly after?: readonly string[]
  readonly vars?: Readonly<Record<string, unknown>>
}

function frame(filename: string, name: string, { line, before, text, after, vars }: Lines) {
  return {
    ...{ filename, abs_path: `/app/${filename}`, function: name, lineno: line, colno: 10, in_app: true },
    ...(text !== undefined && { context_line: text, pre_context: before, post_context: after }),
    ...(vars !== undefined && { vars }),
  }
}
