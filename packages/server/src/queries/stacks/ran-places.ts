/** Places of an event that a source map would be looked up for. */

import type { RanPlace } from '#artifacts/look-up.ts'
import type { Frame, Stacktrace } from '#model/event.ts'
import { debugIdOf, debugIdsOf } from '#symbolicate/debug-ids.ts'
import { framePath, isRanFile, isWrittenFile } from '#symbolicate/paths.ts'
import type { StoredEvent } from '../types.ts'

/** Returns the places that ran, newest call first, each once, at most `limit`. */
export function ranPlaces(event: StoredEvent, limit: number): readonly RanPlace[] {
  const ids = debugIdsOf(event.debug_meta)
  const { release = null, dist = null } = event
  const found = new Map<string, RanPlace>()
  for (const frame of framesThatRan(event)) {
    const path = framePath(frame.abs_path ?? frame.filename ?? '')
    if (found.size >= limit) break
    const debugId = debugIdOf(ids, path)
    if (!isLookedUp(frame, path, debugId)) continue
    const place = { path, debugId, release, dist, line: frame.lineno ?? null, column: frame.colno ?? null }
    found.set(`${path}:${place.line}:${place.column}`, place)
  }
  return [...found.values()]
}

function isLookedUp(frame: Frame, path: string, debugId: string | null): boolean {
  if (!isRanFile(path) || isWrittenFile(path) || frame.lineno === undefined) return false
  return debugId !== null || frame.in_app !== false
}

function framesThatRan(event: StoredEvent): readonly Frame[] {
  const stacks: readonly (Stacktrace | undefined)[] = [
    ...(event.exception?.values ?? []).map((each) => each.raw_stacktrace ?? each.stacktrace).reverse(),
    event.raw_stacktrace ?? event.stacktrace,
    ...(event.threads?.values ?? []).map((each) => each.raw_stacktrace ?? each.stacktrace),
  ]
  return stacks.flatMap((stack) => (stack?.frames ?? []).toReversed())
}
