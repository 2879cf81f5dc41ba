/** The commit's side of the figures of requests: each segment and vital once, sums per series and hour. */
import type { BehindChange, SegmentMove } from '#alerts/rules/watch.ts'
import { dayOf, type ProjectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { Vital } from '#model/span.ts'
import type { FailureSeen, RequestsPart, SegmentSeen, VitalSeen } from '#ports/requests.ts'
import { countedEnd } from '#requests/segment-hints.ts'
import {
  addSegment,
  addVital,
  countedKey,
  emptyRequestSum,
  emptyVitalSum,
  hourOf,
  type KeptSeries,
  keptSeries,
  type RequestSum,
  roomFor,
  type VitalSum,
} from '#requests/sums.ts'
import { type CountedBeside, isFailedHalf, mayBeToldTwice, toldAs, toldFirst } from '#requests/told-twice.ts'
import type { Connection } from '../connection.ts'
import { forgetOldest } from '../rows/forget-oldest.ts'
import { ActionStore } from './action-store.ts'
import { CostStore } from './cost-store.ts'
import { FailureJoin } from './failure-join.ts'
import { joinHours } from './join-hours.ts'
import { KnownRouteStore, type NamedFunction } from './known-route-store.ts'
import { SegmentMoves } from './segment-moves.ts'
import {
  type HourSum,
  OF_ROUTES,
  type SampleActionSum,
  type SampleSum,
  touchSeries,
  writeSum,
} from './sum-rows.ts'

/** Ids of series that are remembered: more than a busy installation has. */
const KNOWN_MAX = 50_000
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
  readonly #series = new Map<string, number>()
  /** Series of a project, and sorts of spans of a project and day: as many as there are. */
  readonly #counts = new Map<string, number>()
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
    const seriesOf = (series: KeptSeries, hour: number) => this.#seriesOf(series, hour)
    this.#moves = new SegmentMoves(db, { failures: this.#failures, actions: this.#actions, seriesOf })
  }

  /** Forgets rows that may have changed. */
  discard(): void {
    this.#series.clear()
    this.#counts.clear()
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
  takeNamedFunctions(): readonly NamedFunction[] {
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
    for (const named of part.actionNames) if (isKnown(named.projectId)) this.#actions.named(named)
    const sums = new Map<string, HourSum<RequestSum>>()
    for (const hint of part.hints) if (isKnown(hint.projectId)) this.#moves.hintCame(hint)
    const halves: CountedHalf[] = []
    const counted = toldFirst(part.segments).flatMap((seen) => {
      if (!isKnown(seen.projectId)) return []
      const told = this.#toldAs(seen)
      const segment = told === undefined ? this.#moves.asHinted(seen) : seen
      if (told === undefined) {
        if (!this.#addSegment(sums, segment)) return []
        if (segment.kind !== seen.kind || segment.end !== seen.end) this.#moves.countedAsTold(seen)
        return [segment]
      }
      if (segment.sandbox !== undefined) halves.push({ half: segment, countedSpan: told.span })
      return []
    })
    for (const sum of sums.values()) writeSum(this.#db, OF_ROUTES, sum)
    this.#actions.add(counted)
    for (const { half, countedSpan } of halves) {
      this.#moves.halfCame(half, countedSpan)
      if (isFailedHalf(half)) this.#failures.halfCame({ ...half, countedSpan })
    }
    for (const segment of counted) {
      this.#failures.segmentCame(segment)
      this.#routes.segmentCame(segment)
    }
    const vitals = new Map<string, HourSum<VitalSum> & { readonly vital: Vital }>()
    for (const vital of part.vitals) if (isKnown(vital.projectId)) this.#addVital(vitals, vital)
    for (const sum of vitals.values()) this.#writeVital(sum)
    for (const cost of part.costs) if (isKnown(cost.projectId)) this.#costs.add(cost)
    joinHours(this.#db, nowMs)
    return counted
  }

  /** Sums of a sample: as those of segments and vitals, without these. */
  addSums({ requests, vitals, actions }: SampleSums): void {
    for (const { series, ...row } of requests)
      writeSum(this.#db, OF_ROUTES, { ...row, seriesId: this.#seriesOf(keptSeries(series), row.hour) })
    for (const { series, ...row } of vitals)
      this.#writeVital({ ...row, seriesId: this.#seriesOf(keptSeries(series), row.hour) })
    this.#actions.addSums(actions)
  }

  #toldAs(segment: SegmentSeen): CountedBeside | undefined {
    return mayBeToldTwice(segment) ? toldAs(segment, this.#countedBeside(segment)) : undefined
  }

  /** False for one that is counted already. */
  #addSegment(sums: Map<string, HourSum<RequestSum>>, segment: SegmentSeen): boolean {
    const seriesId = this.#seriesOf(keptSeries(segment), hourOf(segment.atMs))
    if (
      !this.#isFirst(segment, countedKey(segment.traceId, segment.segmentId), {
        seriesId,
        ended: countedEnd(segment),
        tookMs: segment.isOpen === true || segment.sandbox !== undefined ? segment.durationMs : null,
      })
    )
      return false
    const hour = hourOf(segment.atMs)
    const key = `${seriesId}:${hour}`
    const sum = sums.get(key) ?? { seriesId, hour, sum: emptyRequestSum() }
    sums.set(key, sum)
    addSegment(sum.sum, segment)
    return true
  }

  /** Segments of a trace are few, and those for which it is asked fewer. */
  #countedBeside({ projectId, traceId }: SegmentSeen): readonly CountedBeside[] {
    const sql = `SELECT CAST(c.span AS TEXT) AS span, c.at_ms AS atMs, c.duration_ms AS durationMs, c.ended AS end,
        s.kind, s.route
      FROM counted_spans AS c JOIN request_series AS s ON s.id = c.series_id
      WHERE c.project_id = ? AND c.trace = ? AND s.kind <> 'browser' LIMIT ${BESIDE_MAX}`
    return this.#db.all<CountedBeside>(sql, [projectId, countedKey(traceId, '')[0]])
  }

  #addVital(sums: Map<string, HourSum<VitalSum> & { readonly vital: Vital }>, seen: VitalSeen): void {
    const { vital, traceId, spanId, atMs } = seen
    const seriesId = this.#seriesOf(keptSeries(seen), hourOf(atMs))
    const key = countedKey(traceId, spanId, vital)
    if (!this.#isFirst({ ...seen, durationMs: 0 }, key, { seriesId, ended: vital, tookMs: null })) return
    const hour = hourOf(atMs)
    const name = `${seriesId}:${vital}:${hour}`
    const sum = sums.get(name) ?? { seriesId, hour, vital, sum: emptyVitalSum() }
    sums.set(name, sum)
    addVital(sum.sum, seen)
  }

  /** False for what is counted already. */
  #isFirst(
    {
      projectId,
      receivedMs,
      atMs,
      durationMs,
      weight,
    }: Pick<SegmentSeen, 'projectId' | 'receivedMs' | 'atMs' | 'durationMs' | 'weight'>,
    [trace, span]: readonly [bigint, bigint],
    {
      seriesId,
      ended,
      tookMs,
    }: { readonly seriesId: number; readonly ended: string; readonly tookMs: number | null },
  ): boolean {
    const sql = `INSERT OR IGNORE INTO counted_spans
        (project_id, trace, span, day, series_id, at_ms, duration_ms, ended, weight, took_ms)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
    const place = [projectId, trace, span, dayOf(receivedMs), seriesId]
    const times = [Math.floor(atMs), Math.ceil(durationMs)]
    return this.#db.run(sql, [...place, ...times, ended, weight, tookMs]).changes > 0
  }

  #seriesOf(series: KeptSeries, hour: number): number {
    const { projectId, kind, route, environment, release } = series
    const key = JSON.stringify([projectId, kind, route, environment, release])
    const known = this.#series.get(key)
    if (known !== undefined) return known
    const id = this.#findSeries(series) ?? this.#newSeries(series, hour)
    forgetOldest(this.#series, KNOWN_MAX)
    this.#series.set(key, id)
    return id
  }

  #findSeries({ projectId, kind, route, environment, release }: KeptSeries): number | null {
    const sql = `SELECT id FROM request_series
      WHERE project_id = ? AND kind = ? AND route = ? AND environment = ? AND release = ?`
    return this.#db.get<{ id: number }>(sql, [projectId, kind, route, environment, release])?.id ?? null
  }

  #newSeries(series: KeptSeries, hour: number): number {
    const counted = 'SELECT count(*) AS count FROM request_series WHERE project_id = ?'
    const count = this.#countOf(`${series.projectId}`, counted, [series.projectId])
    const room = roomFor(series, { count, has: (other) => this.#findSeries(other) !== null })
    const found = room === series ? null : this.#findSeries(room)
    if (found !== null) return found
    const { projectId, kind, route, environment, release } = room
    const sql = `INSERT INTO request_series (project_id, kind, route, environment, release, last_hour)
      VALUES (?, ?, ?, ?, ?, ?)`
    this.#counts.set(`${projectId}`, count + 1)
    return this.#db.run(sql, [projectId, kind, route, environment, release, hour]).lastId
  }

  /** Counted once: a flood of new names would count all of them for each. */
  #countOf(key: string, sql: string, params: readonly number[]): number {
    const known = this.#counts.get(key)
    if (known !== undefined) return known
    forgetOldest(this.#counts, KNOWN_MAX)
    const count = this.#db.get<{ count: number }>(sql, params)?.count ?? 0
    this.#counts.set(key, count)
    return count
  }

  #writeVital({
    seriesId,
    hour,
    hours = 1,
    vital,
    sum,
  }: HourSum<VitalSum> & { readonly vital: Vital }): void {
    const find = `SELECT hour, sketch FROM vital_sums WHERE series_id = :series AND vital = :vital AND hour <= :hour
      AND hour + hours > :hour ORDER BY hour DESC LIMIT 1`
    const kept = this.#db.get<{ hour: number; sketch: Uint8Array }>(find, { series: seriesId, vital, hour })
    if (kept !== undefined) sum.sketch.merge(kept.sketch)
    const write = `INSERT INTO vital_sums (series_id, vital, hour, hours, count, good, poor, sketch)
      VALUES (:series, :vital, :hour, :hours, :count, :good, :poor, :sketch)
      ON CONFLICT (series_id, vital, hour) DO UPDATE SET count = count + excluded.count, good = good + excluded.good,
        poor = poor + excluded.poor, sketch = excluded.sketch`
    const { count, good, poor, sketch } = sum
    const place = { series: seriesId, vital, hour: kept?.hour ?? hour, hours }
    this.#db.run(write, { ...place, count, good, poor, sketch: sketch.toBytes() })
    touchSeries(this.#db, OF_ROUTES, { seriesId, hour })
  }
}
