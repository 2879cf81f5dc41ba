/** Answers on the wire. The one place where a catalogue error becomes an HTTP status. */
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { ERROR_CATALOGUE, type ErrorCode } from '#base/errors.ts'
import { max } from '#limits/limits.ts'

export interface HttpAnswer {
  readonly status: number
  readonly headers: OutgoingHttpHeaders
  readonly body: string | Buffer
}

export interface ErrorAnswer {
  readonly code: ErrorCode
  readonly detail?: string
  readonly causes?: readonly string[]
  readonly headers?: OutgoingHttpHeaders
  /** Value of Retry-After. On anything but a 429 or 503 it would make SDKs stop sending altogether. */
  readonly retryAfterSeconds?: number | null
}

const HEADER_CHARS_MAX = 200

export function jsonAnswer(status: number, value: unknown, headers: OutgoingHttpHeaders = {}): HttpAnswer {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(value) }
}

/** `{"detail": …, "causes": […]}`, with the detail in X-Sentry-Error too: old SDKs print it. */
export function errorAnswer({
  code,
  detail,
  causes = [],
  headers = {},
  retryAfterSeconds,
}: ErrorAnswer): HttpAnswer {
  const text = detail ?? ERROR_CATALOGUE[code].cause
  const retry: OutgoingHttpHeaders =
    retryAfterSeconds === undefined || retryAfterSeconds === null
      ? {}
      : { 'retry-after': String(retryAfterSeconds) }
  const body = causes.length === 0 ? { detail: text } : { detail: text, causes }
  return jsonAnswer(ERROR_CATALOGUE[code].status, body, {
    'x-sentry-error': printableHeader(text),
    ...retry,
    ...headers,
  })
}

/** Sends a small JSON answer to a request whose body was read; `headers` in pairs, names and values in turn. */
export function sendJson(
  response: ServerResponse,
  answer: { readonly status: number; readonly headers: readonly string[]; readonly text: string },
): void {
  if (response.headersSent || response.destroyed) return
  // ASCII, so that characters are bytes; headers and text leave in one write.
  response.writeHead(answer.status, [...answer.headers, 'content-length', String(answer.text.length)])
  response.end(answer.text, 'latin1')
}

/**
 * Sends an answer. Where the request's body has not been read to its end, the answer goes out at once and the rest of
 * the body is drained before the exchange ends, within bounds: closing earlier would reset the connection, and the
 * client would never see the status.
 */
export function sendAnswer(request: IncomingMessage, response: ServerResponse, answer: HttpAnswer): void {
  if (response.headersSent || response.destroyed) return
  // A string goes out with the headers in one write; a buffer would be a second one.
  const { body } = answer
  const bytes = typeof body === 'string' ? Buffer.byteLength(body) : body.length
  response.writeHead(answer.status, { ...answer.headers, 'content-length': bytes })
  const content = request.method === 'HEAD' ? '' : body
  if (isBodyRead(request)) {
    response.end(content)
    return
  }
  response.flushHeaders()
  if (content.length > 0) response.write(content)
  drain(request, () => response.end())
}

/** Ends an answer that has been written, once what is left of the request's body is drained. */
export function finishAfterBody(request: IncomingMessage, response: ServerResponse): void {
  if (isBodyRead(request)) response.end()
  else drain(request, () => response.end())
}

/** True if nothing is left to drain: a client that asked whether to send its body (`guarded-server.ts`) and is told no sends none. */
function isBodyRead(request: IncomingMessage): boolean {
  return request.complete || !hasBody(request) || request.headers.expect !== undefined
}

function drain(request: IncomingMessage, onDone: () => void): void {
  let left = max('drainBytesMax')
  const giveUp = () => request.socket.destroy()
  const timer = setTimeout(giveUp, max('drainTimeoutMs'))
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) giveUp()
  })
  request.once('end', onDone)
  request.once('close', () => clearTimeout(timer))
  request.on('error', () => clearTimeout(timer)) // the client went away: what was to be said has been said
  request.resume()
}

function hasBody(request: IncomingMessage): boolean {
  return (
    request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0
  )
}

function printableHeader(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?').slice(0, HEADER_CHARS_MAX)
}
