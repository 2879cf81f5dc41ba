/** Issues that people muted for themselves: nothing of them is told to these people, by whatever way. */
import type { IssueId, UserId } from '#base/ids.ts'
import type { Connection } from '../connection.ts'

/** Condition on `u.id`: the person did not mute the issue, which is a column or a parameter, and may be NULL. */
export function notMuted(issue: string): string {
  return `NOT EXISTS (SELECT 1 FROM issue_people muted
  WHERE muted.issue_id = ${issue} AND muted.user_id = u.id AND muted.is_muted = 1)`
}

/** Returns the people without those who muted the issue. */
export function withoutMuting<P>(
  db: Connection,
  {
    people,
    issue,
    idOf,
  }: { readonly people: readonly P[]; readonly issue: IssueId | null; idOf(person: P): UserId },
): readonly P[] {
  if (issue === null || people.length === 0) return people
  // issue_people's primary key
  const sql = 'SELECT user_id AS id FROM issue_people WHERE issue_id = ? AND is_muted = 1'
  const muting = new Set(db.all<{ id: UserId }>(sql, [issue]).map(({ id }) => id))
  return muting.size === 0 ? people : people.filter((person) => !muting.has(idOf(person)))
}
