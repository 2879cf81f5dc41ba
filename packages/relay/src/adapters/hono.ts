/**
 * Relay for Hono on any runtime. On Node the client's address is the connection's; elsewhere a header must
 * state it.
 */
import type { RelayOptions } from '../options.ts'
import { createRelay } from '../relay.ts'

export type { RelayDrop, RelayOptions } from '../options.ts'
export type { RelayRefusal } from '../refusals.ts'

interface HonoContext {
  readonly req: { readonly raw: Request; readonly url: string }
  /** Environment that `@hono/node-server` sets. */
  readonly env: unknown
}

/** Middleware: answers at the relay's paths and lets everything else pass. */
export function relay(
  options: RelayOptions,
): (context: HonoContext, next: () => Promise<void>) => Promise<Response | undefined> {
  const answer = createRelay(options)
  return async ({ req, env }, next) => {
    if (answer.matches(req)) {
      const clientAddress = nodePeer(env)
      return answer(req.raw, clientAddress === null ? undefined : { clientAddress })
    }
    await next()
    return undefined
  }
}

function nodePeer(env: unknown): string | null {
  const address = field(field(field(env, 'incoming'), 'socket'), 'remoteAddress')
  return typeof address === 'string' ? address : null
}

function field(from: unknown, name: string): unknown {
  return typeof from === 'object' && from !== null ? Reflect.get(from, name) : undefined
}
