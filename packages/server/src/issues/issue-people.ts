/** Rules for following an issue, for emails to followers, and for changing a comment. */
import type { UserId } from '#base/ids.ts'
import { type Refusal, refuse } from '#base/result.ts'
import { max } from '#limits/limits.ts'
import type { IssueMark, NewComment, SubscriptionReason } from '#ports/issue-people.ts'
import type { Activity } from '#ports/issues.ts'
import type { Actor } from '#ports/scope.ts'

type Subscription = IssueMark['subscription']

/** Whoever takes part follows the issue from then on: for the first reason there was, and never against their will. */
export function subscriptionAfter(before: Subscription, reason: SubscriptionReason): Subscription {
  return before ?? reason
}

/** Asked for by themselves. */
export function subscriptionAsked(before: Subscription, isSubscribed: boolean): Subscription {
  if (!isSubscribed) return 'off'
  return isFollowing(before) ? before : 'manual'
}

export function isFollowing(subscription: Subscription): boolean {
  return subscription !== null && subscription !== 'off'
}

/** An email that tells one person of one activity. */
export interface Telling {
  readonly userId: UserId
  /** It names them. */
  readonly isMention: boolean
}

/** Followers and those it names, without whoever did it; those it names first, as many as may wait. */
export function tellingsOf(told: {
  readonly followers: readonly UserId[]
  readonly mentions: readonly UserId[]
  readonly by: number | null
  /** Emails that may still be queued. */
  readonly room: number
}): readonly Telling[] {
  const { followers, mentions, by, room } = told
  const named = [...new Set(mentions)].map((userId) => ({ userId, isMention: true }))
  const others = followers.filter((userId) => !mentions.includes(userId))
  return [...named, ...others.map((userId) => ({ userId, isMention: false }))]
    .filter(({ userId }) => userId !== by)
    .slice(0, Math.max(0, room))
}

/** How many emails to followers may be queued beside those that wait. */
export function roomForTellings(waiting: number): number {
  return max('followerEmailsWaitingMax') - waiting
}

/**
 * Keeps a comment's text and, as ids, whom it names, so that a change of it tells only those it names anew.
 */
export function commentDetail({ text, mentions }: NewComment): Activity['detail'] {
  return mentions.length === 0 ? { text } : { text, mentions: [...new Set(mentions)].join(' ') }
}

/** Returns people that the new comment names and the old one did not. */
export function mentionedAnew(before: Activity['detail'], { mentions }: NewComment): readonly UserId[] {
  const named = String(before.mentions ?? '').split(' ')
  return mentions.filter((user) => !named.includes(String(user)))
}

/** Refuses to change a comment; `null` when whoever asks may. */
export function refuseCommentChange(
  comment: { readonly kind: string; readonly userId: UserId | null } | null,
  { by, isAnyones }: { readonly by: number | null; readonly isAnyones: boolean },
): Refusal | null {
  if (comment === null || comment.kind !== 'commented')
    return refuse('not_found', 'There is no such comment.')
  if (isAnyones || (comment.userId !== null && comment.userId === by)) return null
  return refuse('forbidden', 'Only its author can change a comment.')
}

/** Returns what stays of a deleted comment. `by`: who deleted it, unless its author did. */
export function deletedDetail(
  comment: Pick<Activity, 'userId'>,
  by: { readonly userId: number | null; readonly label: string },
) {
  return comment.userId !== null && comment.userId === by.userId ? {} : { by: by.label }
}

/** Returns the author of changes that no person makes. */
export function byErrata(atMs: number): Actor {
  return { userId: null, tokenId: null, label: 'Errata', address: null, atMs }
}
