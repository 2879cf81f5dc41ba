/** Tells Errata's own project what became of a request of the web app, once its answer is made. */
import type { SelfRequest } from '@errata/server/http'
import type { AppTables } from './app-tables.ts'
import { HEADERS } from './names.ts'
import type { Serving } from './serve-context.ts'

/** Route of an address: a page, or a handler that answers for itself. */
export interface AskedRoute {
  readonly path: string
  readonly isHandler: boolean
}

export function noteRequest(
  { actions }: Pick<AppTables, 'actions'>,
  serving: Serving,
  answered: { readonly route: AskedRoute; readonly status: number; readonly ms: number },
): void {
  const { engine, request, traceId, parentSpanId } = serving
  const { route, status, ms } = answered
  const named = request.headers.get(HEADERS.action)
  const requestKind = requestKindOf(serving, route)
  engine.trace?.({
    ...{ requestKind, traceId, status, ms, atMs: Date.now(), method: request.method, route: route.path },
    action: actions.find(({ name }) => name === named)?.name ?? null,
    parentSpanId: requestKind === 'document' ? null : parentSpanId,
  })
}

function requestKindOf({ request, wanted }: Serving, { isHandler }: AskedRoute): SelfRequest['requestKind'] {
  if (request.method === 'POST') return 'action'
  return isHandler ? 'route-handler' : wanted
}
