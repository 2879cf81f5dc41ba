/**
 * Comments, followers and bookmarks of issues. Whoever comments, is mentioned or is assigned follows the
 * issue until they unsubscribe. Followers get letters (`letters.ts`), queued in the transaction of the
 * change.
 */
import type { IssueId, UserId } from '#base/ids.ts'
import type { Result } from '#base/result.ts'
import type { Actor, IssueChange, ReadScope } from './scope.ts'

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

export interface CommentChange extends IssueChange {
  /** Id of the comment in the activity. */
  readonly commentId: number
}

export interface IssuePeopleRead {
  /** Returns the issues that the person marked, unordered. */
  marksOf(scope: ReadScope, user: UserId, ids: readonly IssueId[]): Promise<readonly IssueMark[]>
  /** Whoever follows the issue, by name. */
  followers(scope: ReadScope, id: IssueId): Promise<readonly Follower[]>
}

/** Each method is one transaction. Answers the issues that were changed. */
export interface IssuePeopleWrite {
  comment(change: IssueChange, comment: NewComment, actor: Actor): Promise<Result<readonly IssueId[]>>
  /** By its author alone. The text is replaced and the time noted; those mentioned anew are told. */
  editComment(change: CommentChange, comment: NewComment, actor: Actor): Promise<Result<readonly IssueId[]>>
  /** By its author, or by anybody where `isAnyones`. The text goes; that there was one stays in the activity. */
  deleteComment(
    change: CommentChange,
    asked: { readonly isAnyones: boolean },
    actor: Actor,
  ): Promise<Result<readonly IssueId[]>>
  subscribe(
    change: IssueChange,
    asked: { readonly user: UserId; readonly isSubscribed: boolean },
  ): Promise<Result<readonly IssueId[]>>
  bookmark(
    change: IssueChange,
    asked: { readonly user: UserId; readonly isBookmarked: boolean },
  ): Promise<Result<readonly IssueId[]>>
}
