/** Removes what has reached its age, once a day, within the day's first batch. */
import { dayOf, type OrgId } from '#base/ids.ts'
import { FREQUENT_ENTRIES, oldestKept } from '#issues/ages.ts'
import { max } from '#limits/limits.ts'
import { believedMs } from '#model/believed-time.ts'
import { pruneAlerts } from '../alerts/alert-rows.ts'
import { pruneMessages } from '../alerts/message-queue.ts'
import type { Connection } from '../connection.ts'
import { pruneInbox } from '../inbox/inbox-rows.ts'
import { pruneMerges } from '../issues/merge-undo.ts'
import { pruneFailures } from '../issues/mirror-store.ts'
import { pruneNotices } from '../notices/notice-queue.ts'
import { pruneHealth } from '../releases/health-prune.ts'
import { pruneRequests } from '../requests/request-store.ts'
import { readKnownTime } from '../rows/known-time.ts'
import { pruneStaleClicks } from '../skew/stale-clicks.ts'
import { pruneTrackerWork } from '../trackers/tracker-work.ts'

/** Answers whether it did. A clock that is further ahead than is believed removes nothing here either. */
export function pruneDaily(db: Connection, prunedDay: number, clockMs: number): boolean {
  // What is believed is never ahead of the clock, and need not be read when that has no new day.
  if (prunedDay >= dayOf(clockMs)) return false
  const nowMs = believedMs(clockMs, readKnownTime(db)?.knownMs ?? clockMs)
  const sql = `UPDATE meta SET value = :today WHERE name = 'pruned_day' AND value < :today`
  if (db.run(sql, { today: dayOf(nowMs) }).changes === 0) return false
  const oldest = oldestKept(nowMs)
  // outcomes_by_age
  db.run('DELETE FROM outcomes WHERE bucket_ms < ?', [oldest.outcomesMs])
  db.run('DELETE FROM outcome_minutes WHERE minute_ms < ?', [oldest.outcomeMinutesMs])
  db.run('DELETE FROM quarantined WHERE received_ms < ?', [oldest.quarantinedMs])
  const sessions = 'DELETE FROM sessions WHERE created_ms < ? OR seen_ms < ?'
  db.run(sessions, [oldest.sessionsCreatedMs, oldest.sessionsSeenMs])
  db.run('DELETE FROM invitations WHERE expires_ms < ?', [oldest.invitationsEndMs])
  db.run('DELETE FROM password_resets WHERE expires_ms < ?', [oldest.codesEndMs])
  db.run('DELETE FROM letters WHERE invitation IS NULL AND expires_ms < ?', [oldest.codesEndMs])
  pruneMerges(db, nowMs)
  pruneNotices(db, nowMs)
  pruneMessages(db, nowMs)
  pruneInbox(db, nowMs)
  pruneTrackerWork(db, nowMs)
  pruneAlerts(db, nowMs)
  pruneHealth(db, nowMs)
  pruneRequests(db, nowMs)
  pruneStaleClicks(db, nowMs)
  pruneFailures(db, nowMs)
  for (const action of FREQUENT_ENTRIES) {
    // audit_by_action
    db.run('DELETE FROM audit WHERE action = ? AND at_ms < ?', [action, oldest.frequentEntriesMs])
  }
  // Of whole organisations, once a day: read from end to end.
  db.run('DELETE FROM audit WHERE at_ms < ?', [oldest.auditMs])
  pruneAudit(db, max('auditEntriesMax'))
  return true
}

/**
 * Removes the oldest entries of the most frequent actions from organisations that have too many, until the
 * number is met.
 */
export function pruneAudit(db: Connection, entriesMax: number): void {
  // audit_by_org
  const full = `SELECT org_id AS org, count(*) - :most AS excess FROM audit
    GROUP BY org_id HAVING count(*) > :most`
  const commonest = `SELECT actor, action, count(*) AS count FROM audit WHERE org_id IS :org
    GROUP BY actor, action ORDER BY count DESC, max(id) DESC LIMIT 1`
  const forget = `DELETE FROM audit WHERE id IN (SELECT id FROM audit
    WHERE org_id IS :org AND actor = :actor AND action = :action ORDER BY id LIMIT :count)`
  for (const { org, excess } of db.all<{ org: OrgId | null; excess: number }>(full, { most: entriesMax })) {
    for (let left = excess; left > 0; ) {
      const most = db.get<{ actor: string; action: string; count: number }>(commonest, { org })
      if (most === undefined) break
      const count = Math.min(left, Math.max(1, Math.ceil(most.count / 2)))
      db.run(forget, { org, actor: most.actor, action: most.action, count })
      left -= count
    }
  }
}
