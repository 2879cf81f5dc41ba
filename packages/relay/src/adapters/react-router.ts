/** Relay for React Router in framework mode, and Remix: the action of a resource route. */
import type { RelayOptions } from '../options.ts'
import { createRelay } from '../relay.ts'

export type { RelayDrop, RelayOptions } from '../options.ts'
export type { RelayRefusal } from '../refusals.ts'

/**
 * `app/routes/monitoring.ts`: `export const action = relayAction({ dsn })`. One name of its own, since the compiler
 * refuses exports of routes that are taken apart.
 */
export function relayAction(
  options: RelayOptions,
): (args: { readonly request: Request }) => Promise<Response> {
  const relay = createRelay(options)
  return ({ request }) => relay(request)
}
