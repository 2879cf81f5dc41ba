/** Input and answer of a web API handler. */

import type { GenericSchema, InferOutput } from 'valibot'
import type { Permission } from '#access/permissions.ts'
import type { Viewer } from '#access/viewer.ts'
import type { Clock } from '#base/clock.ts'
import type { PublicAddress } from '#base/public-address.ts'
import type { RequestFacts } from '#commands/asking.ts'
import type { Commands } from '#commands/commands.ts'
import type { ByteRange } from '#ports/blobs.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { Queries } from '#queries/queries.ts'
import type { PageLinks } from './pages.ts'
import type { Handed } from './pick.ts'
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
  /**
   * Address where this request reached Errata, without trailing slash: tools go on there, and at no other.
   */
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

export interface ApiAnswer<Body = unknown> {
  readonly status: number
  /** Left out: no body. */
  readonly body?: Body
  readonly page?: PageLinks
  /** Instead of a body. */
  readonly file?: {
    readonly name: string
    readonly type: string
    readonly stream: ReadableStream<Uint8Array>
    /** Its length, where that is known; which part of it `stream` is, where it is one. */
    readonly bytes?: number
    readonly range?: ByteRange
  }
  /** Version of what it holds (`http/api/versions.ts`). */
  readonly etag?: string
  /** New location: a path of this server. */
  readonly location?: string
}

/** Export of a route's rows as a file. */
export interface Exported {
  /** Name of the file, without its ending. */
  readonly name: string
  /** Columns of CSV: paths within a row such as `project.slug`. `rows`: those of the first page. */
  readonly columns: (url: URL, rows: readonly unknown[]) => readonly string[]
  /** Rows in place of the list's pages, if a page has less than the file should. */
  readonly rows?: (call: OrgCall) => Promise<readonly unknown[]>
}

interface RouteBase {
  readonly method: ApiMethod
  /** Path pattern such as `/organizations/{org}/issues/`: below `/api/0`, with the trailing slash. */
  readonly pattern: string
  /** Description in one line, for the specification. */
  readonly what: string
  /** Parameters of the query string. */
  readonly query?: readonly QueryParameter[]
  /** Schema of the JSON body, if one checks it; part of the API's own description. */
  readonly body?: GenericSchema
  /** Schema of a good answer. If left out: described as anything, and for `DELETE` as nothing. */
  readonly answer?: GenericSchema
  /** Schema of a 400 answer, if tools look for something other than a refusal. */
  readonly failure?: GenericSchema
  /** Most bytes of the body; `formBytesMax` by default. */
  readonly bodyBytesMax?: number
  /** The answer has an `ETag`; a change takes it as `If-Match`. */
  readonly versioned?: true
  /** All of its rows can be taken as a file. */
  readonly exported?: Exported
  /** Upload that it is part of, for the list of refused uploads, which then shows who was refused. */
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

/** Makes a call below an organisation whose answer is what its schema describes: the compiler holds one to the other. */
export function orgRoute<Answer extends GenericSchema>(
  route: RouteBase & {
    readonly permission: Permission
    readonly answer: Answer
    run(call: OrgCall): Promise<ApiAnswer<Handed<InferOutput<Answer>>>>
  },
): ApiRoute {
  return route
}

export const answerOk = <Body>(body: Body, page?: PageLinks): ApiAnswer<Body> =>
  page === undefined ? { status: 200, body } : { status: 200, body, page }
export const answerCreated = <Body>(body: Body): ApiAnswer<Body> => ({ status: 201, body })
export const gone: ApiAnswer<never> = { status: 204 }
