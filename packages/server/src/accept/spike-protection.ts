/**
 * Spike protection: sudden growth of a project over its own volume is capped for the rest of the hour. The cap of an
 * hour is `max(500, 5 × typical)`, where typical is the 90th percentile of the errors that were let in per hour over
 * the 7 days before; hours without any count as 0. It holds once the project's first event is 7 days old. What was
 * refused never counts as volume, so that an attack does not raise the cap, while lasting growth does within a day:
 * after 17 capped hours the cap itself is typical.
 *
 * Pure but for the clock: histories are brought in, one look-up and a comparison per item.
 */

import type { Clock } from '#base/clock.ts'
import { HOUR_MS } from '#base/durations.ts'
import type { ProjectId } from '#base/ids.ts'
import type { Log } from '#base/log.ts'
import { max } from '#limits/limits.ts'
import type { SpikeState } from '#model/spike-state.ts'
import type { HourVolume } from '#ports/projects.ts'

/** Category in which spikes are counted: items stored as events. */
export const SPIKE_CATEGORY = 'error'

const DAY_MS = 24 * HOUR_MS
const HOURS = max('spikeBaselineDays') * 24
const PERCENTILE = 0.9

export interface SpikeHistory {
  readonly projectId: ProjectId
  readonly firstEventMs: number | null
  /** Hours of the baseline's days and the running one, in any order; empty ones may be absent. */
  readonly hours: readonly HourVolume[]
}

/** From when a history of these hours is asked for. */
export function spikeHistoryStart(nowMs: number): number {
  return hourStart(nowMs) - HOURS * HOUR_MS
}

interface Watched {
  readonly activeFromMs: number | null
  readonly typicalPerHour: number
  readonly capPerHour: number
  hourMs: number
  admitted: number
  refusedThisHour: number
  /** Since when hour after hour was capped, and what that kept out. */
  sinceMs: number | null
  refused: number
}

export interface SpikeProtectionOptions {
  readonly clock: Clock
  readonly log: Log
}

export class SpikeProtection {
  readonly #clock: Clock
  readonly #log: Log
  #watched = new Map<ProjectId, Watched>()

  constructor({ clock, log }: SpikeProtectionOptions) {
    this.#clock = clock
    this.#log = log
  }

  /** Replaces what is known; counts of the running hour are kept. Projects that are not named are forgotten. */
  setHistories(histories: readonly SpikeHistory[]): void {
    const nowMs = this.#clock.now()
    const before = this.#watched
    this.#watched = new Map(
      histories.map((history) => [
        history.projectId,
        watchedOf(history, nowMs, before.get(history.projectId)),
      ]),
    )
  }

  /** Lets an item in and counts it: `null`; or answers in how many seconds the cap ends. */
  admit(project: ProjectId, quantity: number): number | null {
    const watched = this.#watched.get(project)
    if (watched === undefined) return null
    const nowMs = this.#clock.now()
    roll(watched, nowMs)
    const isOver = watched.admitted >= watched.capPerHour
    if (!isOver || watched.activeFromMs === null || nowMs < watched.activeFromMs) {
      watched.admitted += quantity
      return null
    }
    if (watched.refusedThisHour === 0) this.#noteCapped(project, watched)
    watched.sinceMs ??= nowMs
    watched.refusedThisHour += quantity
    watched.refused += quantity
    return (watched.hourMs + HOUR_MS - nowMs) / 1_000
  }

  /** Takes back what was let in a moment ago and refused after all; an hour that ended since has nothing of it. */
  giveBack(project: ProjectId, quantity: number): void {
    const watched = this.#watched.get(project)
    if (watched === undefined) return
    roll(watched, this.#clock.now())
    watched.admitted = Math.max(0, watched.admitted - quantity)
  }

  /** `null` while nothing is known of the project's past. */
  state(project: ProjectId): SpikeState | null {
    const watched = this.#watched.get(project)
    if (watched === undefined) return null
    const nowMs = this.#clock.now()
    roll(watched, nowMs)
    const { activeFromMs, typicalPerHour, capPerHour, admitted, sinceMs } = watched
    const isCapped = watched.refusedThisHour > 0
    return {
      activeFromMs,
      isActive: activeFromMs !== null && nowMs >= activeFromMs,
      typicalPerHour,
      capPerHour,
      thisHour: admitted,
      capped: isCapped && sinceMs !== null ? { sinceMs, notStored: watched.refused } : null,
    }
  }

  #noteCapped(project: ProjectId, { capPerHour, typicalPerHour }: Watched): void {
    this.#log.warn('spike protection caps a project', { projectId: project, capPerHour, typicalPerHour })
  }
}

/** Another hour, later or (when a clock was set) earlier, begins with nothing. */
function roll(watched: Watched, nowMs: number): void {
  const hourMs = hourStart(nowMs)
  if (watched.hourMs === hourMs) return
  const followsCapped = watched.refusedThisHour > 0 && hourMs === watched.hourMs + HOUR_MS
  watched.hourMs = hourMs
  watched.admitted = 0
  watched.refusedThisHour = 0
  if (followsCapped) return
  watched.sinceMs = null
  watched.refused = 0
}

function watchedOf(history: SpikeHistory, nowMs: number, before: Watched | undefined): Watched {
  const thisHour = hourStart(nowMs)
  const past = history.hours.filter(({ hourMs }) => hourMs < thisHour && hourMs >= spikeHistoryStart(nowMs))
  const typicalPerHour = typicalOf(past.map(({ admitted }) => admitted))
  const firstMs = history.firstEventMs
  const known = {
    activeFromMs: firstMs === null ? null : firstMs + max('spikeBaselineDays') * DAY_MS,
    typicalPerHour,
    capPerHour: Math.max(max('spikeEventsPerHourMin'), Math.ceil(typicalPerHour * max('spikeGrowthMax'))),
  }
  // What was counted here is newer than what is stored; after a start only the latter is known.
  if (before !== undefined) {
    roll(before, nowMs)
    return { ...before, ...known }
  }
  const running = history.hours.find(({ hourMs }) => hourMs === thisHour)
  return {
    ...known,
    hourMs: thisHour,
    admitted: running?.admitted ?? 0,
    refusedThisHour: running?.capped ?? 0,
    ...cappedRun(history.hours, thisHour),
  }
}

/** The capped hours that follow on each other up to the running one. */
function cappedRun(hours: readonly HourVolume[], thisHour: number): Pick<Watched, 'sinceMs' | 'refused'> {
  const byHour = new Map(hours.map((hour) => [hour.hourMs, hour]))
  let sinceMs: number | null = null
  let refused = 0
  for (let at = thisHour; ; at -= HOUR_MS) {
    const hour = byHour.get(at)
    if (hour !== undefined && hour.capped > 0) {
      sinceMs = hour.firstCappedMs ?? at
      refused += hour.capped
    } else if (at < thisHour) return { sinceMs, refused }
  }
}

/** The 90th percentile over all hours of the baseline, nearest rank; those without anything are 0. */
function typicalOf(counts: readonly number[]): number {
  const sorted = [...counts].sort((a, b) => a - b)
  const rank = Math.ceil(HOURS * PERCENTILE) - 1
  return sorted[rank - (HOURS - sorted.length)] ?? 0
}

function hourStart(ms: number): number {
  return Math.floor(ms / HOUR_MS) * HOUR_MS
}
