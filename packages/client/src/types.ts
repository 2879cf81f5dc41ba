/** From a path and a method to what is asked and what is answered. */
import type { paths } from './description.d.ts'

export type Method = 'get' | 'post' | 'put' | 'delete'

/** Addresses that take the method, below `/api/0`. */
export type PathsOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends Readonly<Record<M, { readonly responses: unknown }>> ? P : never
}[keyof paths]

export type Operation<M extends Method, P extends PathsOf<M>> =
  paths[P] extends Readonly<Record<M, infer Found>> ? Found : never

type Body<Op> = Op extends { readonly requestBody: { readonly content: infer Content } }
  ? { readonly body: Content[keyof Content] }
  : { readonly body?: FormData | object }

/**
 * `path` and `query` by the names of the description; `body` is sent as JSON, a form as it is. `ifMatch` is the `etag`
 * of the answer that a change is made from: 412 if somebody else changed it since.
 */
export type Asked<Op> = Op extends { readonly parameters: infer Parameters }
  ? Omit<Parameters, 'header' | 'cookie'> &
      Body<Op> & { readonly ifMatch?: string; readonly signal?: AbortSignal }
  : never

/** Nothing needs to be said of a call that takes nothing. */
export type Arguments<Op> = object extends Asked<Op> ? [asked?: Asked<Op>] : [asked: Asked<Op>]

/** `undefined` where there is no body. */
export type Answered<Op> = Op extends {
  readonly responses: { readonly '2XX': { readonly content: infer Content } }
}
  ? Content[keyof Content]
  : undefined

export interface Answer<T> {
  readonly data: T
  readonly status: number
  readonly headers: Headers
  /** How many rows there are in all; `null` where that is not known. */
  readonly hits: number | null
  /** Cursors of the pages before and after; `null` where there is none. */
  readonly previous: string | null
  readonly next: string | null
}

/** Addresses that answer page by page. */
export type PagedPaths = {
  [P in PathsOf<'get'>]: 'cursor' extends QueryNames<Operation<'get', P>> ? P : never
}[PathsOf<'get'>]

/** Names of a call's query parameters. Without any, the query is `never`, whose keys would be everything. */
type QueryNames<Op> = Op extends { readonly parameters: { readonly query?: infer Query } }
  ? [NonNullable<Query>] extends [never]
    ? never
    : keyof NonNullable<Query>
  : never

/** Row of an answer that is a list. */
export type Row<T> = T extends readonly (infer One)[] ? One : never
