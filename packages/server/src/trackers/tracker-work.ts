/** Work of the delivery loop for trackers. */
import type { Clock } from '#base/clock.ts'
import { claimsOf, type LaneWork } from '#notices/notice-lane.ts'
import type { Outbox } from '#ports/outbox.ts'
import type { ClaimedTrackerWork, TrackerSettlement } from '#ports/trackers.ts'
import { askTracker, type TrackerWays } from './ask-tracker.ts'
import { TRACKER_TYPES } from './kinds/kinds.ts'
import type { TrackerReply } from './tracker-type.ts'

interface TrackerWorkParts extends TrackerWays {
  readonly outbox: Outbox
  /** False when the lease is another's by now, or the work was cancelled meanwhile. */
  readonly settle: (
    work: Pick<ClaimedTrackerWork, 'id' | 'lease'>,
    settlement: TrackerSettlement,
    nowMs: number,
  ) => Promise<boolean>
  readonly clock: Clock
}

export function trackerWork({
  outbox,
  clock,
  settle,
  ...ways
}: TrackerWorkParts): LaneWork<ClaimedTrackerWork> {
  /** Details settled beside the result of a try. */
  const tried = new WeakMap<ClaimedTrackerWork, { readonly tookMs: number } & Pick<TrackerReply, 'remote'>>()
  return {
    ...claimsOf(outbox, 'trackerCalls'),
    pool: 'call',
    async send(work, signal) {
      const startMs = clock.elapsed()
      const { attempt, remote } = await TRACKER_TYPES[work.tracker.kind][METHODS[work.what]](
        askTracker(ways, work.tracker, signal),
        work.ref,
      )
      const tookMs = Math.round(clock.elapsed() - startMs)
      tried.set(work, { tookMs, ...(remote === undefined ? {} : { remote }) })
      // Whoever looks again asks again: what was only looked at isn't tried for hours.
      if (work.what === 'refresh' && attempt.outcome === 'failed')
        return { outcome: 'refused', says: attempt.says }
      return attempt
    },
    settle: (work, settlement, nowMs) =>
      settle(work, { ...settlement, ...(tried.get(work) ?? { tookMs: 0 }) }, nowMs),
  }
}

const METHODS = { close: 'close', refresh: 'read' } as const
