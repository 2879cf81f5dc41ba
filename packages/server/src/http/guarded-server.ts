/**
 * A server of node:http with guards against silent connections, too many of them, slow bodies and what is no HTTP. It
 * closes cleanly.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { byWord } from '#base/by-word.ts'
import { max } from '#limits/limits.ts'
import type { Settings } from '#limits/settings.ts'
import type { ClientAddresses } from './client-address.ts'
import { CrowdedConnections, crowdBounds } from './crowded-connections.ts'
import { MovingBodies } from './moving-bodies.ts'
import { oneAtATime, pipelineBounds } from './one-at-a-time.ts'
import { SilentConnections, silenceBounds } from './silent-connections.ts'

/** Milliseconds; the limits table has the usual ones. */
export interface HttpTimeouts {
  readonly headerMs: number
  readonly bodyMs: number
  readonly checkMs: number
  readonly refusalMs?: number
  readonly stillMs?: number
}

export type Handler = (request: IncomingMessage, response: ServerResponse) => void

export interface GuardOptions {
  readonly handle: Handler
  readonly moving: MovingBodies
  readonly timeouts: HttpTimeouts | undefined
  /** Tells clients apart whose connections are counted; `null` behind servers that have counted theirs. */
  readonly addresses: Pick<ClientAddresses, 'isProxy'> | null
  /** Servers that share one port, and the bounds of connections; default 1. */
  readonly parts?: number
  /** Bytes of headers beyond those of a client. */
  readonly headerBytesMore?: number
}

/** Makes what lets large bodies go on as long as their bytes come, and cuts those that stand still. */
export function movingBodies(timeouts: HttpTimeouts | undefined): MovingBodies {
  return new MovingBodies({ ...serverTimes(timeouts), cut: answerTimeout })
}

export function guardedServer(options: GuardOptions): Server {
  const { moving, timeouts, addresses, parts = 1 } = options
  const handle = withOneHost(options.handle)
  const inTurn = oneAtATime(pipelineBounds(parts))
  const server = createServer(serverOptions(timeouts, options.headerBytesMore ?? 0))
  server.keepAliveTimeout = max('keepAliveTimeoutMs')
  server.timeout = timeouts?.stillMs ?? max('connectionStillMs')
  const guard = addresses === null ? null : guardConnections(server, addresses, parts)
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    guard?.(request)
    inTurn(handle, request, response)
  })
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    guard?.(request)
    inTurn((...exchange) => handleContinued(...exchange, handle), request, response)
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code !== TIMED_OUT || !moving.goesOn(socket)) answerClientError(error, socket)
  })
  return server
}

/** Returns what is told of each request. */
function guardConnections(
  server: Server,
  { isProxy }: Pick<ClientAddresses, 'isProxy'>,
  parts: number,
): (request: IncomingMessage) => void {
  server.maxConnections = Math.ceil(max('connectionsMax') / parts)
  const silent = new SilentConnections(silenceBounds(parts))
  const crowd = new CrowdedConnections(isProxy, crowdBounds(parts))
  server.on('connection', (socket) => {
    silent.opened(socket)
    crowd.opened(socket)
  })
  return ({ socket }) => {
    silent.spoke(socket)
    crowd.used(socket)
  }
}

/** Refuses a request of several hosts (RFC 9112, section 3.2): a proxy before it may have decided by another of them. */
function withOneHost(handle: Handler): Handler {
  return (request, response) => {
    if (hostsOf(request) <= 1) {
      handle(request, response)
      return
    }
    const body = JSON.stringify({ detail: 'Bad Request' })
    response
      .writeHead(400, {
        ...{ 'content-type': 'application/json', 'content-length': body.length },
        ...{ 'access-control-allow-origin': '*', connection: 'close' },
      })
      .end(body)
  }
}

/** Returns how many Host headers a request has; Node itself keeps the first. */
function hostsOf({ rawHeaders }: IncomingMessage): number {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  return hosts
}

/** Addresses of envelopes, which may hold attachments. */
const TAKES_LARGE = /^\/(?:api\/[^/?]+\/envelope|monitoring)\/?(?:\?|$)/i

/** Answers `Expect: 100-continue`: a body that is too large is refused before it is sent. */
function handleContinued(request: IncomingMessage, response: ServerResponse, handle: Handler): void {
  // The connection cannot be used after that.
  const bytesMax = TAKES_LARGE.test(request.url ?? '') ? max('largeBodyBytesMax') : max('bodyBytesMax')
  if (Number(request.headers['content-length'] ?? 0) > bytesMax) response.setHeader('connection', 'close')
  else {
    response.writeContinue()
    delete request.headers.expect // the body is on its way: from here on it is a request like any other
  }
  handle(request, response)
}

function serverTimes(timeouts: HttpTimeouts | undefined) {
  return {
    windowMs: timeouts?.bodyMs ?? max('bodyTimeoutMs'),
    checkMs: timeouts?.checkMs ?? max('timeoutCheckMs'),
  }
}

function serverOptions(timeouts: HttpTimeouts | undefined, headerBytesMore: number) {
  const headerMs = timeouts?.headerMs ?? max('headerTimeoutMs')
  const { windowMs, checkMs } = serverTimes(timeouts)
  return {
    headersTimeout: headerMs,
    requestTimeout: headerMs + windowMs,
    connectionsCheckingInterval: checkMs,
    maxHeaderSize: max('headerBytesMax') + headerBytesMore,
    noDelay: true,
  }
}

const TIMED_OUT = 'ERR_HTTP_REQUEST_TIMEOUT'

function answerTimeout(socket: Duplex): void {
  answerClientError(Object.assign(new Error('the body took too long'), { code: TIMED_OUT }), socket)
}

const CLIENT_ERRORS: Readonly<Record<string, string>> = byWord({
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
})

/** Answers what is not HTTP with an answer that is, if the socket still takes one. */
function answerClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const status = CLIENT_ERRORS[error.code ?? ''] ?? '400 Bad Request'
  const body = JSON.stringify({ detail: status.slice(4) })
  const head = `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nAccess-Control-Allow-Origin: *\r\n`
  socket.end(`${head}Content-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`, () =>
    socket.destroy(),
  )
}

/** Returns the port that it listens on. @throws Error with a sentence when there is none */
export async function listenOnFree(
  server: Server,
  settings: Pick<Settings, 'port' | 'portChosen' | 'host'>,
): Promise<number> {
  const tries = settings.portChosen || settings.port === 0 ? 1 : max('portTriesMax')
  for (let offset = 0; offset < tries; offset++) {
    const port = settings.port + offset
    const failure = await tryListen(server, { port, ...listenHost(settings) })
    if (failure === null) return (server.address() as AddressInfo).port // a TCP server that listens has one
    if (failure.code !== 'EADDRINUSE' || settings.portChosen) throw listenError(failure, port)
  }
  throw new Error(
    `no free port from ${settings.port} to ${settings.port + tries - 1}; choose one with --port`,
  )
}

/** Returns a port that nobody listens on, as `listenOnFree` does: threads that share one would share it with a stranger too. */
export async function findFreePort(
  settings: Pick<Settings, 'port' | 'portChosen' | 'host'>,
): Promise<number> {
  const server = createServer()
  const port = await listenOnFree(server, settings)
  await new Promise<void>((resolve) => server.close(() => resolve()))
  return port
}

/** False where the system does not spread connections over several sockets of one port. */
export async function canSharePort(at: Pick<Settings, 'port' | 'host'>): Promise<boolean> {
  const server = createServer()
  if ((await tryListen(server, { port: at.port, ...listenHost(at), reusePort: true })) !== null) return false
  await new Promise<void>((resolve) => server.close(() => resolve()))
  return true
}

export function listenHost({ host }: Pick<Settings, 'host'>): { readonly host?: string } {
  return host === '' ? {} : { host }
}

type ListenAt =
  | { readonly port: number; readonly host?: string; readonly reusePort?: true }
  | { readonly path: string }

/** Returns why it does not listen; `null` if it does. */
export function tryListen(server: Server, at: ListenAt): Promise<NodeJS.ErrnoException | null> {
  return new Promise((resolve) => {
    const onError = (error: NodeJS.ErrnoException) => {
      server.off('listening', onListening)
      resolve(error)
    }
    const onListening = () => {
      server.off('error', onError)
      resolve(null)
    }
    server.once('error', onError).once('listening', onListening)
    server.listen({ ...at, backlog: max('connectionsQueuedMax') })
  })
}

function listenError(cause: NodeJS.ErrnoException, port: number): Error {
  if (cause.code === 'EADDRINUSE') {
    return new Error(`port ${port} is taken; stop what uses it or choose another with --port`, { cause })
  }
  if (cause.code === 'EACCES') return new Error(`port ${port} may not be used by this user`, { cause })
  return new Error(`cannot listen on port ${port}: ${cause.message}`, { cause })
}

/** Takes no more connections, finishes what is under way within 0.6 of `stopMsMax`, then closes the rest. */
export async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  // Connections that become idle while others finish are closed as they do.
  const idle = setInterval(() => server.closeIdleConnections(), 50)
  const late = setTimeout(() => server.closeAllConnections(), 0.6 * max('stopMsMax'))
  await closed
  clearInterval(idle)
  clearTimeout(late)
}
