/** Rows that keep a segment or a vital from being counted twice. */
import { dayOf } from '#base/ids.ts'
import type { SegmentSeen } from '#ports/requests.ts'
import type { Connection } from '../connection.ts'

export interface CountedRow {
  readonly of: Pick<SegmentSeen, 'projectId' | 'receivedMs' | 'atMs' | 'durationMs' | 'weight'>
  readonly key: readonly [trace: bigint, span: bigint]
  readonly seriesId: number
  readonly ended: string
  readonly tookMs: number | null
}

/** Notes what is counted; false for each that was before, by another batch or further up in the list. */
export function countOnce(db: Connection, rows: readonly CountedRow[]): readonly boolean[] {
  const sql = `INSERT OR IGNORE INTO counted_spans
      (project_id, trace, span, day, series_id, at_ms, duration_ms, ended, weight, took_ms)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
  const done = db.runEach(
    sql,
    rows.map(({ of, key: [trace, span], seriesId, ended, tookMs }) => {
      const place = [of.projectId, trace, span, dayOf(of.receivedMs), seriesId]
      return [...place, Math.floor(of.atMs), Math.ceil(of.durationMs), ended, of.weight, tookMs]
    }),
  )
  return done.map(({ changes }) => changes > 0)
}
