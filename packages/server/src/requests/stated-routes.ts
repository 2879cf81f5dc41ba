/** Keeps routes that SDKs state, to name requests known by address only. */
import type { RequestKind } from '#model/event.ts'
import { partsOfRoute, type StatedRoute } from '#model/known-routes.ts'
import { NESTING_SDKS } from './request-paths.ts'

/** `null`: it names no other. */
export function statedRouteOf(
  route: string,
  kind: RequestKind,
  sdk: string | null,
): StatedRoute['of'] | null {
  if (kind !== 'browser' && kind !== 'document' && kind !== 'route-handler') return null
  const parts = partsOfRoute(route)
  // What a nested route begins with may be missing.
  if (parts === null || (parts[0] !== 'own' && NESTING_SDKS.test(sdk ?? ''))) return null
  return kind === 'route-handler' ? 'handlers' : 'pages'
}
