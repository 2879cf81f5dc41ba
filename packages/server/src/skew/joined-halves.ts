/** Halves of stale clicks of one batch, in their order: each finds the clicks that are stored, and those that earlier halves began. */
import type { OrgId, ProjectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { StaleClickSeen } from '#ports/skew.ts'
import { clickOf, firstHalf, nearTimes, type StaleClick, TOGETHER_MS, withHalf } from './clicks.ts'

const NEAR_MAX = max('staleNearMax')

/** A click as it is stored. */
export interface KeptClick {
  readonly id: number
  /** Organisation of its project. */
  readonly orgId: OrgId
  /** Series and slot that count it. */
  readonly seriesId: number
  readonly slot: number
  readonly click: StaleClick
}

/** A click that halves of the batch are of. */
export interface TouchedClick {
  /** `null` for one that began in the batch. */
  readonly stored: KeptClick | null
  /** Not where the project has as many as it may: it counts, and no other half finds it. */
  readonly isKept: boolean
  /** By whom it was told first. */
  readonly receivedMs: number
  /** With all halves of the batch. */
  readonly click: StaleClick
}

/** A half, and what its click is with it. */
export interface HalfStep {
  /** Place of its click among those touched. */
  readonly at: number
  readonly click: StaleClick
}

export interface JoinedHalves {
  readonly steps: readonly HalfStep[]
  readonly touched: readonly TouchedClick[]
}

interface ClicksThere {
  readonly stored: readonly KeptClick[]
  /** Clicks that are stored of each project. */
  readonly counts: ReadonlyMap<ProjectId, number>
  /** Limits to the projects of the halves. */
  readonly orgs: ReadonlyMap<ProjectId, OrgId>
}

export function joinHalves(
  seen: readonly StaleClickSeen[],
  { stored, counts: before, orgs }: ClicksThere,
): JoinedHalves {
  const near = new ClicksNear(orgs)
  for (const kept of stored.toSorted((a, b) => a.id - b.id)) near.add(kept.click, kept.orgId, kept)
  const counts = new Map(before)
  const count = (project: ProjectId, more: number) => counts.set(project, (counts.get(project) ?? 0) + more)
  const touched: TouchedClick[] = []
  const places = new Map<StaleClick, number>()
  const steps = seen.map((half): HalfStep => {
    const known = clickOf(half, near.of(half))
    if (known === null) {
      const click = firstHalf(half)
      const isKept = (counts.get(half.projectId) ?? 0) < max('staleClicksPerProjectMax')
      const at = touched.push({ stored: null, isKept, receivedMs: half.receivedMs, click }) - 1
      if (isKept) {
        count(half.projectId, 1)
        near.add(click, orgs.get(half.projectId), null)
        places.set(click, at)
      }
      return { at, click }
    }
    const click = withHalf(known, half)
    const kept = near.change(known, click)
    const at = places.get(known) ?? touched.length
    places.delete(known)
    places.set(click, at)
    const { receivedMs } = known
    touched[at] = { ...(touched[at] ?? { stored: kept, isKept: true, receivedMs }), click }
    count(known.projectId, -1)
    count(click.projectId, 1)
    return { at, click }
  })
  return { steps, touched }
}

interface Candidate {
  /** Those that are stored come first, by their ids. */
  readonly order: number
  readonly org: OrgId | undefined
  readonly kept: KeptClick | null
  readonly click: StaleClick
}

/** Clicks among which the other half of one is looked for, by what has to be alike. */
class ClicksNear {
  readonly #orgs: ReadonlyMap<ProjectId, OrgId>
  readonly #candidates = new Map<StaleClick, Candidate>()
  readonly #byTrace = new Map<string, Set<Candidate>>()
  readonly #byTime = new Map<string, Set<Candidate>>()

  constructor(orgs: ReadonlyMap<ProjectId, OrgId>) {
    this.#orgs = orgs
  }

  add(click: StaleClick, org: OrgId | undefined, kept: KeptClick | null): void {
    this.#put({ order: this.#candidates.size, org, kept, click })
  }

  /** Answers what is stored of it. */
  change(before: StaleClick, after: StaleClick): KeptClick | null {
    const candidate = this.#candidates.get(before)
    if (candidate === undefined) return null
    this.#candidates.delete(before)
    this.#byTrace.get(traceKey(candidate.org, before.traceId))?.delete(candidate)
    this.#byTime.get(timeKey(before.projectId, timeOf(before.atMs)))?.delete(candidate)
    this.#put({ ...candidate, click: after })
    return candidate.kept
  }

  /** Returns clicks of the trace in the whole organisation, and of about the time in the project; the oldest first. */
  of(seen: StaleClickSeen): readonly StaleClick[] {
    const ofTrace =
      seen.traceId === null
        ? []
        : (this.#byTrace.get(traceKey(this.#orgs.get(seen.projectId), seen.traceId)) ?? [])
    const newest = [...ofTrace].sort((a, b) => b.order - a.order).slice(0, NEAR_MAX)
    const { from, until } = nearTimes(seen)
    const ofTime: Candidate[] = []
    for (let time = timeOf(from); time <= timeOf(until); time++)
      for (const candidate of this.#byTime.get(timeKey(seen.projectId, time)) ?? [])
        if (candidate.click.atMs >= from && candidate.click.atMs <= until) ofTime.push(candidate)
    const first = ofTime.sort((a, b) => a.click.atMs - b.click.atMs || a.order - b.order).slice(0, NEAR_MAX)
    return [...new Set([...newest, ...first])].sort((a, b) => a.order - b.order).map(({ click }) => click)
  }

  #put(candidate: Candidate): void {
    const { click } = candidate
    this.#candidates.set(click, candidate)
    if (click.traceId !== null) addTo(this.#byTrace, traceKey(candidate.org, click.traceId), candidate)
    addTo(this.#byTime, timeKey(click.projectId, timeOf(click.atMs)), candidate)
  }
}

function traceKey(org: OrgId | undefined, traceId: string | null): string {
  return `${org} ${traceId}`
}

function timeOf(atMs: number): number {
  return Math.floor(atMs / TOGETHER_MS)
}

function timeKey(project: ProjectId, time: number): string {
  return `${project} ${time}`
}

function addTo<T>(sets: Map<string, Set<T>>, key: string, value: T): void {
  const set = sets.get(key)
  if (set === undefined) sets.set(key, new Set([value]))
  else set.add(value)
}
