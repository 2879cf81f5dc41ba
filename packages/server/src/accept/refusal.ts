/** A refusal on its way out: what the client is told, and what is counted. */
import { ERRORS, type ErrorCode } from '#base/errors.ts'
import type { KeyId, ProjectId } from '#base/ids.ts'
import type { OutcomeName } from '#process/outcome.ts'
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
  /** In words, for /outcomes; never payload text. */
  readonly example: string
  /** What is known to be refused; `null` when the outline could not be read. */
  readonly quantities: readonly Quantity[] | null
  /** Whose it is, where the step that refuses knows better than the request says. */
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
  }
}

/** Who the refusal is counted for. */
export interface RefusedFor {
  readonly projectId: ProjectId | null
  readonly keyId: KeyId | null
}

export function answerRefusal(refused: Refused, retryAfter: number | null = null): AcceptAnswer {
  return {
    status: ERRORS[refused.code].status,
    eventId: null,
    error: { code: refused.code, detail: refused.detail, causes: refused.causes },
    rateLimits: null,
    retryAfter,
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

export const dsnMismatch = (part: 'project id' | 'public key'): Refused =>
  new Refused({
    code: 'dsn_mismatch',
    detail: 'invalid event envelope',
    causes: [`${part} header mismatch between envelope and request`],
    reason: 'dsn_mismatch',
  })

export const overloaded = (): Refused =>
  new Refused({
    code: 'overloaded',
    detail: 'failed to queue envelope',
    outcome: 'rate_limited',
    reason: 'overloaded',
  })
