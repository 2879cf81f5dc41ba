/** Figures of one deploy's stale clicks: how many, how long, from which builds, where, and why. */
import { HOUR_MS } from '#base/durations.ts'
import { max } from '#limits/limits.ts'
import { SKEW_FAILURES, type SkewFailure, type SkewKind } from '#model/recognised.ts'
import type { StaleExample } from '#ports/skew.ts'
import { SLOT_MS } from './clicks.ts'
import type { DeployPart, SkewedDeploy, TabSum } from './deploys.ts'

/**
 * Why old tabs fail. `build`: ids of actions, and data of pages, are another build's. `key`: servers of one release
 * encrypt with different keys. `assets`: the old build's files are gone.
 */
export type SkewCauseName = 'build' | 'key' | 'assets'

export type FailureCounts = Readonly<Record<SkewFailure, number>>

export interface SkewHour {
  readonly startMs: number
  readonly action: number
  readonly files: number
  readonly pageData: number
}

export interface SkewBuild {
  /** '': nobody says which. */
  readonly release: string
  readonly counts: FailureCounts
  readonly parts: readonly DeployPart[]
}

export interface SkewPlace {
  readonly failure: SkewFailure
  readonly route: string
  readonly count: number
  readonly example: StaleExample
  readonly parts: readonly DeployPart[]
}

export interface SkewCause {
  readonly name: SkewCauseName
  readonly count: number
  /** When the first of its clicks was. */
  readonly firstMs: number
}

export interface DeployFigures {
  /** Failed clicks; what a framework reloaded by itself is no failure. */
  readonly count: number
  readonly reloads: number
  readonly counts: FailureCounts
  readonly kinds: Readonly<Record<SkewKind, number>>
  readonly firstMs: number
  readonly lastMs: number
  /** From the deploy until half of the clicks were over; `null` where nothing failed. */
  readonly halfLifeMs: number | null
  readonly causes: readonly SkewCause[]
  readonly fromReleases: readonly string[]
  /** SDK of the latest report. */
  readonly sdk: string | null
}

export function deployFigures({ atMs, parts }: SkewedDeploy): DeployFigures {
  const counts = countsOf(parts)
  const failed = parts.filter(({ sum }) => sum.failure !== 'reload')
  const kinds = { action: counts.action + counts.key, chunk: counts.chunk + counts.stylesheet }
  const count = kinds.action + kinds.chunk + counts['page-data']
  const newest = [...parts].sort((a, b) => b.sum.example.atMs - a.sum.example.atMs)
  return {
    ...{ count, reloads: counts.reload, counts, kinds: { ...kinds, 'page-data': counts['page-data'] } },
    firstMs: Math.min(...parts.map(firstOf)),
    lastMs: lastClick(parts),
    halfLifeMs: halfLife(failed, atMs),
    causes: causesOf(failed),
    fromReleases: buildsOf(parts).flatMap(({ release }) => (release === '' ? [] : [release])),
    sdk: newest.find(({ sum }) => sum.example.sdk !== null)?.sum.example.sdk ?? null,
  }
}

/**
 * Returns the half-life, as fine as slots are; within a slot clicks count as evenly spread between the first
 * and the last.
 */
function halfLife(parts: readonly DeployPart[], atMs: number): number | null {
  const firstMs = Math.min(...parts.map(firstOf))
  const lastMs = Math.max(...parts.map(lastOf))
  const slots = new Map<number, number>()
  for (const { slots: own } of parts)
    for (const { startMs: at, count } of own) slots.set(at, (slots.get(at) ?? 0) + count)
  const total = [...slots.values()].reduce((sum, count) => sum + count, 0)
  let before = 0
  for (const [at, count] of [...slots].sort(([a], [b]) => a - b)) {
    if (before + count >= total / 2) {
      const [from, until] = [Math.max(at, firstMs), Math.min(at + SLOT_MS, lastMs)]
      const within = ((total / 2 - before) / count) * Math.max(0, until - from)
      return Math.round(from + within - Math.min(atMs, firstMs))
    }
    before += count
  }
  return null
}

const DAY_HOURS = 24
const HOURS_SHOWN_MAX = 48

/** An hour each since the deploy; of long ones wider. Empty ones are there too. */
export function skewHours(
  { atMs, parts }: SkewedDeploy,
  untilMs: number,
): { readonly widthMs: number; readonly hours: readonly SkewHour[] } {
  const fromMs = Math.min(
    atMs,
    ...parts.flatMap(({ slots }) => slots.map(({ startMs }) => startMs + SLOT_MS - 1)),
  )
  const lastMs = Math.max(fromMs, Math.min(untilMs, Math.max(...parts.map(lastOf)) + HOUR_MS))
  const hours = Math.ceil((lastMs - fromMs) / HOUR_MS)
  const width = hours <= HOURS_SHOWN_MAX ? 1 : hours <= HOURS_SHOWN_MAX * 6 ? 6 : DAY_HOURS
  const widthMs = width * HOUR_MS
  const made = Array.from({ length: Math.max(1, Math.ceil((lastMs - fromMs) / widthMs)) }, (_, at) => ({
    ...{ startMs: fromMs + at * widthMs, action: 0, files: 0, pageData: 0 },
  }))
  for (const { sum, slots } of parts) {
    for (const { startMs: at, count } of slots) {
      // A span of time that the deploy lies in begins before it.
      const place = Math.floor((Math.max(at, fromMs) - fromMs) / widthMs)
      const hour = made[Math.min(place, made.length - 1)]
      const name = BARS[sum.failure]
      if (hour !== undefined && name !== null) hour[name] += count
    }
  }
  return { widthMs, hours: made }
}

const BARS = {
  ...{ action: 'action', key: 'action', chunk: 'files', stylesheet: 'files' },
  ...{ 'page-data': 'pageData', reload: null },
} as const satisfies Record<SkewFailure, 'action' | 'files' | 'pageData' | null>

/** Most clicks first. */
export function buildsOf(parts: readonly DeployPart[]): readonly SkewBuild[] {
  const groups = Map.groupBy(parts, ({ sum }) => sum.fromRelease)
  return [...groups]
    .map(([release, of]) => ({ release, counts: countsOf(of), parts: of }))
    .sort((a, b) => total(b.counts) - total(a.counts))
}

const PLACES_MAX = max('skewPlacesShownMax')

/** Most clicks first. */
export function skewPlaces(parts: readonly DeployPart[]): readonly SkewPlace[] {
  const groups = Map.groupBy(parts, ({ sum }) => JSON.stringify([sum.failure, sum.route]))
  return [...groups.values()]
    .flatMap((of): SkewPlace[] => {
      const [first, ...rest] = [...of].sort((a, b) => b.sum.example.atMs - a.sum.example.atMs)
      if (first === undefined) return []
      const { failure, route, example } = first.sum
      const count = [first, ...rest].reduce((sum, part) => sum + clicks(part), 0)
      return [{ failure, route, count, example, parts: of }]
    })
    .sort((a, b) => Number(a.failure === 'reload') - Number(b.failure === 'reload') || b.count - a.count)
    .slice(0, PLACES_MAX)
}

function causesOf(parts: readonly DeployPart[]): readonly SkewCause[] {
  const groups = Map.groupBy(parts, ({ sum }) => causeOf(sum))
  return [...groups]
    .map(([name, of]) => ({
      ...{ name, count: of.reduce((sum, part) => sum + clicks(part), 0) },
      firstMs: Math.min(...of.map(firstOf)),
    }))
    .sort((a, b) => b.count - a.count)
}

/** An action that the very release does not know that the page is of: not the build, the key is another. */
function causeOf({ failure, release, fromRelease }: TabSum): SkewCauseName {
  if (failure === 'chunk' || failure === 'stylesheet') return 'assets'
  if (failure === 'key') return 'key'
  return failure === 'action' && release !== '' && release === fromRelease ? 'key' : 'build'
}

/** Clicks that failed, as `DeployFigures.count`. */
export function failedClicks(parts: readonly DeployPart[]): number {
  return parts.reduce((sum, part) => (part.sum.failure === 'reload' ? sum : sum + clicks(part)), 0)
}

/** Time of the last click, as `DeployFigures.lastMs`. */
export function lastClick(parts: readonly DeployPart[]): number {
  return Math.max(...parts.map(lastOf))
}

function countsOf(parts: readonly DeployPart[]): FailureCounts {
  const counts = { action: 0, key: 0, chunk: 0, stylesheet: 0, 'page-data': 0, reload: 0 }
  for (const part of parts) counts[part.sum.failure] += clicks(part)
  return counts
}

function clicks({ slots }: DeployPart): number {
  return slots.reduce((sum, { count }) => sum + count, 0)
}

function total(counts: FailureCounts): number {
  return SKEW_FAILURES.reduce((sum, failure) => sum + (failure === 'reload' ? 0 : counts[failure]), 0)
}

/** Returns the first time: exact if it lies in the part. */
function firstOf({ sum, slots }: DeployPart): number {
  return Math.max(sum.firstMs, slots[0]?.startMs ?? sum.firstMs)
}

function lastOf({ sum, slots }: DeployPart): number {
  return Math.min(sum.lastMs, (slots.at(-1)?.startMs ?? sum.lastMs) + SLOT_MS)
}

/** Clicks of the last hour. */
export function clicksSince(parts: readonly DeployPart[], sinceMs: number): number {
  let count = 0
  for (const { sum, slots } of parts) {
    if (sum.failure === 'reload') continue
    for (const { startMs, count: then } of slots) if (startMs + SLOT_MS > sinceMs) count += then
  }
  return count
}
