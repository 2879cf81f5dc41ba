/**
 * Calls a webhook. The name is looked up once, every address it has is checked, and the connection is made to one of
 * those checked, so that a name that changes its mind between check and call gains nothing. Redirects are not
 * followed, the answer's body is not read.
 */
import type { LookupAddress } from 'node:dns'
import { lookup as lookUp } from 'node:dns/promises'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { max } from '#limits/limits.ts'
import { isOneOf, isPublicAddress, machineAddresses } from '../address-guard.ts'
import type { Attempt } from '../attempt.ts'
import { hostOf, PRIVATE_RULE, readWebhookUrl } from './webhook-url.ts'

/** Every address of a name. */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>

export interface WebhookOptions {
  /** Whether the operator lets webhooks call this machine and private networks. */
  readonly privateTargets: boolean
  readonly resolve?: Resolve
  /** Addresses of this machine; asked at every call. */
  readonly ownAddresses?: () => readonly string[]
  readonly timeoutMs?: number
}

export interface WebhookCall {
  readonly url: string
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

/** Waiting may help with these; with other refusals it does not. */
const PASSING = new Set([408, 425, 429])

export function createSendWebhook(options: WebhookOptions): (call: WebhookCall) => Promise<Attempt> {
  const { privateTargets, resolve = (host) => lookUp(host, { all: true }) } = options
  const { ownAddresses = machineAddresses } = options
  const timeoutMs = options.timeoutMs ?? max('webhookTimeoutMs')
  return async (call) => {
    const read = readWebhookUrl(call.url, privateTargets)
    if (!read.ok) return { outcome: 'refused', says: read.rule }
    const signal = AbortSignal.any([call.signal, AbortSignal.timeout(timeoutMs)])
    try {
      const addresses = await withSignal(addressesOf(read.url, resolve), signal)
      if (addresses.length === 0) return { outcome: 'failed', says: 'Its host name has no address.' }
      if (!privateTargets && !leadsOutside(addresses, ownAddresses()))
        return { outcome: 'refused', says: PRIVATE_RULE }
      return answerOf(await post(read.url, { ...call, signal, addresses }))
    } catch (cause) {
      return { outcome: 'failed', says: failureText(cause, { timeoutMs, stopped: call.signal.aborted }) }
    }
  }
}

/** Whether every one of the addresses is of the public Internet, and none of them this machine's. */
function leadsOutside(addresses: readonly LookupAddress[], own: readonly string[]): boolean {
  return addresses.every(({ address }) => isPublicAddress(address) && !isOneOf(address, own))
}

async function addressesOf(url: URL, resolve: Resolve): Promise<readonly LookupAddress[]> {
  const host = hostOf(url)
  const family = isIP(host)
  return family === 0 ? resolve(host) : [{ address: host, family }]
}

/** Answers the status as soon as the headers are there. */
function post(
  url: URL,
  call: WebhookCall & { readonly addresses: readonly LookupAddress[] },
): Promise<number> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        method: 'POST',
        agent: false,
        lookup: pinnedLookup(call.addresses),
        signal: call.signal,
        maxHeaderSize: 16 * 1_024,
        headers: {
          ...call.headers,
          'content-length': String(Buffer.byteLength(call.body)),
          connection: 'close',
        },
      },
      (response) => {
        resolve(response.statusCode ?? 0)
        response.destroy()
      },
    )
    sent.on('error', reject)
    sent.end(call.body)
  })
}

/** Answers what was checked, never asks again. */
function pinnedLookup(addresses: readonly LookupAddress[]): LookupFunction {
  return (_host, options, callback) => {
    const wanted = addresses.filter(({ family }) => !options.family || family === options.family)
    const [first] = wanted
    if (first === undefined) {
      callback(new Error('no address of this family'), '')
    } else if (options.all === true) {
      callback(null, [...wanted])
    } else {
      callback(null, first.address, first.family)
    }
  }
}

function answerOf(status: number): Attempt {
  const says = `Answered ${status}.`
  if (status >= 200 && status < 300) return { outcome: 'sent', says }
  if (status >= 300 && status < 400)
    return { outcome: 'refused', says: `Answered ${status}: redirects are not followed.` }
  const passes = status >= 500 || PASSING.has(status)
  return { outcome: passes ? 'failed' : 'refused', says }
}

const SENTENCES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'It closed the connection without an answer.',
  EPIPE: 'It closed the connection without an answer.',
  ENOTFOUND: 'Its host name is unknown.',
  EAI_AGAIN: 'Its host name could not be looked up.',
  EHOSTUNREACH: 'Its address cannot be reached.',
  ENETUNREACH: 'Its address cannot be reached.',
  ETIMEDOUT: 'Its address cannot be reached.',
  CERT_HAS_EXPIRED: 'Its certificate has expired.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'Its certificate is self-signed.',
  SELF_SIGNED_CERT_IN_CHAIN: 'Its certificate is signed by an authority that is not trusted.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'Its certificate is signed by an authority that is not trusted.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'Its certificate is for another name.',
  EPROTO: 'It doesn’t use TLS on that port.',
}

/** A sentence; never the system's own words, which would name addresses. */
function failureText(
  cause: unknown,
  { timeoutMs, stopped }: { readonly timeoutMs: number; readonly stopped: boolean },
): string {
  if (stopped) return 'Errata stopped while it was being sent.'
  const { name, code } = namesOf(cause)
  if (name === 'TimeoutError' || name === 'AbortError' || code === 'ABORT_ERR')
    return `No answer within ${Math.ceil(timeoutMs / 1_000)} seconds.`
  if (code?.startsWith('HPE_') === true) return 'Its answer isn’t HTTP.'
  return (
    (code === null ? undefined : SENTENCES[code]) ?? `The call failed${code === null ? '' : ` (${code})`}.`
  )
}

function namesOf(cause: unknown): { readonly name: string; readonly code: string | null } {
  if (!(cause instanceof Error)) return { name: '', code: null }
  // Several addresses tried: an AggregateError, whose first says as much as the others.
  if (cause instanceof AggregateError && cause.errors.length > 0) return namesOf(cause.errors[0])
  return { name: cause.name, code: 'code' in cause && typeof cause.code === 'string' ? cause.code : null }
}

/** A look-up cannot be stopped; it can be left. */
function withSignal<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
