/** A refusal on its way out: what the client is told, and what is counted. */
import { type ActiveLimit, formatRateLimits, type OtlpContentType, retryAfterSeconds } from '@errata/protocol'
import { ERROR_CATALOGUE, type ErrorCode } from '#base/errors.ts'
import type { KeyId, ProjectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { OutcomeName } from '#model/outcome.ts'
import type { OverloadReason } from './overload.ts'
import type { AcceptAnswer } from './types.ts'

/** Category and quantity of what was refused. */
export interface Quantity {
  readonly category: string
  readonly quantity: number
}

/** Thrown by the steps of accept, caught by `accept` alone: it ends the request, whichever step it is in. */
export class Refused extends Error {
  readonly code: ErrorCode
  readonly detail: string
  readonly causes: readonly string[]
  readonly outcome: OutcomeName
  readonly reason: string
  /** Example in words for /outcomes; never payload text. */
  readonly example: string
  /** Refused items; `null` if the outline could not be read. */
  readonly quantities: readonly Quantity[] | null
  /** Limits to be told to the client. */
  readonly limits: readonly ActiveLimit[]
  /** Project and key, if the refusing step knows them better than the request. */
  readonly who: RefusedFor | null

  constructor(options: {
    readonly code: ErrorCode
    readonly detail: string
    readonly causes?: readonly string[]
    readonly outcome?: OutcomeName
    readonly reason: string
    readonly example?: string
    readonly quantities?: readonly Quantity[]
    readonly who?: RefusedFor | undefined
    readonly limits?: readonly ActiveLimit[]
  }) {
    super(options.detail)
    this.code = options.code
    this.detail = options.detail
    this.causes = options.causes ?? []
    this.outcome = options.outcome ?? 'invalid'
    this.reason = options.reason
    this.example = options.example ?? [options.detail, ...this.causes].join(': ')
    this.quantities = options.quantities ?? null
    this.who = options.who ?? null
    this.limits = options.limits ?? []
  }
}

/** Project and key that a refusal is counted for. */
export interface RefusedFor {
  readonly projectId: ProjectId | null
  readonly keyId: KeyId | null
}

export function answerRefusal(refused: Refused): AcceptAnswer {
  const isLimited = refused.limits.length > 0
  const waits = refused.code === 'overloaded' ? max('overloadedRetrySeconds') : null
  return {
    status: ERROR_CATALOGUE[refused.code].status,
    eventId: null,
    error: { code: refused.code, detail: refused.detail, causes: refused.causes },
    rateLimits: formatRateLimits(refused.limits),
    retryAfter: isLimited ? retryAfterSeconds(refused.limits) : waits,
  }
}

// The texts of `detail` and `causes` follow docs/wire.md, section "Answers".

export const authMissing = (): Refused =>
  new Refused({ code: 'auth_missing', detail: 'missing authorization information', reason: 'missing_key' })

export const keyUnknown = (example: string, who?: RefusedFor): Refused =>
  new Refused({
    code: 'key_unknown',
    detail: 'event submission rejected with_reason: ProjectId',
    reason: 'unknown_key',
    example,
    who,
  })

export const envelopeInvalid = (cause: string): Refused =>
  new Refused({
    code: 'envelope_invalid',
    detail: 'invalid event envelope',
    causes: [cause],
    reason: 'invalid_envelope',
  })

export const bodyEmpty = (): Refused =>
  new Refused({ code: 'envelope_empty', detail: 'empty request body', reason: 'invalid_envelope' })

export const bodyTooLarge = (): Refused =>
  new Refused({
    code: 'body_too_large',
    detail: `request body exceeds ${max('bodyBytesMax')} bytes`,
    reason: 'too_large',
  })

export const encodingInvalid = (cause: string): Refused =>
  new Refused({
    code: 'encoding_invalid',
    detail: 'invalid content encoding',
    causes: [cause],
    reason: 'invalid_encoding',
  })

export const nestedTooDeep = (quantities: readonly Quantity[]): Refused =>
  new Refused({
    code: 'envelope_invalid',
    detail: 'invalid event envelope',
    causes: [`event nested deeper than ${max('jsonDepthMax')} levels`],
    reason: 'too_deep',
    quantities,
  })

export const mediaTypeUnsupported = (
  detail = 'OTLP is taken as application/x-protobuf or application/json',
): Refused => new Refused({ code: 'media_type_unsupported', detail, reason: 'media_type' })

/** The body of a signal is not what its address takes. */
export const signalInvalid = (quantities: readonly Quantity[]): Refused =>
  new Refused({
    code: 'bad_request',
    detail: 'the body is not what this address takes',
    reason: 'invalid_json',
    quantities,
  })

export const otlpInvalid = (contentType: OtlpContentType): Refused =>
  new Refused({
    code: 'otlp_invalid',
    detail: 'invalid OTLP message',
    causes: [`the body is not an ExportTraceServiceRequest as ${contentType}`],
    reason: contentType === 'application/json' ? 'invalid_json' : 'invalid_protobuf',
  })

export const dsnMismatch = (part: 'project id' | 'public key'): Refused =>
  new Refused({
    code: 'dsn_mismatch',
    detail: 'invalid event envelope',
    causes: [`${part} header mismatch between envelope and request`],
    reason: 'dsn_mismatch',
  })

export const refuseOverloaded = (reason: OverloadReason | 'overloaded' = 'overloaded'): Refused =>
  new Refused({
    code: 'overloaded',
    detail: 'failed to queue envelope',
    outcome: 'rate_limited',
    reason,
  })

/** The key sends more than its share of what there is. No category: whatever it sends has to wait. */
export const heldBack = (reason: OverloadReason, quantities: readonly Quantity[]): Refused =>
  new Refused({
    code: 'rate_limited',
    detail: 'more is sent than can be stored, most of it with this key',
    outcome: 'rate_limited',
    reason,
    quantities,
    limits: [{ retryAfterSeconds: max('limitedRetrySeconds'), categories: [], scope: 'key', reason }],
  })

/**
 * Refusal of a key and address whose compressed bodies could not be read again and again: nothing of theirs
 * is inflated for a while.
 */
export const inflationHeldBack = (retryAfterSeconds: number): Refused => {
  const reason = 'decompression'
  return new Refused({
    code: 'rate_limited',
    detail: 'too many bodies from here decompress to more than is taken',
    outcome: 'rate_limited',
    reason,
    limits: [{ retryAfterSeconds, categories: [], scope: 'key', reason }],
  })
}
