/** What has reached its age, once a day, within the day's first batch. */
import { dayOf } from '#base/ids.ts'
import { FREQUENT_ENTRIES, oldestKept } from '#issues/ages.ts'
import { believedMs } from '#model/believed-time.ts'
import { pruneAlerts } from '../alerts/alert-rows.ts'
import { pruneMessages } from '../alerts/message-queue.ts'
import type { Connection } from '../connection.ts'
import { pruneMerges } from '../issues/merge-undo.ts'
import { pruneFailures } from '../issues/mirror-store.ts'
import { pruneNotices } from '../notices/notice-queue.ts'
import { pruneHealth } from '../releases/health-prune.ts'
import { pruneRequests } from '../requests/request-store.ts'
import { readKnownTime } from '../rows/known-time.ts'
import { pruneStaleClicks } from '../skew/stale-clicks.ts'
import { pruneTrackerWork } from '../trackers/tracker-work.ts'

/** Answers whether it did. A clock that is further ahead than is believed removes nothing here either. */
export function pruneDaily(db: Connection, clockMs: number): boolean {
  const before = `SELECT value FROM meta WHERE name = 'pruned_day' AND value < ?`
  // Asked with every batch: what is believed is never ahead of the clock, and need not be read when that has no new day.
  if (db.get(before, [dayOf(clockMs)]) === undefined) return false
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
  return true
}
