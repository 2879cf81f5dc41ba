/** Chooses the grouping version. A shipped version is frozen: a new one is a new folder beside `v1`. */
import type { GroupedBy, Grouping, ScrubbedEvent } from '#model/event.ts'
import type { SharedParts } from '#model/shared-parts.ts'
import { groupRecognised } from './recognised.ts'
import { groupV1 } from './v1/group.ts'

export interface GroupContext {
  /** Stack traces in it are taken apart once. */
  readonly shared?: SharedParts | undefined
  /** Of an event that is recognised. */
  readonly by?: GroupedBy | null
}

/**
 * What makes this event the same as others, and why in words. Never throws on a normalised event. What an SDK says of
 * the group goes before what is recognised.
 */
export function groupEvent(event: ScrubbedEvent, { shared, by = null }: GroupContext = {}): Grouping {
  const recognised = by === null || hasFingerprint(event) ? null : groupRecognised(by)
  return recognised ?? groupV1(event, shared)
}

/** One that is not `{{ default }}` alone. */
function hasFingerprint({ fingerprint = [] }: ScrubbedEvent): boolean {
  const told = fingerprint.filter((part) => part.trim() !== '')
  return told.length > 1 || (told.length === 1 && !/^\s*\{\{\s*default\s*\}\}\s*$/.test(told[0] ?? ''))
}
