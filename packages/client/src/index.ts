/** Client of Errata's web API, typed by what the API says of itself. */
import type { components } from './description.d.ts'

export { type Client, type ClientOptions, createClient } from './client.ts'
export { ApiError } from './errors.ts'
export type { Answer, Asked, PagedPaths, PathsOf, Row } from './types.ts'
/** Types of the API's answers, by name: `Schemas['Issue']`. */
export type Schemas = components['schemas']
