/**
 * `POST /monitoring?o=ORG&p=PROJECT`: the same-origin relay of every project of this installation, for Errata's own
 * pages and for customers' apps that rewrite to it. The envelope's DSN speaks, `o` and `p` must agree with it, cookies
 * stay behind, and nothing is sent anywhere: accept is in this process.
 */

import { createRelay, type RelayedEnvelope, type RelayRefusal } from '@errata/relay'
import type { Accept } from '#accept/types.ts'
import type { Clock } from '#base/clock.ts'
import type { Log } from '#base/log.ts'
import type { PublicAddress } from '#base/public-address.ts'
import { max } from '#limits/limits.ts'
import type { BodyReader } from './body.ts'
import type { ClientAddresses } from './client-address.ts'
import { BODY_REFUSALS, describeRequest, type Exchange, ingestAnswer, retrySeconds } from './ingest.ts'
import { type Answer, errorAnswer, send } from './respond.ts'

export interface MonitoringOptions {
  readonly accept: Accept
  readonly bodies: BodyReader
  readonly addresses: ClientAddresses
  readonly clock: Clock
  readonly log: Log
  /** Origin of the public address: pages from there need no entry among a project's allowed domains. */
  readonly publicAddress: PublicAddress
}

const PATH = /^\/monitoring\/?$/
const WINDOW_MS = 60_000

export function isMonitoringPath(path: string): boolean {
  return PATH.test(path)
}

/** What counts each refusal that the relay makes before accept sees the envelope. */
const REASONS: Readonly<Record<RelayRefusal, string | null>> = {
  method: null,
  encoding: 'invalid_encoding',
  too_large: 'too_large',
  broken_off: 'broken_off',
  empty: 'invalid_envelope',
  invalid_header: 'invalid_envelope',
  missing_dsn: 'missing_key',
  not_allowed: 'malformed_dsn',
  unreachable: 'overloaded',
}

export function createMonitoring(options: MonitoringOptions): (exchange: Exchange) => Promise<void> {
  const limiter = new AddressLimiter(options.clock, max('relayRequestsPerMinute'))
  return async (exchange) => {
    const { request, response } = exchange
    const answer = await relayed(exchange, limiter, options)
    send(request, response, { ...answer, headers: { ...answer.headers, 'cache-control': 'no-store' } })
  }
}

async function relayed(
  exchange: Exchange,
  limiter: AddressLimiter,
  options: MonitoringOptions,
): Promise<Answer> {
  const { request } = exchange
  if (request.method !== 'POST')
    return errorAnswer({ code: 'method_not_allowed', headers: { allow: 'POST' } })
  const refuse = (reason: string, example: string) =>
    options.accept.countRefusal({ projectRef: null, key: null, reason, example })
  const waitSeconds = limiter.admit(
    options.addresses.relayedSender(request) ?? options.addresses.peer(request) ?? 'unknown',
  )
  if (waitSeconds !== null) {
    refuse('relay_limit', 'one address sent too many relayed requests')
    return errorAnswer({ code: 'rate_limited', retryAfterSeconds: waitSeconds })
  }
  const body = await options.bodies.read(request, max('bodyBytesMax'))
  if (!body.ok) {
    const { code, reason, detail } = BODY_REFUSALS[body.reason]
    refuse(reason, detail)
    return errorAnswer({ code, detail, retryAfterSeconds: retrySeconds(code) })
  }
  try {
    const relay = createRelay({
      allow: (named) => named, // which DSN may send is accept's decision, where keys are known
      send: (envelope) => acceptRelayed(envelope, exchange, options),
      bodyBytesMax: max('bodyBytesMax'),
      lineBytesMax: max('envelopeHeaderBytesMax'),
      onRefused: (refusal) => {
        const reason = REASONS[refusal]
        if (reason !== null) refuse(reason, `relay: ${refusal}`)
      },
    })
    const answer = await relay(relayRequest(request.headers['content-encoding'], body.bytes), {
      clientAddress: options.addresses.relayedSender(request),
    })
    return await fromResponse(answer)
  } finally {
    body.release()
  }
}

/** The relay core sees the body and its coding; it forwards nothing else here. */
function relayRequest(contentEncoding: string | undefined, body: Buffer): Request {
  const headers: Record<string, string> =
    contentEncoding === undefined ? {} : { 'content-encoding': contentEncoding }
  // A view without a copy; the address is never used.
  return new Request('http://relay.invalid/monitoring', {
    method: 'POST',
    headers,
    body: new Uint8Array(body),
  })
}

async function acceptRelayed(
  { body, facts }: RelayedEnvelope,
  { request, target }: Exchange,
  options: MonitoringOptions,
): Promise<Response> {
  const query = new URLSearchParams(target.search)
  const described = describeRequest(request, options.addresses)
  const isOwn = isOwnPage(described, options.publicAddress.origin)
  try {
    const answer = await options.accept.accept({
      ...described,
      projectRef: null,
      format: 'envelope',
      query: new URLSearchParams(),
      sentryAuth: null,
      authorization: null,
      contentEncoding: null,
      origin: isOwn ? null : described.origin,
      referer: isOwn ? null : described.referer,
      // The peer is the app that rewrites to this address, not the browser.
      clientAddress: facts.clientAddress,
      relay: { organisation: query.get('o') ?? '', project: query.get('p') ?? '' },
      body,
    })
    return toResponse(ingestAnswer(answer))
  } catch (cause) {
    options.log.error('relay: accept failed', {
      reason: cause instanceof Error ? cause.message : String(cause),
    })
    return toResponse(errorAnswer({ code: 'internal' }))
  }
}

function isOwnPage(
  from: { readonly origin: string | null; readonly referer: string | null },
  ownOrigin: string,
): boolean {
  const source = from.origin ?? from.referer
  return source !== null && URL.canParse(source) && new URL(source).origin === ownOrigin
}

function toResponse({ status, headers, body }: Answer): Response {
  const pairs = Object.entries(headers).map(([name, value]) => [name, String(value)] as [string, string])
  return new Response(typeof body === 'string' ? body : new Uint8Array(body), { status, headers: pairs })
}

async function fromResponse(response: Response): Promise<Answer> {
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: Buffer.from(await response.arrayBuffer()),
  }
}

/** Requests per address in fixed windows of a minute; the addresses seen longest ago are forgotten first. */
export class AddressLimiter {
  readonly #clock: Clock
  readonly #perMinute: number
  readonly #windows = new Map<string, { endsMs: number; count: number }>()

  constructor(clock: Clock, perMinute: number) {
    this.#clock = clock
    this.#perMinute = perMinute
  }

  /** `null` when admitted, else the seconds to wait. */
  admit(address: string): number | null {
    const nowMs = this.#clock.elapsed()
    const known = this.#windows.get(address)
    if (known !== undefined && known.endsMs > nowMs) {
      if (known.count >= this.#perMinute) return Math.max(1, Math.ceil((known.endsMs - nowMs) / 1_000))
      known.count++
      return null
    }
    this.#windows.delete(address)
    this.#windows.set(address, { endsMs: nowMs + WINDOW_MS, count: 1 })
    const oldest = this.#windows.keys().next()
    if (this.#windows.size > max('relayAddressesMax') && !oldest.done) this.#windows.delete(oldest.value)
    return null
  }
}
