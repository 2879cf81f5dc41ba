/** Keeps rows of followers and bookmarks, shared by all who write them. */
import type { IssueId, UserId } from '#base/ids.ts'
import { isFollowing, subscriptionAfter } from '#issues/issue-people.ts'
import type { IssueMark, SubscriptionReason } from '#ports/issue-people.ts'
import type { Connection } from '../connection.ts'
import type { IssueMove } from './issue-move.ts'

export interface MarkRow extends Omit<IssueMark, 'isBookmarked' | 'isMuted'> {
  readonly isBookmarked: number
  readonly isMuted: number
}

/** Marks that are written here; muting is a command of its own. */
export type Mark = Omit<IssueMark, 'issueId' | 'isMuted'>

const UNMARKED: Mark = { subscription: null, isBookmarked: false }

function writeMark(
  db: Connection,
  { issue, user }: { readonly issue: IssueId; readonly user: UserId },
  after: (before: Mark) => Mark,
): void {
  const sql = `SELECT subscription, is_bookmarked AS isBookmarked FROM issue_people
    WHERE issue_id = ? AND user_id = ?`
  const row = db.get<Pick<MarkRow, 'subscription' | 'isBookmarked'>>(sql, [issue, user])
  const before = row === undefined ? UNMARKED : { ...row, isBookmarked: row.isBookmarked === 1 }
  const { subscription, isBookmarked } = after(before)
  const write = `INSERT INTO issue_people (issue_id, user_id, subscription, is_bookmarked) VALUES (?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET subscription = excluded.subscription, is_bookmarked = excluded.is_bookmarked`
  db.run(write, [issue, user, subscription, isBookmarked ? 1 : 0])
}

/** Whoever takes part follows it from now on. Whoever is no account of this store takes no part. */
export function followIssue(
  db: Connection,
  issue: IssueId,
  { user, reason }: { readonly user: UserId | number | null; readonly reason: SubscriptionReason },
): void {
  const known =
    user === null ? undefined : db.get<{ id: UserId }>('SELECT id FROM users WHERE id = ?', [user])
  if (known === undefined) return
  writeMark(db, { issue, user: known.id }, (before) => ({
    ...before,
    subscription: subscriptionAfter(before.subscription, reason),
  }))
}

export function followersOf(db: Connection, issue: IssueId): readonly UserId[] {
  return followersOfIssues(db, [issue])[0] ?? []
}

/** Returns the followers of each issue, in the order of the issues. */
export function followersOfIssues(
  db: Connection,
  issues: readonly IssueId[],
): readonly (readonly UserId[])[] {
  // issue_people's primary key
  const sql = 'SELECT user_id AS id, subscription FROM issue_people WHERE issue_id = ? ORDER BY user_id'
  const marks = db.allEach<{ id: UserId; subscription: IssueMark['subscription'] }>(
    sql,
    issues.map((issue) => [issue]),
  )
  return marks.map((of) => of.filter(({ subscription }) => isFollowing(subscription)).map(({ id }) => id))
}

/** Moves marks of an issue that another takes in: whoever had to do with it has to do with the other. */
export function moveMarks(db: Connection, moves: readonly IssueMove[]): void {
  const sql = `INSERT INTO issue_people (issue_id, user_id, subscription, is_bookmarked)
    SELECT :into, user_id, subscription, is_bookmarked FROM issue_people WHERE issue_id = :from
    ON CONFLICT DO UPDATE SET subscription = coalesce(subscription, excluded.subscription),
      is_bookmarked = max(is_bookmarked, excluded.is_bookmarked)`
  db.runEach(
    sql,
    moves.map(({ from, into }) => ({ from, into })),
  )
}
