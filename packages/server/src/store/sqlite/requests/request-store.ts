/** The commit's side of the figures of requests: each segment and vital once, sums per series and hour. */

import type { BehindChange, SegmentMove } from '#alerts/rules/watch.ts'
import { hourOf } from '#base/durations.ts'
import { dayOf, type ProjectId } from '#base/ids.ts'
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
import type { Connection } from '../connection.ts'
import { ActionStore } from './action-store.ts'
import { CostStore } from './cost-store.ts'
import { countOnce } from './counted-once.ts'
import { FailureJoin } from './failure-join.ts'
import { joinHours } from './join-hours.ts'
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

export class RequestStore {
  readonly #db: Connection
  readonly #series: SeriesStore
  readonly #vitals: VitalStore
  readonly #failures: FailureJoin
  readonly #costs: CostStore
  readonly #actions: ActionStore
  readonly #moves: SegmentMoves
  readonly #routes: KnownRouteStore

  constructor(db: Connection) {
    this.#db = db
    this.#failures = new FailureJoin(db)
    this.#costs = new CostStore(db)
    this.#actions = new ActionStore(db)
    this.#routes = new KnownRouteStore(db)
    this.#series = new SeriesStore(db)
    this.#vitals = new VitalStore(db, this.#series)
    const seriesOf = (series: KeptSeries, hour: number) => this.#series.idOf(series, hour)
    this.#moves = new SegmentMoves(db, { failures: this.#failures, actions: this.#actions, seriesOf })
  }

  /** Forgets rows that may have changed. */
  discard(): void {
    this.#series.discard()
    this.#failures.discard()
    this.#costs.discard()
    this.#actions.discard()
    this.#moves.discard()
    this.#routes.discard()
  }

  /** Forgets what waits in memory and has reached its age. */
  forgetAged(nowMs: number): void {
    this.#failures.forgetBefore(dayOf(nowMs) - max('countedSpanDays'))
  }

  /** Keeps what was written. */
  committed(): void {
    this.#failures.committed()
  }

  /** After the requests of their batch. Answers what turned out to have failed behind a good status since the last call. */
  addFailures(failures: readonly FailureSeen[]): readonly BehindChange[] {
    this.#failures.failuresCame(failures)
    return this.#failures.takeChanges()
  }

  /** Segments that turned out to be of another place, or to have ended otherwise, since the last call. */
  takeMoves(): readonly SegmentMove[] {
    return this.#moves.takeMoves()
  }

  /** Server functions that got a name since the last call. */
  takeNamedFunctions(): readonly NamedServerFunction[] {
    return this.#routes.takeNamed()
  }

  /** Same as in `KnownRouteStore`. */
  functionOf(project: ProjectId, id: string): string | null {
    return this.#routes.functionOf(project, id)
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
