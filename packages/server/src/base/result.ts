/**
 * An expected refusal is a value, not an exception: `ok: false` carries a code of the error catalogue and, for
 * forms, the rule that each broken field violates.
 */
import type { ErrorCode } from './errors.ts'

export type Result<T> = { readonly ok: true; readonly value: T } | Refusal

export interface Refusal {
  readonly ok: false
  readonly code: ErrorCode
  /** Cause, subject and next step; safe to show to the person who asked. */
  readonly message: string
  /** Field name to the rules it broke. */
  readonly fields?: Readonly<Record<string, readonly string[]>>
  /** Set with `too_many_attempts` and `overloaded`: value for Retry-After. */
  readonly retryAfterSeconds?: number
  /** Set with `second_factor_needed`: stands for the password that was right. */
  readonly ticket?: string
}

export function ok<T>(value: T): Result<T> {
  return { ok: true, value }
}

export function refuse(code: ErrorCode, message: string, fields?: Refusal['fields']): Refusal {
  return fields === undefined ? { ok: false, code, message } : { ok: false, code, message, fields }
}
