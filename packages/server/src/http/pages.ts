/** node:http on one side, web-standard Request and Response on the other: how the web app and the web API are served. */

import { once } from 'node:events'
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { Log } from '#base/log.ts'
import type { PublicAddress } from '#base/public-address.ts'
import type { RequestBodyReader } from './body.ts'
import { busyAnswer } from './busy-answer.ts'
import { compressAnswer } from './compress.ts'
import type { RequestExchange } from './ingest-request.ts'
import type { PageAsker, PagePlace, PageQueue } from './page-queue.ts'
import { errorAnswer, sendAnswer } from './respond.ts'

export interface WebOptions {
  readonly bodies: RequestBodyReader
  readonly log: Log
  /** Origin of the public address: what a request's URL begins with, whatever its Host header says. */
  readonly publicAddress: PublicAddress
  readonly queue: Pick<PageQueue, 'enter'>
  /** How long a refusal is held. */
  readonly refusalMs: number
  readonly askerOf: (request: IncomingMessage) => PageAsker
  /** Returns the most bytes of this request's body. */
  readonly bodyBytesMax: (request: IncomingMessage) => number
}

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
const BODILESS: ReadonlySet<string> = new Set(['GET', 'HEAD'])

/**
 * Hands the request to `handle` and streams what it answers. A HEAD request is handled as GET and answered without
 * body. The request's signal aborts when the client goes away. A failing handler is logged and answered with a plain
 * 500; an answer of `null` with 404; who finds no place in the queue with 429 or 503.
 */
export async function answerWeb(
  { request, response, target }: RequestExchange,
  handle: (request: Request, place: PagePlace) => Promise<Response | null>,
  options: WebOptions,
): Promise<void> {
  const method = request.method ?? 'GET'
  if (!METHODS.has(method)) {
    sendAnswer(
      request,
      response,
      errorAnswer({ code: 'method_not_allowed', headers: { allow: [...METHODS].join(', ') } }),
    )
    return
  }
  const body = BODILESS.has(method) ? null : await options.bodies.read(request, options.bodyBytesMax(request))
  if (body !== null && !body.ok) {
    const code =
      body.reason === 'too_large' ? 'body_too_large' : body.reason === 'busy' ? 'overloaded' : 'bad_request'
    sendAnswer(request, response, errorAnswer({ code }))
    return
  }
  try {
    await answerInTurn({ request, response, target }, { ...options, handle, body: body?.bytes ?? null })
  } finally {
    body?.release()
  }
}

interface InTurn extends WebOptions {
  readonly handle: (request: Request, place: PagePlace) => Promise<Response | null>
  readonly body: Buffer | null
}

/** Until the answer is made; a client that takes it slowly holds nobody up. */
async function answerInTurn({ request, response, target }: RequestExchange, options: InTurn): Promise<void> {
  const { queue, log, body } = options
  const place = queue.enter(options.askerOf(request))
  if (typeof place === 'string') {
    const held = setTimeout(
      () => sendAnswer(request, response, busyAnswer(request, place)),
      options.refusalMs,
    )
    response.once('close', () => clearTimeout(held))
    return
  }
  const aborter = new AbortController()
  response.on('close', () => {
    place.giveUp()
    if (!response.writableFinished) aborter.abort()
  })
  if (!(await place.began)) return
  let answer: Response
  try {
    const url = `${options.publicAddress.origin}${target.path}${target.search}`
    const web = toRequest(request, { url, body, signal: aborter.signal })
    if (web === null) {
      sendAnswer(request, response, errorAnswer({ code: 'bad_request' }))
      return
    }
    answer = await handleSafely(async () => {
      return await compressAnswer((await options.handle(web, place)) ?? pageNotFound(), request)
    }, log)
  } finally {
    place.leave()
  }
  await sendResponse(answer, { request, response, log })
}

async function handleSafely(handle: () => Promise<Response>, log: Log): Promise<Response> {
  try {
    return await handle()
  } catch (cause) {
    log.error('http: a page handler failed', { reason: describeFailure(cause) })
    return new Response('Internal Server Error', {
      status: 500,
      headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
    })
  }
}

function pageNotFound(): Response {
  return new Response('Not Found', { status: 404, headers: { 'content-type': 'text/plain; charset=utf-8' } })
}

/** Headers that belong to the connection, not to the request. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  'expect',
  'te',
  'trailer',
  'proxy-connection',
  'proxy-authorization',
])

/** `null` for what cannot be said as a web request, such as a header value with control characters. */
function toRequest(
  from: IncomingMessage,
  to: { readonly url: string; readonly body: Buffer | null; readonly signal: AbortSignal },
): Request | null {
  try {
    const headers = new Headers()
    for (const [name, value] of Object.entries(from.headers)) {
      if (value === undefined || HOP_BY_HOP.has(name)) continue
      headers.set(name, Array.isArray(value) ? value.join(', ') : value)
    }
    const method = from.method === 'HEAD' ? 'GET' : (from.method ?? 'GET')
    const body = to.body === null || to.body.length === 0 ? null : new Uint8Array(to.body)
    return new Request(to.url, { method, headers, body, signal: to.signal })
  } catch {
    return null // Headers and Request throw TypeError for what the client sent
  }
}

/** Streams a web response out, waiting where the client is slow. */
async function sendResponse(
  answer: Response,
  { request, response, log }: { request: IncomingMessage; response: ServerResponse; log: Log },
): Promise<void> {
  const headers: OutgoingHttpHeaders = {}
  for (const [name, value] of answer.headers) if (name !== 'set-cookie') headers[name] = value
  const cookies = answer.headers.getSetCookie()
  if (cookies.length > 0) headers['set-cookie'] = cookies
  if (response.destroyed) {
    await answer.body?.cancel()
    return
  }
  response.writeHead(answer.status, headers)
  if (answer.body === null || request.method === 'HEAD') {
    await answer.body?.cancel()
    response.end()
    return
  }
  const reader = answer.body.getReader()
  try {
    for (;;) {
      const step = await reader.read()
      if (step.done) break
      if (response.destroyed) return
      if (!response.write(step.value)) await writable(response)
    }
    response.end()
  } catch (cause) {
    log.error('http: a page’s stream failed', { reason: describeFailure(cause) })
    response.destroy() // half an answer must not look whole
  } finally {
    // A reader of a failed or finished stream has nothing left to cancel.
    if (response.destroyed) await reader.cancel().catch(() => {})
  }
}

async function writable(response: ServerResponse): Promise<void> {
  const ended = new AbortController()
  const { signal } = ended
  try {
    await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })])
  } finally {
    ended.abort()
  }
}

function describeFailure(cause: unknown): string {
  return cause instanceof Error ? `${cause.name}: ${cause.message}`.slice(0, 300) : typeof cause
}
