/** What people were told of issues already, as both sorts of alerts ask it. */
import type { IssueId, UserId } from '#base/ids.ts'
import { sinceOccasion } from '#notices/rules/messages.ts'
import type { Connection } from '../connection.ts'

/** Whether a rule emails the person of what the project's own alert would tell. */
export function isToldByRule(
  db: Connection,
  { issueId, atMs }: { readonly issueId: IssueId; readonly atMs: number },
  user: UserId,
): boolean {
  // alert_messages_of_issue
  const sql = `SELECT 1 FROM alert_messages WHERE issue_id = ? AND user_id = ? AND occasion = 'events'
    AND occasion_ms >= ? AND held_until_ms IS NULL AND state IN ('waiting', 'sending', 'sent') LIMIT 1`
  return db.get(sql, [issueId, user, sinceOccasion(atMs)]) !== undefined
}
