/** Sums a batch up per group before any row is touched: a thousand events become as many rows as there are groups. */
import type { GroupHash, ProjectId } from '#base/ids.ts'
import type { ControlEvent } from '#ports/ingest.ts'

export const HOUR_MS = 3_600_000

export interface FacetDelta {
  count: number
  firstMs: number
  lastMs: number
}

export interface ReleaseSeen {
  readonly release: string
  readonly atMs: number
}

/** What a batch adds to one group. Times are whole milliseconds. */
export interface GroupDelta {
  readonly projectId: ProjectId
  readonly hash: GroupHash
  readonly events: ControlEvent[]
  newest: ControlEvent
  mirrorCount: number
  firstMs: number
  lastMs: number
  firstRelease: ReleaseSeen | null
  lastRelease: ReleaseSeen | null
  readonly hours: Map<number, number>
  readonly kinds: Map<string, number>
  readonly routes: Map<string, number>
  /** `day:retentionDays` */
  readonly files: Set<string>
  readonly users: Set<string>
  readonly facets: Map<string, Map<string, FacetDelta>>
}

/** In the order in which the groups first occur. */
export function groupDeltas(events: readonly ControlEvent[]): readonly GroupDelta[] {
  const deltas = new Map<string, GroupDelta>()
  for (const event of events) {
    const key = `${event.row.projectId}:${event.row.groupHash}`
    let delta = deltas.get(key)
    if (delta === undefined) {
      delta = emptyDelta(event)
      deltas.set(key, delta)
    }
    addEvent(delta, event)
  }
  return [...deltas.values()]
}

export function seenMs(event: ControlEvent): number {
  return Math.floor(event.row.timestampMs)
}

function emptyDelta(event: ControlEvent): GroupDelta {
  const { projectId, groupHash } = event.row
  return {
    projectId,
    hash: groupHash,
    events: [],
    newest: event,
    mirrorCount: 0,
    firstMs: seenMs(event),
    lastMs: seenMs(event),
    firstRelease: null,
    lastRelease: null,
    hours: new Map(),
    kinds: new Map(),
    routes: new Map(),
    files: new Set(),
    users: new Set(),
    facets: new Map(),
  }
}

function addEvent(delta: GroupDelta, event: ControlEvent): void {
  const { row } = event
  const atMs = seenMs(event)
  delta.events.push(event)
  if (atMs >= seenMs(delta.newest)) delta.newest = event
  if (row.isMirror) delta.mirrorCount++
  delta.firstMs = Math.min(delta.firstMs, atMs)
  delta.lastMs = Math.max(delta.lastMs, atMs)
  if (row.release !== null) {
    const seen = { release: row.release, atMs }
    delta.firstRelease = earlier(delta.firstRelease, seen)
    delta.lastRelease = later(delta.lastRelease, seen)
  }
  count(delta.hours, Math.floor(atMs / HOUR_MS))
  count(delta.kinds, row.requestKind)
  if (row.route !== null) count(delta.routes, row.route)
  delta.files.add(`${row.day}:${row.retentionDays}`)
  if (row.user !== null) delta.users.add(row.user)
  addFacets(delta.facets, row.tags, atMs)
}

/** A key that an event carries twice counts once, with its first value: totals per key are counts of events. */
function addFacets(facets: GroupDelta['facets'], tags: ControlEvent['row']['tags'], atMs: number): void {
  let keyBefore: string | null = null
  for (const [key, value] of tags) {
    if (key === keyBefore) continue // sorted by key
    keyBefore = key
    let values = facets.get(key)
    if (values === undefined) {
      values = new Map()
      facets.set(key, values)
    }
    const facet = values.get(value)
    if (facet === undefined) {
      values.set(value, { count: 1, firstMs: atMs, lastMs: atMs })
    } else {
      facet.count++
      if (atMs < facet.firstMs) facet.firstMs = atMs
      if (atMs > facet.lastMs) facet.lastMs = atMs
    }
  }
}

export function earlier(a: ReleaseSeen | null, b: ReleaseSeen | null): ReleaseSeen | null {
  if (a === null || b === null) return a ?? b
  return b.atMs < a.atMs ? b : a
}

export function later(a: ReleaseSeen | null, b: ReleaseSeen | null): ReleaseSeen | null {
  if (a === null || b === null) return a ?? b
  return b.atMs >= a.atMs ? b : a
}

function count<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
