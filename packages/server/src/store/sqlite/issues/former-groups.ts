/** Issues that go on although the rules that group their events changed. Within the caller's transaction. */
import type { GroupHash, IssueId } from '#base/ids.ts'
import { refuseGroups } from '#issues/issue-merging.ts'
import type { GroupDelta } from '#ports/ingest.ts'
import type { MovedIssues } from '#skew/gathering.ts'
import type { Connection } from '../connection.ts'
import { countOf } from '../rows/account-rows.ts'
import { joinIssues } from './mirror-issues.ts'

interface BegunIssue {
  readonly issueId: IssueId
  /** Its one group. */
  readonly delta: GroupDelta
}

/** Gives groups that a batch began to the issue that had their events before. Answers which issues became part of which. */
export function adoptGroups(db: Connection, begun: readonly BegunIssue[], nowMs: number): MovedIssues {
  const moved = new Map<IssueId, IssueId>()
  for (const { issueId: from, delta } of withFormer(db, begun)) {
    const into = formerIssue(db, delta)
    if (into === null || into === from) continue
    const groupId = groupOf(db, delta, delta.hash)?.id
    if (groupId === undefined) continue
    joinIssues(db, [{ groupId, from, into }], nowMs)
    moved.set(from, into)
  }
  return moved
}

/** Returns issues of which a former group is known: of most there is none. */
function withFormer(db: Connection, begun: readonly BegunIssue[]): readonly BegunIssue[] {
  const asked = begun.flatMap((issue) => (issue.delta.formerHashes ?? []).map((hash) => ({ issue, hash })))
  const rows = db.getEach(
    GROUP_OF,
    asked.map(({ issue, hash }) => [issue.delta.projectId, Buffer.from(hash, 'hex')]),
  )
  const found = new Set(asked.filter((_, at) => rows[at] !== undefined).map(({ issue }) => issue))
  return begun.filter((issue) => found.has(issue))
}

function formerIssue(db: Connection, delta: GroupDelta): IssueId | null {
  for (const hash of delta.formerHashes ?? []) {
    const former = groupOf(db, delta, hash)
    if (former === undefined || former.isMirror === 1) continue
    const owned = countOf(db, 'SELECT count(*) AS count FROM groups WHERE issue_id = ?', [former.issueId])
    if (refuseGroups(owned + 1) === null) return former.issueId
  }
  return null
}

interface FormerGroup {
  readonly id: number
  readonly issueId: IssueId
  readonly isMirror: number
}

function groupOf(db: Connection, { projectId }: GroupDelta, hash: GroupHash): FormerGroup | undefined {
  return db.get<FormerGroup>(GROUP_OF, [projectId, Buffer.from(hash, 'hex')])
}

// The unique index on (project_id, hash).
const GROUP_OF = `SELECT id, issue_id AS issueId, EXISTS (SELECT 1 FROM mirrors m WHERE m.group_id = g.id) AS isMirror
  FROM groups g WHERE project_id = ? AND hash = ?`
