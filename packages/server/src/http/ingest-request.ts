/** Parts that all ingest addresses share: describing a request, and answering with what `accept` says. */
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { Accept, AcceptAnswer, AcceptRequest, RefusedBody } from '#accept/types.ts'
import type { ErrorCode } from '#base/errors.ts'
import { max } from '#limits/limits.ts'
import type { OpenedBody, RequestBodyReader } from './body.ts'
import type { ClientAddresses } from './client-address.ts'
import type { HopEnd } from './hop.ts'
import type { PacedAnswers } from './paced-answers.ts'
import { errorAnswer, type HttpAnswer, jsonAnswer } from './respond.ts'
import type { Target } from './target.ts'

export interface RequestExchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly target: Target
}

export interface IngestOptions {
  readonly accept: Accept
  readonly bodies: RequestBodyReader
  readonly addresses: ClientAddresses
  /** Sends what is no success. */
  readonly paced: Pick<PacedAnswers, 'send'>
  /** Answers an envelope that is read as it comes, on another thread. Without it, it is answered here. */
  readonly passOn?: PassOn
}

export type PassOn = (exchange: RequestExchange, rest: OpenedBody) => Promise<HopEnd>

/**
 * Returns the answer to an envelope that was passed on and came to no answer; `count` counts one that the main thread knows
 * nothing of.
 */
export function unpassedAnswer(end: Exclude<HopEnd, 'answered'>, count: () => void): HttpAnswer {
  if (end === 'unreached') count()
  const { code, detail } = BODY_REFUSALS.busy
  return errorAnswer({ code, detail, retryAfterSeconds: retrySeconds(code) })
}

/** Counts a body that did not come whole, and returns the answer to it. */
export function refuseBody(
  { reason, begun }: { readonly reason: keyof typeof BODY_REFUSALS; readonly begun: Uint8Array | null },
  of: {
    readonly named: { readonly projectRef: string | null; readonly key: string | null }
    readonly sent: NonNullable<RefusedBody['sent']>
    readonly accept: Pick<Accept, 'countRefusal'>
  },
): HttpAnswer {
  const { code, reason: counted, detail } = BODY_REFUSALS[reason]
  of.accept.countRefusal({ ...of.named, reason: counted, example: detail, sent: of.sent, begun })
  return errorAnswer({ code, detail, retryAfterSeconds: retrySeconds(code) })
}

/** Answers and outcomes of bodies that could not be read whole. */
export const BODY_REFUSALS = {
  too_large: {
    code: 'body_too_large',
    reason: 'too_large',
    detail: `request body exceeds ${max('bodyBytesMax')} bytes`,
  },
  busy: { code: 'overloaded', reason: 'overloaded', detail: 'failed to queue envelope' },
  broken_off: { code: 'bad_request', reason: 'broken_off', detail: 'the body broke off' },
} as const

export function retrySeconds(code: ErrorCode): number | null {
  return code === 'overloaded' ? max('overloadedRetrySeconds') : null
}

/** Describes a request and its sender, without its body. */
export function describeRequest(
  request: IncomingMessage,
  addresses: ClientAddresses,
): Omit<AcceptRequest, 'body' | 'projectRef' | 'format' | 'query'> {
  const { headers } = request
  return {
    sentryAuth: singleHeader(headers['x-sentry-auth']),
    authorization: headers.authorization ?? null,
    contentEncoding: singleHeader(headers['content-encoding']),
    contentType: headers['content-type'] ?? null,
    origin: singleHeader(headers.origin),
    referer: headers.referer ?? null,
    userAgent: headers['user-agent'] ?? null,
    clientAddress: addresses.sender(request),
    relay: null,
  }
}

export function ingestAnswer(answer: AcceptAnswer): HttpAnswer {
  const headers: OutgoingHttpHeaders = {}
  if (answer.rateLimits !== null) headers['x-sentry-rate-limits'] = answer.rateLimits
  if (answer.error !== null) {
    return errorAnswer({ ...answer.error, headers, retryAfterSeconds: answer.retryAfter })
  }
  return jsonAnswer(answer.status, answer.eventId === null ? {} : { id: answer.eventId }, headers)
}

/** Node joins repeated headers with commas; an array it never makes of these. */
function singleHeader(value: string | string[] | undefined): string | null {
  return Array.isArray(value) ? value.join(', ') : (value ?? null)
}
