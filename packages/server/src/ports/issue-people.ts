/**
 * Comments, followers and bookmarks of issues. Whoever comments, is mentioned or is assigned follows the
 * issue until they unsubscribe. Followers get letters (`letters.ts`), queued in the transaction of the
 * change.
 */
import type { IssueId, UserId } from '#base/ids.ts'
import type { ReadScope } from './scope.ts'

export type SubscriptionReason = 'manual' | 'comment' | 'assigned' | 'mentioned'

/** Relation of one person to one issue. */
export interface IssueMark {
  readonly issueId: IssueId
  /** `off`: they unsubscribed, and only they subscribe again. `null`: never asked for. */
  readonly subscription: SubscriptionReason | 'off' | null
  readonly isBookmarked: boolean
  /** They are told nothing of it. */
  readonly isMuted: boolean
}

export interface Follower {
  readonly userId: UserId
  readonly name: string
  readonly email: string
}

export interface NewComment {
  readonly text: string
  /** Members whom it names: subscribed and emailed, where they can read the project. */
  readonly mentions: readonly UserId[]
}

export interface IssuePeopleRead {
  /** Returns the issues that the person marked, unordered. */
  marksOf(scope: ReadScope, user: UserId, ids: readonly IssueId[]): Promise<readonly IssueMark[]>
  /** Whoever follows the issue, by name. */
  followers(scope: ReadScope, id: IssueId): Promise<readonly Follower[]>
}
