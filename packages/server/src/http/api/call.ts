/** What a handler of the web API is given and what it answers. */

import type { GenericSchema } from 'valibot'
import type { Permission } from '#access/permissions.ts'
import type { Viewer } from '#access/viewer.ts'
import type { Clock } from '#base/clock.ts'
import type { PublicAddress } from '#base/public-address.ts'
import type { RequestFacts } from '#commands/asking.ts'
import type { Commands } from '#commands/commands.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { Queries } from '#queries/types.ts'
import type { PageLinks } from './pages.ts'
import type { QueryParameter } from './query.ts'

type ApiMethod = 'GET' | 'POST' | 'PUT' | 'DELETE'

export interface ApiServices {
  readonly queries: Queries
  readonly commands: Commands
  readonly clock: Clock
  readonly publicAddress: PublicAddress
}

/** It is who asks, too, for commands. */
export interface ApiCall extends ApiServices, RequestFacts {
  readonly url: URL
  /** Where this request reached Errata, without trailing slash: tools go on there, and at no other address. */
  readonly askedAt: string
  readonly params: Readonly<Record<string, string>>
  readonly viewer: Viewer
  /** The body as JSON; throws `ApiRefusal` for one that cannot be read, or is larger than a form by default. */
  json(): Promise<unknown>
  /** A header of the request, by its lower-case name. */
  header(name: string): string | null
  /** The body as it came, within the bound of its route; its content type, empty where none was named. */
  bytes(): Promise<{ readonly contentType: string; readonly body: Uint8Array }>
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
  /** Instead of a body. */
  readonly file?: {
    readonly name: string
    readonly type: string
    readonly stream: ReadableStream<Uint8Array>
  }
  /** Where it is now: a path of this server. */
  readonly location?: string
}

/** Of a route whose rows can be taken as a file. */
export interface Exported {
  /** Of the file, without its ending. */
  readonly name: string
  /** Of CSV: paths within a row such as `project.slug`. */
  readonly columns: (url: URL) => readonly string[]
  /** In place of the list's pages, where a page has less than the file should. */
  readonly rows?: (call: OrgCall) => Promise<readonly unknown[]>
}

interface RouteBase {
  readonly method: ApiMethod
  /** Such as `/organizations/{org}/issues/`: below `/api/0`, with the trailing slash. */
  readonly pattern: string
  /** One line for the specification. */
  readonly what: string
  /** What its query string may say. */
  readonly query?: readonly QueryParameter[]
  /** Of its JSON body, where one schema checks it: it is part of the API's own description. */
  readonly body?: GenericSchema
  /** What it answers when all is well. Left out: described as anything, and of `DELETE` as nothing. */
  readonly answer?: GenericSchema
  /** What a 400 of it may say instead of a refusal, where tools look for something else. */
  readonly failure?: GenericSchema
  /** What its body may have; `formBytesMax` where nothing is said. */
  readonly bodyBytesMax?: number
  /** All of its rows can be taken as a file. */
  readonly exported?: Exported
  /** What it is part of, for the list of refused uploads: it gets to know who may not. */
  readonly upload?: string
}

/** `anyone` needs no token, `signed-in` any valid one, a permission is asked in the organisation of `{org}`, or of `{issue}`. */
export type ApiRoute =
  | (RouteBase & {
      readonly permission: 'anyone'
      run(call: Omit<ApiCall, 'viewer'> & { readonly viewer: Viewer | null }): Promise<ApiAnswer>
    })
  | (RouteBase & { readonly permission: 'signed-in'; run(call: ApiCall): Promise<ApiAnswer> })
  | (RouteBase & { readonly permission: Permission; run(call: OrgCall): Promise<ApiAnswer> })

export const ok = (body: unknown, page?: PageLinks): ApiAnswer =>
  page === undefined ? { status: 200, body } : { status: 200, body, page }
export const created = (body: unknown): ApiAnswer => ({ status: 201, body })
export const gone: ApiAnswer = { status: 204 }
