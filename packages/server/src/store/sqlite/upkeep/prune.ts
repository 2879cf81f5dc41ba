/** What has reached its age, once a day, within the day's first batch. */
import { max } from '#limits/limits.ts'
import type { Connection } from '../connection.ts'
import { pruneNotices } from '../notices/notice-queue.ts'
import { readKnownTime } from './known-time.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

/** A clock that is further ahead than is believed (`upkeep/retention/believed-clock.ts`) removes nothing here either. */
export function pruneDaily(db: Connection, clockMs: number): void {
  const before = `SELECT value FROM meta WHERE name = 'pruned_day' AND value < ?`
  // Asked with every batch: what is believed is never ahead of the clock, and need not be read when that has no new day.
  if (db.get(before, [dayAt(clockMs)]) === undefined) return
  const nowMs = believedMs(db, clockMs)
  const sql = `UPDATE meta SET value = :today WHERE name = 'pruned_day' AND value < :today`
  if (db.run(sql, { today: dayAt(nowMs) }).changes === 0) return
  // outcomes_by_age
  db.run('DELETE FROM outcomes WHERE bucket_ms < ?', [nowMs - max('outcomeDaysMax') * DAY_MS])
  db.run('DELETE FROM outcome_minutes WHERE minute_ms < ?', [nowMs - 2 * HOUR_MS])
  db.run('DELETE FROM quarantined WHERE received_ms < ?', [nowMs - max('quarantineDaysMax') * DAY_MS])
  db.run('DELETE FROM sessions WHERE created_ms < ? OR seen_ms < ?', [
    nowMs - max('sessionDays') * DAY_MS,
    nowMs - max('sessionIdleDays') * DAY_MS,
  ])
  db.run('DELETE FROM invitations WHERE expires_ms < ?', [nowMs])
  db.run('DELETE FROM password_resets WHERE expires_ms < ?', [nowMs])
  pruneNotices(db, nowMs)
  // audit_by_action: anybody can cause these, so they alone have an age.
  const failures = `DELETE FROM audit WHERE action = 'session.sign_in_failed' AND at_ms < ?`
  db.run(failures, [nowMs - max('outcomeDaysMax') * DAY_MS])
}

function dayAt(ms: number): number {
  return Math.floor(ms / DAY_MS)
}

function believedMs(db: Connection, clockMs: number): number {
  const known = readKnownTime(db)?.knownMs ?? clockMs
  return clockMs > known + max('clockDoubtMs') ? known : clockMs
}
