/** Judges a project's health by its counts, in one word with the numbers behind it. Pure. */
import { HOUR_MS } from '#base/durations.ts'
import type { TimedRelease } from '#model/release-order.ts'
import type { SpikeState } from '#model/spike-state.ts'
import type { HourVolume } from '#ports/projects.ts'

/** Weightiest first: a project has the first of these that is true. */
export type ProjectHealth =
  /** Nothing was ever sent. */
  | { readonly state: 'waiting'; readonly hasKey: boolean }
  | { readonly state: 'capped'; readonly sinceMs: number; readonly notStored: number }
  /** At least twice the errors of the day before; `release`: the latest, where it came within that time. */
  | { readonly state: 'growing'; readonly before: number; readonly release: string | null }
  /** No event for longer than any gap of the last 28 days. */
  | { readonly state: 'silent'; readonly longestGapMs: number }
  /** Items of the last 24 hours were refused by a limit. */
  | { readonly state: 'limited'; readonly notStored: number }
  | { readonly state: 'steady' }
  /** Quiet, and whether that is unusual was not looked at yet. */
  | { readonly state: 'unread' }

/** How a project sends, as far as its silence is judged by it. */
export interface Rhythm {
  /** Hours with events. */
  readonly busyHours: number
  /** Between two of them. */
  readonly longestGapMs: number
  /** The newest of them; `null`: there is none. */
  readonly lastBusyMs: number | null
}

/** Returns the rhythm of hours in order. */
export function rhythmOf(hours: readonly HourVolume[]): Rhythm {
  const busy = hours.filter(({ admitted }) => admitted > 0)
  const gaps = busy.slice(1).map(({ hourMs }, index) => hourMs - (busy[index]?.hourMs ?? hourMs))
  const lastBusyMs = busy.at(-1)?.hourMs ?? null
  return { busyHours: busy.length, longestGapMs: Math.max(HOUR_MS, ...gaps), lastBusyMs }
}

export interface HealthFacts {
  readonly nowMs: number
  readonly firstEventMs: number | null
  readonly lastEventMs: number | null
  readonly hasKey: boolean
  /** Errors stored in the last 24 hours, and in the 24 before. */
  readonly errors: number
  readonly errorsBefore: number
  /** Refused by limits in the last 24 hours. */
  readonly limited: number
  readonly spike: SpikeState | null
  /** The latest. */
  readonly release: TimedRelease | null
  /** Rhythm of the last 28 days; `null` if it was not looked at. */
  readonly rhythm: Rhythm | null
}

const DAY_MS = 24 * HOUR_MS
const GROWTH = 2
/** Less than so many more errors a day are no growth worth a word. */
const GROWN_BY_MIN = 50
/** A project that sends in fewer hours of four weeks has no rhythm to fall out of. */
const HOURS_KNOWN_MIN = 24
export const SILENCE_DAYS = 28
/** A shorter silence is never looked into. */
const SILENCE_MS_MIN = 6 * HOUR_MS

export function projectHealth(facts: HealthFacts): ProjectHealth {
  const { nowMs, firstEventMs, spike, errors, errorsBefore, limited } = facts
  if (firstEventMs === null) return { state: 'waiting', hasKey: facts.hasKey }
  if (spike !== null && spike.capped !== null) return { state: 'capped', ...spike.capped }
  const isKnown = nowMs - firstEventMs >= 2 * DAY_MS
  if (isKnown && errors >= GROWTH * errorsBefore && errors - errorsBefore >= GROWN_BY_MIN)
    return { state: 'growing', before: errorsBefore, release: recentOf(facts) }
  const longestGapMs = longestGap(facts)
  if (longestGapMs !== null) return { state: 'silent', longestGapMs }
  if (limited > 0) return { state: 'limited', notStored: limited }
  return isQuiet(facts) && facts.rhythm === null ? { state: 'unread' } : { state: 'steady' }
}

function recentOf({ nowMs, release }: HealthFacts): string | null {
  return release !== null && nowMs - release.atMs < DAY_MS ? release.version : null
}

/** True if nothing came for so long that the hours of the last weeks are worth reading. */
export function isQuiet({ nowMs, lastEventMs }: Pick<HealthFacts, 'nowMs' | 'lastEventMs'>): boolean {
  return lastEventMs !== null && nowMs - lastEventMs >= SILENCE_MS_MIN
}

/** The longest time between two hours with events, when it is now quiet for longer than that. */
function longestGap(facts: HealthFacts): number | null {
  const { nowMs, lastEventMs, rhythm } = facts
  if (lastEventMs === null || rhythm === null || rhythm.busyHours < HOURS_KNOWN_MIN) return null
  const silentMs = nowMs - Math.max(lastEventMs, rhythm.lastBusyMs ?? lastEventMs)
  return isQuiet(facts) && silentMs > rhythm.longestGapMs ? rhythm.longestGapMs : null
}
