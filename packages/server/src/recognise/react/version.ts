import type { NormalizedEvent } from '#model/event.ts'

/** React's own version, as the SDK of a page tells it. */
export function reactVersion({ contexts }: NormalizedEvent): string | undefined {
  const version = contexts?.react?.version
  return typeof version === 'string' ? version : undefined
}
