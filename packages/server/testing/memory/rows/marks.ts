/** What people have to do with issues. */
import type { IssueId, UserId } from '#base/ids.ts'
import { isFollowing, subscriptionAfter } from '#issues/issue-people.ts'
import type { IssueMark, SubscriptionReason } from '#ports/issue-people.ts'
import type { Tables } from '../tables.ts'

type Mark = Omit<IssueMark, 'issueId'>

const UNMARKED: Mark = { subscription: null, isBookmarked: false }

export function writeMark(
  to: Tables,
  { issue, user }: { readonly issue: IssueId; readonly user: UserId },
  after: (before: Mark) => Partial<Mark>,
): void {
  const key = `${issue}:${user}`
  const before = to.marks.get(key) ?? { ...UNMARKED, issueId: issue, userId: user }
  to.marks.put(key, { ...before, ...after(before) })
}

/** Of an issue that another takes in: whoever had to do with it has to do with the other. */
export function moveMarks(
  to: Tables,
  { from, into }: { readonly from: IssueId; readonly into: IssueId },
): void {
  for (const { userId: user, subscription, isBookmarked } of to.marks.where(
    ({ issueId }) => issueId === from,
  ))
    writeMark(to, { issue: into, user }, (before) => ({
      subscription: before.subscription ?? subscription,
      isBookmarked: before.isBookmarked || isBookmarked,
    }))
}

/** Whoever takes part follows it from now on. Whoever is no account of this store takes no part. */
export function follow(
  to: Tables,
  issue: IssueId,
  { user, reason }: { readonly user: number | null; readonly reason: SubscriptionReason },
): void {
  const known = to.users.find(({ id }) => id === user)
  if (known === undefined) return
  writeMark(to, { issue, user: known.id }, ({ subscription }) => ({
    subscription: subscriptionAfter(subscription, reason),
  }))
}

export function followersOf(of: Tables, issue: IssueId): readonly UserId[] {
  return of.marks
    .where(({ issueId, subscription }) => issueId === issue && isFollowing(subscription))
    .map(({ userId }) => userId)
    .sort((a, b) => a - b)
}
