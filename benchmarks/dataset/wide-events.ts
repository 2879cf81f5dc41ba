/**
 * Writes what the projects of a wide installation send: errors of many issues, as a small app tells them, and
 * containers of spans.
 */
import { corpusEvent, envelopeOf } from '../corpus/corpus.ts'
import { diceOf } from '../corpus/random.ts'
import { SPANS_PER_BATCH } from '../corpus/span-batch.ts'
import type { Sender } from './wide.ts'

export interface WideError {
  readonly sender: Sender
  /** Its type, which nobody else has: an issue of its own. */
  readonly type: string
  readonly number: number
  readonly atMs: number
}

/** Text of the whole POST. `id`: what the event can be asked for by. */
interface WideRequest {
  readonly id: string
  readonly request: Buffer
}

export function errorRequest({ sender, ...error }: WideError): WideRequest {
  const { id, body } = errorEnvelope(error)
  return { id, request: requestOf(sender, body) }
}

export function errorEnvelope({ type, number, atMs }: Omit<WideError, 'sender'>): {
  readonly id: string
  readonly body: Buffer
} {
  const id = diceOf(0x77, number).hex(32)
  const frames = ['main', 'route', 'handle', type].map((name, at) => ({
    ...{ function: name, filename: `src/${name}.ts`, lineno: 7 + at, in_app: true },
  }))
  const event = {
    ...{ event_id: id, platform: 'node', level: 'error', environment: 'production' },
    release: `app@1.${Math.floor(number / 20_000)}.0`,
    timestamp: atMs / 1_000,
    exception: { values: [{ type, value: 'it failed', stacktrace: { frames } }] },
    tags: { region: number % 3 === 0 ? 'us' : 'eu', shop: type },
    user: { id: String(number % 5_000) },
  }
  const body = `${JSON.stringify({ event_id: id })}\n{"type":"event"}\n${JSON.stringify(event)}`
  return { id, body: Buffer.from(body) }
}

/** A request of a page with its spans. */
export function spansRequest(sender: Sender, number: number, atMs: number): Buffer {
  const spec = { kind: 'spans-30k', stacks: 1, seed: 1 } as const
  return requestOf(sender, Buffer.from(envelopeOf(spec, corpusEvent(spec, number, atMs), atMs)))
}

export const SPANS_OF_REQUEST = SPANS_PER_BATCH

function requestOf({ id, key }: Sender, body: Buffer): Buffer {
  const head = [
    `POST /api/${id}/envelope/?sentry_version=7&sentry_key=${key} HTTP/1.1`,
    'Host: localhost',
    'User-Agent: sentry.javascript.node/11.12.0',
    `Content-Length: ${body.length}`,
    'Connection: keep-alive',
  ].join('\r\n')
  return Buffer.concat([Buffer.from(`${head}\r\n\r\n`, 'latin1'), body])
}
