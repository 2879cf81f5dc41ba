/** How a handler of the web API refuses: by throwing, from however deep. */
import type { ErrorCode } from '#base/errors.ts'
import type { Refusal } from '#base/result.ts'

/** An expected refusal, thrown from anywhere below a handler and answered as its status and JSON. */
export class ApiRefusal extends Error {
  readonly refusal: Refusal
  /** Further members of the JSON. */
  readonly extra: Readonly<Record<string, unknown>>
  constructor(refusal: Refusal, extra: Readonly<Record<string, unknown>> = {}) {
    super(refusal.message)
    this.name = 'ApiRefusal'
    this.refusal = refusal
    this.extra = extra
  }
}

export function apiRefusal(code: ErrorCode, message: string, fields?: Refusal['fields']): ApiRefusal {
  return new ApiRefusal({ ok: false, code, message, ...(fields === undefined ? {} : { fields }) })
}

/** Refuses a field of body or query that breaks a rule. */
export function badField(field: string, rule: string): ApiRefusal {
  return apiRefusal('invalid_input', `${field}: ${rule}`, { [field]: [rule] })
}

export function notFound(what = 'The requested resource does not exist'): ApiRefusal {
  return apiRefusal('not_found', what)
}

/** The value, or the refusal thrown. */
export function grantedOrThrow<T>(result: { readonly ok: true; readonly value: T } | Refusal): T {
  if (!result.ok) throw new ApiRefusal(result)
  return result.value
}

/** Returns the value; 404 for `null`. */
export function existing<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw notFound()
  return value
}

/** Refuses a search that has problems, with all of their sentences. */
export function refuseProblems(problems: readonly { readonly message: string }[]): void {
  if (problems.length > 0) throw apiRefusal('query_invalid', problems.map(({ message }) => message).join(' '))
}
