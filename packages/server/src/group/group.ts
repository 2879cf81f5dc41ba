/** Chooses the grouping version. A shipped version is frozen: a new one is a new folder beside `v1`. */
import type { GroupedBy, Grouping, ScrubbedEvent } from '#model/event.ts'
import type { SharedParts } from '#model/shared-parts.ts'
import { groupRecognised } from './recognised.ts'
import { groupV1 } from './v1/group.ts'

export interface GroupContext {
  /** Stack traces in it are taken apart once. */
  readonly shared?: SharedParts | undefined
  /** Grouping of a recognised event. */
  readonly by?: GroupedBy | null
}

/**
 * Returns the group of an event, with the reason in words. Never throws on a normalised event. A group that
 * an SDK states goes before a recognised one.
 */
export function groupEvent(event: ScrubbedEvent, { shared, by = null }: GroupContext = {}): Grouping {
  const recognised = by === null || hasFingerprint(event) ? null : groupRecognised(by)
  const grouping = recognised ?? groupV1(event, shared)
  return event.groupingRule === undefined ? grouping : byRule(grouping, event.groupingRule.rule)
}

/** The frozen version knows no rules: what it says an SDK set, the rule did. */
function byRule(grouping: Grouping, rule: string): Grouping {
  return {
    ...grouping,
    get explanation() {
      return grouping.explanation.map((part) => ({
        ...part,
        ...(part.note === 'set by the SDK' ? { note: `set by a rule: ${rule}` } : {}),
        ...(part.note === 'ignored because the SDK set a fingerprint'
          ? { note: 'ignored because a rule set a fingerprint' }
          : {}),
      }))
    },
  }
}

/** True for a fingerprint other than `{{ default }}` alone. */
function hasFingerprint({ fingerprint = [] }: ScrubbedEvent): boolean {
  const told = fingerprint.filter((part) => part.trim() !== '')
  return told.length > 1 || (told.length === 1 && !/^\s*\{\{\s*default\s*\}\}\s*$/.test(told[0] ?? ''))
}
