/** How many events a release had of late: of two days, in one row, so that nothing grows and nothing has to be removed. */

export interface RecentEvents {
  /** Days since 1970, UTC, of the events' own time: the newest with events. */
  readonly day: number
  readonly events: number
  /** Number of the day before. */
  readonly before: number
}

const DAY_MS = 86_400_000

/** With more events. Those of days further back are not kept. */
export function withMoreEvents(
  known: RecentEvents | null,
  more: { readonly events: number; readonly atMs: number },
): RecentEvents {
  const day = Math.floor(more.atMs / DAY_MS)
  const age = known === null ? Number.POSITIVE_INFINITY : day - known.day
  if (known === null || age > 1) return { day, events: more.events, before: 0 }
  if (age === 1) return { day, events: more.events, before: known.events }
  if (age === 0) return { ...known, events: known.events + more.events }
  return age === -1 ? { ...known, before: known.before + more.events } : known
}

/** Events of today and yesterday. A client whose clock is ahead is of today. */
export function eventsOfLate(known: RecentEvents | null, nowMs: number): number {
  const age = known === null ? Number.POSITIVE_INFINITY : Math.floor(nowMs / DAY_MS) - known.day
  if (known === null || age > 1) return 0
  return age === 1 ? known.events : known.events + known.before
}
