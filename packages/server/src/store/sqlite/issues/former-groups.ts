/** Issues that go on although the rules that group their events changed. */
import type { GroupHash, IssueId } from '#base/ids.ts'
import { refuseGroups } from '#issues/issue-merging.ts'
import type { GroupDelta } from '#ports/ingest.ts'
import type { Connection } from '../connection.ts'
import { type GroupMove, groupsOwned } from './issue-merge.ts'

interface BegunIssue {
  readonly issueId: IssueId
  /** Its one group. */
  readonly delta: GroupDelta
}

/** Returns the groups that a batch began and whose events another issue had before, in the order in which they move there. */
export function adoptedGroups(db: Connection, begun: readonly BegunIssue[]): readonly GroupMove[] {
  const asked = begun.flatMap((issue) => (issue.delta.formerHashes ?? []).map((hash) => ({ issue, hash })))
  const rows = findFormerGroups(
    db,
    asked.map(({ issue, hash }) => ({ delta: issue.delta, hash })),
  )
  const formers = asked.flatMap(({ issue }, at) => {
    const former = rows[at]
    return former === undefined ? [] : [{ issue, former }]
  })
  // Of most there is none.
  if (formers.length === 0) return []
  const byIssue = [...Map.groupBy(formers, ({ issue }) => issue)]
  const own = findFormerGroups(
    db,
    byIssue.map(([{ delta }]) => ({ delta, hash: delta.hash })),
  )
  const owned = groupsOwned(db, [...new Set(formers.map(({ former }) => former.issueId))])
  const count = (id: IssueId, more: number) => owned.set(id, (owned.get(id) ?? 0) + more)
  const moved = new Map<number, IssueId>()
  return byIssue.flatMap(([{ issueId: from }, all], at) => {
    const groupId = own[at]?.id
    const into = all
      .filter(({ former }) => former.isMirror === 0)
      .map(({ former }) => moved.get(former.id) ?? former.issueId)
      .find((id) => refuseGroups((owned.get(id) ?? 0) + 1) === null)
    if (groupId === undefined || into === undefined || into === from) return []
    moved.set(groupId, into)
    count(into, 1)
    count(from, -1)
    return [{ groupId, from, into }]
  })
}

interface FormerGroup {
  readonly id: number
  readonly issueId: IssueId
  readonly isMirror: number
}

function findFormerGroups(
  db: Connection,
  asked: readonly { readonly delta: GroupDelta; readonly hash: GroupHash }[],
): readonly (FormerGroup | undefined)[] {
  // The unique index on (project_id, hash).
  const sql = `SELECT id, issue_id AS issueId, EXISTS (SELECT 1 FROM mirrors m WHERE m.group_id = g.id) AS isMirror
    FROM groups g WHERE project_id = ? AND hash = ?`
  return db.getEach<FormerGroup>(
    sql,
    asked.map(({ delta, hash }) => [delta.projectId, Buffer.from(hash, 'hex')]),
  )
}
