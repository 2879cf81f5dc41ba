/** Relay for Express 4 and 5, and Connect. The client's address is `req.ip`, by the app's `trust proxy`. */
import { createCore } from '../exchange.ts'
import { peerOf, respondNode } from '../node-exchange.ts'
import type { NodeRequest, NodeResponse } from '../node-types.ts'
import type { RelayOptions } from '../options.ts'
import { readOptions } from '../settings.ts'

export type { RelayDrop, RelayOptions } from '../options.ts'
export type { RelayRefusal } from '../refusals.ts'

interface ExpressRequest extends NodeRequest {
  readonly originalUrl?: string | undefined
  readonly ip?: string | undefined
}

type Next = (cause?: unknown) => void

/** Middleware: answers at the relay's paths and lets everything else pass. It belongs before body parsers. */
export function relay(
  options: RelayOptions,
): (request: ExpressRequest, response: NodeResponse, next: Next) => void {
  const core = createCore(readOptions(options))
  return (request, response, next) => {
    if (!core.matches(request.originalUrl ?? request.url ?? '')) return next()
    const peer = options.trustedHops === undefined ? (request.ip ?? null) : peerOf(request)
    respondNode(core, { request, response }, peer).catch(next)
  }
}
