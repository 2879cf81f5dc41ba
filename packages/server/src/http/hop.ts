/**
 * Requests that an accepting thread passes on to the main thread, over a socket file that this process's user alone can
 * open: pages, API calls, uploads, streams, whatever is no envelope, and envelopes that are read as they come.
 *
 * ```
 * client ─▶ accepting thread ─▶ socket file, with one header more: a secret of this start, and who the client is ─▶ main
 * ```
 */
import { hash, timingSafeEqual } from 'node:crypto'
import { Agent, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { errorAnswer, finishAfterBody, sendAnswer } from './respond.ts'

const HOP_HEADER = 'x-errata-hop'
/** Bytes of that header at most. */
export const HOP_HEADER_BYTES = 512

/** Facts that an accepting thread states of a request that it passes on. */
export interface Hop {
  /** The client's end of its connection; `null` when it was gone. */
  readonly peer: string | null
  /** True if the relay's limit has counted it. */
  readonly isCounted: boolean
}

const hops = new WeakMap<IncomingMessage, Hop>()

export function hopOf(request: IncomingMessage): Hop | null {
  return hops.get(request) ?? null
}

/** Takes the header off a request, and notes what it says; false for one that did not come from a thread of this process. */
export function receiveHop(request: IncomingMessage, secret: string): boolean {
  const value = request.headers[HOP_HEADER]
  if (typeof value !== 'string') return false
  const [given = '', peer = '', counted] = value.split(' ')
  // Compares hashes, so that neither its time nor its length says anything.
  if (!timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', secret, 'buffer'))) return false
  delete request.headers[HOP_HEADER]
  hops.set(request, { peer: peer === UNKNOWN ? null : peer, isCounted: counted === COUNTED })
  return true
}

const UNKNOWN = '-'
const COUNTED = 'counted'

export interface HopTarget {
  /** Path of the socket file. */
  readonly socket: string
  readonly secret: string
}

/** Headers of one connection, which another one has of its own. */
const OF_A_CONNECTION: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'te', 'trailer', 'upgrade'],
  ...['expect', HOP_HEADER],
])

export interface PassedOn {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Its body, where something has been read of it; whoever gives it up is told by `return`. */
  readonly body?: AsyncIterable<Buffer>
  readonly isCounted?: boolean
}

/**
 * How passing a request on ended: `answered`, or its client has gone; `broken` after the main thread had begun to read it;
 * `unreached` where the main thread knows nothing of it. The last two are for the caller to answer.
 */
export type HopEnd = 'answered' | 'broken' | 'unreached'

export function passOn(
  { request, response, body, isCounted = false }: PassedOn,
  target: HopTarget,
): Promise<HopEnd> {
  return new Promise((resolve) => {
    response.once('close', () => resolve('answered'))
    const inner = openInner(request, target, isCounted)
    if (inner === null) {
      sendAnswer(request, response, errorAnswer({ code: 'bad_request' }))
      return
    }
    let isReached = false
    let isAnswered = false
    inner.on('socket', (socket) => {
      if (!socket.connecting) isReached = true
      else socket.once('connect', () => (isReached = true))
    })
    inner.on('response', (answer) => {
      isAnswered = true
      answerWith(answer, request, response)
    })
    inner.on('error', (cause: NodeJS.ErrnoException) => {
      // A connection that was kept, and that the main thread had closed by then.
      const isStale = inner.reusedSocket && cause.code === 'ECONNRESET'
      if (!isAnswered) resolve(isReached && !isStale ? 'broken' : 'unreached')
    })
    // Who goes away is not worked for any longer.
    response.once('close', () => inner.destroy())
    // At once, so that the main thread counts what breaks off before its first piece, and answers who asked first.
    if (body !== undefined || request.headers.expect !== undefined) inner.flushHeaders()
    if (body !== undefined) void sendPieces(body, inner)
    // Who was not told to go on may send all the same.
    else request.pipe(inner)
    request.once('close', () => {
      if (!request.complete) inner.destroy()
    })
  })
}

/**
 * Connections that stay open: where the main thread closed one with its answer, the last bytes of a request would meet a
 * closed end, and the answer would be lost.
 */
const agent = new Agent({ keepAlive: true, maxFreeSockets: 64 })

/** `null` for what cannot be said again, such as a target with characters that no client may send. */
function openInner(request: IncomingMessage, { socket, secret }: HopTarget, isCounted: boolean) {
  const { method = 'GET', url = '/', headers } = request
  const peer = request.socket.remoteAddress ?? UNKNOWN
  const hop = [secret, peer, ...(isCounted ? [COUNTED] : [])].join(' ')
  const flat = [HOP_HEADER, hop, ...ownHeaders(request.rawHeaders)]
  if (headers.host === undefined) flat.push('host', '')
  if (headers['transfer-encoding'] !== undefined) flat.push('transfer-encoding', 'chunked')
  try {
    return httpRequest({
      ...{ socketPath: socket, method, path: url, headers: flat, agent },
      maxHeaderSize: ANSWER_HEADER_BYTES_MAX,
    })
  } catch {
    return null // node:http throws for characters that it would not write
  }
}

const ANSWER_HEADER_BYTES_MAX = 256 * 1024

function ownHeaders(raw: readonly string[]): string[] {
  const own: string[] = []
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const [name = '', value = ''] = raw.slice(at, at + 2)
    if (!OF_A_CONNECTION.has(name.toLowerCase())) own.push(name, value)
  }
  return own
}

function answerWith(answer: IncomingMessage, request: IncomingMessage, response: ServerResponse): void {
  // The client has been answered otherwise: its request took too long.
  if (response.headersSent || response.destroyed) {
    answer.destroy()
    return
  }
  response.writeHead(answer.statusCode ?? 502, answer.statusMessage, ownHeaders(answer.rawHeaders))
  response.flushHeaders()
  answer.pipe(response, { end: false })
  answer.once('end', () => {
    request.unpipe()
    finishAfterBody(request, response)
  })
  // Half an answer must not look whole.
  answer.once('close', () => {
    if (!answer.complete) response.destroy()
  })
}

/** A body that breaks off, breaks off there too. */
async function sendPieces(
  pieces: AsyncIterable<Buffer>,
  inner: ReturnType<typeof httpRequest>,
): Promise<void> {
  try {
    for await (const piece of pieces) {
      if (inner.destroyed) return
      if (!inner.write(piece)) await roomIn(inner)
    }
    inner.end()
  } catch {
    inner.destroy()
  }
}

function roomIn(inner: ReturnType<typeof httpRequest>): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      inner.off('drain', go).off('close', go)
      resolve()
    }
    inner.once('drain', go).once('close', go)
  })
}
