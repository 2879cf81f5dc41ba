/** Groups get an issue of their own, or another one, and the numbers of both follow them. One transaction. */
import type { IssueId } from '#base/ids.ts'
import type { IssueRows, OwnedGroup } from '#ports/issue-rows.ts'
import type { Connection } from '../connection.ts'
import { recountIssue, shareOut } from './issue-merge.ts'
import { newOwnIssue } from './mirror-issues.ts'

type Parting = Parameters<IssueRows['part']>[0]

export function partGroups(db: Connection, { from, groups, into, atMs }: Parting): IssueId {
  shareOut(db, [from.id, ...(into === null ? [] : [into])])
  const own = into ?? newOwnIssue(db, from.projectId, atMs)
  const move = 'UPDATE groups SET issue_id = ? WHERE id IN (SELECT value FROM json_each(?))'
  db.run(move, [own, JSON.stringify(groups)])
  recountIssue(db, own)
  recountIssue(db, from.id)
  return own
}

export function ownedGroups(db: Connection, ids: readonly IssueId[]): readonly OwnedGroup[] {
  // groups_by_issue
  const sql = `SELECT id, issue_id AS issueId, project_id AS projectId, lower(hex(hash)) AS hash,
      folded_into AS foldedInto FROM groups WHERE issue_id = ? ORDER BY id`
  const rows = db.allEach<OwnedGroup>(
    sql,
    ids.map((id) => [id]),
  )
  return rows.flat()
}
