/**
 * Calls an address that people set, at the addresses that were checked. Redirects are not followed; of the answer no
 * more is read than was asked for, and nothing where nobody asks.
 */

import type { LookupAddress } from 'node:dns'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { byWord } from '#base/by-word.ts'
import { max } from '#limits/limits.ts'
import { type Attempt, STOPPED } from './attempt.ts'
import { type AddressSource, checkedAddresses, pinnedLookup } from './checked-addresses.ts'
import { PRIVATE_RULE, readWebhookUrl } from './webhook/webhook-url.ts'

export interface CallOptions extends AddressSource {
  /** Whether the operator lets webhooks call this machine and private networks. */
  readonly privateTargets: boolean
  readonly timeoutMs?: number
}

export interface GuardedCall {
  /** `POST` by default. */
  readonly method?: 'POST' | 'GET' | 'PUT' | 'PATCH'
  readonly url: string
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  /** Whether the answer's body is wanted. */
  readonly reads?: boolean
  /** Read of it at most; `alertAnswerBytesMax` by default. */
  readonly answerBytesMax?: number
}

/** Waiting may help with these; with other refusals it does not. */
const PASSING = new Set([408, 425, 429])

export type CallAnswer =
  | {
      readonly isAnswered: true
      readonly status: number
      /** Delay of `Retry-After`; `null` if it is absent, or not in seconds. */
      readonly retryAfterMs: number | null
      /** Its beginning; `''` where it was not asked for. */
      readonly body: string
    }
  | { readonly isAnswered: false; readonly attempt: Attempt }

/** Never rejects. */
export function createGuardedCall(options: CallOptions): (call: GuardedCall) => Promise<CallAnswer> {
  const { privateTargets, resolve, ownAddresses } = options
  const timeoutMs = options.timeoutMs ?? max('webhookTimeoutMs')
  return async (call) => {
    const unanswered = (outcome: 'refused' | 'failed', says: string) =>
      ({ isAnswered: false, attempt: { outcome, says } }) as const
    const read = readWebhookUrl(call.url, privateTargets)
    if (!read.ok) return unanswered('refused', read.rule)
    const signal = AbortSignal.any([call.signal, AbortSignal.timeout(timeoutMs)])
    try {
      const checked = await checkedAddresses(read.url, { resolve, ownAddresses, signal })
      const { addresses, isOutside } = checked
      if (addresses.length === 0) return unanswered('failed', 'The host name has no address.')
      if (!privateTargets && !isOutside) return unanswered('refused', PRIVATE_RULE)
      return await post(read.url, { ...call, signal, addresses })
    } catch (cause) {
      if (call.signal.aborted) return { isAnswered: false, attempt: STOPPED }
      return unanswered('failed', failureText(cause, timeoutMs))
    }
  }
}

/** Answers as soon as the headers are there, where the body is not wanted. */
function post(
  url: URL,
  call: GuardedCall & { readonly addresses: readonly LookupAddress[] },
): Promise<CallAnswer> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        method: call.method ?? 'POST',
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
        const answer = {
          isAnswered: true,
          status: response.statusCode ?? 0,
          retryAfterMs: retrySeconds(response.headers['retry-after']),
        } as const
        if (call.reads === true)
          readBeginning(response, call.answerBytesMax ?? max('alertAnswerBytesMax')).then(
            (body) => resolve({ ...answer, body }),
            reject,
          )
        else {
          resolve({ ...answer, body: '' })
          response.destroy()
        }
      },
    )
    sent.on('error', reject)
    sent.end(call.body)
  })
}

function retrySeconds(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,5}$/.test(text) ? Number(text) * 1_000 : null
}

async function readBeginning(response: IncomingMessage, bytesMax: number): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes >= bytesMax) break
  }
  response.destroy()
  return Buffer.concat(chunks).toString('utf8', 0, bytesMax)
}

/** Returns the result by status. `detail`: the service's own words, behind it. */
export function attemptOf(answer: CallAnswer, detail = ''): Attempt {
  if (!answer.isAnswered) return answer.attempt
  const { status, retryAfterMs } = answer
  const says = detail === '' ? `Answered ${status}.` : `Answered ${status}: ${detail.replace(/\.$/, '')}.`
  if (status >= 200 && status < 300) return { outcome: 'sent', says }
  if (status >= 300 && status < 400)
    return { outcome: 'refused', says: `Answered ${status}: redirects are not followed.` }
  if (status < 500 && !PASSING.has(status)) return { outcome: 'refused', says }
  return { outcome: 'failed', says, ...(retryAfterMs === null ? {} : { retryAfterMs }) }
}

const SENTENCES: Readonly<Record<string, string>> = byWord({
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was closed without an answer.',
  EPIPE: 'The connection was closed without an answer.',
  ENOTFOUND: 'The host name is unknown.',
  EAI_AGAIN: 'The host name could not be looked up.',
  EHOSTUNREACH: 'The address cannot be reached.',
  ENETUNREACH: 'The address cannot be reached.',
  ETIMEDOUT: 'The address cannot be reached.',
  CERT_HAS_EXPIRED: 'The certificate has expired.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate is self-signed.',
  SELF_SIGNED_CERT_IN_CHAIN: 'The certificate is signed by an authority that is not trusted.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'The certificate is signed by an authority that is not trusted.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate is for another name.',
  EPROTO: 'The port doesn’t use TLS.',
})

/** A sentence; never the system's own words, which would name addresses. */
function failureText(cause: unknown, timeoutMs: number): string {
  const { name, code } = failureNames(cause)
  if (name === 'TimeoutError' || name === 'AbortError' || code === 'ABORT_ERR')
    return `No answer within ${Math.ceil(timeoutMs / 1_000)} seconds.`
  if (code?.startsWith('HPE_') === true) return 'The answer isn’t HTTP.'
  return (
    (code === null ? undefined : SENTENCES[code]) ?? `The call failed${code === null ? '' : ` (${code})`}.`
  )
}

function failureNames(cause: unknown): { readonly name: string; readonly code: string | null } {
  if (!(cause instanceof Error)) return { name: '', code: null }
  // Several addresses tried: an AggregateError, whose first says as much as the others.
  if (cause instanceof AggregateError && cause.errors.length > 0) return failureNames(cause.errors[0])
  return { name: cause.name, code: 'code' in cause && typeof cause.code === 'string' ? cause.code : null }
}
