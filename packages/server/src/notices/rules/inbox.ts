/** Which entries an inbox gets, whatever store keeps it. */
import type { InboxKind } from '#model/inbox.ts'
import type { ActivityKind } from '#ports/issues.ts'

/** Activities that brought an issue back. */
const RETURNED: ReadonlySet<ActivityKind> = new Set<ActivityKind>(['regressed', 'unarchived', 'escalated'])

/** Returns the kind of entry that tells a person of something that happened to an issue. */
export function inboxKindOf(told: {
  readonly kind: ActivityKind
  readonly isMention: boolean
  /** It was assigned to them, or to a team of theirs. */
  readonly isAssignee: boolean
}): InboxKind {
  if (told.isMention) return 'mention'
  if (told.kind === 'assigned' && told.isAssignee) return 'assignment'
  return RETURNED.has(told.kind) ? 'regression' : 'activity'
}
