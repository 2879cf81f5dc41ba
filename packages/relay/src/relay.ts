/**
 * A same-origin relay: takes a browser's envelopes at a path of the web app itself, so that ad blockers and
 * content-security policies do not stop them, and passes them on. Web-standard `Request` in, `Response` out.
 *
 * The envelope says which DSN it is for; that DSN is only ever *looked up* among those configured. No address in a
 * body is contacted.
 */
import { streamSource } from './body-source.ts'
import { createCore, type RelayCore } from './exchange.ts'
import type { RelayOptions } from './options.ts'
import { readOptions } from './settings.ts'

/** Facts about a request that only the server knows. */
export interface RelayFacts {
  /** The connection's other end, or the client where the server knows that; `null` when unknown. */
  readonly clientAddress: string | null
}

export interface Relay {
  (request: Request, facts?: RelayFacts): Promise<Response>
  /** The request is for one of the relay's paths. */
  matches(request: { readonly url: string }): boolean
}

/** @throws TypeError for options that cannot be meant. */
export function createRelay(options: RelayOptions): Relay {
  const core = createCore(readOptions(options))
  const relay = (request: Request, facts?: RelayFacts) => answerRequest(core, request, facts)
  return Object.assign(relay, {
    matches: ({ url }: { readonly url: string }) => core.matches(url),
  })
}

async function answerRequest(
  core: RelayCore,
  request: Request,
  facts: RelayFacts | undefined,
): Promise<Response> {
  const { status, headers, body } = await core.answer({
    method: request.method,
    header: (name) => request.headers.get(name),
    body: bodyOf(request),
    peer: facts?.clientAddress,
  })
  return new Response(status === 204 ? null : body, { status, headers })
}

function bodyOf(request: Request) {
  if (request.bodyUsed) return 'parsed'
  return request.body === null ? null : streamSource(request.body)
}
