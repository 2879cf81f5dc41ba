/** The stages of figures of requests: each segment and vital once, sums per series and hour. */
import { setImmediate } from 'node:timers/promises'
import type { BehindChange, SegmentMove } from '#alerts/rules/watch.ts'
import { hourOf } from '#base/durations.ts'
import type { ProjectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { Vital } from '#model/span.ts'
import type { FailureSeen, RequestsPart, SegmentSeen } from '#ports/requests.ts'
import { countedEnd } from '#requests/segment-hints.ts'
import {
  addRequestSums,
  countedKey,
  emptyRequestSum,
  type KeptSeries,
  keptSeries,
  type RequestSum,
  type VitalSum,
} from '#requests/sums.ts'
import { type CountedBeside, isFailedHalf, mayBeToldTwice, toldAs, toldFirst } from '#requests/told-twice.ts'
import type { BatchProjects } from '../batch-projects.ts'
import type { Connection } from '../connection.ts'
import type { WritingStage } from '../stage.ts'
import { ActionStore } from './action-store.ts'
import { CostStore } from './cost-store.ts'
import { countOnce } from './counted-once.ts'
import { FailureJoin } from './failure-join.ts'
import { joinHours } from './join-hours.ts'
import type { RequestMemory } from './known-requests.ts'
import { KnownRouteStore, type NamedServerFunction } from './known-route-store.ts'
import { SegmentMoves } from './segment-moves.ts'
import { idOfPlace, SeriesStore } from './series-store.ts'
import {
  type HourSum,
  OF_ROUTES,
  type SampleActionSum,
  type SampleSum,
  writeSum,
  writeSums,
} from './sum-rows.ts'
import { VitalStore } from './vital-store.ts'

/** A half of a request, and the key of the other, which counts for it. */
interface CountedHalf {
  readonly half: SegmentSeen
  readonly countedSpan: string
}

const BESIDE_MAX = max('failureSegmentsMax')

export interface SampleSums {
  readonly actions: readonly SampleActionSum[]
  readonly requests: readonly SampleSum<RequestSum>[]
  readonly vitals: readonly (SampleSum<VitalSum> & { readonly vital: Vital })[]
}

interface RequestsAtHand {
  readonly parts: readonly RequestsPart[]
  readonly failures: readonly FailureSeen[]
  readonly projects: BatchProjects
  readonly remembered: RequestMemory
  readonly nowMs: number
}

/** Parts of a batch that requests look at. */
interface AtRequests extends Pick<RequestsAtHand, 'failures' | 'projects' | 'nowMs'> {
  readonly requests: readonly RequestsPart[]
  readonly remembered: { readonly requests: RequestMemory }
}

export interface RequestsStory {
  /** Segments that are counted for the first time. */
  readonly segments: readonly SegmentSeen[]
  /** Segments that turned out to be of another place, or to have ended otherwise. */
  readonly moves: readonly SegmentMove[]
  /** Requests that turned out to have failed behind a good status, or not to have. */
  readonly behind: readonly BehindChange[]
  readonly namedFunctions: readonly NamedServerFunction[]
}

/** Figures of requests, one part of the batch after the other: later segments are looked for among those that an earlier part wrote. */
export const REQUEST_STAGE: WritingStage<RequestsAtHand, AtRequests, RequestsStory> = {
  name: 'requests',
  pick({ requests: parts, failures, projects, remembered: { requests: remembered }, nowMs }) {
    if (parts.length === 0 && failures.length === 0) return null
    return { parts, failures, projects, remembered, nowMs }
  },
  async save(db, { parts, failures, projects, remembered, nowMs }) {
    const requests = new RequestsOfBatch(db, remembered)
    const isKnown = (project: ProjectId) => projects.has(project)
    const segments = parts.flatMap((part) => requests.add(part, { nowMs, isKnown }))
    await setImmediate()
    const behind = requests.addFailures(failures)
    return { segments, behind, moves: requests.moves, namedFunctions: requests.namedFunctions }
  },
}

/** The route that the name of a server function makes; `null` where nobody has told it. */
export function functionOf(
  db: Connection,
  { routes }: RequestMemory,
  named: { readonly project: ProjectId; readonly id: string },
): string | null {
  return new KnownRouteStore(db, routes).functionOf(named.project, named.id)
}

export class RequestsOfBatch {
  readonly #db: Connection
  readonly #series: SeriesStore
  readonly #vitals: VitalStore
  readonly #failures: FailureJoin
  readonly #costs: CostStore
  readonly #actions: ActionStore
  readonly #moves: SegmentMoves
  readonly #routes: KnownRouteStore

  constructor(db: Connection, memory: RequestMemory) {
    this.#db = db
    this.#failures = new FailureJoin(db, memory.failures)
    this.#costs = new CostStore(db, memory.costs)
    this.#actions = new ActionStore(db, memory.actions)
    this.#routes = new KnownRouteStore(db, memory.routes)
    this.#series = new SeriesStore(db, memory.series)
    this.#vitals = new VitalStore(db, this.#series, memory.waitingVitals)
    const seriesOf = (series: KeptSeries, hour: number) => this.#series.idOf(series, hour)
    this.#moves = new SegmentMoves(db, memory.hints, {
      ...{ failures: this.#failures, actions: this.#actions },
      seriesOf,
    })
  }

  /** After the requests of their batch. Answers what turned out to have failed behind a good status since the last call. */
  addFailures(failures: readonly FailureSeen[]): readonly BehindChange[] {
    this.#failures.failuresCame(failures)
    return this.#failures.takeChanges()
  }

  /** Segments that turned out to be of another place, or to have ended otherwise. */
  get moves(): readonly SegmentMove[] {
    return this.#moves.takeMoves()
  }

  /** Server functions that got a name. */
  get namedFunctions(): readonly NamedServerFunction[] {
    return this.#routes.takeNamed()
  }

  /** Answers the segments that are counted for the first time. */
  add(
    part: RequestsPart,
    { nowMs, isKnown }: { readonly nowMs: number; readonly isKnown: (project: ProjectId) => boolean },
  ): readonly SegmentSeen[] {
    const ofKnown = ({ projectId }: { readonly projectId: ProjectId }) => isKnown(projectId)
    this.#actions.named(part.actionNames.filter(ofKnown))
    this.#moves.hintsCame(part.hints.filter(ofKnown))
    const halves: CountedHalf[] = []
    const counted = this.#countSegments(toldFirst(part.segments).filter(ofKnown), halves)
    this.#actions.add(counted)
    for (const { half, countedSpan } of halves) {
      this.#moves.halfCame(half, countedSpan)
      if (isFailedHalf(half)) this.#failures.halfCame({ ...half, countedSpan })
    }
    this.#moves.finishMoves()
    this.#failures.segmentsCame(counted)
    this.#routes.segmentsCame(counted)
    this.#vitals.pagesCame(counted)
    this.#vitals.add(part.vitals.filter(ofKnown))
    this.#costs.add(part.costs.filter(ofKnown))
    joinHours(this.#db, nowMs)
    return counted
  }

  /** Sums of a sample: as those of segments and vitals, without these. */
  addSums({ requests, vitals, actions }: SampleSums): void {
    for (const { series, ...row } of requests)
      writeSum(this.#db, OF_ROUTES, { ...row, seriesId: this.#series.idOf(keptSeries(series), row.hour) })
    for (const { series, ...row } of vitals)
      this.#vitals.write([{ ...row, seriesId: this.#series.idOf(keptSeries(series), row.hour) }])
    this.#actions.addSums(actions)
  }

  /** Counts segments in their order: one that may be told twice is looked for among those before it. */
  #countSegments(segments: readonly SegmentSeen[], halves: CountedHalf[]): readonly SegmentSeen[] {
    const sums = new Map<string, HourSum<RequestSum>>()
    const counted: SegmentSeen[] = []
    let waiting: WaitingSegment[] = []
    const beside = this.#besideOf(segments.filter(mayBeToldTwice))
    const traces = new Set<string>()
    this.#moves.loadHints(segments)
    for (const seen of segments) {
      const trace = traceName(seen)
      if (mayBeToldTwice(seen) && traces.has(trace)) {
        counted.push(...this.#countWaiting(sums, waiting))
        waiting = []
        beside.set(trace, this.#besideOf([seen]).get(trace) ?? [])
      }
      const told = mayBeToldTwice(seen) ? toldAs(seen, beside.get(trace) ?? []) : undefined
      if (told === undefined) {
        waiting.push({ seen, segment: this.#moves.asHinted(seen) })
        traces.add(trace)
      } else if (seen.sandbox !== undefined) halves.push({ half: seen, countedSpan: told.span })
    }
    counted.push(...this.#countWaiting(sums, waiting))
    this.#moves.finishHints()
    writeSums(this.#db, OF_ROUTES, [...sums.values()])
    return counted
  }

  /** Answers those that are not counted yet. */
  #countWaiting(
    sums: Map<string, HourSum<RequestSum>>,
    waiting: readonly WaitingSegment[],
  ): readonly SegmentSeen[] {
    const places = waiting.map(({ segment }) => ({ series: keptSeries(segment), hour: hourOf(segment.atMs) }))
    this.#series.make(places)
    const rows = waiting.map(({ segment }, at) => ({
      of: segment,
      key: countedKey(segment.traceId, segment.segmentId),
      seriesId: idOfPlace(this.#series, places[at]),
      ended: countedEnd(segment),
      tookMs: segment.isOpen === true || segment.sandbox !== undefined ? segment.durationMs : null,
    }))
    const isFirst = countOnce(this.#db, rows)
    return waiting.flatMap(({ seen, segment }, at) => {
      const seriesId = rows[at]?.seriesId
      if (isFirst[at] !== true || seriesId === undefined) return []
      const hour = hourOf(segment.atMs)
      const key = `${seriesId}:${hour}`
      const sum = sums.get(key) ?? { seriesId, hour, sum: emptyRequestSum() }
      sums.set(key, sum)
      addRequestSums(sum.sum, segment)
      if (segment.kind !== seen.kind || segment.end !== seen.end) this.#moves.countedAsTold(seen)
      return [segment]
    })
  }

  /** Returns counted segments by trace. Those of a trace are few, and those for which it is asked fewer. */
  #besideOf(segments: readonly SegmentSeen[]): Map<string, readonly CountedBeside[]> {
    const sql = `SELECT CAST(c.span AS TEXT) AS span, c.at_ms AS atMs, c.duration_ms AS durationMs, c.ended AS end,
        s.kind, s.route
      FROM counted_spans AS c JOIN request_series AS s ON s.id = c.series_id
      WHERE c.project_id = ? AND c.trace = ? AND s.kind <> 'browser' LIMIT ${BESIDE_MAX}`
    const rows = this.#db.allEach<CountedBeside>(
      sql,
      segments.map(({ projectId, traceId }) => [projectId, countedKey(traceId, '')[0]]),
    )
    return new Map(segments.map((segment, at) => [traceName(segment), rows[at] ?? []]))
  }
}

interface WaitingSegment {
  readonly seen: SegmentSeen
  /** With what was told of it before. */
  readonly segment: SegmentSeen
}

/** Names the trace as rows of counted spans do: ids that are equal in their first 64 bits are one. */
function traceName({ projectId, traceId }: SegmentSeen): string {
  return `${projectId}:${countedKey(traceId, '')[0]}`
}
