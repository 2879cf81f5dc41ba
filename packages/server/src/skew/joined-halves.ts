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
  /** Position among candidates: stored ones come first, by their ids. */
  readonly order: number
  readonly org: OrgId | undefined
  readonly kept: KeptClick | null
  readonly click: StaleClick
}

/** Clicks among which the other half of one is looked for, by what has to be alike. */
class ClicksNear {
  readonly #orgs: ReadonlyMap<ProjectId, OrgId>
  readonly #candidates = new Map<StaleClick, Candidate>()
  /** Candidates by trace, sorted by `order`. */
  readonly #byTrace = new Map<string, Candidate[]>()
  /** Candidates by time, sorted by it. */
  readonly #byTime = new Map<string, Candidate[]>()

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
    remove(this.#byTrace.get(traceKey(candidate.org, before.traceId)), candidate, byOrder)
    remove(this.#byTime.get(timeKey(before.projectId, timeOf(before.atMs))), candidate, byTime)
    this.#put({ ...candidate, click: after })
    return candidate.kept
  }

  /** Returns clicks of the trace in the whole organisation, and of about the time in the project; the oldest first. */
  of(seen: StaleClickSeen): readonly StaleClick[] {
    const ofTrace =
      seen.traceId === null
        ? []
        : (this.#byTrace.get(traceKey(this.#orgs.get(seen.projectId), seen.traceId)) ?? [])
    const newest = ofTrace.slice(-NEAR_MAX)
    const first = this.#firstOf(seen)
    return [...new Set([...newest, ...first])].sort(byOrder).map(({ click }) => click)
  }

  /** Looks at no more than it answers, however many are near. */
  #firstOf(seen: StaleClickSeen): readonly Candidate[] {
    const { from, until } = nearTimes(seen)
    const first: Candidate[] = []
    for (let time = timeOf(from); time <= timeOf(until); time++) {
      const candidates = this.#byTime.get(timeKey(seen.projectId, time)) ?? []
      for (let at = placeOf(candidates, ({ click }) => click.atMs - from); at < candidates.length; at++) {
        const candidate = candidates[at]
        if (candidate === undefined || candidate.click.atMs > until || first.length >= NEAR_MAX) return first
        first.push(candidate)
      }
    }
    return first
  }

  #put(candidate: Candidate): void {
    const { click } = candidate
    this.#candidates.set(click, candidate)
    if (click.traceId !== null)
      addTo(this.#byTrace, traceKey(candidate.org, click.traceId), candidate, byOrder)
    addTo(this.#byTime, timeKey(click.projectId, timeOf(click.atMs)), candidate, byTime)
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

type Comparing = (a: Candidate, b: Candidate) => number

const byOrder: Comparing = (a, b) => a.order - b.order
const byTime: Comparing = (a, b) => a.click.atMs - b.click.atMs || byOrder(a, b)

/** Returns the place of the first that is not before what is looked for. */
function placeOf(candidates: readonly Candidate[], compared: (candidate: Candidate) => number): number {
  let [from, until] = [0, candidates.length]
  while (from < until) {
    const middle = (from + until) >>> 1
    const candidate = candidates[middle]
    if (candidate !== undefined && compared(candidate) < 0) from = middle + 1
    else until = middle
  }
  return from
}

function addTo(lists: Map<string, Candidate[]>, key: string, candidate: Candidate, compare: Comparing): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [candidate])
  else
    list.splice(
      placeOf(list, (other) => compare(other, candidate)),
      0,
      candidate,
    )
}

function remove(list: Candidate[] | undefined, candidate: Candidate, compare: Comparing): void {
  const at = list === undefined ? -1 : placeOf(list, (other) => compare(other, candidate))
  if (list?.[at] === candidate) list.splice(at, 1)
}
