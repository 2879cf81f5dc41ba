/** What a handler of the web API is given and what it answers. */
import type { Permission } from '#access/permissions.ts'
import type { Viewer } from '#access/viewer.ts'
import type { Clock } from '#base/clock.ts'
import type { ErrorCode } from '#base/errors.ts'
import type { Refusal } from '#base/result.ts'
import type { RequestFacts } from '#commands/asking.ts'
import type { Commands } from '#commands/commands.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { Queries } from '#queries/types.ts'
import type { PageLinks } from './pages.ts'

export type ApiMethod = 'GET' | 'POST' | 'PUT' | 'DELETE'

export interface ApiServices {
  readonly queries: Queries
  readonly commands: Commands
  readonly clock: Clock
  /** Public address without trailing slash. */
  readonly publicUrl: () => string
}

/** It is who asks, too, for commands. */
export interface ApiCall extends ApiServices, RequestFacts {
  readonly url: URL
  readonly params: Readonly<Record<string, string>>
  readonly viewer: Viewer
  /** The body as JSON; throws `ApiRefusal` for one that cannot be read. */
  json(): Promise<unknown>
}

/** A call below an organisation: the viewer may see it and has the route's permission there. */
export interface OrgCall extends ApiCall {
  readonly scope: ReadScope
}

export interface ApiAnswer {
  readonly status: number
  /** Left out: no body. */
  readonly body?: unknown
  readonly page?: PageLinks
}

interface RouteBase {
  readonly method: ApiMethod
  /** Such as `/organizations/{org}/issues/`: below `/api/0`, with the trailing slash. */
  readonly pattern: string
  /** One line for the specification. */
  readonly what: string
}

/** `anyone` needs no token, `signed-in` any valid one, a permission is asked in the organisation of `{org}`. */
export type ApiRoute =
  | (RouteBase & {
      readonly permission: 'anyone'
      run(call: Omit<ApiCall, 'viewer'> & { readonly viewer: Viewer | null }): Promise<ApiAnswer>
    })
  | (RouteBase & { readonly permission: 'signed-in'; run(call: ApiCall): Promise<ApiAnswer> })
  | (RouteBase & { readonly permission: Permission; run(call: OrgCall): Promise<ApiAnswer> })

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

export function refused(code: ErrorCode, message: string, fields?: Refusal['fields']): ApiRefusal {
  return new ApiRefusal({ ok: false, code, message, ...(fields === undefined ? {} : { fields }) })
}

/** One field of body or query that broke a rule. */
export function badField(field: string, rule: string): ApiRefusal {
  return refused('invalid_input', `${field}: ${rule}`, { [field]: [rule] })
}

export function notFound(what = 'The requested resource does not exist'): ApiRefusal {
  return refused('not_found', what)
}

/** The value, or the refusal thrown. */
export function granted<T>(result: { readonly ok: true; readonly value: T } | Refusal): T {
  if (!result.ok) throw new ApiRefusal(result)
  return result.value
}

/** What exists; 404 for `null`. */
export function existing<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw notFound()
  return value
}

export const ok = (body: unknown, page?: PageLinks): ApiAnswer =>
  page === undefined ? { status: 200, body } : { status: 200, body, page }
export const created = (body: unknown): ApiAnswer => ({ status: 201, body })
export const gone: ApiAnswer = { status: 204 }
