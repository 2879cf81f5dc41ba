/** The event that a notice is about: the one that began the issue or brought it back last, as its activity tells. */
import { type EventId, readEventId } from '#base/ids.ts'
import { isObject } from '#base/json.ts'
import type { ActivityKind } from '#ports/issues.ts'

/** The newest activity of these kinds names it. */
export const CAUSES: readonly ActivityKind[] = ['first_seen', 'regressed', 'unarchived']

/** From the detail of that activity. */
export function readCause(detail: unknown): {
  readonly eventId: EventId | null
  readonly release: string | null
  readonly traceId: string | null
} {
  if (!isObject(detail)) return { eventId: null, release: null, traceId: null }
  const { eventId, release, traceId } = detail
  return {
    eventId: readEventId(eventId),
    release: typeof release === 'string' ? release : null,
    // What was written before traces were kept names none.
    traceId: typeof traceId === 'string' ? traceId : null,
  }
}
