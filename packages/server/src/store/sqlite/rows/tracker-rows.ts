/** Rows of links to issue trackers, as those who change issues write them. */
import type { IssueId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { Connection } from '../connection.ts'
import { failBeyond } from '../outbox/beyond.ts'
import { type IssueMove, moveRows } from './issue-move.ts'

/** Call it inside of the transaction that resolves the issues. What waits already waits no longer. */
export function queueClosings(
  db: Connection,
  resolved: readonly { readonly issueId: IssueId; readonly atMs: number }[],
): void {
  // tracker_links' unique key begins with the issue; tracker_work_of_link
  const sql = `INSERT INTO tracker_work (tracker_id, project_id, link_id, issue_id, what, ref, state, at_ms, due_ms)
    SELECT l.tracker_id, i.project_id, l.id, l.issue_id, 'close', l.ref, 'waiting', :now, :due
    FROM tracker_links l JOIN trackers t ON t.id = l.tracker_id JOIN issues i ON i.id = l.issue_id
    WHERE l.issue_id = :issue AND l.state = 'open' AND t.closes_there = 1
      AND NOT EXISTS (SELECT 1 FROM tracker_work w
        WHERE w.link_id = l.id AND w.due_ms IS NOT NULL AND w.what = 'close' AND w.state = 'waiting')`
  const rows = resolved.map(({ issueId, atMs }) => {
    const now = Math.floor(atMs)
    return { issue: issueId, now, due: now + max('trackerCloseDelayMs') }
  })
  const queued = db.runEach(sql, rows)
  if (queued.some(({ changes }) => changes > 0)) boundTrackerWork(db, rows[0]?.now ?? 0)
}

/** Fails the newest of more calls than may wait for a tracker; its log says why. */
export function boundTrackerWork(db: Connection, nowMs: number): void {
  const says = 'Not closed: too many calls already wait for issue trackers.'
  // tracker_work_due
  const sql = `SELECT tracker_id AS tracker FROM tracker_work WHERE due_ms IS NOT NULL GROUP BY tracker_id
    HAVING count(*) > ?`
  const [most, inAll] = [max('trackerWorkWaitingMax'), max('trackerWorkInAllMax')]
  const bound = { table: 'tracker_work', says } as const
  for (const { tracker } of db.all<{ tracker: number }>(sql, [most]))
    failBeyond(db, { ...bound, where: 'tracker_id = :tracker', params: { tracker }, most }, nowMs)
  failBeyond(db, { ...bound, where: 'true', params: {}, most: inAll }, nowMs)
}

/** Moves links of an issue that another takes in. */
export function moveLinks(db: Connection, moves: readonly IssueMove[]): void {
  moveRows(db, 'UPDATE OR IGNORE tracker_links SET issue_id = ? WHERE issue_id = ?', moves)
  moveRows(db, 'UPDATE tracker_work SET issue_id = ? WHERE issue_id = ? AND due_ms IS NOT NULL', moves)
}
