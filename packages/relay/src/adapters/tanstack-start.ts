/** Relay for TanStack Start: the handlers of a server route. */
import type { RelayOptions } from '../options.ts'
import { createRelay } from '../relay.ts'

export type { RelayDrop, RelayOptions } from '../options.ts'
export type { RelayRefusal } from '../refusals.ts'

type ServerHandler = (args: { readonly request: Request }) => Promise<Response>

/** `createFileRoute('/monitoring')({ server: { handlers: relayHandlers({ dsn }) } })`. */
export function relayHandlers(options: RelayOptions): {
  readonly POST: ServerHandler
  readonly OPTIONS: ServerHandler
} {
  const relay = createRelay(options)
  const handler: ServerHandler = ({ request }) => relay(request)
  return { POST: handler, OPTIONS: handler }
}
