/** Calls of the web API: one function a method, pages one after the other, patience where the server asks for it. */
import { ApiError } from './errors.ts'
import { cursorOf, retryAfterSeconds } from './pages.ts'
import type { Answer, Answered, Arguments, Operation, PagedPaths, PathsOf, Row } from './types.ts'

export interface ClientOptions {
  /** Address of Errata, such as `https://errata.example.com`. */
  readonly url: string
  /** Token of a person or of the organisation: Settings › Tokens. */
  readonly token: string
  /** How often a call that is told to wait is made again; 3 by default, 0 for never. */
  readonly retries?: number
  /** Longer waits are not waited for; 60 by default. */
  readonly waitSecondsMax?: number
  readonly fetch?: typeof fetch
}

/** Every call rejects with `ApiError` for an answer that is no success, and as `fetch` does where none comes. */
export interface Client {
  get<P extends PathsOf<'get'>>(
    path: P,
    ...asked: Arguments<Operation<'get', P>>
  ): Promise<Answer<Answered<Operation<'get', P>>>>
  post<P extends PathsOf<'post'>>(
    path: P,
    ...asked: Arguments<Operation<'post', P>>
  ): Promise<Answer<Answered<Operation<'post', P>>>>
  put<P extends PathsOf<'put'>>(
    path: P,
    ...asked: Arguments<Operation<'put', P>>
  ): Promise<Answer<Answered<Operation<'put', P>>>>
  delete<P extends PathsOf<'delete'>>(
    path: P,
    ...asked: Arguments<Operation<'delete', P>>
  ): Promise<Answer<Answered<Operation<'delete', P>>>>
  /** Answers page by page, from the first or from `query.cursor` on. */
  pages<P extends PagedPaths>(
    path: P,
    ...asked: Arguments<Operation<'get', P>>
  ): AsyncGenerator<Answer<Answered<Operation<'get', P>>>, void>
  /** Rows of all pages; the next page is asked for when its first row is. */
  rows<P extends PagedPaths>(
    path: P,
    ...asked: Arguments<Operation<'get', P>>
  ): AsyncGenerator<Row<Answered<Operation<'get', P>>>, void>
}

/** Loosely typed call, for the implementation. */
interface Loose {
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  readonly ifMatch?: string
  readonly signal?: AbortSignal
}

const RETRIES = 3
const WAIT_SECONDS_MAX = 60

export function createClient(options: ClientOptions): Client {
  const call =
    (method: string) =>
    <T>(path: string, asked: Loose = {}): Promise<Answer<T>> =>
      ask<T>(options, { ...asked, method, address: addressOf(options.url, path, asked) })
  const get = call('GET')
  async function* pages<T>(path: string, asked: Loose = {}): AsyncGenerator<Answer<T>, void> {
    let cursor: string | null = null
    do {
      const query = cursor === null ? asked.query : { ...asked.query, cursor }
      const page: Answer<T> = await get<T>(path, { ...asked, ...(query === undefined ? {} : { query }) })
      yield page
      cursor = page.next
    } while (cursor !== null)
  }
  async function* rows<T>(path: string, asked: Loose = {}): AsyncGenerator<T, void> {
    for await (const { data } of pages<readonly T[]>(path, asked)) yield* data
  }
  return { get, post: call('POST'), put: call('PUT'), delete: call('DELETE'), pages, rows }
}

function addressOf(base: string, path: string, { path: values = {}, query = {} }: Loose): URL {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined || value === '') throw new TypeError(`${path} needs a value for "${name}"`)
    return encodeURIComponent(value)
  })
  const url = new URL(`${base.replace(/\/+$/, '')}/api/0${filled}`)
  for (const [name, value] of Object.entries(query))
    for (const each of Array.isArray(value) ? value : [value])
      if (each !== undefined && each !== null) url.searchParams.append(name, String(each))
  return url
}

interface Call extends Loose {
  readonly method: string
  readonly address: URL
}

async function ask<T>(options: ClientOptions, call: Call): Promise<Answer<T>> {
  const { retries = RETRIES, waitSecondsMax = WAIT_SECONDS_MAX, fetch: send = fetch } = options
  const request = requestOf(options.token, call)
  for (let tried = 0; ; tried++) {
    const response = await send(call.address, request)
    if (response.ok) return answerOf<T>(response)
    const seconds = retryAfterSeconds(response.headers.get('retry-after'), Date.now())
    const body = await readBody(response)
    if (tried >= retries || seconds === null || seconds > waitSecondsMax || !mayTryAgain(call, response)) {
      const name = `${call.method} ${call.address.pathname}`
      throw new ApiError({ call: name, status: response.status, body, retryAfterSeconds: seconds })
    }
    await wait(seconds * 1_000, call.signal)
  }
}

/**
 * True if a call may be repeated: after 429, which did nothing, any call; after a server error only calls
 * that change nothing.
 */
function mayTryAgain({ method }: Call, { status }: Response): boolean {
  return status === 429 || (status === 503 && method === 'GET')
}

function requestOf(token: string, { method, body, ifMatch, signal }: Call): RequestInit {
  const headers = new Headers({ accept: 'application/json', authorization: `Bearer ${token}` })
  if (ifMatch !== undefined) headers.set('if-match', ifMatch)
  const request: RequestInit = { method, headers, ...(signal === undefined ? {} : { signal }) }
  if (body === undefined) return request
  if (body instanceof FormData) return { ...request, body }
  headers.set('content-type', 'application/json')
  return { ...request, body: JSON.stringify(body) }
}

async function answerOf<T>(response: Response): Promise<Answer<T>> {
  const { headers, status } = response
  const text = await response.text()
  const data: T = text === '' ? undefined : JSON.parse(text)
  const link = headers.get('link')
  const hits = headers.get('x-hits')
  return {
    ...{ data, status, headers, hits: hits === null ? null : Number(hits) },
    ...{ previous: cursorOf(link, 'previous'), next: cursorOf(link, 'next') },
  }
}

async function readBody(response: Response): Promise<unknown> {
  const text = await response.text()
  try {
    return JSON.parse(text)
  } catch {
    return null // a proxy's own page
  }
}

function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason)
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
