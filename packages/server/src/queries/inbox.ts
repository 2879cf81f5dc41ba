/** Reads a person's inbox. */
import { everyScope } from '#access/access.ts'
import type { PersonViewer } from '#access/viewer.ts'
import type { UserId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { QuietHours } from '#model/alert-rule.ts'
import { INBOX_KINDS, type InboxKind } from '#model/inbox.ts'
import type { InboxEntry, InboxRead, MutedIssue } from '#ports/inbox.ts'
import type { ReadScope } from '#ports/scope.ts'

export interface InboxView {
  /** Newest first. */
  readonly entries: readonly InboxEntry[]
  /** Entry that ends the page; `null` on the last. */
  readonly next: number | null
}

interface InboxQueries {
  /** `before`: as `next` of the page before said; `null` for the first. */
  inbox(
    viewer: PersonViewer,
    asked: {
      readonly before: number | null
      readonly kind: InboxKind | null
      readonly isUnreadOnly: boolean
    },
  ): Promise<InboxView>
  /**
   * Returns entries of one organisation for a person who asks by the web API; none for a token of the
   * organisation.
   */
  inboxOfScope(scope: ReadScope, asked: Parameters<InboxQueries['inbox']>[1]): Promise<InboxView>
  /** Unread entries, counted up to a bound. */
  inboxUnread(viewer: PersonViewer): Promise<number>
  /** Kinds of entries, and whether the person wants them. */
  inboxKinds(viewer: PersonViewer): Promise<readonly { readonly kind: InboxKind; readonly isOn: boolean }[]>
  /** When the person is not emailed. */
  ownQuietHours(viewer: PersonViewer): Promise<QuietHours>
  /** Issues that the person muted for themselves. */
  mutedIssues(viewer: PersonViewer): Promise<readonly MutedIssue[]>
}

export function inboxQueries({ inbox }: { readonly inbox: InboxRead }): InboxQueries {
  return {
    inbox: (viewer, asked) => inboxPage(inbox, viewer.user.id, { scopes: everyScope(viewer), asked }),
    inboxOfScope: async (scope, asked) =>
      scope.userId === undefined
        ? { entries: [], next: null }
        : inboxPage(inbox, scope.userId, { scopes: [scope], asked }),
    inboxUnread: (viewer) => inbox.inboxUnread(viewer.user.id, everyScope(viewer), max('inboxCountMax')),
    inboxKinds: async (viewer) => {
      const off = await inbox.inboxOff(viewer.user.id)
      return INBOX_KINDS.map((kind) => ({ kind, isOn: !off.includes(kind) }))
    },
    ownQuietHours: (viewer) => inbox.personQuietHours(viewer.user.id),
    mutedIssues: (viewer) =>
      inbox.mutedIssues(viewer.user.id, everyScope(viewer), max('mutedIssuesShownMax')),
  }
}

async function inboxPage(
  inbox: InboxRead,
  user: UserId,
  {
    scopes,
    asked,
  }: { readonly scopes: readonly ReadScope[]; readonly asked: Parameters<InboxQueries['inbox']>[1] },
): Promise<InboxView> {
  const limit = max('inboxRows')
  const found = await inbox.inbox(user, scopes, { ...asked, limit: limit + 1 })
  const entries = found.slice(0, limit)
  return { entries, next: found.length > limit ? (entries.at(-1)?.id ?? null) : null }
}
