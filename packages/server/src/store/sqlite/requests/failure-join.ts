/**
 * Failures that only error events tell of, joined to the segments they belong to, whichever comes first. A failure holds
 * the segment that it is nearest to; one that answered and is held counts as failed behind a good status. When a nearer
 * segment comes, the failure moves: figures end the same in every order of arrival.
 */

import type { BehindChange } from '#alerts/rules/watch.ts'
import { hourOf } from '#base/durations.ts'
import { dayOf, type ProjectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { FailureSeen, SegmentSeen } from '#ports/requests.ts'
import { FUNCTIONS, failureDistance, joinedRoute } from '#requests/failures.ts'
import type { CountedEnd } from '#requests/segment-hints.ts'
import { countedKey, eventKey, keptRoute } from '#requests/sums.ts'
import type { Connection, SqlParams } from '../connection.ts'
import type { Memory } from '../memory.ts'
import { hashPlace } from '../rows/place-key.ts'
import { rememberedCount } from './remembered-count.ts'
import { addBehind, OF_ACTIONS, type SumTables } from './sum-rows.ts'
import { WaitingFailures } from './waiting-failures.ts'

const SLACK_MS = max('failureSlackMs')
const OF_TRACE_MAX = max('failuresPerTraceMax')
const OF_PROJECT_MAX = max('failuresPerProjectMax')
const SEGMENTS_MAX = max('failureSegmentsMax')

/** Keys as text: they have more digits than a number. */
interface CountedSegment {
  readonly span: string
  readonly atMs: number
  /** Duration in whole milliseconds. */
  readonly durationMs: number
  /** Exactly, where it may be counted elsewhere yet; else `null`. */
  readonly tookMs: number | null
  readonly ended: string
  readonly isBehind: number
  readonly seriesId: number
  /** `null`: it is no action. */
  readonly actionSeriesId: number | null
  readonly weight: number
}

interface HeldSegment {
  readonly place: Place
  readonly segment: CountedSegment
}

interface NearSegment {
  readonly segment: CountedSegment
  readonly distance: number
}

interface KnownFailure {
  readonly event: string
  readonly atMs: number
  readonly span: string | null
  readonly distance: number | null
}

/** A segment that failed and is not counted, and the key of the one that counts for it. */
interface FailedHalf extends Pick<SegmentSeen, 'projectId' | 'traceId'> {
  readonly countedSpan: string
}

/** Place where a counted segment is looked for. */
interface PlacedSegment extends Pick<SegmentSeen, 'projectId' | 'kind' | 'route' | 'atMs' | 'durationMs'> {
  readonly ended: CountedEnd
  readonly trace: bigint
  readonly span: bigint
}

interface Place {
  readonly project: ProjectId
  readonly trace: bigint
}

/** Traces of a list that have a segment; keys as text, as above. */
const TRACED = `SELECT DISTINCT CAST(trace AS TEXT) AS trace FROM counted_spans
  WHERE project_id = ? AND trace IN (SELECT value FROM json_each(?))`
const OF_TRACES = `SELECT CAST(trace AS TEXT) AS trace, count(*) AS count FROM request_failures
  WHERE project_id = ? AND trace IN (SELECT value FROM json_each(?)) GROUP BY request_failures.trace`

type FailureMemory = ReturnType<typeof rememberFailures>

export function rememberFailures(memory: Memory) {
  const perProject = { most: max('projectCountsRememberedMax') }
  return {
    /** How many a project has. */
    counts: memory.keep<ProjectId, number>(perProject),
    /** Projects of which a segment or vital is counted. */
    withSegments: memory.keep<ProjectId, true>(perProject),
    waiting: new WaitingFailures(),
  }
}

export class FailureJoin {
  readonly #db: Connection
  readonly #counts: FailureMemory['counts']
  readonly #withSegments: FailureMemory['withSegments']
  readonly #waiting: WaitingFailures
  readonly #tables: SumTables
  #changes: BehindChange[] = []

  /** `tables`: those of routes. */
  constructor(db: Connection, { counts, withSegments, waiting }: FailureMemory, tables: SumTables) {
    this.#db = db
    this.#tables = tables
    this.#counts = counts
    this.#withSegments = withSegments
    this.#waiting = waiting
  }

  /**
   * Takes failures of a batch. In a project without any segment they only wait: most projects send no spans
   * at all.
   */
  failuresCame(failures: readonly FailureSeen[]): void {
    const byProject = Map.groupBy(failures, ({ projectId }) => projectId)
    this.#loadSegments([...byProject.keys()])
    for (const [project, ofProject] of byProject) {
      if (this.#withSegments.get(project) === true) {
        this.#writeWaiting(project)
        this.#write(project, ofProject)
      } else this.#waiting.add(project, ofProject)
    }
  }

  /** Takes segments that are counted for the first time, after their sums are written. */
  segmentsCame(segments: readonly SegmentSeen[]): void {
    const placed = segments.map((segment): PlacedSegment => {
      const [trace, span] = countedKey(segment.traceId, segment.segmentId)
      return { ...segment, ended: segment.end, trace, span }
    })
    for (const projectId of new Set(segments.map((segment) => segment.projectId)))
      this.#segmentSeen(projectId)
    // Most projects have none: nothing is asked for their segments.
    const asked = placed.filter(({ projectId }) => this.#countOf(projectId) > 0)
    const near = this.#db.allEach<KnownFailure>(FAILURES_NEAR, asked.map(nearParams))
    for (const [at, segment] of asked.entries()) if (near[at]?.length !== 0) this.segmentMoved(segment)
  }

  #segmentSeen(project: ProjectId): void {
    this.#withSegments.set(project, true)
    this.#writeWaiting(project)
  }

  /** The same of one that turned out to be of another kind or route; those that it held it holds on to. */
  segmentMoved(placed: PlacedSegment): void {
    const { trace, span, ...segment } = placed
    this.#segmentSeen(segment.projectId)
    if (this.#countOf(segment.projectId) === 0) return
    const place = { project: segment.projectId, trace }
    for (const failure of this.#db.all<KnownFailure>(FAILURES_NEAR, nearParams(placed))) {
      const distance = failureDistance(segment, failure.atMs)
      if (distance === null || (failure.distance !== null && failure.distance <= distance)) continue
      this.#db.run(
        `UPDATE request_failures SET span = :span, distance = :distance
          WHERE project_id = :project AND trace = :trace AND event = :event`,
        { ...place, span, distance, event: BigInt(failure.event) },
      )
      if (failure.span !== null) this.#release(place, failure.span)
      const counted = this.#segment(place, span)
      if (counted !== undefined) this.#hold([{ place, segment: counted }])
    }
  }

  /** After the sums of its batch are written. */
  halfCame({ projectId, traceId, countedSpan }: FailedHalf): void {
    const place = { project: projectId, trace: countedKey(traceId, '')[0] }
    const counted = this.#segment(place, BigInt(countedSpan))
    if (counted !== undefined) this.#hold([{ place, segment: counted }])
  }

  /** Returns what was held or released since the last call. */
  takeChanges(): readonly BehindChange[] {
    const changes = this.#changes
    this.#changes = []
    return changes
  }

  /** Finds out which of those projects have a segment. */
  #loadSegments(projects: readonly ProjectId[]): void {
    const asked = projects.filter((project) => this.#withSegments.get(project) === undefined)
    if (asked.length === 0) return
    const sql = `SELECT p.value AS project FROM json_each(?) p
      WHERE EXISTS (SELECT 1 FROM counted_spans c WHERE c.project_id = p.value)`
    for (const { project } of this.#db.all<{ project: ProjectId }>(sql, [JSON.stringify(asked)]))
      this.#withSegments.set(project, true)
  }

  #writeWaiting(project: ProjectId): void {
    const waiting = this.#waiting.toWrite(project)
    if (waiting.length > 0) this.#write(project, waiting)
  }

  /** Writes failures; asks once for all of them, since most errors are of a trace without a segment. */
  #write(project: ProjectId, failures: readonly FailureSeen[]): void {
    if (this.#countOf(project) >= OF_PROJECT_MAX) return
    const places = failures.map(({ traceId }) => ({ project, trace: countedKey(traceId, '')[0] }))
    const traces = `[${[...new Set(places.map(({ trace }) => trace))].join()}]`
    const traced = new Set(
      this.#db.all<{ trace: string }>(TRACED, [project, traces]).map(({ trace }) => trace),
    )
    const known = this.#db.all<{ trace: string; count: number }>(OF_TRACES, [project, traces])
    const counts = new Map(known.map(({ trace, count }) => [trace, count]))
    const knownEvents = this.#db.getEach(
      'SELECT 1 FROM request_failures WHERE project_id = ? AND trace = ? AND event = ?',
      failures.map(({ eventId }, at) => [project, places[at]?.trace ?? 0n, eventKey(eventId)]),
    )
    const near = this.#segmentsNear(failures, places, traced)
    const rows: SqlParams[] = []
    const held: HeldSegment[] = []
    const written = new Set<string>()
    for (const [at, failure] of failures.entries()) {
      const place = places[at]
      if (place === undefined || this.#countOf(project) >= OF_PROJECT_MAX) break
      const trace = String(place.trace)
      const count = counts.get(trace) ?? 0
      const event = `${trace}:${failure.eventId}`
      if (count >= OF_TRACE_MAX || knownEvents[at] !== undefined || written.has(event)) continue
      written.add(event)
      counts.set(trace, count + 1)
      this.#counts.set(project, this.#countOf(project) + 1)
      const found = nearestOf(near[at] ?? [], failure.atMs)
      rows.push(failureParams(failure, place, found))
      if (found !== undefined) held.push({ place, segment: found.segment })
    }
    this.#db.runEach(ADD_FAILURE, rows)
    this.#hold(held)
  }

  #countOf(project: ProjectId): number {
    return rememberedCount(this.#db, { table: 'request_failures', counts: this.#counts }, project)
  }

  /** Returns the segments of each failure's place and time; of those in a trace without any, none is asked for. */
  #segmentsNear(
    failures: readonly FailureSeen[],
    places: readonly Place[],
    traced: ReadonlySet<string>,
  ): readonly (readonly CountedSegment[])[] {
    const asked = failures.flatMap((failure, at) => {
      const place = places[at]
      return place !== undefined && traced.has(String(place.trace)) ? [{ at, failure, place }] : []
    })
    const rows = this.#db.allEach<CountedSegment>(
      SEGMENTS_NEAR,
      asked.map(({ failure: { kind, route, atMs }, place }) => ({
        ...{ ...place, kind, route: keptRoute(route) },
        routes: joinedRoute(route) === FUNCTIONS ? FUNCTIONS : '',
        ...{ from: Math.floor(atMs) + SLACK_MS, until: Math.floor(atMs) - SLACK_MS },
      })),
    )
    const near = new Map(asked.map(({ at }, nth) => [at, rows[nth] ?? []]))
    return failures.map((_, at) => near.get(at) ?? [])
  }

  #segment({ project, trace }: Place, span: bigint): CountedSegment | undefined {
    const sql = `SELECT ${COUNTED} FROM counted_spans AS c WHERE project_id = ? AND trace = ? AND span = ?`
    return this.#db.get<CountedSegment>(sql, [project, trace, span])
  }

  #hold(held: readonly HeldSegment[]): void {
    const free = new Map(
      held.flatMap((each): [string, HeldSegment][] => {
        const { ended, isBehind, span } = each.segment
        return ended === 'answered' && isBehind === 0 ? [[`${each.place.trace}:${span}`, each]] : []
      }),
    )
    this.#setBehind([...free.values()], 1)
  }

  /** The failure went to a nearer segment; others may hold this one still. */
  #release(place: Place, span: string): void {
    const sql =
      'SELECT 1 AS held FROM request_failures WHERE project_id = ? AND trace = ? AND span = ? LIMIT 1'
    if (this.#db.get(sql, [place.project, place.trace, BigInt(span)]) !== undefined) return
    const segment = this.#segment(place, BigInt(span))
    if (segment?.isBehind === 1) this.#setBehind([{ place, segment }], 0)
  }

  #setBehind(changed: readonly HeldSegment[], isBehind: 0 | 1): void {
    if (changed.length === 0) return
    this.#db.runEach(
      `UPDATE counted_spans SET is_behind = :behind
        WHERE project_id = :project AND trace = :trace AND span = :span`,
      changed.map(({ place, segment }) => ({ ...place, span: BigInt(segment.span), behind: isBehind })),
    )
    const added = changed.map(({ segment }) => ({
      ...{ hour: hourOf(segment.atMs), weight: isBehind === 1 ? segment.weight : -segment.weight },
      ...{ durationMs: segment.tookMs ?? segment.durationMs, seriesId: segment.seriesId },
      actionSeriesId: segment.actionSeriesId,
    }))
    addBehind(this.#db, this.#tables, added)
    addBehind(
      this.#db,
      OF_ACTIONS,
      added.flatMap(({ actionSeriesId, ...each }) =>
        actionSeriesId === null ? [] : [{ ...each, seriesId: actionSeriesId }],
      ),
    )
    const series = this.#db.getEach<SeriesNames>(
      SERIES,
      added.map(({ seriesId }) => [seriesId]),
    )
    for (const [at, { place }] of changed.entries()) {
      const [names, weight] = [series[at], added[at]?.weight ?? 0]
      if (names !== undefined) this.#changes.push({ ...namedSeries(names), projectId: place.project, weight })
    }
  }
}

const ADD_FAILURE = `INSERT OR IGNORE INTO request_failures
    (project_id, trace, event, day, place, at_ms, span, distance)
  VALUES (:project, :trace, :event, :day, :place, :at, :span, :distance)`

function failureParams(failure: FailureSeen, place: Place, found: NearSegment | undefined): SqlParams {
  const { eventId, atMs, receivedMs } = failure
  return {
    ...{ ...place, event: eventKey(eventId), day: dayOf(receivedMs), place: failurePlace(failure) },
    ...{ at: Math.floor(atMs), span: found === undefined ? null : BigInt(found.segment.span) },
    distance: found?.distance ?? null,
  }
}

/** Returns the nearest; of two that are as near, the first. */
function nearestOf(segments: readonly CountedSegment[], atMs: number): NearSegment | undefined {
  const [found] = segments
    .map((segment) => ({ segment, distance: failureDistance(segment, atMs) }))
    .filter((each): each is NearSegment => each.distance !== null)
    .sort((a, b) => a.distance - b.distance)
  return found
}

const FAILURES_NEAR = `SELECT CAST(event AS TEXT) AS event, at_ms AS atMs, CAST(span AS TEXT) AS span, distance
  FROM request_failures WHERE project_id = :project AND trace = :trace AND place = :place
    AND at_ms >= :from AND at_ms <= :until`

function nearParams(segment: PlacedSegment) {
  const { projectId: project, trace, atMs, durationMs } = segment
  return {
    ...{ project, trace, place: failurePlace(segment), from: Math.floor(atMs) - SLACK_MS },
    until: Math.floor(atMs) + Math.ceil(durationMs) + SLACK_MS,
  }
}

/** Returns the place that a request and an error about it both state. */
function failurePlace({ kind, route }: Pick<FailureSeen, 'kind' | 'route'>): number {
  return hashPlace(`${kind} ${joinedRoute(keptRoute(route))}`)
}

type SeriesNames = Pick<BehindChange, 'route' | 'kind'> & {
  readonly environment: string
  readonly release: string
}
const SERIES = 'SELECT route, kind, environment, release FROM request_series WHERE id = ?'

function namedSeries({
  environment,
  release,
  ...names
}: SeriesNames): Omit<BehindChange, 'projectId' | 'weight'> {
  const orNull = (name: string) => (name === '' ? null : name)
  return { ...names, environment: orNull(environment), release: orNull(release) }
}

const COUNTED = `CAST(c.span AS TEXT) AS span, c.at_ms AS atMs, c.duration_ms AS durationMs, c.took_ms AS tookMs, c.ended,
  c.is_behind AS isBehind, c.series_id AS seriesId, c.action_series_id AS actionSeriesId, c.weight`

const SEGMENTS_NEAR = `SELECT ${COUNTED} FROM
    (SELECT * FROM counted_spans WHERE project_id = :project AND trace = :trace LIMIT ${SEGMENTS_MAX}) AS c
    JOIN request_series AS s ON s.id = c.series_id
  WHERE s.kind = :kind AND (s.route = :route OR s.route GLOB :routes) AND c.at_ms <= :from AND c.at_ms + c.duration_ms >= :until`
