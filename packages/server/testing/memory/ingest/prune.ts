/** What has reached its age, once a day, within the day's first batch. */
import { DAY_MS } from '#base/durations.ts'
import { FREQUENT_ENTRIES, oldestKept } from '#issues/ages.ts'
import { believedMs } from '#model/believed-time.ts'
import { pruneAlerts } from '../alerts/alert-rows.ts'
import { pruneMessages } from '../alerts/message-queue.ts'
import { pruneFailures } from '../issues/mirror-folding.ts'
import { pruneNotices } from '../notices/notice-queue.ts'
import { pruneHealth } from '../releases/health.ts'
import { pruneRequests } from '../requests/requests-write.ts'
import { pruneStaleClicks } from '../skew/stale-clicks.ts'
import type { Tables } from '../tables.ts'
import { pruneTrackerWork } from '../trackers/tracker-work.ts'

/** A clock that is further ahead than is believed removes nothing. */
export function pruneDaily(to: Tables, clockMs: number): void {
  const nowMs = believedMs(clockMs, to.number('knownMs') ?? clockMs)
  const today = Math.floor(nowMs / DAY_MS)
  if (today <= (to.number('prunedDay') ?? 0)) return
  to.setNumber('prunedDay', today)
  const oldest = oldestKept(nowMs)
  to.outcomes.deleteWhere(({ bucketMs }) => bucketMs < oldest.outcomesMs)
  to.outcomeMinutes.deleteWhere(({ minuteMs }) => minuteMs < oldest.outcomeMinutesMs)
  to.quarantined.deleteWhere(({ receivedMs }) => receivedMs < oldest.quarantinedMs)
  to.sessions.deleteWhere(
    ({ createdMs, seenMs }) => createdMs < oldest.sessionsCreatedMs || seenMs < oldest.sessionsSeenMs,
  )
  const ended = to.invitations.deleteWhere(({ expiresMs }) => expiresMs < oldest.invitationsEndMs)
  const gone = new Set(ended.map(({ codeHash }) => codeHash))
  to.letters.deleteWhere(({ invitation }) => invitation !== null && gone.has(invitation))
  to.passwordResets.deleteWhere(({ expiresMs }) => expiresMs < oldest.codesEndMs)
  to.letters.deleteWhere((letter) => letter.invitation === null && letter.expiresMs < oldest.codesEndMs)
  to.audit.deleteWhere(
    ({ action, atMs }) =>
      atMs < oldest.auditMs || (FREQUENT_ENTRIES.includes(action) && atMs < oldest.frequentEntriesMs),
  )
  pruneNotices(to, nowMs)
  pruneMessages(to, nowMs)
  pruneTrackerWork(to, nowMs)
  pruneAlerts(to, nowMs)
  pruneHealth(to, nowMs)
  pruneRequests(to, nowMs)
  pruneStaleClicks(to, nowMs)
  pruneFailures(to, nowMs)
}
