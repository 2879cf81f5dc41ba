/** The one HTTP server: routes each request to ingest, relay, health, web API or web app, and ends cleanly. */

import type { IncomingMessage } from 'node:http'
import type { Accept } from '#accept/types.ts'
import { sessionCookie } from '#access/cookie.ts'
import { addressKey } from '#base/address-key.ts'
import { type Clock, systemClock } from '#base/clock.ts'
import type { Log } from '#base/log.ts'
import type { PublicAddress } from '#base/public-address.ts'
import { max } from '#limits/limits.ts'
import type { Settings } from '#limits/settings.ts'
import { apiBodyBytesMax } from './api/routes.ts'
import { RequestBodyReader } from './body.ts'
import { type ClientAddresses, createClientAddresses } from './client-address.ts'
import {
  canSharePort,
  closeServer,
  findFreePort,
  guardedServer,
  type Handler,
  type HttpTimeouts,
  listenOnFree,
  movingBodies,
} from './guarded-server.ts'
import { createHealth, createRelayHealth, isRelayHealthPath } from './health.ts'
import { answerIngest } from './ingest.ts'
import { IngestFirst } from './ingest-first.ts'
import type { RequestExchange } from './ingest-request.ts'
import { type IngestTarget, IngestTargets, isApiPath } from './ingest-targets.ts'
import { startInnerServer } from './inner-server.ts'
import { isMcpPath } from './mcp/mcp.ts'
import { createMetrics, type Metric, type MetricsOptions } from './metrics.ts'
import { AddressLimiter, createMonitoring, isMonitoringPath } from './monitoring.ts'
import type { MovingBodies } from './moving-bodies.ts'
import { PacedAnswers, type PaceOptions } from './paced-answers.ts'
import { NO_QUEUE, type PageAsker, type PagePlace, PageQueue, queueOfWaits } from './page-queue.ts'
import { answerWeb } from './pages.ts'
import { errorAnswer, sendAnswer } from './respond.ts'
import { isScimPath } from './scim/scim.ts'
import type { SharedBytes } from './shared-bytes.ts'
import { readPageTarget, readTarget, type Target } from './target.ts'
import type { AcceptThreads, ApiHandler, Engine, IngestDesk, PageHandler, PageRequest } from './types.ts'

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
  /** Threads that accept in place of this one; `null` or left out: it accepts alone. */
  readonly acceptThreads?: AcceptThreads | null
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
  const threads = options.acceptThreads ?? null
  const behind = threads === null ? null : await startBehindThreads(options, threads)
  return behind ?? startAlone(options)
}

async function startAlone(options: HttpOptions): Promise<RunningHttp> {
  const state = { isClosing: false, isTurningAway: false }
  const { trustedProxies, clientAddressHeader = null } = options.settings
  const addresses = createClientAddresses(trustedProxies, clientAddressHeader)
  const moving = movingBodies(options.timeouts)
  const { handle } = createMainHandler(options, { state, addresses, moving, shared: null })
  const server = guardedServer({ handle, moving, addresses, timeouts: options.timeouts })
  const port = await listenOnFree(server, options.settings)
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

/** `null` where the system lets no threads share a port. */
async function startBehindThreads(options: HttpOptions, threads: AcceptThreads): Promise<RunningHttp | null> {
  const { settings, timeouts, log, publicAddress } = options
  const state = { isClosing: false, isTurningAway: false }
  const { trustedProxies, clientAddressHeader = null } = settings
  const port = await findFreePort(settings)
  if (!(await canSharePort({ ...settings, port }))) {
    log.info('http: no threads can share a port here; the main thread accepts alone')
    return null
  }
  const addresses = createClientAddresses(trustedProxies, clientAddressHeader, true)
  const moving = movingBodies(timeouts)
  const { handle, desk } = createMainHandler(options, { state, addresses, moving, shared: threads.bodies })
  const inner = await startInnerServer({ handle, moving, timeouts, directory: threads.socketDirectory, log })
  publicAddress.bound(port)
  try {
    await threads.listen({
      ...{ port, settings, desk, publicAddress, hop: inner.target },
      socket: () => inner.socket(),
    })
  } catch (cause) {
    await inner.close()
    throw cause
  }
  return {
    port,
    turnAway: () => {
      state.isTurningAway = true
    },
    async close() {
      state.isTurningAway = true
      await threads.close()
      state.isClosing = true
      await inner.close()
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
  readonly shared: SharedBytes | null
}

function createMainHandler(
  options: HttpOptions,
  { state, addresses, moving, shared }: HandlerParts,
): { readonly handle: Handler; readonly desk: IngestDesk } {
  const { engine, log, publicAddress } = options
  const bodies = new RequestBodyReader(max('bodiesInFlightBytesMax'), moving, shared)
  const clock = options.clock ?? systemClock
  const first = new IngestFirst({ clock })
  const accept: Accept = {
    ...engine.accept,
    accept: (request, seen) => first.ingest(() => engine.accept.accept(request, seen)),
  }
  const refusalMs = options.timeouts?.refusalMs ?? max('pagesRefusalMs')
  const { paced, pacedHealth } = paces({ addresses, clock, heldMs: refusalMs })
  const limiter = new AddressLimiter(clock, max('relayRequestsPerMinute'))
  const monitoring = createMonitoring({ accept, bodies, addresses, limiter, log, publicAddress, paced })
  const [queue, waitsQueue] = [new PageQueue(), queueOfWaits()]
  const askerOf = askerReader(options, addresses)
  const web = { bodies, log, publicAddress, queue, askerOf, refusalMs }
  const bodyBytesMax = (request: IncomingMessage) =>
    askerOf(request).session === null ? max('formBytesMax') : max('longFormBytesMax')
  const healthy = () => (state.isTurningAway ? STOPPING : engine.healthy())
  const health = createHealth({ healthy, clock, paced: pacedHealth })
  const relayHealth = createRelayHealth({ healthy, paced: pacedHealth })
  const metrics = metricsOf(options, { addresses, paced })
  const asked = { options, addresses }
  const route = (exchange: RequestExchange): Promise<void> | void => {
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
    const page = pageAnswer(options, { clientAddress, turn: () => first.turn(), waitsFor })
    return answerWeb(exchange, page, { ...web, bodyBytesMax, queue: queueFor(path, queue, waitsQueue) })
  }
  const targets = new IngestTargets(publicAddress.basePath)
  const ingest = { accept, bodies, addresses, paced }
  const handle: Handler = (request, response) => {
    if (state.isClosing) response.setHeader('connection', 'close')
    // As whoever watches spells it: before any other work.
    if (request.url === '/health') return health({ request, response })
    const sent = request.url === undefined ? null : targets.read(request.url)
    if (sent !== null) {
      const exchange = { request, response, target: sent.target, route: sent.route, query: sent.query }
      if (isRelayHealth(sent)) return relayHealth(exchange)
      return void answerRequest(() => answerIngest(exchange, ingest), exchange, log)
    }
    const target = readTarget(request.url, publicAddress.basePath) ?? pageTarget(request, publicAddress)
    if (target === null) {
      const detail = 'the request target cannot be read'
      paced.send(request, response, errorAnswer({ code: 'bad_request', detail }))
      return
    }
    void answerRequest(route, { request, response, target }, log)
  }
  return { handle, desk: { first, limiter, paced } }
}

/** A browser that asks for a page is shown that it is missing; tools and SDKs are told what is wrong. */
function pageTarget({ url, headers }: IncomingMessage, { basePath }: PublicAddress): Target | null {
  const isOfPage = headers['sec-fetch-site'] === 'same-origin'
  if (!isOfPage && headers.accept?.includes('text/html') !== true) return null
  const target = readPageTarget(url, basePath)
  return target === null || IS_FOR_TOOLS.test(target.path) ? null : target
}

const IS_FOR_TOOLS = /^\/(?:api|scim|mcp|monitoring|health|metrics)(?:\/|$)/

function isRelayHealth({ route, target }: IngestTarget): boolean {
  return route.endpoint === 'other' && isRelayHealthPath(target.path)
}

function metricsOf(
  { metrics: read, settings }: HttpOptions,
  parts: Pick<MetricsOptions, 'addresses' | 'paced'>,
) {
  return read === undefined ? null : createMetrics({ read, token: settings.metricsToken ?? null, ...parts })
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

function pageAnswer({ pages }: Pick<HttpOptions, 'pages'>, asked: Omit<PageRequest, 'request' | 'aside'>) {
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
  exchange: RequestExchange,
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
async function answerRequest(
  route: (exchange: RequestExchange) => Promise<void> | void,
  exchange: RequestExchange,
  log: Log,
): Promise<void> {
  try {
    await route(exchange)
  } catch (cause) {
    log.error('http: a request failed', { reason: cause instanceof Error ? cause.message : String(cause) })
    if (exchange.response.headersSent) exchange.response.destroy()
    else sendAnswer(exchange.request, exchange.response, errorAnswer({ code: 'internal' }))
  }
}
