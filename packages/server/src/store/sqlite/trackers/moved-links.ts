/** Links of issues that are merged. */
import type { IssueId } from '#base/ids.ts'
import type { Connection } from '../connection.ts'

/** Of an issue that another takes in. */
export function moveLinks(
  db: Connection,
  { from, into }: { readonly from: IssueId; readonly into: IssueId },
): void {
  db.run('UPDATE OR IGNORE tracker_links SET issue_id = ? WHERE issue_id = ?', [into, from])
  db.run('UPDATE tracker_work SET issue_id = ? WHERE issue_id = ? AND due_ms IS NOT NULL', [into, from])
}
