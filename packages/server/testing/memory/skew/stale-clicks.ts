/** Stale clicks as maps of rows. */
import { DAY_MS } from '#base/durations.ts'
import { dayOf, type ProjectId } from '#base/ids.ts'
import { NO_USERS, withoutUsers, withUsers } from '#issues/user-set.ts'
import { max } from '#limits/limits.ts'
import { hashUser } from '#model/user-hash.ts'
import { PROJECT_OPTIONS_DEFAULT } from '#ports/projects.ts'
import type { StaleClickSeen, StaleSeries } from '#ports/skew.ts'
import {
  clickOf,
  exampleOf,
  firstHalf,
  newerExample,
  SLOT_MS,
  type StaleClick,
  seriesOf,
  seriesWhenFull,
  slotOf,
  withHalf,
} from '#skew/clicks.ts'
import type { Tables } from '../tables.ts'

export function addStaleClicks(to: Tables, seen: readonly StaleClickSeen[]): void {
  for (const half of seen) {
    const known = clickOf(
      half,
      to.staleClicks.where(({ projectId }) => projectId === half.projectId),
    )
    if (known === null) addClick(to, firstHalf(half))
    else changeClick(to, known, withHalf(known, half))
  }
}

function addClick(to: Tables, click: StaleClick): void {
  const place = count(to, click)
  const ofProject = to.staleClicks.where(({ projectId }) => projectId === click.projectId)
  if (ofProject.length >= max('staleClicksPerProjectMax')) return
  const id = to.staleClicks.nextId()
  to.staleClicks.put(id, { ...click, ...place, id, day: dayOf(click.receivedMs) })
}

function changeClick(
  to: Tables,
  before: { readonly id: number; readonly day: number; readonly series: string; readonly slot: number },
  after: StaleClick,
): void {
  const { id, day, series, slot } = before
  const row = to.staleSeries.get(series)
  if (row !== undefined) to.staleSeries.put(series, { ...row, slots: withCount(row.slots, slot, -1) })
  to.staleClicks.put(id, { ...after, ...count(to, after), id, day })
}

function count(to: Tables, click: StaleClick): { readonly series: string; readonly slot: number } {
  const slot = slotOf(click.atMs)
  const of = roomFor(to, seriesOf(click))
  const series = keyOf(of)
  const before = to.staleSeries.get(series) ?? {
    ...{ ...of, users: NO_USERS, slots: new Map(), example: exampleOf(click) },
    ...{ firstMs: click.atMs, lastMs: click.atMs },
  }
  to.staleSeries.put(series, {
    ...before,
    users: click.user === null ? before.users : withUsers(before.users, [click.user]),
    slots: withCount(before.slots, slot, 1),
    example: newerExample(before.example, click),
    firstMs: Math.min(before.firstMs, click.atMs),
    lastMs: Math.max(before.lastMs, click.atMs),
  })
  return { series, slot }
}

function withCount(
  slots: ReadonlyMap<number, number>,
  slot: number,
  more: number,
): ReadonlyMap<number, number> {
  const after = new Map(slots)
  const total = (slots.get(slot) ?? 0) + more
  if (total > 0) after.set(slot, total)
  else after.delete(slot)
  return after
}

function roomFor(to: Tables, series: StaleSeries): StaleSeries {
  if (to.staleSeries.has(keyOf(series))) return series
  const ofProject = to.staleSeries.where(({ projectId }) => projectId === series.projectId)
  if (ofProject.length < max('staleSeriesPerProjectMax')) return series
  const rooms = seriesWhenFull(series)
  return rooms.find((room) => to.staleSeries.has(keyOf(room))) ?? rooms.at(-1) ?? series
}

function keyOf({ projectId, environment, release, fromRelease, failure, route }: StaleSeries): string {
  return JSON.stringify([projectId, environment, release, fromRelease, failure, route])
}

/** What has reached its age. */
export function pruneStaleClicks(to: Tables, nowMs: number): void {
  const today = Math.floor(nowMs / DAY_MS)
  const oldestSlot = (project: ProjectId) => {
    const { retentionDays } = to.projects.get(project)?.options ?? PROJECT_OPTIONS_DEFAULT
    return ((today - retentionDays) * DAY_MS) / SLOT_MS
  }
  to.staleClicks.deleteWhere(({ day }) => day < today - max('staleClickDays'))
  for (const [key, row] of to.staleSeries.entries()) {
    const kept = [...row.slots].filter(([slot]) => slot >= oldestSlot(row.projectId))
    if (kept.length === 0) to.staleSeries.delete(key)
    else if (kept.length < row.slots.size) to.staleSeries.put(key, { ...row, slots: new Map(kept) })
  }
}

/** Names go, counts stay. */
export function forgetStaleUsers(to: Tables, project: ProjectId, names: readonly string[]): void {
  const gone = new Set(names.map(hashUser))
  for (const [key, row] of to.staleSeries.entries()) {
    if (row.projectId === project) to.staleSeries.put(key, { ...row, users: withoutUsers(row.users, gone) })
  }
  for (const [key, row] of to.staleClicks.entries()) {
    const isGone = row.projectId === project && row.user !== null && gone.has(row.user)
    if (isGone) to.staleClicks.put(key, { ...row, user: null })
  }
}
