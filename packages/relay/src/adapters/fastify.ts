/** Relay for Fastify 4 and 5: a plugin. The client's address is `request.ip`, by the app's `trustProxy`. */
import { createCore, type RelayCore } from '../exchange.ts'
import { answerNode, peerOf } from '../node-exchange.ts'
import type { NodeRequest } from '../node-types.ts'
import type { RelayOptions } from '../options.ts'
import { readOptions } from '../settings.ts'

export type { RelayDrop, RelayOptions } from '../options.ts'
export type { RelayRefusal } from '../refusals.ts'

interface FastifyRequest {
  readonly raw: NodeRequest
  readonly ip: string
}

interface FastifyReply {
  code(status: number): unknown
  headers(headers: Record<string, string>): unknown
  send(body: string): unknown
}

interface FastifyScope {
  removeAllContentTypeParsers(): unknown
  addContentTypeParser(
    type: string,
    parser: (request: unknown, payload: unknown, done: (cause: null) => void) => void,
  ): unknown
  route(route: {
    method: string[]
    url: string
    bodyLimit: number
    handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
  }): unknown
}

/** Routes in a scope of their own, where no body is parsed: those of the app are as they were. */
export async function relay(scope: FastifyScope, options: RelayOptions): Promise<void> {
  const settings = readOptions(options)
  const core = createCore(settings)
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
  for (const path of settings.paths) {
    scope.route({
      method: ['POST', 'OPTIONS'],
      url: path,
      bodyLimit: Number.MAX_SAFE_INTEGER, // the relay's own bound counts
      handler: answering(core, options),
    })
  }
}

function answering(core: RelayCore, options: RelayOptions) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const peer = options.trustedHops === undefined ? request.ip : peerOf(request.raw)
    const { status, headers, body } = await answerNode(core, request.raw, peer)
    reply.code(status)
    reply.headers({ ...headers })
    return reply.send(body)
  }
}
