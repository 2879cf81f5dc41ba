/**
 * Segments that turn out to be of another kind or route, or to have ended otherwise, than was counted: spans that came
 * apart tell it, or the other half of a page of an edge sandbox. What is counted moves, in whatever order they come.
 */

import type { SegmentMove } from '#alerts/rules/watch.ts'
import { hourOf } from '#base/durations.ts'
import { dayOf, type ProjectId } from '#base/ids.ts'
import { statedFields } from '#base/stated-fields.ts'
import { max } from '#limits/limits.ts'
import type { RequestKind } from '#model/event.ts'
import type { SegmentHint, SegmentSeen } from '#ports/requests.ts'
import { asTold, segmentAsTold } from '#requests/segment-hints.ts'
import {
  addCounted,
  type CountedSegment,
  countedKey,
  emptyRequestSum,
  hasFailed,
  type KeptSeries,
  keptRoute,
  keptSeries,
} from '#requests/sums.ts'
import { placeOfHalves } from '#requests/told-twice.ts'
import type { Connection, SqlParams } from '../connection.ts'
import type { Kept } from '../memory.ts'
import type { ActionStore } from './action-store.ts'
import type { FailureJoin } from './failure-join.ts'
import { rememberedCount } from './remembered-count.ts'
import { removeFromSum, type SumTables, writeSum } from './sum-rows.ts'

const HINTS_MAX = max('segmentHintsPerProjectMax')

interface Place {
  readonly project: ProjectId
  readonly trace: bigint
  readonly span: bigint
}

/** Segment as it is counted. */
interface Counted extends Omit<CountedSegment, 'isBehind'>, Omit<KeptSeries, 'projectId' | 'kind'> {
  readonly kind: RequestKind
  readonly isBehind: number
  readonly seriesId: number
  readonly actionSeriesId: number | null
  readonly atMs: number
}

type Told = Pick<SegmentHint, 'kind' | 'work' | 'httpStatus' | 'action'>
type Becomes = Pick<Counted, 'kind' | 'route' | 'end'> & Pick<SegmentSeen, 'action'>

/** Places that a segment is kept under. */
interface Places {
  readonly failures: FailureJoin
  readonly actions: ActionStore
  readonly seriesOf: (series: KeptSeries, hour: number) => number
  /** Tables of routes. */
  readonly tables: SumTables
}

export class SegmentMoves {
  readonly #db: Connection
  readonly #of: Places
  /** Hints that a project has. */
  readonly #hints: Kept<ProjectId, number>
  #moves: SegmentMove[] = []
  /** Hints of the batch at hand. */
  readonly #told = new Map<string, { readonly told: Told; readonly key: HintKey }>()
  readonly #used: HintKey[] = []
  /** Segments that moved, with the kind that their own rows say. */
  readonly #noted: (Place & { readonly kind: RequestKind })[] = []

  constructor(db: Connection, hints: Kept<ProjectId, number>, of: Places) {
    this.#db = db
    this.#hints = hints
    this.#of = of
  }

  /** Returns the moves since the last call. */
  takeMoves(): readonly SegmentMove[] {
    const moves = this.#moves
    this.#moves = []
    return moves
  }

  /** Before the segments of their batch are counted. */
  hintsCame(hints: readonly SegmentHint[]): void {
    const placed = hints.map((hint) => {
      const [trace, span] = countedKey(hint.traceId, hint.segmentId)
      return { hint, place: { project: hint.projectId, trace, span } }
    })
    const counted = this.#db.getEach<Counted>(
      COUNTED,
      placed.map(({ place: { project, trace, span } }) => [project, trace, span]),
    )
    this.#keep(placed.filter((_, at) => counted[at] === undefined))
    for (const [at, { hint, place }] of placed.entries()) {
      // One that moved is asked for again: a second hint sees what the first made of it.
      const now = counted[at] === undefined ? undefined : this.#counted(place)
      if (now !== undefined)
        this.#move(place, now, {
          ...now,
          ...asTold(now, hint),
          ...statedFields({ action: hint.action ?? undefined }),
        })
    }
  }

  /** Reads what was told of segments that are about to be counted: `asHinted` then asks for nothing. */
  loadHints(segments: readonly SegmentSeen[]): void {
    // Most projects have none: nothing is asked for their segments.
    const open = segments.filter(({ isOpen, projectId }) => isOpen === true && this.#countOf(projectId) > 0)
    const keys = open.map(hintKey)
    const rows = this.#db.getEach<Told>(
      `SELECT nullif(kind, '') AS kind, nullif(work, '') AS work, http_status AS httpStatus, action
        FROM segment_hints ${OF_HINT}`,
      keys,
    )
    for (const [at, key] of keys.entries()) {
      const told = rows[at]
      if (told !== undefined) this.#told.set(key.join(), { told, key })
    }
  }

  /** An open segment that is about to be counted, with what was told of it before. After `loadHints`. */
  asHinted(segment: SegmentSeen): SegmentSeen {
    if (segment.isOpen !== true || this.#told.size === 0) return segment
    const name = hintKey(segment).join()
    const found = this.#told.get(name)
    if (found === undefined) return segment
    this.#told.delete(name)
    this.#used.push(found.key)
    this.#hints.set(segment.projectId, this.#countOf(segment.projectId) - 1)
    return segmentAsTold(segment, found.told)
  }

  /** Forgets hints that were used, once the segments of their batch are counted. */
  finishHints(): void {
    this.#told.clear()
    this.#db.runEach(`DELETE FROM segment_hints ${OF_HINT}`, this.#used.splice(0))
  }

  /** Writes which segments moved, once all of their part are counted. */
  finishMoves(): void {
    const sql = `INSERT OR IGNORE INTO moved_segments (project_id, trace, span, day, at_ms, kind)
      SELECT project_id, trace, span, day, at_ms, :kind FROM counted_spans
      WHERE project_id = :project AND trace = :trace AND span = :span`
    this.#db.runEach(
      sql,
      this.#noted.splice(0).map((noted) => ({ ...noted })),
    )
  }

  /** Notes a segment that was counted by what was told of it before, and not as it says itself. */
  countedAsTold({ projectId: project, traceId, segmentId, kind }: SegmentSeen): void {
    const [trace, span] = countedKey(traceId, segmentId)
    this.#noteMoved({ project, trace, span }, kind)
  }

  /** A half that is not counted, after the sums of its batch are written. `span`: of the one that counts for it. */
  halfCame(half: SegmentSeen, countedSpan: string): void {
    const [trace] = countedKey(half.traceId, '')
    const place = { project: half.projectId, trace, span: BigInt(countedSpan) }
    const counted = this.#counted(place)
    if (counted === undefined) return
    const { action } = half
    const becomes = { ...placeOfHalves(half, counted), ...(action === undefined ? {} : { action }) }
    this.#move(place, counted, { end: counted.end, ...becomes })
  }

  #keep(hints: readonly { readonly hint: SegmentHint; readonly place: Place }[]): void {
    const known = this.#db.getEach(
      `SELECT 1 FROM segment_hints ${OF_HINT}`,
      hints.map(({ place: { project, trace, span } }) => [project, trace, span]),
    )
    const fresh = new Set<string>()
    const rows = hints.flatMap(({ hint, place }, at): SqlParams[] => {
      const { project, trace, span } = place
      const count = this.#countOf(project)
      if (count >= HINTS_MAX) return []
      const name = [project, trace, span].join()
      if (known[at] === undefined && !fresh.has(name)) this.#hints.set(project, count + 1)
      fresh.add(name)
      const { kind, work, httpStatus, action, receivedMs } = hint
      const told = {
        kind: kind ?? '',
        work: work ?? '',
        status: httpStatus,
        action: action === null ? null : keptRoute(action),
      }
      return [{ project, trace, span, day: dayOf(receivedMs), ...told }]
    })
    // An action may render a page, and no page runs an action.
    const sql = `INSERT INTO segment_hints (project_id, trace, span, day, kind, work, http_status, action)
      VALUES (:project, :trace, :span, :day, :kind, :work, :status, :action)
      ON CONFLICT DO UPDATE SET kind = iif(kind = 'action', kind, coalesce(nullif(excluded.kind, ''), kind)),
        work = coalesce(nullif(excluded.work, ''), work), http_status = coalesce(excluded.http_status, http_status), action = coalesce(excluded.action, action)`
    this.#db.runEach(sql, rows)
  }

  /** Notes a move; of several the first is from what its own row says. */
  #noteMoved(place: Place, saidKind: RequestKind): void {
    this.#noted.push({ ...place, kind: saidKind })
  }

  #countOf(project: ProjectId): number {
    return rememberedCount(this.#db, { table: 'segment_hints', counts: this.#hints }, project)
  }

  /** `undefined` for one that is not counted, or stays where it is. */
  #counted({ project, trace, span }: Place): Counted | undefined {
    return this.#db.get<Counted>(COUNTED, [project, trace, span])
  }

  #move(place: Place, counted: Counted, { kind, route, end, action }: Becomes): void {
    const { environment, release, weight, durationMs, atMs, seriesId } = counted
    const from = { projectId: place.project, environment, release, route: counted.route, kind: counted.kind }
    const to = { ...from, ...keptSeries({ ...from, kind, route }) }
    const isNamed = to.kind === 'action' && action !== undefined && counted.actionSeriesId === null
    if (to.kind === from.kind && to.route === from.route && end === counted.end && !isNamed) return
    const was = { weight, durationMs, end: counted.end, isBehind: counted.isBehind === 1 }
    const is = { ...was, end, isBehind: was.isBehind && end === 'answered' }
    const hour = hourOf(atMs)
    removeFromSum(this.#db, this.#of.tables, { seriesId, hour, segment: was })
    const sum = emptyRequestSum()
    addCounted(sum, is)
    const series = this.#of.seriesOf(to, hour)
    writeSum(this.#db, this.#of.tables, { seriesId: series, hour, sum })
    const segment = { ...to, ...(action === undefined ? {} : { action }) }
    const actionSeries = this.#of.actions.moved(counted.actionSeriesId, { segment, hour, was, is })
    this.#db.run(
      `UPDATE counted_spans SET series_id = :series, action_series_id = :action, ended = :end, is_behind = :behind
        WHERE project_id = :project AND trace = :trace AND span = :span`,
      { ...place, series, action: actionSeries, end, behind: is.isBehind ? 1 : 0 },
    )
    this.#noteMoved(place, counted.kind)
    const failed = { before: hasFailed(was) ? weight : 0, after: hasFailed(is) ? weight : 0 }
    this.#moves.push({ from: placeOfSeries(from), to: placeOfSeries(to), weight, failed })
    this.#of.failures.segmentMoved({ ...to, ...place, atMs, durationMs, ended: end })
  }
}

const COUNTED = `SELECT s.kind, s.route, s.environment, s.release, c.ended AS end, c.is_behind AS isBehind, c.weight,
  c.took_ms AS durationMs, c.at_ms AS atMs, c.series_id AS seriesId, c.action_series_id AS actionSeriesId
  FROM counted_spans AS c JOIN request_series AS s ON s.id = c.series_id
  WHERE c.project_id = ? AND c.trace = ? AND c.span = ? AND c.took_ms IS NOT NULL`

type HintKey = readonly [project: number, trace: bigint, span: bigint]

const OF_HINT = 'WHERE project_id = ? AND trace = ? AND span = ?'

function hintKey({ projectId, traceId, segmentId }: SegmentSeen): HintKey {
  return [projectId, ...countedKey(traceId, segmentId)]
}

function placeOfSeries(series: KeptSeries): SegmentMove['from'] {
  const { environment, release } = series
  return { ...series, environment: environment || null, release: release || null }
}
