/**
 * Inbox: what concerns one person, kept where no mail server is needed. An entry is written in the transaction of what it
 * tells of: a change of an issue, a rule that fires, a delivery that ends in failure. Email is a copy of it.
 */
import type { OrgId, UserId } from '#base/ids.ts'
import type { AlertLevel } from '#model/alert-message.ts'
import type { QuietHours } from '#model/alert-rule.ts'
import type { InboxKind } from '#model/inbox.ts'
import type { Activity, ActivityKind, Issue } from './issues.ts'
import type { ReadScope } from './scope.ts'

/** Inbox entry at the time it is read. Texts come from people and hostile payloads, and are bounded. */
export interface InboxEntry {
  readonly id: number
  readonly kind: InboxKind
  readonly atMs: number
  readonly isRead: boolean
  /** Slug. */
  readonly organisation: string
  readonly issue: Pick<Issue, 'shortId' | 'title'> | null
  /** Change of the issue; `by` names the person who made it. */
  readonly activity: {
    readonly id: number
    readonly kind: ActivityKind
    readonly by: string
    readonly detail: Activity['detail']
  } | null
  /** `ruleId` is `null` where the rule is gone. */
  readonly alert: {
    readonly ruleId: number | null
    readonly headline: string
    readonly level: AlertLevel
  } | null
  /** A message that failed for good: to a channel, or to the webhook of the project. */
  readonly delivery: {
    readonly channel: { readonly id: number; readonly name: string } | null
    readonly project: { readonly slug: string; readonly name: string } | null
    readonly says: string
  } | null
}

export interface InboxPage {
  readonly limit: number
  /** Entry that ended the page before; `null` for the first. */
  readonly before: number | null
  /** `null`: of every kind. */
  readonly kind: InboxKind | null
  readonly isUnreadOnly: boolean
}

export interface MutedIssue extends Pick<Issue, 'id' | 'shortId' | 'title'> {
  /** Slug. */
  readonly organisation: string
}

/** Entries of projects and organisations outside of the scopes are not there. */
export interface InboxRead {
  /** Newest first. */
  inbox(user: UserId, scopes: readonly ReadScope[], page: InboxPage): Promise<readonly InboxEntry[]>
  /** Unread entries, counted up to `limit`. */
  inboxUnread(user: UserId, scopes: readonly ReadScope[], limit: number): Promise<number>
  /** Kinds the person switched off, in the order of `INBOX_KINDS`. */
  inboxOff(user: UserId): Promise<readonly InboxKind[]>
  /** When the person is not emailed. */
  personQuietHours(user: UserId): Promise<QuietHours>
  /** Issues that the person muted and may read, the latest first, at most `limit`. */
  mutedIssues(user: UserId, scopes: readonly ReadScope[], limit: number): Promise<readonly MutedIssue[]>
}

export interface InboxMark {
  /** Person whose entries are marked; nobody else's are. */
  readonly user: UserId
  /** Organisations whose entries may be marked. */
  readonly orgs: readonly OrgId[]
  /** `upTo`: all up to this one, which is the newest that was shown. */
  readonly entries: { readonly ids: readonly number[] } | { readonly upTo: number }
  readonly isRead: boolean
}
