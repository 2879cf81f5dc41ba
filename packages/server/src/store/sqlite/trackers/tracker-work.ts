/** Queues work for trackers with its reason, claims it under a lease, settles it. */
import type { IssueId, OrgId } from '#base/ids.ts'
import { shortId } from '#issues/issue-names.ts'
import { max } from '#limits/limits.ts'
import { claimed, isLost, lost } from '#notices/rules/deliveries.ts'
import { anyOf } from '#notices/rules/messages.ts'
import type { IssueStatus } from '#ports/issues.ts'
import type {
  ClaimedTrackerWork,
  RemoteState,
  TrackerLogEntry,
  TrackerQueue,
  TrackersRead,
} from '#ports/trackers.ts'
import { reasonNotToClose } from '#trackers/rules/links.ts'
import type { Connection } from '../connection.ts'
import { READABLE, readableParams } from '../rows/readable.ts'
import { trackerTargetById } from './trackers.ts'

export function trackerQueue(db: Connection): TrackerQueue {
  return {
    refreshLinks: async (issue, nowMs) => db.transaction(() => refresh(db, issue, nowMs)),
    claimTrackerWork: async (claim) => db.transaction(() => claimDue(db, claim)),
    waitingTrackerWork: async () => {
      // tracker_work_due
      const sql = `SELECT w.tracker_id AS id, t.org_id AS orgId, min(w.due_ms) AS dueMs
        FROM tracker_work w JOIN trackers t ON t.id = w.tracker_id WHERE w.due_ms IS NOT NULL GROUP BY w.tracker_id`
      const rows = db.all<{ id: number; orgId: OrgId; dueMs: number }>(sql)
      return rows.map(({ id, ...row }) => ({ ...row, receiver: `tracker:${id}`, isPager: false }))
    },
  }
}

/** `checked_ms` moves at once, so that many who look ask once. */
function refresh(db: Connection, issue: IssueId, nowMs: number): number {
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
  return links.length
}

interface DueWork {
  readonly id: number
  readonly trackerId: number
  readonly what: 'close' | 'refresh'
  readonly ref: string
  readonly tries: number
  readonly status: IssueStatus | null
  /** State of the link; `null` if it is gone. */
  readonly link: RemoteState | null
}

type Claiming = Parameters<TrackerQueue['claimTrackerWork']>[0]

function claimDue(db: Connection, claim: Claiming): readonly ClaimedTrackerWork[] {
  endLost(db, claim)
  const taken: ClaimedTrackerWork[] = []
  for (const receiver of claim.only ?? anyOf(claim.limit)) {
    // What is cancelled here has no due time any more, so each round sees others.
    for (let one: ClaimedTrackerWork | null = null; one === null; ) {
      const due = nextDue(db, claim.nowMs, receiver)
      if (due === undefined) break
      one = claimOne(db, due, claim)
      if (one !== null) taken.push(one)
    }
  }
  return taken
}

function nextDue(db: Connection, nowMs: number, receiver: string | null): DueWork | undefined {
  // tracker_work_due
  const sql = `SELECT w.id, w.tracker_id AS trackerId, w.what, w.ref, w.tries, i.status, l.state AS link
    FROM tracker_work w LEFT JOIN issues i ON i.id = w.issue_id LEFT JOIN tracker_links l ON l.id = w.link_id
    WHERE w.due_ms <= :now AND (:id IS NULL OR w.tracker_id = :id) ORDER BY w.due_ms, w.id LIMIT 1`
  return db.get<DueWork>(sql, { now: nowMs, id: receiver === null ? null : Number(receiver.split(':')[1]) })
}

function endLost(db: Connection, { nowMs, triesMax }: Claiming): void {
  // tracker_work_due
  const sql = `SELECT id, state, tries FROM tracker_work WHERE due_ms <= ? AND state = 'sending'`
  for (const { id, ...progress } of db.all<{ id: number } & Parameters<typeof isLost>[0]>(sql, [nowMs])) {
    if (!isLost(progress, { kind: 'new', triesMax })) continue
    const { state, says } = lost(nowMs)
    end(db, id, { state, says, nowMs })
  }
}

function end(
  db: Connection,
  id: number,
  { state, says, nowMs }: { readonly state: string; readonly says: string; readonly nowMs: number },
): void {
  const sql =
    'UPDATE tracker_work SET state = ?, says = ?, due_ms = NULL, lease = NULL, settled_ms = ? WHERE id = ?'
  db.run(sql, [state, says, nowMs, id])
  db.run(`DELETE FROM tracker_work WHERE id = ? AND what = 'refresh'`, [id])
}

function claimOne(db: Connection, due: DueWork, claim: Claiming): ClaimedTrackerWork | null {
  const { id, what, ref, status, link } = due
  const isResolved = what === 'refresh' || status === 'resolved'
  const says = what === 'refresh' && link !== null ? null : reasonNotToClose({ isResolved, link })
  const tracker = trackerTargetById(db, due.trackerId)
  if (says !== null || tracker === null) {
    end(db, id, { state: 'cancelled', says: says ?? '', nowMs: claim.nowMs })
    return null
  }
  const { state, lease, dueMs, tries } = claimed(due.tries, claim)
  db.run('UPDATE tracker_work SET state = ?, lease = ?, due_ms = ?, tries = ? WHERE id = ?', [
    ...[state, lease, dueMs, tries, id],
  ])
  return { id, lease: claim.lease, receiver: `tracker:${due.trackerId}`, tries, what, tracker, ref }
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
