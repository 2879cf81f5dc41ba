/** The browser's end of the wire: page data, prefetch, actions, and what happens to a page of an older build. */
import type { ActionReply, PageAnswer, WireError } from './answers.ts'
import { UNREACHABLE } from './failures.ts'
import { HEADERS } from './names.ts'

/** Prefetched pages kept, the newest; nobody hovers over more before clicking. */
const PREFETCHED_MAX = 10
/** How long a prefetched page may be shown as fresh. */
const PREFETCH_FRESH_MS = 10_000
/** An answer that takes longer is given up. */
const TIMEOUT_MS = 30_000
const RELOADED_KEY = 'errata-reloaded-for'

export type ActionBody =
  | { readonly kind: 'json'; readonly input: unknown }
  | { readonly kind: 'form'; readonly fields: URLSearchParams }

/** `error`: why the server sent the page there. */
export type OpenDocument = (path: string, error?: WireError) => void

interface NoAnswer {
  readonly error: WireError
}

export interface PageClientParts {
  readonly build: string
  readonly fetch: typeof fetch
  readonly storage: Pick<Storage, 'getItem' | 'setItem'>
  /** Loads a whole document: the same address again, or another one. */
  readonly openDocument: OpenDocument
  readonly now: () => number
  /** Value of the `sentry-trace` header, when there is one. */
  readonly trace?: () => string | undefined
}

/** Holds what is fresh for the next navigation: prefetched pages, and what an action's answer brought along. */
export class PageClient {
  readonly #parts: PageClientParts
  readonly #prefetched = new Map<string, { readonly atMs: number; readonly answer: Promise<PageAnswer> }>()
  /** Page that was asked for last: where somebody is, or wants to be. */
  #asked: string | null = null
  #isLeaving = false
  #handed: { readonly path: string; readonly answer: PageAnswer } | null = null

  constructor(parts: PageClientParts) {
    this.#parts = parts
  }

  /** Page data of `path` (with its query): handed over by an action, prefetched, or asked for now. */
  async page(path: string, signal: AbortSignal): Promise<PageAnswer> {
    this.#asked = path
    const handed = this.#handed
    this.#handed = null
    if (handed?.path === normalPath(path)) return handed.answer
    const ready = this.#prefetched.get(normalPath(path))
    this.#prefetched.delete(normalPath(path))
    if (ready !== undefined && this.#parts.now() - ready.atMs < PREFETCH_FRESH_MS) {
      const answer = await ready.answer
      if ('data' in answer) return answer
    }
    return this.#settle(await this.#ask(path, {}, signal), path)
  }

  /** Asks for `path` before anybody waits for it. Failures are left to the navigation. */
  prefetch(path: string): void {
    const now = this.#parts.now()
    const known = this.#prefetched.get(normalPath(path))
    if (known !== undefined && now - known.atMs < PREFETCH_FRESH_MS) return
    this.#prefetched.delete(normalPath(path))
    const answer = this.#ask(path, { [HEADERS.purpose]: 'prefetch' }, new AbortController().signal)
    this.#prefetched.set(normalPath(path), { atMs: now, answer })
    for (const oldest of this.#prefetched.keys()) {
      if (this.#prefetched.size <= PREFETCHED_MAX) break
      this.#prefetched.delete(oldest)
    }
  }

  /** Runs an action at `path`. Fresh page data waits for the revalidation that the caller starts. */
  async act(name: string, path: string, body: ActionBody): Promise<ActionReply> {
    this.#prefetched.clear()
    const isJson = body.kind === 'json'
    const answer = await this.#send<ActionReply>(path, {
      method: 'POST',
      headers: {
        [HEADERS.action]: name,
        [HEADERS.build]: this.#parts.build,
        'Content-Type': isJson ? 'application/json' : 'application/x-www-form-urlencoded;charset=UTF-8',
      },
      body: isJson ? JSON.stringify(body.input ?? null) : body.fields.toString(),
    })
    if ('data' in answer && answer.data !== undefined) {
      const { data, part } = answer
      this.#handed = { path: normalPath(path), answer: part === undefined ? { data } : { data, part } }
    }
    return this.#settle(answer, path)
  }

  /** Loads the document at `path` anew, once for each build of the server; false when that was tried already. */
  reloadOnce(build: string, path: string, error?: WireError): boolean {
    if (this.#parts.storage.getItem(RELOADED_KEY) === build) return false
    this.#parts.storage.setItem(RELOADED_KEY, build)
    this.#open(path, error)
    return true
  }

  /** A script of this build is gone, so the server has another one: as `reloadOnce`, for the page that needs it. */
  reloadWithoutScript(current: string): boolean {
    return this.reloadOnce(`not ${this.#parts.build}`, this.#asked ?? current)
  }

  /** A client that says it is of another build, and remembers nothing: for the self-test. */
  asBuild(build: string, openDocument: OpenDocument): PageClient {
    return new PageClient({
      ...this.#parts,
      build,
      openDocument,
      storage: { getItem: () => null, setItem() {} },
    })
  }

  /** The first document that is opened is the one; what fails on the way there changes nothing. */
  #open(path: string, error?: WireError): void {
    if (this.#isLeaving) return
    this.#isLeaving = true
    this.#parts.openDocument(path, error)
  }

  /** A page of an older build reloads itself, and stays as it is until that happened. */
  #settle<T extends PageAnswer | ActionReply>(answer: T, path: string): Promise<T> | T {
    if ('isDocument' in answer && answer.isDocument) {
      this.#open(answer.redirect)
      return new Promise(() => {})
    }
    const error = errorOf(answer)
    if (error?.code !== 'stale_build' || !this.reloadOnce(error.build ?? '', path, error)) return answer
    return new Promise(() => {})
  }

  #ask(path: string, more: Record<string, string>, signal: AbortSignal): Promise<PageAnswer> {
    const headers = { [HEADERS.page]: 'data', [HEADERS.build]: this.#parts.build, ...more }
    return this.#send<PageAnswer>(path, { headers, signal })
  }

  async #send<T extends object>(path: string, init: RequestInit): Promise<T | NoAnswer> {
    const timeout = AbortSignal.timeout(TIMEOUT_MS)
    const signal = init.signal ? AbortSignal.any([init.signal, timeout]) : timeout
    const headers = new Headers(init.headers)
    const trace = this.#parts.trace?.()
    if (trace !== undefined) headers.set('sentry-trace', trace)
    try {
      const response = await this.#parts.fetch(path, { ...init, headers, signal, credentials: 'same-origin' })
      const answer: T = await response.json()
      return isAnswer(answer) ? answer : { error: UNREACHABLE }
    } catch (error) {
      // A navigation that was given up rethrows, so that the router sees its own abort; all else is "no answer".
      if (init.signal?.aborted) throw error
      return { error: UNREACHABLE }
    }
  }
}

/** Returns one spelling of an address, however it was escaped. */
function normalPath(path: string): string {
  const url = new URL(path, 'http://errata.invalid')
  return `${url.pathname}${url.search}`
}

function errorOf(answer: PageAnswer | ActionReply): WireError | null {
  return 'error' in answer ? answer.error : null
}

function isAnswer(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    ('data' in value || 'redirect' in value || 'error' in value || 'result' in value)
  )
}
