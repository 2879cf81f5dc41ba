/** Queues work for trackers with its reason, claims it under a lease, settles it. */
import type { IssueId, OrgId } from '#base/ids.ts'
import { shortId } from '#issues/issue-names.ts'
import { max } from '#limits/limits.ts'
import type { IssueStatus } from '#ports/issues.ts'
import type { Waiting } from '#ports/notices.ts'
import type {
  ClaimedTrackerWork,
  RemoteState,
  TrackerLogEntry,
  TrackerQueue,
  TrackersRead,
} from '#ports/trackers.ts'
import { reasonNotToClose } from '#trackers/rules/links.ts'
import type { Connection } from '../connection.ts'
import { type ClaimedRow, type Queue, type Waited, writeSettled } from '../outbox/claims.ts'
import { READABLE, readableParams } from '../rows/readable.ts'
import { boundTrackerWork } from '../rows/tracker-rows.ts'
import { trackerTargetById } from './trackers.ts'

export function trackerQueue(db: Connection): TrackerQueue {
  return {
    refreshLinks: async (issue, nowMs) => db.transaction(() => askForRefresh(db, issue, nowMs)),
  }
}

export function trackersWaiting(db: Connection): readonly Waiting[] {
  // tracker_work_due
  const sql = `SELECT w.tracker_id AS id, t.org_id AS orgId, min(w.due_ms) AS dueMs
    FROM tracker_work w JOIN trackers t ON t.id = w.tracker_id WHERE w.due_ms IS NOT NULL GROUP BY w.tracker_id`
  const rows = db.all<{ id: number; orgId: OrgId; dueMs: number }>(sql)
  return rows.map(({ id, ...row }) => ({ ...row, receiver: `tracker:${id}`, isPager: false }))
}

/** `checked_ms` moves at once, so that many who look ask once. */
function askForRefresh(db: Connection, issue: IssueId, nowMs: number): number {
  const due = `SELECT id FROM tracker_links WHERE issue_id = :issue AND checked_ms <= :before`
  const params = { issue, before: nowMs - max('trackerRefreshMs') }
  const links = db.all<{ id: number }>(due, params)
  for (const { id } of links) {
    const sql = `INSERT INTO tracker_work (tracker_id, project_id, link_id, issue_id, what, ref, state, at_ms, due_ms)
      SELECT l.tracker_id, i.project_id, l.id, l.issue_id, 'refresh', l.ref, 'waiting', :now, :now
      FROM tracker_links l JOIN issues i ON i.id = l.issue_id WHERE l.id = :id`
    db.run(sql, { id, now: nowMs })
    db.run('UPDATE tracker_links SET checked_ms = ? WHERE id = ?', [nowMs, id])
  }
  if (links.length > 0) boundTrackerWork(db, nowMs)
  return links.length
}

interface DueWork extends Waited {
  readonly trackerId: number
  readonly what: 'close' | 'refresh'
  readonly ref: string
  readonly status: IssueStatus | null
  /** State of the link; `null` if it is gone. */
  readonly link: RemoteState | null
}

const SELECT = `SELECT own.id, own.state, own.lease, own.tries, own.tracker_id AS trackerId, own.what, own.ref, i.status,
    l.state AS link
  FROM tracker_work own LEFT JOIN issues i ON i.id = own.issue_id LEFT JOIN tracker_links l ON l.id = own.link_id`

/** It is settled by a change of its own (`commands/tracker-news.ts`), for what a tracker says has consequences. */
export function trackerWorkDue(db: Connection): Queue<DueWork, Omit<ClaimedTrackerWork, keyof ClaimedRow>> {
  return {
    table: 'tracker_work',
    select: SELECT,
    // tracker_work_due
    next: (receiver) => ({
      where: '(:id IS NULL OR own.tracker_id = :id) ORDER BY own.due_ms, own.id',
      params: { id: receiver === null ? null : Number(receiver.split(':')[1]) },
    }),
    content: (due, nowMs) => workContent(db, due, nowMs),
    after: ({ id }, { after }) => {
      if (after.dueMs === null) forgetRefresh(db, id)
    },
  }
}

/** Leaves no trace of what only asked again. */
function forgetRefresh(db: Connection, id: number): void {
  db.run(`DELETE FROM tracker_work WHERE id = ? AND what = 'refresh'`, [id])
}

function workContent(
  db: Connection,
  { id, trackerId, what, ref, status, link }: DueWork,
  nowMs: number,
): Omit<ClaimedTrackerWork, keyof ClaimedRow> | null {
  const isResolved = what === 'refresh' || status === 'resolved'
  const says = what === 'refresh' && link !== null ? null : reasonNotToClose({ isResolved, link })
  const tracker = trackerTargetById(db, trackerId)
  if (says === null && tracker !== null) return { receiver: `tracker:${trackerId}`, what, tracker, ref }
  const after = { state: 'cancelled', says: says ?? '', dueMs: null, lease: null, settledMs: nowMs } as const
  writeSettled(db, 'tracker_work', { id, after })
  forgetRefresh(db, id)
  return null
}

export function trackerLogRead(db: Connection): Pick<TrackersRead, 'trackerLog'> {
  return {
    trackerLog: async (scope, { trackerId, limit }) => {
      // tracker_work_of_tracker
      const sql = `${READABLE} SELECT w.id, w.at_ms AS atMs, w.ref, p.slug, i.number, w.state, w.says,
          w.due_ms AS dueMs, w.settled_ms AS settledMs, w.tried
        FROM tracker_work w JOIN projects p ON p.id = w.project_id LEFT JOIN issues i ON i.id = w.issue_id
        WHERE w.tracker_id = :tracker AND w.what = 'close' AND w.project_id IN (SELECT id FROM readable)
        ORDER BY w.id DESC LIMIT :limit`
      type Row = Omit<TrackerLogEntry, 'issue' | 'nextMs' | 'tries'> & {
        readonly slug: string
        readonly number: number | null
        readonly dueMs: number | null
        readonly tried: string
      }
      const rows = db.all<Row>(sql, { ...readableParams(scope), tracker: trackerId, limit })
      return rows.map(({ slug, number, dueMs, tried, ...row }) => ({
        ...row,
        issue: number === null ? null : shortId(slug, number),
        nextMs: row.state === 'waiting' ? dueMs : null,
        tries: JSON.parse(tried),
      }))
    },
  }
}
