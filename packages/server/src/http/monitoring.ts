/**
 * `POST /monitoring?o=ORG&p=PROJECT`: the same-origin relay of every project of this installation, for Errata's own
 * pages and for customers' apps that rewrite to it. The envelope's DSN speaks, `o` and `p` must agree with it, cookies
 * stay behind, and nothing is sent anywhere: accept is in this process.
 */
import {
  type EnvelopeRefusal,
  encodingOf,
  passedBack,
  readRelayed,
  refusalAnswer,
} from '@errata/relay/decide'
import { BrokenOff } from '#accept/large-body.ts'
import type { Accept } from '#accept/types.ts'
import { addressKey } from '#base/address-key.ts'
import type { Clock } from '#base/clock.ts'
import type { Log } from '#base/log.ts'
import type { PublicAddress } from '#base/public-address.ts'
import { max } from '#limits/limits.ts'
import type { OpenedBody, RequestBodyReader } from './body.ts'
import type { ClientAddresses } from './client-address.ts'
import { hopOf } from './hop.ts'
import {
  BODY_REFUSALS,
  describeRequest,
  ingestAnswer,
  type PassOn,
  type RequestExchange,
  refuseBody,
  retrySeconds,
  unpassedAnswer,
} from './ingest-request.ts'
import type { PacedAnswers } from './paced-answers.ts'
import { errorAnswer, type HttpAnswer, sendAnswer } from './respond.ts'

export interface MonitoringOptions {
  readonly accept: Accept
  readonly bodies: RequestBodyReader
  readonly addresses: ClientAddresses
  readonly log: Log
  /** Origin of the public address: pages from there need no entry among a project's allowed domains. */
  readonly publicAddress: PublicAddress
  /** Sends what is no success. */
  readonly paced: Pick<PacedAnswers, 'send'>
  readonly limiter: RelayLimiter
  /** Same as in `IngestOptions`. */
  readonly passOn?: PassOn
}

/** Says how many seconds an address has to wait; `null` if it may send now. */
export interface RelayLimiter {
  admit(address: string): number | null | Promise<number | null>
}

const PATH = /^\/monitoring\/?$/
const WINDOW_MS = 60_000

export function isMonitoringPath(path: string): boolean {
  return PATH.test(path)
}

/** Reasons by which refusals are counted that the relay makes before accept sees the envelope. */
const REASONS: Readonly<Record<EnvelopeRefusal, string>> = {
  encoding: 'invalid_encoding',
  too_large: 'too_large',
  empty: 'invalid_envelope',
  invalid_header: 'invalid_envelope',
  missing_dsn: 'missing_key',
  not_allowed: 'malformed_dsn',
}

export function createMonitoring(options: MonitoringOptions): (exchange: RequestExchange) => Promise<void> {
  return async (exchange) => {
    const { request, response } = exchange
    const answer = await answerRelayed(exchange, options)
    if (answer === null) return
    const sent = { ...answer, headers: { ...answer.headers, 'cache-control': 'no-store' } }
    if (answer.status < 400) sendAnswer(request, response, sent)
    else options.paced.send(request, response, sent)
  }
}

/** `null` where another thread has answered. */
async function answerRelayed(
  exchange: RequestExchange,
  options: MonitoringOptions,
): Promise<HttpAnswer | null> {
  const { request } = exchange
  if (request.method !== 'POST')
    return errorAnswer({ code: 'method_not_allowed', headers: { allow: 'POST' } })
  const refuse = (reason: string, example: string, begun: Uint8Array | null = null) => {
    const contentEncoding = request.headers['content-encoding'] ?? null
    const sent = { format: 'envelope', contentEncoding } as const
    options.accept.countRefusal({ projectRef: null, key: null, reason, example, sent, begun })
  }
  const { addresses } = options
  const address = addressKey(addresses.relayedSender(request) ?? addresses.peer(request))
  const limit = hopOf(request)?.isCounted === true ? null : options.limiter.admit(address)
  // Where another thread is asked, the body is read meanwhile: a page that is left sends, and is gone.
  const reading =
    limit instanceof Promise ? options.bodies.readOrOpen(request, max('largeBodyBytesMin')) : null
  const waitSeconds = await limit
  if (waitSeconds !== null) {
    void reading?.then((read) => {
      if (read.ok) read.release()
      else if (read.reason === 'large') read.rest.release()
    })
    refuse('relay_limit', 'one address sent too many relayed requests')
    return errorAnswer({ code: 'rate_limited', retryAfterSeconds: waitSeconds })
  }
  const body = await (reading ?? options.bodies.readOrOpen(request, max('largeBodyBytesMin')))
  if (!body.ok && body.reason !== 'large') {
    const { code, reason, detail } = BODY_REFUSALS[body.reason]
    refuse(reason, detail, body.begun)
    return errorAnswer({ code, detail, retryAfterSeconds: retrySeconds(code) })
  }
  try {
    if (!body.ok && options.passOn !== undefined) {
      const end = await options.passOn(exchange, body.rest)
      if (end === 'answered') return null
      return unpassedAnswer(end, () => refuse(BODY_REFUSALS.busy.reason, BODY_REFUSALS.busy.detail))
    }
    if (!body.ok) {
      if (encodingOf(request.headers['content-encoding'] ?? null) !== null) {
        refuse(REASONS.encoding, 'relay: encoding')
        return refusalAnswer('encoding')
      }
      const answer = await acceptRelayed(body.rest, exchange, options)
      return { ...answer, headers: passedBack((name) => answerHeader(answer, name)) }
    }
    // Which DSN may send is accept's decision, where keys are known.
    const named = readRelayed(body.bytes, {
      contentEncoding: request.headers['content-encoding'] ?? null,
      lineBytesMax: max('envelopeHeaderBytesMax'),
    })
    if (typeof named === 'string') {
      refuse(REASONS[named], `relay: ${named}`, body.bytes)
      return refusalAnswer(named)
    }
    const answer = await acceptRelayed(body.bytes, exchange, options)
    return { ...answer, headers: passedBack((name) => answerHeader(answer, name)) }
  } finally {
    if (body.ok) body.release()
    else body.rest.release()
  }
}

/** `body`: whole, or as it comes. */
async function acceptRelayed(
  body: Buffer | OpenedBody,
  { request, target }: RequestExchange,
  options: MonitoringOptions,
): Promise<HttpAnswer> {
  const query = new URLSearchParams(target.search)
  const described = describeRequest(request, options.addresses)
  const isOwn = isOwnPage(described, options.publicAddress.origin)
  try {
    const relayed = {
      ...described,
      projectRef: null,
      format: 'envelope' as const,
      query: new URLSearchParams(),
      sentryAuth: null,
      authorization: null,
      contentEncoding: null,
      origin: isOwn ? null : described.origin,
      referer: isOwn ? null : described.referer,
      // The peer is the app that rewrites to this address, not the browser.
      clientAddress: options.addresses.relayedSender(request),
      relay: { organisation: query.get('o') ?? '', project: query.get('p') ?? '' },
    }
    const answer =
      'pieces' in body
        ? await options.accept.acceptLarge(relayed, body)
        : await options.accept.accept({ ...relayed, body })
    return ingestAnswer(answer)
  } catch (cause) {
    if (cause instanceof BrokenOff) {
      const named = { projectRef: null, key: null }
      const sent = { format: 'envelope', contentEncoding: described.contentEncoding } as const
      return refuseBody({ reason: 'broken_off', begun: cause.begun }, { named, sent, accept: options.accept })
    }
    options.log.error('relay: accept failed', {
      reason: cause instanceof Error ? cause.message : String(cause),
    })
    return errorAnswer({ code: 'internal' })
  }
}

function isOwnPage(
  from: { readonly origin: string | null; readonly referer: string | null },
  ownOrigin: string,
): boolean {
  const source = from.origin ?? from.referer
  return source !== null && URL.canParse(source) && new URL(source).origin === ownOrigin
}

function answerHeader({ headers }: HttpAnswer, name: string): string | null {
  const value = headers[name]
  return value === undefined ? null : String(value)
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
