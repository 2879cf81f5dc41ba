/** Relay for Next.js: a route handler, an API route of the Pages Router, or a part of `proxy.ts`. */
import { createCore } from '../exchange.ts'
import { respondNode } from '../node-exchange.ts'
import type { NodeRequest, NodeResponse } from '../node-types.ts'
import type { RelayOptions } from '../options.ts'
import { createRelay } from '../relay.ts'
import { readOptions } from '../settings.ts'

export type { RelayDrop, RelayOptions } from '../options.ts'
export type { RelayRefusal } from '../refusals.ts'

type RouteHandler = (request: Request) => Promise<Response>

/** `app/monitoring/route.ts`: `export const { POST, OPTIONS } = relayRoute({ dsn })`. */
export function relayRoute(options: RelayOptions): {
  readonly POST: RouteHandler
  readonly OPTIONS: RouteHandler
} {
  const relay = createRelay(options)
  const handler: RouteHandler = (request) => relay(request)
  return { POST: handler, OPTIONS: handler }
}

/**
 * `pages/api/monitoring.ts`: `export default relayApiRoute({ dsn })`, and beside it
 * `export const config = { api: { bodyParser: false } }`, which Next.js reads from the file's text.
 */
export function relayApiRoute(
  options: RelayOptions,
): (request: NodeRequest, response: NodeResponse) => Promise<void> {
  const core = createCore(readOptions(options))
  // Next.js writes X-Forwarded-For itself where no proxy did: the connection may be its own router's.
  return (request, response) => respondNode(core, { request, response }, undefined)
}

/**
 * Answers in `proxy.ts`, called `middleware.ts` before Next.js 16: a response at the relay's paths,
 * `undefined` anywhere else. Put it before whatever asks for a session.
 */
export function relayProxy(options: RelayOptions): (request: Request) => Promise<Response> | undefined {
  const relay = createRelay(options)
  return (request) => (relay.matches(request) ? relay(request) : undefined)
}
