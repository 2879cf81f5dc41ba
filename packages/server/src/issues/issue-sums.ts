/** Adds events to an issue and to each of its groups: releases, request kinds, routes, the newest hour. */
import { dayOf } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { GroupDelta, ReleaseSeen } from '#ports/ingest.ts'
import { type Counts, sumCounts } from './counts.ts'
import { hourSinceEpoch } from './payload-sampling.ts'

/** Sums of an issue, of a group, or of a batch for either. */
export interface Sums {
  readonly firstRelease: ReleaseSeen | null
  readonly lastRelease: ReleaseSeen | null
  /** Request kinds and routes, name to events; bounded, those seen first stay. */
  readonly kinds: Counts
  readonly routes: Counts
}

export const NO_SUMS: Sums = { firstRelease: null, lastRelease: null, kinds: new Map(), routes: new Map() }

/**
 * Adds sums (first and last release, kinds, routes) to those that are there. `added` in the order in which it
 * happened: what is seen first takes the room that names have.
 */
export function withSums(before: Sums, added: readonly Sums[]): Sums {
  let { firstRelease, lastRelease, kinds, routes } = before
  for (const one of added) {
    firstRelease = earlierRelease(firstRelease, one.firstRelease)
    lastRelease = later(lastRelease, one.lastRelease)
    kinds = sumCounts(kinds, one.kinds, max('routesPerGroupMax'))
    routes = sumCounts(routes, one.routes, max('routesPerGroupMax'))
  }
  return { firstRelease, lastRelease, kinds, routes }
}

/** Counts and times over some deltas. */
export interface Added {
  readonly eventCount: number
  readonly mirrorCount: number
  readonly payloadCount: number
  readonly firstMs: number
  readonly lastMs: number
}

/** At least one delta: counts add up, times are the least and the greatest. */
export function addedBy(deltas: readonly Added[]): Added {
  return deltas.reduce((sum, delta) => ({
    eventCount: sum.eventCount + delta.eventCount,
    mirrorCount: sum.mirrorCount + delta.mirrorCount,
    payloadCount: sum.payloadCount + delta.payloadCount,
    firstMs: Math.min(sum.firstMs, delta.firstMs),
    lastMs: Math.max(sum.lastMs, delta.lastMs),
  }))
}

/** True if the event is the newest; of events at the same time, the one stored later is. */
export function isNewest(atMs: number, beforeMs: number): boolean {
  return atMs >= beforeMs
}

/** Returns the delta whose newest event names the issue; there must be at least one. */
export function newestOf<T extends Pick<GroupDelta, 'newest'>>(deltas: readonly T[]): T {
  return deltas.reduce((one, other) => (isNewest(other.newest.atMs, one.newest.atMs) ? other : one))
}

/** The newest event that can be read. */
export function newestPayload(
  before: GroupDelta['newestPayload'],
  added: GroupDelta['newestPayload'],
): GroupDelta['newestPayload'] {
  const atMs = (payload: typeof before) => payload?.atMs ?? Number.NEGATIVE_INFINITY
  return isNewest(atMs(added), atMs(before)) ? added : before
}

/** The newest hour of receipt (hours since 1970), and the events in it. */
export interface HourCount {
  readonly hour: number
  readonly events: number
}

/** Hours of receipt never go back; what comes late counts as of the newest. */
export function windowAfter(before: HourCount, added: readonly HourCount[]): HourCount {
  const hour = added.reduce((newest, one) => Math.max(newest, one.hour), before.hour)
  const isSame = before.hour === hour
  const events = added.reduce(
    (sum, one) => sum + (isSame || one.hour === hour ? one.events : 0),
    isSame ? before.events : 0,
  )
  return { hour, events }
}

/** Hours of the events' own time from which on counts are kept. */
export function oldestHourKept(nowMs: number): number {
  return hourSinceEpoch(nowMs) - max('hourBucketsDaysMax') * 24
}

/** A group that lives is rid of its old hours once for each day on which it occurs. */
export function hoursMayGo(before: { readonly lastSeenMs: number }, added: Pick<Added, 'lastMs'>): boolean {
  return dayOf(added.lastMs) > dayOf(before.lastSeenMs)
}

function earlierRelease(a: ReleaseSeen | null, b: ReleaseSeen | null): ReleaseSeen | null {
  if (a === null || b === null) return a ?? b
  return b.atMs < a.atMs ? b : a
}

function later(a: ReleaseSeen | null, b: ReleaseSeen | null): ReleaseSeen | null {
  if (a === null || b === null) return a ?? b
  return b.atMs >= a.atMs ? b : a
}
