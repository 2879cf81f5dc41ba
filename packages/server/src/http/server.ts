/** The one HTTP server: routes each request to ingest, relay, health, web API or web app, and ends cleanly. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Accept } from '#accept/types.ts'
import { sessionCookie } from '#access/cookie.ts'
import { addressKey } from '#base/address-key.ts'
import { byWord } from '#base/by-word.ts'
import { type Clock, systemClock } from '#base/clock.ts'
import type { Log } from '#base/log.ts'
import type { PublicAddress } from '#base/public-address.ts'
import { max } from '#limits/limits.ts'
import type { Settings } from '#limits/settings.ts'
import { apiBodyBytesMax } from './api/routes.ts'
import { BodyReader } from './body.ts'
import { type ClientAddresses, createClientAddresses } from './client-address.ts'
import { CrowdedConnections } from './crowded-connections.ts'
import { createHealth, createRelayHealth, isRelayHealthPath } from './health.ts'
import { answerIngest } from './ingest.ts'
import { IngestFirst } from './ingest-first.ts'
import type { Exchange } from './ingest-request.ts'
import { type IngestTarget, IngestTargets, isApiPath } from './ingest-targets.ts'
import { isMcpPath } from './mcp/mcp.ts'
import { createMetrics, type Metric } from './metrics.ts'
import { createMonitoring, isMonitoringPath } from './monitoring.ts'
import { MovingBodies } from './moving-bodies.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { PacedAnswers, type PaceOptions } from './paced-answers.ts'
import { NO_QUEUE, type PageAsker, type PagePlace, PageQueue, queueOfWaits } from './page-queue.ts'
import { answerWeb } from './pages.ts'
import { errorAnswer, send } from './respond.ts'
import { isScimPath } from './scim/scim.ts'
import { SilentConnections } from './silent-connections.ts'
import { readTarget } from './target.ts'
import type { ApiHandler, Engine, PageHandler, PageRequest } from './types.ts'

export interface HttpOptions {
  readonly engine: Pick<Engine, 'accept' | 'healthy'>
  /** Without it /metrics is a page that does not exist. */
  readonly metrics?: () => Promise<readonly Metric[]>
  readonly settings: Pick<Settings, 'port' | 'portChosen' | 'host' | 'trustedProxies'> &
    Partial<Pick<Settings, 'clientAddressHeader' | 'metricsToken'>>
  /** Told of the port once it is bound. */
  readonly publicAddress: PublicAddress
  readonly pages: PageHandler
  /** Answers below `/api/0/`; `null` for what it does not know. Without it that is 404. */
  readonly api?: ApiHandler
  /** Answers agents at `/mcp`. Without it that is a page that does not exist. */
  readonly mcp?: ApiHandler
  readonly log: Log
  readonly clock?: Clock
  readonly timeouts?: HttpTimeouts
}

/** Milliseconds; the limits table has the usual ones. */
export interface HttpTimeouts {
  readonly headerMs: number
  readonly bodyMs: number
  readonly checkMs: number
  readonly refusalMs?: number
  readonly stillMs?: number
}

export interface RunningHttp {
  readonly port: number
  /** From now on it says that it is not ready; everything is answered as before. */
  turnAway(): void
  /** Takes no more connections, finishes what is under way within 0.6 of `stopMsMax`, then closes the rest. */
  close(): Promise<void>
}

/**
 * Listens. When nobody chose the port and it is taken, the next free one.
 * @throws Error with a sentence when a chosen port cannot be had.
 */
export async function startHttp(options: HttpOptions): Promise<RunningHttp> {
  const state = { isClosing: false, isTurningAway: false }
  const { trustedProxies, clientAddressHeader = null } = options.settings
  const addresses = createClientAddresses(trustedProxies, clientAddressHeader)
  const moving = new MovingBodies({ ...timesOf(options.timeouts), cut: answerTimeout })
  const handle = createHandler(options, { state, addresses, moving })
  const inTurn = oneAtATime()
  const server = createServer(serverOptions(options.timeouts))
  server.keepAliveTimeout = max('keepAliveTimeoutMs')
  server.maxConnections = max('connectionsMax')
  server.timeout = options.timeouts?.stillMs ?? max('connectionStillMs')
  const silent = new SilentConnections()
  const crowd = new CrowdedConnections(addresses.isProxy)
  server.on('connection', (socket) => {
    silent.opened(socket)
    crowd.opened(socket)
  })
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    silent.spoke(request.socket)
    crowd.used(request.socket)
    inTurn(handle, request, response)
  })
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    silent.spoke(request.socket)
    inTurn((...exchange) => handleContinued(...exchange, handle), request, response)
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code !== TIMED_OUT || !moving.goesOn(socket)) answerClientError(error, socket)
  })
  const port = await listen(server, options.settings)
  server.on('error', (cause) => options.log.error('http: server error', { reason: cause.message }))
  options.publicAddress.bound(port)
  return {
    port,
    turnAway: () => {
      state.isTurningAway = true
    },
    close: () => {
      state.isTurningAway = true
      state.isClosing = true
      return closeServer(server)
    },
  }
}

interface ServerState {
  readonly isClosing: boolean
  readonly isTurningAway: boolean
}

interface HandlerParts {
  readonly state: ServerState
  readonly addresses: ClientAddresses
  readonly moving: MovingBodies
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void

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

function createHandler(options: HttpOptions, { state, addresses, moving }: HandlerParts): Handler {
  const { engine, log, publicAddress } = options
  const bodies = new BodyReader(max('bodiesInFlightBytesMax'), moving)
  const clock = options.clock ?? systemClock
  const first = new IngestFirst({ clock })
  const accept: Accept = {
    ...engine.accept,
    accept: (request, seen) => first.ingest(() => engine.accept.accept(request, seen)),
  }
  const refusalMs = options.timeouts?.refusalMs ?? max('pagesRefusalMs')
  const { paced, pacedHealth } = paces({ addresses, clock, heldMs: refusalMs })
  const monitoring = createMonitoring({ accept, bodies, addresses, clock, log, publicAddress, paced })
  const [queue, waitsQueue] = [new PageQueue(), queueOfWaits()]
  const askerOf = askerReader(options, addresses)
  const web = { bodies, log, publicAddress, queue, askerOf, refusalMs }
  const bodyBytesMax = (request: IncomingMessage) =>
    askerOf(request).session === null ? max('formBytesMax') : max('longFormBytesMax')
  const turn = () => first.turn()
  const read = options.metrics
  const token = options.settings.metricsToken ?? null
  const healthy = () => (state.isTurningAway ? STOPPING : engine.healthy())
  const health = createHealth({ healthy, clock, paced: pacedHealth })
  const relayHealth = createRelayHealth({ healthy, paced: pacedHealth })
  const metrics = read === undefined ? null : createMetrics({ read, token, addresses, paced })
  const asked = { options, addresses }
  const route = (exchange: Exchange): Promise<void> | void => {
    const { path } = exchange.target
    if (isMonitoringPath(path)) return monitoring(exchange)
    if (path === '/health' || path === '/health/') return health(exchange)
    if (path === '/metrics' && metrics !== null) return metrics(exchange)
    if (isApiPath(path) || isScimPath(path))
      return answerWeb(exchange, (request, place) => askApi(request, exchange, { ...asked, place }), {
        ...web,
        bodyBytesMax: ({ method = '', headers }) => apiBodyBytesMax(method, path, headers.authorization),
      })
    const clientAddress = addresses.client(exchange.request)
    const { mcp } = options
    if (mcp !== undefined && isMcpPath(path))
      return answerWeb(exchange, (request) => mcp(request, { clientAddress }), {
        ...web,
        bodyBytesMax: () => max('agentRequestBytesMax'),
      })
    const waitsFor = () => queue.waitOf(askerOf(exchange.request))
    const page = pageOf(options, { clientAddress, turn, waitsFor })
    return answerWeb(exchange, page, { ...web, bodyBytesMax, queue: queueFor(path, queue, waitsQueue) })
  }
  const targets = new IngestTargets(publicAddress.basePath)
  const ingest = { accept, bodies, addresses, paced }
  return (request, response) => {
    if (state.isClosing) response.setHeader('connection', 'close')
    // As whoever watches spells it: before any other work.
    if (request.url === '/health') return health({ request, response })
    const sent = request.url === undefined ? null : targets.read(request.url)
    if (sent !== null) {
      const exchange = { request, response, target: sent.target, route: sent.route, query: sent.query }
      if (isRelayHealth(sent)) return relayHealth(exchange)
      return void answer(() => answerIngest(exchange, ingest), exchange, log)
    }
    const target = readTarget(request.url, publicAddress.basePath)
    if (target === null) {
      const detail = 'the request target cannot be read'
      paced.send(request, response, errorAnswer({ code: 'bad_request', detail }))
      return
    }
    void answer(route, { request, response, target }, log)
  }
}

function isRelayHealth({ route, target }: IngestTarget): boolean {
  return route.endpoint === 'other' && isRelayHealthPath(target.path)
}

/** Health for a load balancer: the process takes what it is sent, and wants no more. */
const STOPPING = { ok: false, status: 'broken', detail: 'stopping', reasons: ['stopping'] } as const

function paces(shared: Omit<PaceOptions, 'perSecond'>) {
  return {
    paced: new PacedAnswers({ ...shared, perSecond: max('cheapAnswersPerSecond') }),
    pacedHealth: new PacedAnswers({ ...shared, perSecond: max('healthAnswersPerSecond') }),
  }
}

/** Scripts and styles: files of the build, for which nothing is read or rendered. A page needs many at once. */
function isFile(path: string): boolean {
  return path.startsWith('/assets/')
}

/** Files wait in no queue; what a page waits for is asked while it waits. */
function queueFor(path: string, queue: PageQueue, waitsQueue: PageQueue): Pick<PageQueue, 'enter'> {
  if (isFile(path)) return NO_QUEUE
  return path.endsWith('/waits') ? waitsQueue : queue
}

function pageOf({ pages }: Pick<HttpOptions, 'pages'>, asked: Omit<PageRequest, 'request' | 'aside'>) {
  return (request: Request, { aside }: PagePlace) => pages({ request, aside, ...asked })
}

const ASKER_CHARS_MAX = 200

/** Nobody is asked who they are: a made-up cookie has a lane of its own, within the bound of its address. */
function askerReader(
  { publicAddress }: Pick<HttpOptions, 'publicAddress'>,
  addresses: ClientAddresses,
): (request: IncomingMessage) => PageAsker {
  return (request) => {
    const { cookie = null, authorization = null } = request.headers
    const session = sessionCookie(publicAddress, null).read(cookie) ?? authorization
    const address = addressKey(addresses.client(request))
    return { address, session: session?.slice(0, ASKER_CHARS_MAX) ?? null }
  }
}

async function askApi(
  request: Request,
  exchange: Exchange,
  { options, addresses, place }: AskedApi,
): Promise<Response> {
  const context = { clientAddress: addresses.client(exchange.request), aside: place.aside }
  const answer = (await options.api?.(request, context)) ?? null
  if (answer !== null) return answer
  return Response.json({ detail: 'The requested resource does not exist' }, { status: 404 })
}

interface AskedApi {
  readonly options: HttpOptions
  readonly addresses: ClientAddresses
  readonly place: Pick<PagePlace, 'aside'>
}

/** No failure of a handler ends the process or leaves the client waiting. */
async function answer(
  route: (exchange: Exchange) => Promise<void> | void,
  exchange: Exchange,
  log: Log,
): Promise<void> {
  try {
    await route(exchange)
  } catch (cause) {
    log.error('http: a request failed', { reason: cause instanceof Error ? cause.message : String(cause) })
    if (exchange.response.headersSent) exchange.response.destroy()
    else send(exchange.request, exchange.response, errorAnswer({ code: 'internal' }))
  }
}

function timesOf(timeouts?: HttpTimeouts) {
  return {
    windowMs: timeouts?.bodyMs ?? max('bodyTimeoutMs'),
    checkMs: timeouts?.checkMs ?? max('timeoutCheckMs'),
  }
}

function serverOptions(timeouts?: HttpTimeouts) {
  const headerMs = timeouts?.headerMs ?? max('headerTimeoutMs')
  const { windowMs, checkMs } = timesOf(timeouts)
  return {
    headersTimeout: headerMs,
    requestTimeout: headerMs + windowMs,
    connectionsCheckingInterval: checkMs,
    maxHeaderSize: max('headerBytesMax'),
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

async function listen(server: Server, settings: HttpOptions['settings']): Promise<number> {
  const tries = settings.portChosen || settings.port === 0 ? 1 : max('portTriesMax')
  for (let offset = 0; offset < tries; offset++) {
    const port = settings.port + offset
    const failure = await tryListen(server, port, settings.host)
    if (failure === null) return (server.address() as AddressInfo).port // a TCP server that listens has one
    if (failure.code !== 'EADDRINUSE' || settings.portChosen) throw listenError(failure, port)
  }
  throw new Error(
    `no free port from ${settings.port} to ${settings.port + tries - 1}; choose one with --port`,
  )
}

function tryListen(server: Server, port: number, host: string): Promise<NodeJS.ErrnoException | null> {
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
    const backlog = max('connectionsQueuedMax')
    server.listen(host === '' ? { port, backlog } : { port, host, backlog })
  })
}

function listenError(cause: NodeJS.ErrnoException, port: number): Error {
  if (cause.code === 'EADDRINUSE') {
    return new Error(`port ${port} is taken; stop what uses it or choose another with --port`, { cause })
  }
  if (cause.code === 'EACCES') return new Error(`port ${port} may not be used by this user`, { cause })
  return new Error(`cannot listen on port ${port}: ${cause.message}`, { cause })
}

async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  // Connections that become idle while others finish are closed as they do.
  const idle = setInterval(() => server.closeIdleConnections(), 50)
  const late = setTimeout(() => server.closeAllConnections(), 0.6 * max('stopMsMax'))
  await closed
  clearInterval(idle)
  clearTimeout(late)
}
