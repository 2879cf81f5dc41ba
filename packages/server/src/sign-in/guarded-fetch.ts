/**
 * Calls of identity providers. Owners of organisations choose the addresses, so each is resolved once, judged as those
 * of webhooks are, and called at what was judged; redirects are not followed, and answers are bounded.
 */
import type { LookupAddress } from 'node:dns'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { max } from '#limits/limits.ts'
import { type AddressSource, checkedAddresses, pinnedLookup } from '#notices/channels/checked-addresses.ts'
import { ProviderError } from './provider-error.ts'

interface GuardOptions extends AddressSource {
  /** Whether the operator lets issuers be on this machine, in private networks, and without https. */
  readonly privateIssuers: boolean
}

interface Asked {
  readonly method?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | null
}

export type GuardedFetch = (url: string, asked: Asked) => Promise<Response>

const PRIVATE = 'Its address leads to this machine or a private network (--sign-in-private-issuers).'

export function createGuardedFetch(options: GuardOptions): GuardedFetch {
  const { privateIssuers, resolve, ownAddresses } = options
  return async (text, asked) => {
    const url = URL.canParse(text) ? new URL(text) : null
    if (url === null || !/^https?:$/.test(url.protocol)) throw new ProviderError('It names no web address.')
    if (!privateIssuers && url.protocol !== 'https:')
      throw new ProviderError('Its address must begin with https.')
    const signal = AbortSignal.timeout(max('providerTimeoutMs'))
    try {
      const { addresses, isOutside } = await checkedAddresses(url, { resolve, ownAddresses, signal })
      if (!privateIssuers && !isOutside) throw new ProviderError(PRIVATE)
      return await call(url, { asked, addresses, signal })
    } catch (cause) {
      if (cause instanceof ProviderError) throw cause
      throw new ProviderError(signal.aborted ? 'It did not answer in time.' : 'It cannot be reached.', cause)
    }
  }
}

function call(
  url: URL,
  given: {
    readonly asked: Asked
    readonly addresses: readonly LookupAddress[]
    readonly signal: AbortSignal
  },
): Promise<Response> {
  const { asked, addresses, signal } = given
  const request = url.protocol === 'https:' ? requestHttps : requestHttp
  const { method = 'GET', headers = {}, body = null } = asked
  const length = body === null ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        ...{ method, agent: false, lookup: pinnedLookup(addresses), signal, maxHeaderSize: 16 * 1_024 },
        headers: { ...headers, ...length, 'accept-encoding': 'identity', connection: 'close' },
      },
      (response) => void readAnswer(response).then(resolve, reject),
    )
    sent.on('error', reject)
    sent.end(body ?? undefined)
  })
}

async function readAnswer(response: IncomingMessage): Promise<Response> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response) {
    const part = Buffer.from(chunk)
    bytes += part.length
    if (bytes > max('providerAnswerBytesMax')) {
      response.destroy()
      throw new ProviderError('Its answer is too large.')
    }
    chunks.push(part)
  }
  const status = response.statusCode ?? 0
  if (status < 200 || status > 599) throw new ProviderError('Its answer has no status.')
  const headers = new Headers()
  const type = response.headers['content-type']
  if (type !== undefined) headers.set('content-type', type)
  const challenge = response.headers['www-authenticate']
  if (challenge !== undefined) headers.set('www-authenticate', challenge)
  const isBodiless = status === 204 || status === 304
  return new Response(isBodiless ? null : Buffer.concat(chunks), { status, headers })
}
