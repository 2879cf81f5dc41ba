/**
 * The server of a thread that accepts, at a port that it shares with its like. Envelopes are read here; every other
 * request is passed on to the main thread as it came.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Accept } from '#accept/types.ts'
import { addressKey } from '#base/address-key.ts'
import type { Log } from '#base/log.ts'
import type { PublicAddress } from '#base/public-address.ts'
import { max } from '#limits/limits.ts'
import type { Settings } from '#limits/settings.ts'
import { RequestBodyReader } from './body.ts'
import { type ClientAddresses, createClientAddresses } from './client-address.ts'
import {
  closeServer,
  guardedServer,
  type Handler,
  type HttpTimeouts,
  listenHost,
  movingBodies,
  tryListen,
} from './guarded-server.ts'
import { type HopTarget, type PassedOn, passOn } from './hop.ts'
import { answerIngest } from './ingest.ts'
import type { RequestExchange } from './ingest-request.ts'
import { IngestTargets } from './ingest-targets.ts'
import { createMonitoring, isMonitoringPath, type RelayLimiter } from './monitoring.ts'
import type { PacedAnswers } from './paced-answers.ts'
import { errorAnswer, sendAnswer } from './respond.ts'
import type { SharedBytes } from './shared-bytes.ts'
import { readTarget } from './target.ts'

export interface AcceptServerOptions {
  readonly accept: Omit<Accept, 'acceptLarge' | 'flush'>
  readonly limiter: RelayLimiter
  /** Counts an answer to an address; false if it has to wait. */
  readonly takesAnswer: (address: string) => Promise<boolean>
  readonly settings: Pick<Settings, 'host' | 'trustedProxies'> &
    Partial<Pick<Settings, 'clientAddressHeader'>>
  readonly port: number
  /** Threads that share the port. */
  readonly parts: number
  readonly bodies: SharedBytes
  readonly hop: HopTarget
  readonly publicAddress: PublicAddress
  readonly log: Log
  readonly timeouts?: HttpTimeouts | undefined
}

export interface AcceptServer {
  /** Resolves when everything under way is answered. */
  close(): Promise<void>
}

/** Returns why it does not listen, if it does not. */
export async function startAcceptServer(
  options: AcceptServerOptions,
): Promise<AcceptServer | NodeJS.ErrnoException> {
  const { settings, port, parts, log, timeouts } = options
  const state = { isClosing: false }
  const addresses = createClientAddresses(settings.trustedProxies, settings.clientAddressHeader ?? null)
  const moving = movingBodies(timeouts)
  const bodies = new RequestBodyReader(max('bodiesInFlightBytesMax'), moving, options.bodies)
  const handle = createAcceptHandler(options, { state, addresses, bodies })
  const server = guardedServer({ handle, moving, addresses, parts, timeouts })
  const failure = await tryListen(server, { port, ...listenHost(settings), reusePort: true })
  if (failure !== null) return failure
  server.on('error', (cause) => log.error('http: server error', { reason: cause.message }))
  return {
    close() {
      state.isClosing = true
      return closeServer(server)
    },
  }
}

interface HandlerParts {
  readonly state: { readonly isClosing: boolean }
  readonly addresses: ClientAddresses
  readonly bodies: RequestBodyReader
}

function createAcceptHandler(
  options: AcceptServerOptions,
  { state, addresses, bodies }: HandlerParts,
): Handler {
  const { hop, log, publicAddress, limiter } = options
  const accept: Accept = { ...options.accept, acceptLarge: unreachable, flush: unreachable }
  const paced = pacedElsewhere(options, addresses)
  const passLarge =
    (isCounted: boolean) => (exchange: RequestExchange, rest: { pieces: AsyncIterable<Buffer> }) =>
      passOn({ ...exchange, body: rest.pieces, isCounted }, hop)
  const ingest = { accept, bodies, addresses, paced, passOn: passLarge(false) }
  const monitoring = createMonitoring({
    ...{ accept, bodies, addresses, limiter, log, publicAddress, paced },
    passOn: passLarge(true),
  })
  const targets = new IngestTargets(publicAddress.basePath)
  return (request, response) => {
    if (state.isClosing) response.setHeader('connection', 'close')
    const run = (work: () => Promise<void>) => void answerSafely(work, { request, response, log })
    if (request.method !== 'POST' || request.url === undefined)
      return run(() => passPageOn({ request, response }, hop))
    const sent = targets.read(request.url)
    if (sent !== null && sent.route.endpoint !== 'other') {
      const exchange = { request, response, target: sent.target, route: sent.route, query: sent.query }
      return run(() => answerIngest(exchange, ingest))
    }
    const target = sent === null ? readTarget(request.url, publicAddress.basePath) : null
    if (target !== null && isMonitoringPath(target.path))
      return run(() => monitoring({ request, response, target }))
    run(() => passPageOn({ request, response }, hop))
  }
}

/** Passes on what is no envelope. */
async function passPageOn(passed: PassedOn, hop: HopTarget): Promise<void> {
  const end = await passOn(passed, hop)
  if (end === 'answered') return
  sendAnswer(passed.request, passed.response, errorAnswer({ code: 'overloaded', retryAfterSeconds: 1 }))
}

/** Stands for what is passed on before. */
function unreachable(): Promise<never> {
  return Promise.reject(new Error('the main thread does this'))
}

/** Sends cheap answers at the pace that all threads keep together. */
function pacedElsewhere(
  { takesAnswer, timeouts }: AcceptServerOptions,
  addresses: ClientAddresses,
): Pick<PacedAnswers, 'send'> {
  return {
    send(request, response, answer) {
      const tell = () => sendAnswer(request, response, answer)
      void takesAnswer(addressKey(addresses.client(request))).then((isAtOnce) => {
        if (isAtOnce) return tell()
        const held = setTimeout(tell, timeouts?.refusalMs ?? max('pagesRefusalMs'))
        response.once('close', () => clearTimeout(held))
      })
    },
  }
}

/** No failure ends the thread or leaves the client waiting. */
async function answerSafely(
  work: () => Promise<void>,
  {
    request,
    response,
    log,
  }: { readonly request: IncomingMessage; readonly response: ServerResponse; readonly log: Log },
): Promise<void> {
  try {
    await work()
  } catch (cause) {
    log.error('http: a request failed', { reason: cause instanceof Error ? cause.message : String(cause) })
    if (response.headersSent) response.destroy()
    else sendAnswer(request, response, errorAnswer({ code: 'internal' }))
  }
}
