/** The calls of the web API that an upload makes, over a line that may fail. */
import { setTimeout as pause } from 'node:timers/promises'
import * as v from 'valibot'
import type { Target } from './target.ts'

/** Failure of a call, as a sentence for the person who uploads. */
export class CallFailed extends Error {
  /** 0: no answer came. */
  readonly status: number

  constructor(message: string, status: number, cause?: unknown) {
    super(message, { cause })
    this.name = 'CallFailed'
    this.status = status
  }
}

export interface Body {
  readonly json?: unknown
  readonly form?: FormData
}

const CALL_MS = 120_000
const TRIES = 4
const PAUSE_MS = 500
const PAUSE_MS_MAX = 30_000
const PASSING: ReadonlySet<number> = new Set([429, 502, 503, 504])
const DETAIL = v.object({ detail: v.optional(v.unknown()), error: v.optional(v.unknown()) })
const DETAIL_CHARS = 400

export class ServerCalls {
  readonly #target: Pick<Target, 'url' | 'token'>

  constructor(target: Pick<Target, 'url' | 'token'>) {
    this.#target = target
  }

  get<T extends v.GenericSchema>(path: string, answer: T): Promise<v.InferOutput<T>> {
    return this.#call({ method: 'GET', path, body: {} }, answer)
  }

  post<T extends v.GenericSchema>(path: string, body: Body, answer: T): Promise<v.InferOutput<T>> {
    return this.#call({ method: 'POST', path, body }, answer)
  }

  async #call<T extends v.GenericSchema>(call: Call, answer: T): Promise<v.InferOutput<T>> {
    for (let tried = 1; ; tried++) {
      const got = await this.#send(call).catch((cause: unknown) => {
        if (tried === TRIES)
          throw new CallFailed(`${this.#target.url} can’t be reached: ${reasonOf(cause)}`, 0, cause)
        return null
      })
      if (got !== null && (!PASSING.has(got.status) || tried === TRIES)) return this.#read(got, answer)
      await pause(pauseMs(got, tried))
    }
  }

  async #send({ method, path, body }: Call): Promise<Response> {
    const { url, token } = this.#target
    const headers = {
      authorization: `Bearer ${token}`,
      ...(body.json === undefined ? {} : { 'content-type': 'application/json' }),
    }
    const sent = body.form ?? (body.json === undefined ? null : JSON.stringify(body.json))
    return fetch(`${url}/api/0${path}`, {
      // A token follows nobody to another address.
      ...{ method, headers, body: sent, redirect: 'manual' },
      signal: AbortSignal.timeout(CALL_MS),
    })
  }

  async #read<T extends v.GenericSchema>(got: Response, answer: T): Promise<v.InferOutput<T>> {
    const text = await got.text()
    if (got.status >= 300 && got.status < 400)
      throw new CallFailed(
        `${this.#target.url} redirects to ${got.headers.get('location') ?? 'another address'}: use that address`,
        got.status,
      )
    const json = jsonOf(text)
    // Errata answers in JSON: what does not stands in between.
    if (got.status === 413 && json === null) throw new CallFailed(PROXY_TOO_SMALL, got.status)
    if (!got.ok) throw new CallFailed(refusalText(got.status, json, text), got.status)
    const read = v.safeParse(answer, json)
    if (!read.success)
      throw new CallFailed(`${this.#target.url} doesn’t answer like an Errata server`, got.status)
    return read.output
  }
}

/**
 * Explains a 404 of the first call: a server tells no more about what one may not see than that it isn’t
 * there.
 */
export function explainMissing({ url, org, project }: Target): (cause: unknown) => never {
  return (cause) => {
    if (!(cause instanceof CallFailed) || cause.status !== 404) throw cause
    const words = `${url} has no project ${project} in ${org}, or is older than this command`
    throw new CallFailed(words, cause.status, cause)
  }
}

interface Call {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body: Body
}

function pauseMs(got: Response | null, tried: number): number {
  const asked = Number(got?.headers.get('retry-after') ?? Number.NaN) * 1_000
  return Math.min(PAUSE_MS_MAX, Number.isNaN(asked) ? PAUSE_MS * 2 ** tried : asked)
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null // a page of something in between: told by its status
  }
}

const PROXY_TOO_SMALL =
  '413: a proxy before Errata refuses bodies of this size. Raise its limit to at least 40 MB: client_max_body_size 40m in nginx, LimitRequestBody in Apache, the body size of the ingress or CDN elsewhere'

function refusalText(status: number, json: unknown, text: string): string {
  const said = v.safeParse(DETAIL, json)
  const detail = said.success ? (said.output.error ?? said.output.detail) : undefined
  const words = typeof detail === 'string' ? detail : text.trim()
  return `${status}: ${words.slice(0, DETAIL_CHARS) || 'no reason was given'}`
}

/** Node hides what happened behind "fetch failed". */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  return cause.cause instanceof Error ? cause.cause.message || cause.cause.name : cause.message
}
