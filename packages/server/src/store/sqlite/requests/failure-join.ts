/**
 * Failures that only error events tell of, joined to the segments they belong to, whichever comes first. A failure holds
 * the segment that it is nearest to; one that answered and is held counts as failed behind a good status. When a nearer
 * segment comes, the failure moves: figures end the same in every order of arrival.
 */
import type { BehindChange } from '#alerts/rules/watch.ts'
import { dayOf, type ProjectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { FailureSeen, SegmentSeen } from '#ports/requests.ts'
import { FUNCTIONS, failureDistance, joinedRoute } from '#requests/failures.ts'
import type { CountedEnd } from '#requests/segment-hints.ts'
import { countedKey, eventKey, hourOf, keptRoute } from '#requests/sums.ts'
import type { Connection } from '../connection.ts'
import { placeKey } from '../rows/place-key.ts'
import { addBehind, OF_ACTIONS, OF_ROUTES } from './sum-rows.ts'
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

export class FailureJoin {
  readonly #db: Connection
  /** How many a project has; counted once, then kept. */
  readonly #counts = new Map<ProjectId, number>()
  #changes: BehindChange[] = []
  /** Projects of which a segment or vital is counted. */
  readonly #withSegments = new Set<ProjectId>()
  readonly #waiting = new WaitingFailures()

  constructor(db: Connection) {
    this.#db = db
  }

  discard(): void {
    this.#counts.clear()
    this.#changes = []
    this.#withSegments.clear()
    this.#waiting.unwritten()
  }

  /** Forgets days of receipt before `day`, as the table is pruned. */
  forgetBefore(day: number): void {
    this.#waiting.forgetBefore(day)
  }

  /** Keeps what was written. */
  committed(): void {
    this.#waiting.committed()
  }

  /**
   * Takes failures of a batch. In a project without any segment they only wait: most projects send no spans
   * at all.
   */
  failuresCame(failures: readonly FailureSeen[]): void {
    for (const [project, ofProject] of Map.groupBy(failures, ({ projectId }) => projectId)) {
      if (this.#hasSegments(project)) {
        this.#writeWaiting(project)
        this.#write(project, ofProject)
      } else this.#waiting.add(project, ofProject)
    }
  }

  /** Takes a segment that is counted for the first time, after its sums are written. */
  segmentCame(segment: SegmentSeen): void {
    const [trace, span] = countedKey(segment.traceId, segment.segmentId)
    this.segmentMoved({ ...segment, ended: segment.end, trace, span })
  }

  /** The same of one that turned out to be of another kind or route; those that it held it holds on to. */
  segmentMoved({ trace, span, ...segment }: PlacedSegment): void {
    this.#withSegments.add(segment.projectId)
    this.#writeWaiting(segment.projectId)
    // Most projects have none: nothing is asked for each of their segments.
    if (this.#countOf(segment.projectId) === 0) return
    const place = { project: segment.projectId, trace }
    for (const failure of this.#failuresNear(place, segment)) {
      const distance = failureDistance(segment, failure.atMs)
      if (distance === null || (failure.distance !== null && failure.distance <= distance)) continue
      this.#db.run(
        `UPDATE request_failures SET span = :span, distance = :distance
          WHERE project_id = :project AND trace = :trace AND event = :event`,
        { ...place, span, distance, event: BigInt(failure.event) },
      )
      if (failure.span !== null) this.#release(place, failure.span)
      const counted = this.#segment(place, span)
      if (counted !== undefined) this.#hold(place, counted)
    }
  }

  /** After the sums of its batch are written. */
  halfCame({ projectId, traceId, countedSpan }: FailedHalf): void {
    const place = { project: projectId, trace: countedKey(traceId, '')[0] }
    const counted = this.#segment(place, BigInt(countedSpan))
    if (counted !== undefined) this.#hold(place, counted)
  }

  /** Returns what was held or released since the last call. */
  takeChanges(): readonly BehindChange[] {
    const changes = this.#changes
    this.#changes = []
    return changes
  }

  #hasSegments(project: ProjectId): boolean {
    if (this.#withSegments.has(project)) return true
    const sql = 'SELECT 1 AS counted FROM counted_spans WHERE project_id = ? LIMIT 1'
    if (this.#db.get(sql, [project]) === undefined) return false
    this.#withSegments.add(project)
    return true
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
    failures.forEach((failure, at) => {
      const place = places[at]
      if (place === undefined || this.#countOf(project) >= OF_PROJECT_MAX) return
      const trace = String(place.trace)
      const count = counts.get(trace) ?? 0
      if (count >= OF_TRACE_MAX) return
      const near = traced.has(trace) ? this.#segmentsNear(place, failure) : []
      if (this.#writeOne(place, failure, near)) counts.set(trace, count + 1)
    })
  }

  /** False for one that is known. */
  #writeOne(place: Place, failure: FailureSeen, near: readonly CountedSegment[]): boolean {
    const { projectId, eventId, atMs, receivedMs } = failure
    const [found] = near
      .map((segment) => ({ segment, distance: failureDistance(segment, atMs) }))
      .filter((each): each is { segment: CountedSegment; distance: number } => each.distance !== null)
      .sort((a, b) => a.distance - b.distance)
    const sql = `INSERT OR IGNORE INTO request_failures
        (project_id, trace, event, day, place, at_ms, span, distance)
      VALUES (:project, :trace, :event, :day, :place, :at, :span, :distance)`
    const isNew = this.#db.run(sql, {
      ...{
        ...place,
        event: eventKey(eventId),
        day: dayOf(receivedMs),
        place: placeOf(failure),
      },
      ...{ at: Math.floor(atMs), span: found === undefined ? null : BigInt(found.segment.span) },
      distance: found?.distance ?? null,
    }).changes
    if (isNew === 0) return false
    this.#counts.set(projectId, this.#countOf(projectId) + 1)
    if (found !== undefined) this.#hold(place, found.segment)
    return true
  }

  #countOf(project: ProjectId): number {
    const known = this.#counts.get(project)
    if (known !== undefined) return known
    const sql = 'SELECT count(*) AS count FROM request_failures WHERE project_id = ?'
    const count = this.#db.get<{ count: number }>(sql, [project])?.count ?? 0
    this.#counts.set(project, count)
    return count
  }

  #segmentsNear(place: Place, { kind, route, atMs }: FailureSeen): readonly CountedSegment[] {
    const sql = `SELECT ${COUNTED} FROM
        (SELECT * FROM counted_spans WHERE project_id = :project AND trace = :trace LIMIT ${SEGMENTS_MAX}) AS c
        JOIN request_series AS s ON s.id = c.series_id
      WHERE s.kind = :kind AND (s.route = :route OR s.route GLOB :routes) AND c.at_ms <= :from AND c.at_ms + c.duration_ms >= :until`
    return this.#db.all<CountedSegment>(sql, {
      ...{
        ...place,
        kind,
        route: keptRoute(route),
        routes: joinedRoute(route) === FUNCTIONS ? FUNCTIONS : '',
      },
      ...{ from: Math.floor(atMs) + SLACK_MS, until: Math.floor(atMs) - SLACK_MS },
    })
  }

  #segment({ project, trace }: Place, span: bigint): CountedSegment | undefined {
    const sql = `SELECT ${COUNTED} FROM counted_spans AS c WHERE project_id = ? AND trace = ? AND span = ?`
    return this.#db.get<CountedSegment>(sql, [project, trace, span])
  }

  #failuresNear(place: Place, segment: Omit<PlacedSegment, 'trace' | 'span'>): readonly KnownFailure[] {
    const sql = `SELECT CAST(event AS TEXT) AS event, at_ms AS atMs, CAST(span AS TEXT) AS span, distance
      FROM request_failures WHERE project_id = :project AND trace = :trace AND place = :place
        AND at_ms >= :from AND at_ms <= :until`
    const { atMs, durationMs } = segment
    return this.#db.all<KnownFailure>(sql, {
      ...{ ...place, place: placeOf(segment), from: Math.floor(atMs) - SLACK_MS },
      until: Math.floor(atMs) + Math.ceil(durationMs) + SLACK_MS,
    })
  }

  #hold(place: Place, segment: CountedSegment): void {
    if (segment.ended === 'answered' && segment.isBehind === 0) this.#setBehind(place, segment, 1)
  }

  /** The failure went to a nearer segment; others may hold this one still. */
  #release(place: Place, span: string): void {
    const sql =
      'SELECT 1 AS held FROM request_failures WHERE project_id = ? AND trace = ? AND span = ? LIMIT 1'
    if (this.#db.get(sql, [place.project, place.trace, BigInt(span)]) !== undefined) return
    const segment = this.#segment(place, BigInt(span))
    if (segment?.isBehind === 1) this.#setBehind(place, segment, 0)
  }

  #setBehind({ project, trace }: Place, segment: CountedSegment, isBehind: 0 | 1): void {
    const key = { project, trace, span: BigInt(segment.span), behind: isBehind }
    const weight = isBehind === 1 ? segment.weight : -segment.weight
    this.#db.run(
      `UPDATE counted_spans SET is_behind = :behind
        WHERE project_id = :project AND trace = :trace AND span = :span`,
      key,
    )
    const { seriesId, actionSeriesId } = segment
    const added = { hour: hourOf(segment.atMs), weight, durationMs: segment.tookMs ?? segment.durationMs }
    addBehind(this.#db, OF_ROUTES, { ...added, seriesId })
    if (actionSeriesId !== null) addBehind(this.#db, OF_ACTIONS, { ...added, seriesId: actionSeriesId })
    const series = this.#db.get<SeriesNames>(SERIES, [segment.seriesId])
    if (series !== undefined) this.#changes.push({ ...namedSeries(series), projectId: project, weight })
  }
}

/** Returns the place that a request and an error about it both state. */
function placeOf({ kind, route }: Pick<FailureSeen, 'kind' | 'route'>): number {
  return placeKey(`${kind} ${joinedRoute(keptRoute(route))}`)
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
