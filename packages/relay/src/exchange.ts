/** Relays one request of any server: decides what it is, and what is answered. */
import { type Dsn, sameDsn } from '@errata/protocol'
import type { BodySource } from './body-source.ts'
import { clientAddress } from './client-address.ts'
import { encodingOf } from './decide.ts'
import { Outbox, type OutboxPauses } from './outbox.ts'
import { isEnvelopeType, isOwnPage } from './own-page.ts'
import { type Beginning, readBeginning } from './read-beginning.ts'
import { type RelayAnswer, type RelayRefusal, refusalAnswer } from './refusals.ts'
import type { RelaySettings } from './settings.ts'
import { pathOf } from './tunnel-paths.ts'
import { post } from './upstream.ts'

export interface RelayExchange {
  readonly method: string
  /** `name` in lower case. */
  readonly header: (name: string) => string | null
  /** `null` for none, `parsed` where somebody read it before and left nothing that could be sent. */
  readonly body: BodySource | null | 'parsed'
  /** The client, or the proxy that asks for it; `undefined` where the framework does not tell. */
  readonly peer: string | null | undefined
}

/** A relay without a server: adapters give it exchanges and send its answers. */
export interface RelayCore {
  /** The address, a path with query or a whole URL, is one of this relay's. */
  matches(address: string): boolean
  answer(exchange: RelayExchange): Promise<RelayAnswer>
}

const LINE_BYTES_MAX = 64 * 1024
/** Larger envelopes stream through and are not kept: nearly all are smaller, replays and attachments aside. */
const KEPT_BYTES_MAX = 256 * 1024
/** A large one takes as long as its browser takes to send it. */
const STREAM_TIMEOUT_MS = 60_000

export function createCore(settings: RelaySettings, pauses?: OutboxPauses): RelayCore {
  const outboxOf = outboxes(settings, pauses)
  return {
    matches: (address) => settings.paths.has(pathOf(address)),
    answer: async (exchange) => {
      if (exchange.method === 'OPTIONS') return { status: 204, headers: { allow: 'POST' }, body: '' }
      const answer = await answerExchange(exchange, settings, outboxOf)
      if (typeof answer !== 'string') return answer
      settings.onRefused(answer)
      return refusalAnswer(answer)
    },
  }
}

/** Returns one outbox for each address that a DSN leads to: an outage of one does not affect the others. */
function outboxes(settings: RelaySettings, pauses: OutboxPauses | undefined): (dsn: Dsn) => Outbox {
  const known = new Map<string, Outbox>()
  return ({ scheme, host, port }) => {
    const origin = `${scheme}://${host}:${port}`
    const outbox =
      known.get(origin) ??
      new Outbox({
        deliver: async (envelope) => isTaken(await post(envelope, settings)),
        bytesMax: settings.bufferBytesMax,
        onDropped: settings.onDropped,
        ...(pauses === undefined ? {} : { pauses }),
      })
    known.set(origin, outbox)
    return outbox
  }
}

/**
 * An Errata that is overloaded is tried again. Any other refusal is an answer too, and counted where it was made: one
 * envelope that Errata fails on must not look like an outage.
 */
function isTaken(answer: RelayAnswer | null): boolean {
  return answer !== null && answer.status !== 503
}

async function answerExchange(
  exchange: RelayExchange,
  settings: RelaySettings,
  outboxOf: (dsn: Dsn) => Outbox,
): Promise<RelayAnswer | RelayRefusal> {
  const early = refusedUnread(exchange, settings)
  if (early !== null) return early
  const { body, header } = exchange
  if (body === null) return 'empty'
  if (body === 'parsed') return 'body_parsed'
  const encoding = encodingOf(header('content-encoding'))
  const beginning = await readBeginning(body, {
    bodyBytesMax: settings.bodyBytesMax,
    lineBytesMax: LINE_BYTES_MAX,
    keptBytesMax: KEPT_BYTES_MAX,
    encoding,
    allow: (named) => settings.dsns.find((dsn) => sameDsn(dsn, named)) ?? null,
  }).catch((): RelayRefusal => 'broken_off') // the client went away: nobody is left to hear why
  if (typeof beginning === 'string') {
    body.stop()
    return beginning
  }
  const headers = forwardedHeaders(exchange, settings, encoding)
  const outbox = outboxOf(beginning.dsn)
  if (!beginning.isWhole) return streamOnward({ beginning, headers, rest: body }, settings, outbox)
  const envelope = { dsn: beginning.dsn, headers, body: beginning.bytes }
  const answer = outbox.isDown ? null : await post(envelope, settings)
  return answer ?? (outbox.keep(envelope) ? KEPT : 'unreachable')
}

const KEPT: RelayAnswer = {
  status: 202,
  headers: { 'cache-control': 'no-store', 'content-type': 'application/json' },
  body: '{}',
}

function refusedUnread({ method, header }: RelayExchange, settings: RelaySettings): RelayRefusal | null {
  if (settings.dsns.length === 0) return 'not_configured'
  if (method !== 'POST') return 'method'
  if (!isOwnPage(header, settings.origins)) return 'cross_origin'
  if (!isEnvelopeType(header('content-type'))) return 'content_type'
  return Number(header('content-length') ?? 0) > settings.bodyBytesMax ? 'too_large' : null
}

interface Streamed {
  readonly beginning: Beginning
  readonly headers: Readonly<Record<string, string>>
  readonly rest: BodySource
}

/** A large envelope goes on while it comes in. It can be sent once: where that fails, it is lost and counted. */
async function streamOnward(
  { beginning, headers, rest }: Streamed,
  settings: RelaySettings,
  outbox: Outbox,
): Promise<RelayAnswer | RelayRefusal> {
  let refusal: RelayRefusal | null = null
  let size = beginning.bytes.length
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(beginning.bytes),
    pull: async (controller) => {
      const chunk = await rest.next().catch(() => 'broken_off' as const)
      if (chunk === null) return controller.close()
      if (chunk === 'broken_off') refusal = chunk
      else size += chunk.length
      if (size > settings.bodyBytesMax) refusal = 'too_large'
      if (refusal === null && chunk !== 'broken_off') controller.enqueue(chunk)
      else controller.error(new Error(refusal ?? 'broken_off'))
    },
    cancel: () => rest.stop(),
  })
  const { dsn, bytes } = beginning
  const answer = outbox.isDown
    ? null
    : await post({ dsn, headers, body }, { fetch: settings.fetch, timeoutMs: STREAM_TIMEOUT_MS })
  rest.stop() // Errata may have answered before the end; what is unread would hold up the connection
  if (answer !== null) return answer
  if (refusal === null) outbox.lose(dsn, bytes, 'network_error')
  return refusal ?? 'unreachable'
}

const FORWARDED: readonly string[] = [
  'user-agent',
  'origin',
  'referer',
  'sec-ch-ua',
  'sec-ch-ua-arch',
  'sec-ch-ua-bitness',
  'sec-ch-ua-full-version-list',
  'sec-ch-ua-mobile',
  'sec-ch-ua-model',
  'sec-ch-ua-platform',
  'sec-ch-ua-platform-version',
]
const HEADER_CHARS_MAX = 2_048

/**
 * Returns headers about the browser. Cookies, authorisation, traces and the client's claims about its address
 * stay behind.
 */
function forwardedHeaders(
  { header, peer }: RelayExchange,
  settings: RelaySettings,
  encoding: string | null,
): Readonly<Record<string, string>> {
  const headers: Record<string, string> = { 'content-type': 'application/x-sentry-envelope' }
  if (encoding !== null) headers['content-encoding'] = encoding
  for (const name of FORWARDED) {
    const value = header(name)
    if (value !== null) headers[name] = value.slice(0, HEADER_CHARS_MAX)
  }
  const address = clientAddress({ peer, header }, settings)
  if (address === null) return headers
  // The first for an Errata behind a proxy, which appends to it; the second for one that the app reaches itself.
  return { ...headers, 'x-forwarded-for': address, 'x-sentry-forwarded-for': address }
}
