/** Keeps followers and bookmarks of issues, and the emails that followers are sent. */
import type { IssueId, UserId } from '#base/ids.ts'
import type { Follower, IssueMark, IssuePeopleRead } from '#ports/issue-people.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { Connection } from '../connection.ts'
import type { MarkRow } from '../rows/issue-marks.ts'
import { READABLE, readableParams } from '../rows/readable.ts'

export function issuePeopleRead(db: Connection): IssuePeopleRead {
  return {
    marksOf: async (scope, user, ids) => readMarks(db, scope, { user, ids }),
    followers: async (scope, id) => followers(db, scope, id),
  }
}

function readMarks(
  db: Connection,
  scope: ReadScope,
  { user, ids }: { readonly user: UserId; readonly ids: readonly IssueId[] },
): readonly IssueMark[] {
  // The primary key of issue_people.
  const sql = `${READABLE} SELECT ip.issue_id AS issueId, ip.subscription, ip.is_bookmarked AS isBookmarked,
      ip.is_muted AS isMuted
    FROM json_each(:ids) j CROSS JOIN issue_people ip ON ip.issue_id = j.value AND ip.user_id = :user
      JOIN issues i ON i.id = ip.issue_id
    WHERE i.project_id IN (SELECT id FROM readable)`
  return db
    .all<MarkRow>(sql, { ...readableParams(scope), ids: JSON.stringify(ids), user })
    .map((row) => ({ ...row, isBookmarked: row.isBookmarked === 1, isMuted: row.isMuted === 1 }))
}

function followers(db: Connection, scope: ReadScope, id: IssueId): readonly Follower[] {
  const sql = `${READABLE} SELECT u.id AS userId, u.name, u.email
    FROM issue_people ip JOIN users u ON u.id = ip.user_id JOIN issues i ON i.id = ip.issue_id
    WHERE ip.issue_id = :id AND ip.subscription <> 'off' AND i.project_id IN (SELECT id FROM readable)
    ORDER BY u.name, u.email`
  return db.all<Follower>(sql, { ...readableParams(scope), id })
}
