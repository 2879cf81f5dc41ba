/** Answers Node's own requests, for every framework on top of them. */
import { type BodySource, bytesSource, iterableSource } from './body-source.ts'
import type { RelayCore } from './exchange.ts'
import type { NodeRequest, NodeResponse } from './node-types.ts'
import type { RelayAnswer } from './refusals.ts'

/** `peer` as for every exchange; `peerOf` where the framework knows nothing better. */
export async function answerNode(
  core: RelayCore,
  request: NodeRequest,
  peer: string | null | undefined,
): Promise<RelayAnswer> {
  const { headers } = request
  return core.answer({
    method: request.method ?? 'GET',
    header: (name) => {
      const value = headers[name]
      return typeof value === 'string' ? value : (value?.join(', ') ?? null)
    },
    body: bodyOf(request),
    peer,
  })
}

/** Answers and sends it. */
export async function respondNode(
  core: RelayCore,
  { request, response }: { readonly request: NodeRequest; readonly response: NodeResponse },
  peer: string | null | undefined,
): Promise<void> {
  const { status, headers, body } = await answerNode(core, request, peer)
  response.writeHead(status, { ...headers })
  response.end(body)
}

/** The connection's other end. */
export function peerOf(request: NodeRequest): string | null {
  return request.socket?.remoteAddress ?? null
}

function bodyOf(request: NodeRequest): BodySource | 'parsed' {
  if (request.readableDidRead !== true) return iterableSource(request)
  const { body } = request
  if (body instanceof Uint8Array) return bytesSource(body)
  return typeof body === 'string' ? bytesSource(new TextEncoder().encode(body)) : 'parsed'
}
