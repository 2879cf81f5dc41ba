/** Stale clicks as maps of rows. */
import { DAY_MS } from '#base/durations.ts'
import { dayOf, type IssueId, type ProjectId } from '#base/ids.ts'
import { NO_USERS, type UserSet, withoutUsers, withUsers } from '#issues/user-set.ts'
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
import type { MovedIssues } from '#skew/gathering.ts'
import type { Tables } from '../tables.ts'
import { gatherClick } from './skew-issues.ts'

/** Answers the issues that became part of others. */
export function addStaleClicks(to: Tables, seen: readonly StaleClickSeen[], nowMs: number): MovedIssues {
  const moved = new Map<IssueId, IssueId>()
  for (const half of seen)
    for (const [from, into] of gatherClick(to, addHalf(to, half), nowMs)) moved.set(from, into)
  return moved
}

/** What would be known of the clicks with these halves, each after the ones before it. */
export function clicksWith(to: Tables, halves: readonly StaleClickSeen[]): readonly StaleClick[] {
  const clicks: StaleClick[] = []
  for (const half of halves) {
    const known = clickOf<StaleClick>(half, [...clicks.toReversed(), ...near(to, half)])
    clicks.push(known === null ? firstHalf(half) : withHalf(known, half))
  }
  return clicks
}

function near(to: Tables, half: StaleClickSeen) {
  const orgOf = (project: ProjectId) => to.projects.get(project)?.orgId
  return to.staleClicks.where(({ projectId }) => orgOf(projectId) === orgOf(half.projectId))
}

function addHalf(to: Tables, half: StaleClickSeen): StaleClick {
  const known = clickOf(half, near(to, half))
  const click = known === null ? firstHalf(half) : withHalf(known, half)
  if (known === null) addClick(to, click)
  else changeClick(to, known, click)
  return click
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
  if (row !== undefined) to.staleSeries.put(series, { ...row, slots: withoutClick(row.slots, slot) })
  to.staleClicks.put(id, { ...after, ...count(to, after), id, day })
}

function count(to: Tables, click: StaleClick): { readonly series: string; readonly slot: number } {
  const slot = slotOf(click.atMs)
  const of = roomFor(to, seriesOf(click))
  const series = keyOf(of)
  const before = to.staleSeries.get(series) ?? {
    ...{ ...of, slots: new Map(), example: exampleOf(click) },
    ...{ firstMs: click.atMs, lastMs: click.atMs },
  }
  to.staleSeries.put(series, {
    ...before,
    slots: withClick(before.slots, slot, click),
    example: newerExample(before.example, click),
    firstMs: Math.min(before.firstMs, click.atMs),
    lastMs: Math.max(before.lastMs, click.atMs),
  })
  return { series, slot }
}

type Slots = ReadonlyMap<number, { readonly count: number; readonly users: UserSet }>

function withClick(slots: Slots, slot: number, { user }: StaleClick): Slots {
  const { count: clicks, users } = slots.get(slot) ?? { count: 0, users: NO_USERS }
  const after = user === null ? users : withUsers(users, [user])
  return new Map(slots).set(slot, { count: clicks + 1, users: after })
}

function withoutClick(slots: Slots, slot: number): Slots {
  const after = new Map(slots)
  const before = slots.get(slot)
  after.delete(slot)
  if (before !== undefined && before.count > 1) after.set(slot, { ...before, count: before.count - 1 })
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
    if (row.projectId !== project) continue
    const kept = [...row.slots].map(
      ([slot, of]) => [slot, { ...of, users: withoutUsers(of.users, gone) }] as const,
    )
    to.staleSeries.put(key, { ...row, slots: new Map(kept) })
  }
  for (const [key, row] of to.staleClicks.entries()) {
    const isGone = row.projectId === project && row.user !== null && gone.has(row.user)
    if (isGone) to.staleClicks.put(key, { ...row, user: null })
  }
}
