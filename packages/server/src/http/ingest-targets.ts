/** The addresses that SDKs send to, read once: an SDK sends to the same one with every envelope. */
import type { QueryFields } from '#accept/types.ts'
import { max } from '#limits/limits.ts'
import { type IngestRoute, readIngestRoute } from './ingest.ts'
import { readTarget, type Target } from './target.ts'

export interface IngestTarget {
  readonly target: Target
  readonly route: IngestRoute
  readonly query: QueryFields
}

const API = /\/(?:api|js-sdk-loader\/)/i

export class IngestTargets {
  readonly #prefix: string
  readonly #known = new Map<string, IngestTarget>()

  /** `prefix`: path of the public address, without a trailing slash. */
  constructor(prefix: string) {
    this.#prefix = prefix
  }

  /** `null` for an address that is no ingest route; the web API's are none. */
  read(url: string): IngestTarget | null {
    const known = this.#known.get(url)
    if (known !== undefined) return known
    if (!API.test(url)) return null
    const target = readTarget(url, this.#prefix)
    const route = target === null || isApiPath(target.path) ? null : readIngestRoute(target.path)
    if (target === null || route === null) return null
    const answer = { target, route, query: readQueryFields(target.search) }
    if (url.length > max('requestMemoCharsMax')) return answer
    // All at once: what is sent again is read again, and nobody keeps an order.
    if (this.#known.size >= max('requestMemoMax')) this.#known.clear()
    this.#known.set(url, answer)
    return answer
  }
}

export function isApiPath(path: string): boolean {
  return path === '/api/0' || path.startsWith('/api/0/')
}

function readQueryFields(search: string): QueryFields {
  const fields = new URLSearchParams(search)
  return { text: search, get: (name) => fields.get(name) }
}
