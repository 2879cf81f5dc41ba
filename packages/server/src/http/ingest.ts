/** Ingest over HTTP: translates requests for `accept` and its answers back. docs/wire.md, section "Endpoints". */
import type { OutgoingHttpHeaders } from 'node:http'
import { readOtlpContentType } from '@errata/protocol'
import { BrokenOff } from '#accept/large-body.ts'
import type { Accept, AcceptRequest, QueryFields } from '#accept/types.ts'
import { max } from '#limits/limits.ts'
import type { ClientAddresses } from './client-address.ts'
import {
  describeRequest,
  type IngestOptions,
  ingestAnswer,
  type RequestExchange,
  refuseBody,
  unpassedAnswer,
} from './ingest-request.ts'
import { errorAnswer, type HttpAnswer, jsonAnswer, sendAnswer, sendJson } from './respond.ts'
import { answerSignal } from './signal-ingest.ts'
import { readSignalRoute, type SignalRoute } from './signal-routes.ts'

export interface IngestRoute {
  /** Project as the path names it; `null` for the address without one. */
  readonly projectRef: string | null
  /** `other`: below a project, but nothing this version answers. */
  readonly endpoint: 'envelope' | 'store' | 'otlp' | 'other'
  /** Signal without a store. */
  readonly signal?: SignalRoute
}

const ENDPOINT = /^\/api\/([^/]+)\/(envelope|store)\/?$/i
/** The second form is that of older descriptions. */
const OTLP_TRACES = /^\/api\/([^/]+)\/(?:integration\/)?otlp\/v1\/traces\/?$/i
const STORE_WITHOUT_PROJECT = /^\/api\/store\/?$/i
const ANY = /^\/api(?:\/([^/]*))?(?:\/|$)/i

/** The ingest route of a path, `null` when it is none. The web API, `/api/0/`, is asked before. */
export function readIngestRoute(path: string): IngestRoute | null {
  const match = ENDPOINT.exec(path)
  if (match !== null) {
    const endpoint = match[2]?.toLowerCase() === 'store' ? 'store' : 'envelope'
    return { projectRef: match[1] ?? null, endpoint }
  }
  const traces = OTLP_TRACES.exec(path)
  if (traces !== null) return { projectRef: traces[1] ?? null, endpoint: 'otlp' }
  if (STORE_WITHOUT_PROJECT.test(path)) return { projectRef: null, endpoint: 'store' }
  const signal = readSignalRoute(path)
  if (signal === null && !ANY.test(path)) return null
  return { projectRef: null, endpoint: 'other', ...(signal !== null && { signal }) }
}

const STORED_HEADERS: readonly string[] = [
  ...['content-type', 'application/json'],
  ...['access-control-allow-origin', '*'],
  ...['access-control-expose-headers', 'x-sentry-error, x-sentry-rate-limits, retry-after'],
  ...['cross-origin-resource-policy', 'cross-origin'],
]

/** On every answer, errors included: a browser's SDK could read neither status nor rate limits without them. */
const CORS: OutgoingHttpHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'x-sentry-error, x-sentry-rate-limits, retry-after',
  'cross-origin-resource-policy': 'cross-origin',
}

const PREFLIGHT: OutgoingHttpHeaders = {
  ...CORS,
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, OPTIONS',
  'access-control-allow-headers':
    'x-sentry-auth, x-requested-with, x-forwarded-for, origin, referer, accept, content-type, authentication, ' +
    'authorization, content-encoding, transfer-encoding, sentry-trace, baggage, traceparent',
  'access-control-max-age': '3600',
}

const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

/** An exchange with what its address was found to mean. */
export interface IngestExchange extends RequestExchange {
  readonly route: IngestRoute
  readonly query: QueryFields
}

export async function answerIngest(exchange: IngestExchange, options: IngestOptions): Promise<void> {
  const { request, response, route } = exchange
  if (request.method === 'POST' && route.endpoint !== 'other') {
    await takeBody(exchange, route.endpoint, options)
  } else if (request.method === 'OPTIONS') {
    options.paced.send(request, response, { status: 204, headers: PREFLIGHT, body: '' })
  } else if (route.signal !== undefined) {
    const answer = await answerSignal(exchange, route.signal, options)
    if (answer.status < 400) sendWithCors(exchange, answer)
    else refuseWithCors(exchange, answer, options)
  } else {
    refuseWithCors(exchange, await withoutBody(exchange, options), options)
  }
}

/** The path of nearly every request: what it allocates, every envelope pays for. */
async function takeBody(
  exchange: IngestExchange,
  format: AcceptRequest['format'],
  options: IngestOptions,
): Promise<void> {
  const { request, response } = exchange
  const described = describeIngest(exchange, format, options.addresses)
  // A body that would be refused unseen is not waited for; `send` drains it.
  const announced = request.headers['content-length']
  const bodyBytes = announced === undefined ? null : Number(announced)
  const { refused, seen } = options.accept.refuseUnread(described, bodyBytes)
  if (refused !== null) {
    refuseWithCors(exchange, ingestAnswer(refused), options)
    return
  }
  const { bodies } = options
  const body = await (format === 'envelope'
    ? bodies.readOrOpen(request, max('largeBodyBytesMin'))
    : bodies.read(request, max('bodyBytesMax')))
  if (!body.ok && body.reason !== 'large') {
    refuseWithCors(exchange, countRefused(body, exchange, { described, options }), options)
    return
  }
  try {
    if (!body.ok && options.passOn !== undefined) {
      const end = await options.passOn(exchange, body.rest)
      if (end === 'answered') return
      const count = () => countRefused({ reason: 'busy', begun: null }, exchange, { described, options })
      return refuseWithCors(exchange, unpassedAnswer(end, count), options)
    }
    const answer = body.ok
      ? await options.accept.accept({ ...described, body: body.bytes }, seen)
      : await options.accept.acceptLarge(described, body.rest, seen)
    if (answer.error === null && format === 'otlp') {
      sendWithCors(exchange, refuseOtlpType(described.contentType))
    } else if (answer.error === null && answer.rateLimits === null) {
      const text = answer.eventId === null ? '{}' : `{"id":"${answer.eventId}"}`
      sendJson(response, { status: answer.status, headers: STORED_HEADERS, text })
    } else if (answer.error === null) sendWithCors(exchange, ingestAnswer(answer))
    else refuseWithCors(exchange, ingestAnswer(answer), options)
  } catch (cause) {
    if (!(cause instanceof BrokenOff)) throw cause
    const broken = { reason: 'broken_off', begun: cause.begun } as const
    refuseWithCors(exchange, countRefused(broken, exchange, { described, options }), options)
  } finally {
    if (body.ok) body.release()
    else body.rest.release()
  }
}

/** Counts a body that did not come whole under the project and key that its address names, and returns the answer to it. */
function countRefused(
  broken: Parameters<typeof refuseBody>[0],
  { route, query }: IngestExchange,
  of: { readonly described: Omit<AcceptRequest, 'body'>; readonly options: IngestOptions },
): HttpAnswer {
  const named = { projectRef: route.projectRef, key: query.get('sentry_key') }
  return refuseBody(broken, { named, sent: of.described, accept: of.options.accept })
}

/** An `ExportTraceServiceResponse` that says nothing, in the form of the request. */
function refuseOtlpType(contentType: string | null): HttpAnswer {
  if (readOtlpContentType(contentType) !== 'application/x-protobuf') return jsonAnswer(200, {})
  return { status: 200, headers: { 'content-type': 'application/x-protobuf' }, body: '' }
}

function describeIngest(
  { request, route, query }: IngestExchange,
  format: AcceptRequest['format'],
  addresses: ClientAddresses,
): Omit<AcceptRequest, 'body'> {
  return { ...describeRequest(request, addresses), projectRef: route.projectRef, format, query }
}

function sendWithCors({ request, response }: RequestExchange, answer: HttpAnswer): void {
  sendAnswer(request, response, { ...answer, headers: { ...answer.headers, ...CORS } })
}

function refuseWithCors(
  { request, response }: RequestExchange,
  answer: HttpAnswer,
  { paced }: IngestOptions,
): void {
  paced.send(request, response, { ...answer, headers: { ...answer.headers, ...CORS } })
}

async function withoutBody(
  { request, route, query }: IngestExchange,
  options: IngestOptions,
): Promise<HttpAnswer> {
  if (route.endpoint === 'other') {
    return errorAnswer({
      code: 'not_found',
      detail:
        'no such endpoint: SDKs send to /api/PROJECT/envelope/, OpenTelemetry to /api/PROJECT/otlp/v1/traces',
    })
  }
  const inQuery = query.get('sentry_data')
  if (request.method === 'GET' && route.endpoint === 'store' && inQuery !== null) {
    const named = { projectRef: route.projectRef, format: route.endpoint, query }
    return ingestFromQuery(
      inQuery,
      { ...describeRequest(request, options.addresses), ...named },
      options.accept,
    )
  }
  return errorAnswer({ code: 'method_not_allowed', headers: { allow: 'POST, OPTIONS' } })
}

/** Very old browsers send one event in the query of an image's address. */
async function ingestFromQuery(
  data: string,
  described: Omit<AcceptRequest, 'body'>,
  accept: Accept,
): Promise<HttpAnswer> {
  // The plus signs of base64 arrive as spaces.
  const text = data.trimStart().startsWith('{') ? data : data.replaceAll(' ', '+')
  const plain = { ...described, contentEncoding: null, contentType: null, body: Buffer.from(text) }
  const answer = await accept.accept(plain)
  if (answer.error !== null) return ingestAnswer(answer)
  return { status: 200, headers: { 'content-type': 'image/gif', 'cache-control': 'no-store' }, body: GIF }
}
