/** Chooses the grouping version. A shipped version is frozen: a new one is a new folder beside `v1`. */
import type { Grouping, ScrubbedEvent } from '#base/event.ts'
import { groupV1 } from './v1/group.ts'

/** What makes this event the same as others, and why in words. Never throws on a normalised event. */
export function groupEvent(event: ScrubbedEvent): Grouping {
  return groupV1(event)
}
