/** A seeded stream of envelopes, and what was answered to each. */
import type { AcceptAnswer, AcceptRequest } from '../../packages/server/src/accept/types.ts'
import { NOW } from '../../packages/server/testing/builders/times.ts'
import { MARKS } from './process-thread.ts'
import type { Seeded } from './seeded.ts'

export type Kind = 'event' | 'repeat' | 'invalid' | 'broken' | 'report' | 'poison' | 'deadly' | 'hanging'

export interface Sent {
  readonly kind: Kind
  /** Id of the event, or of the spans' trace; empty for a report. */
  readonly eventId: string
  /** Kind of payload if nothing is wrong with it. */
  readonly payload: 'error' | 'transaction' | 'spans'
  readonly projectId: number
  /** `kept` after a 200; `refused` after anything else, which may have been kept all the same. */
  answer: 'waiting' | 'kept' | 'refused'
  /** Status of the answer; `null` if there was none. */
  status: number | null
  /** Seconds that the answer asked the sender to wait. */
  retryAfter: number | null
}

export interface Target {
  readonly projectId: number
  readonly keyPublic: string
}

export class Traffic {
  readonly sent: Sent[] = []
  readonly #seeded: Seeded
  readonly #targets: readonly [Target, ...Target[]]
  #number = 0

  constructor(seeded: Seeded, targets: readonly [Target, ...Target[]]) {
    this.#seeded = seeded
    this.#targets = targets
  }

  /** The next envelope as a request, with the entry in which its answer is to be noted. */
  next(kind: Kind): { readonly request: AcceptRequest; readonly sent: Sent } {
    const earlier = this.sent.filter((one) => one.kind === 'event')
    const [first, ...rest] = earlier
    const repeated = kind === 'repeat' && first !== undefined ? this.#seeded.pick([first, ...rest]) : null
    const target = this.#targets.find(({ projectId }) => projectId === repeated?.projectId)
    const to = target ?? this.#seeded.pick(this.#targets)
    const sent: Sent = {
      kind: repeated === null && kind === 'repeat' ? 'event' : kind,
      eventId: repeated?.eventId ?? this.#seeded.hex(16),
      payload: repeated?.payload ?? this.#seeded.pick(['error', 'error', 'error', 'transaction', 'spans']),
      projectId: to.projectId,
      ...{ answer: 'waiting', status: null, retryAfter: null },
    }
    this.sent.push(sent)
    const body = Buffer.from(this.#body(sent))
    return { request: requestOf(to, body), sent }
  }

  /** Any kind that harms no thread. */
  kind(): Kind {
    return this.#seeded.pick([
      'event',
      'event',
      'event',
      'event',
      'event',
      'repeat',
      'invalid',
      'broken',
      'report',
    ])
  }

  #body({ kind, eventId, payload }: Sent): string {
    const header = JSON.stringify({ event_id: eventId })
    if (kind === 'broken') return `${header}\n{"type":`
    if (kind === 'invalid') return `${header}\n{"type":"event"}\n{"message": "cut of`
    if (kind === 'report') {
      const discarded = [{ reason: 'sample_rate', category: 'error', quantity: 3 }]
      return `{}\n{"type":"client_report"}\n${JSON.stringify({ discarded_events: discarded })}`
    }
    const isWell = kind === 'event' || kind === 'repeat'
    if (isWell && payload === 'transaction')
      return `${header}\n{"type":"transaction"}\n${transactionOf(eventId)}`
    if (isWell && payload === 'spans') return `{}\n${SPANS_HEADER}\n${spansOf(eventId)}`
    const mark = isWell ? '' : MARKS[kind]
    const number = this.#number++
    const event = {
      event_id: eventId,
      platform: 'node',
      message: mark === '' ? undefined : mark,
      exception: {
        values: [
          {
            type: `Error${number % 5}`,
            value: `number ${number} ${'x'.repeat(this.#seeded.whole(0, 900))}`,
            stacktrace: {
              frames: [{ function: `f${number % 5}`, filename: '/app/a.js', lineno: 4, in_app: true }],
            },
          },
        ],
      },
      tags: { lane: String(number % 3) },
    }
    return `${header}\n{"type":"event"}\n${JSON.stringify(event)}`
  }
}

const SPANS_HEADER =
  '{"type":"span","item_count":1,"content_type":"application/vnd.sentry.items.span.v2+json"}'

/** A segment of a trace that has the event's id, so that its row is known by it. */
function spansOf(traceId: string): string {
  const attributes = { 'sentry.op': 'http.server', 'http.route': '/orders', 'http.request.method': 'GET' }
  const typed = Object.entries(attributes).map(([key, value]) => [key, { type: 'string', value }])
  const span = {
    ...{ trace_id: traceId, span_id: traceId.slice(0, 16), name: 'GET /orders', status: 'ok' },
    ...{ is_segment: true, start_timestamp: NOW / 1_000 - 1, end_timestamp: NOW / 1_000 },
    attributes: Object.fromEntries(typed),
  }
  return JSON.stringify({ version: 2, items: [span] })
}

function transactionOf(id: string): string {
  const trace = { trace_id: id, span_id: id.slice(0, 16), op: 'http.server', status: 'ok' }
  return JSON.stringify({
    ...{ event_id: id, type: 'transaction', platform: 'node', transaction: 'GET /cart' },
    ...{ start_timestamp: NOW / 1_000 - 1, timestamp: NOW / 1_000, contexts: { trace } },
    transaction_info: { source: 'route' },
  })
}

/** Notes what became of it; a request that never comes back was not answered. */
export async function answered(sent: Sent, answer: Promise<AcceptAnswer>): Promise<void> {
  const given = await answer.catch(() => null)
  sent.status = given?.status ?? null
  sent.retryAfter = given?.retryAfter ?? null
  sent.answer = given?.status === 200 ? 'kept' : 'refused'
}

function requestOf({ projectId, keyPublic }: Target, body: Uint8Array): AcceptRequest {
  return {
    ...{ projectRef: String(projectId), format: 'envelope', sentryAuth: null, authorization: null },
    query: new URLSearchParams({ sentry_key: keyPublic }),
    ...{ contentEncoding: null, contentType: null, origin: null, referer: null, userAgent: null },
    ...{ clientAddress: '203.0.113.7', body, relay: null },
  }
}
