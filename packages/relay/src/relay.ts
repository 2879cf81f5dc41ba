/**
 * A same-origin relay: takes a browser's envelopes at a path of the web app itself, so that ad blockers and
 * content-security policies do not stop them, and passes them on. Web-standard `Request` in, `Response` out.
 *
 * The envelope says which DSN it is for; that DSN is only ever *looked up* among those allowed. No address in a body
 * is contacted.
 */
import { type Dsn, parseDsn, sameDsn } from '@errata/protocol'
import { isCompressed, namedDsn, passedBack, type RelayRefusal, refusalAnswer } from './decide.ts'
import { type BodyAnswer, readBody } from './read-body.ts'

/** What only the server knows of a request. */
export interface RelayFacts {
  /** Client address as the app's own trusted chain says it; `null` when unknown. What the client claims is dropped. */
  readonly clientAddress: string | null
}

/** An envelope on its way to the monitor. */
export interface RelayedEnvelope {
  /** The allowed DSN: from configuration where that is a list, never an address from the body. */
  readonly dsn: Dsn
  readonly body: Uint8Array<ArrayBuffer>
  /** User agent, client hints, origin, referer and client address: nothing else of the request. */
  readonly headers: Headers
  readonly request: Request
  readonly facts: RelayFacts
}

export interface RelayOptions {
  /**
   * DSNs that may be relayed to, or a function that answers the one to use for the DSN an envelope names, or `null`
   * to refuse it.
   */
  readonly allow: readonly string[] | ((named: Dsn, request: Request) => Dsn | null | Promise<Dsn | null>)
  /** Passes an envelope on and answers what the monitor answered. */
  readonly send: (envelope: RelayedEnvelope) => Promise<Response>
  /** Largest body in bytes; 20 MiB. */
  readonly bodyBytesMax?: number
  /** Largest first line in bytes; 64 KiB. */
  readonly lineBytesMax?: number
  /** Called with what was refused and why, before the answer. */
  readonly onRefused?: (refusal: RelayRefusal, request: Request) => void
}

export type Relay = (request: Request, facts?: RelayFacts) => Promise<Response>

const BODY_BYTES_MAX = 20 * 1024 * 1024
const LINE_BYTES_MAX = 64 * 1024

/** @throws TypeError for a DSN in `allow` that is none: a mistake in the configuration, found at start. */
export function createRelay(options: RelayOptions): Relay {
  const allow = typeof options.allow === 'function' ? options.allow : lookup(options.allow)
  const refuse = (refusal: RelayRefusal, request: Request): Response => {
    options.onRefused?.(refusal, request)
    const { status, headers, body } = refusalAnswer(refusal)
    return new Response(body, { status, headers })
  }
  return async (request, facts = { clientAddress: null }) => {
    const early = refuseEarly(request, options.bodyBytesMax ?? BODY_BYTES_MAX)
    if (early !== null) return refuse(early, request)
    let dsn: Dsn | RelayRefusal = 'empty'
    const body = await readBody(request.body, {
      bytesMax: options.bodyBytesMax ?? BODY_BYTES_MAX,
      lineBytesMax: options.lineBytesMax ?? LINE_BYTES_MAX,
      onFirstLine: async (line) => {
        const named = namedDsn(line)
        dsn = typeof named === 'string' ? named : ((await allow(named, request)) ?? 'not_allowed')
        return typeof dsn !== 'string'
      },
    })
    const refusal = bodyRefusal(body, dsn)
    if (refusal !== null) return refuse(refusal, request)
    if (!body.ok || typeof dsn === 'string') return refuse('broken_off', request)
    const headers = forwardedHeaders(request.headers, facts)
    try {
      return passBack(await options.send({ dsn, body: body.bytes, headers, request, facts }))
    } catch {
      return refuse('unreachable', request) // whatever the transport threw, the browser learns that much
    }
  }
}

function refuseEarly(request: Request, bodyBytesMax: number): RelayRefusal | null {
  if (request.method !== 'POST') return 'method'
  if (isCompressed(request.headers.get('content-encoding'))) return 'encoding'
  return Number(request.headers.get('content-length') ?? 0) > bodyBytesMax ? 'too_large' : null
}

function bodyRefusal(body: BodyAnswer, dsn: Dsn | RelayRefusal): RelayRefusal | null {
  if (!body.ok && body.reason === 'broken_off') return 'broken_off'
  if (!body.ok && body.reason !== 'refused') return 'too_large'
  return typeof dsn === 'string' ? dsn : null
}

/** Finds the configured DSN that an envelope names; the answer is the configured one. */
function lookup(allowed: readonly string[]): (named: Dsn) => Dsn | null {
  const dsns = allowed.map((text) => {
    const dsn = parseDsn(text)
    if (dsn === null) throw new TypeError('relay: an allowed DSN is not a DSN')
    return dsn
  })
  return (named) => dsns.find((dsn) => sameDsn(dsn, named)) ?? null
}

const FORWARDED: ReadonlySet<string> = new Set(['user-agent', 'origin', 'referer'])

/** Cookies, authorisation, claims about the client's address and everything else stay behind. */
function forwardedHeaders(from: Headers, facts: RelayFacts): Headers {
  const headers = new Headers({ 'content-type': 'application/x-sentry-envelope' })
  for (const [name, value] of from) {
    if (FORWARDED.has(name) || name.startsWith('sec-ch-ua')) headers.set(name, value)
  }
  if (facts.clientAddress !== null) headers.set('x-sentry-forwarded-for', facts.clientAddress)
  return headers
}

function passBack(answer: Response): Response {
  const headers = passedBack((name) => answer.headers.get(name))
  return new Response(answer.body, { status: answer.status, headers })
}
