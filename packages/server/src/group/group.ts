/** Chooses the grouping version. A shipped version is frozen: a new one is a new folder beside `v1`. */
import type { Grouping, ScrubbedEvent } from '#model/event.ts'
import type { SharedParts } from '#model/shared-parts.ts'
import { groupV1 } from './v1/group.ts'

/**
 * What makes this event the same as others, and why in words. Never throws on a normalised event. Stack traces in
 * `shared` are taken apart once.
 */
export function groupEvent(event: ScrubbedEvent, shared?: SharedParts): Grouping {
  return groupV1(event, shared)
}
