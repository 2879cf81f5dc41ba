/** Vitals that came before their page, as fragments come in any order: they move to it once it is counted. */
import { hourOf } from '#base/durations.ts'
import { dayOf, type ProjectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { RequestKind } from '#model/event.ts'
import type { Vital } from '#model/span.ts'
import type { SegmentSeen, VitalSeen } from '#ports/requests.ts'
import { countedKey, type KeptSeries } from '#requests/sums.ts'
import type { Connection } from '../connection.ts'
import type { Kept } from '../memory.ts'
import { rememberedCount } from './remembered-count.ts'

const WAITING_MAX = max('waitingVitalsPerProjectMax')

/** A vital that was counted under the series of no page. */
export interface WaitingVital {
  readonly seen: VitalSeen
  readonly segment: string
  readonly seriesId: number
}

/** A vital with the series that it was counted under, and that of its page. */
export interface MovedVital extends Pick<VitalSeen, 'vital' | 'value' | 'weight'> {
  readonly fromId: number
  readonly to: KeptSeries
  readonly hour: number
  readonly key: readonly [project: number, trace: bigint, span: bigint]
}

interface Row {
  /** More than a number holds. */
  readonly span: string
  readonly seriesId: number
  readonly atMs: number
  readonly vital: Vital
  readonly value: number
  readonly weight: number
  readonly environment: string
  readonly release: string
  readonly kind: RequestKind
  readonly route: string
}

export class WaitingVitals {
  readonly #db: Connection
  /** Number that a project has. */
  readonly #counts: Kept<ProjectId, number>

  constructor(db: Connection, counts: Kept<ProjectId, number>) {
    this.#db = db
    this.#counts = counts
  }

  /** Keeps what there is room for; the rest stays where it is. */
  keep(waiting: readonly WaitingVital[]): void {
    const kept = waiting.filter(({ seen: { projectId } }) => {
      const count = this.#countOf(projectId)
      if (count >= WAITING_MAX) return false
      this.#counts.set(projectId, count + 1)
      return true
    })
    this.#db.runEach(
      `INSERT OR IGNORE INTO waiting_vitals
          (project_id, trace, segment, span, day, series_id, at_ms, vital, value, weight)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      kept.map(({ seen, segment, seriesId }) => {
        const { projectId, traceId, spanId, vital, value, weight, atMs, receivedMs } = seen
        const [trace, span] = countedKey(traceId, spanId, vital)
        const place = [projectId, trace, countedKey(traceId, segment)[1], span]
        return [...place, dayOf(receivedMs), seriesId, Math.floor(atMs), vital, value, weight]
      }),
    )
  }

  /** Takes those out whose pages were counted just now. */
  take(counted: readonly SegmentSeen[]): readonly MovedVital[] {
    // Most projects have none: nothing is asked for their pages.
    const pages = counted.filter(({ kind, projectId }) => kind === 'browser' && this.#countOf(projectId) > 0)
    const keys = pages.map(
      ({ projectId, traceId, segmentId }) => [projectId, ...countedKey(traceId, segmentId)] as const,
    )
    const found = this.#db.allEach<Row>(OF_PAGE, keys)
    const ofPages = keys.filter((_, at) => (found[at]?.length ?? 0) > 0)
    this.#db.runEach('DELETE FROM waiting_vitals WHERE project_id = ? AND trace = ? AND segment = ?', ofPages)
    return keys.flatMap(([projectId, trace], at) => {
      const page = pages[at]
      const rows = page === undefined ? [] : (found[at] ?? [])
      if (page === undefined || rows.length === 0) return []
      this.#counts.set(page.projectId, Math.max(0, this.#countOf(page.projectId) - rows.length))
      return rows.map(({ span, seriesId, atMs, vital, value, weight, ...series }) => ({
        ...{ vital, value, weight, fromId: seriesId, hour: hourOf(atMs) },
        ...{ to: { ...series, projectId: page.projectId }, key: [projectId, trace, BigInt(span)] as const },
      }))
    })
  }

  #countOf(project: ProjectId): number {
    return rememberedCount(this.#db, { table: 'waiting_vitals', counts: this.#counts }, project)
  }
}

/** By the tables' keys. */
const OF_PAGE = `SELECT CAST(w.span AS TEXT) AS span, w.series_id AS seriesId, w.at_ms AS atMs, w.vital, w.value, w.weight, s.environment, s.release,
    s.kind, page.route
  FROM waiting_vitals AS w JOIN request_series AS s ON s.id = w.series_id
    JOIN counted_spans AS c ON c.project_id = w.project_id AND c.trace = w.trace AND c.span = w.segment
    JOIN request_series AS page ON page.id = c.series_id
  WHERE w.project_id = ? AND w.trace = ? AND w.segment = ?`
