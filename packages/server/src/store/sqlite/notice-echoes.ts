/** Echoes: issues of which every event is the browser's mirror of a failure on the server. */
import type { IssueId, OrgId } from '#base/ids.ts'
import type { Connection } from './connection.ts'
import { shortId } from './issue-rows.ts'

/** Why an echo is not told of; `null` when it is all there is: then it is told of itself. */
export function reasonOfEcho(
  db: Connection,
  { issue, org }: { readonly issue: IssueId; readonly org: OrgId },
): string | null {
  // groups_by_issue, digests_by_digest
  const ownSql = 'SELECT 1 FROM groups g JOIN digests d ON d.group_id = g.id WHERE g.issue_id = ? LIMIT 1'
  // Without a number every request makes an echo of its own, and nothing tells which exception it belongs to.
  if (db.get(ownSql, [issue]) === undefined)
    return 'The browser’s echo of a failure on the server, without a digest.'
  const sql = `SELECT p.slug, i.number FROM groups g JOIN digests d ON d.group_id = g.id
      JOIN digests other ON other.digest = d.digest AND other.mirror_count < other.count
      JOIN groups og ON og.id = other.group_id JOIN projects p ON p.id = og.project_id AND p.org_id = :org
      JOIN issues i ON i.id = og.issue_id
    WHERE g.issue_id = :issue AND og.issue_id <> :issue ORDER BY other.last_seen_ms DESC LIMIT 1`
  const owner = db.get<{ slug: string; number: number }>(sql, { issue, org })
  if (owner === undefined) return null
  return `The browser’s echo of ${shortId(owner.slug, owner.number)}, which is told of itself.`
}
