/** Rows of sums, of routes and of actions alike. */
import { Sketch } from '#requests/sketch.ts'
import { type CountedSegment, type RequestSum, removeCounted } from '#requests/sums.ts'
import type { Connection } from '../connection.ts'

export interface HourSum<S> {
  readonly seriesId: number
  readonly hour: number
  readonly sum: S
}

/** Names of a table of series, and of that of their sums. */
export interface SumTables {
  readonly series: 'request_series' | 'action_series'
  readonly sums: 'request_sums' | 'action_sums'
}

export const OF_ROUTES: SumTables = { series: 'request_series', sums: 'request_sums' }
export const OF_ACTIONS: SumTables = { series: 'action_series', sums: 'action_sums' }

/** Into the row of the hour, or of the day that it was joined to. */
export function writeSum(
  db: Connection,
  tables: SumTables,
  { seriesId, hour, sum }: HourSum<RequestSum>,
): void {
  const find = `SELECT hour, sketch FROM ${tables.sums} WHERE series_id = :series AND hour <= :hour
    AND hour + hours > :hour ORDER BY hour DESC LIMIT 1`
  const kept = db.get<{ hour: number; sketch: Uint8Array }>(find, { series: seriesId, hour })
  if (kept !== undefined) sum.sketch.merge(kept.sketch)
  const write = `INSERT INTO ${tables.sums}
      (series_id, hour, hours, count, seen, failed, failed_behind_200, aborted, total_ms, sketch)
    VALUES (:series, :hour, 1, :count, :seen, :failed, :behind, :aborted, :total, :sketch)
    ON CONFLICT (series_id, hour) DO UPDATE SET count = count + excluded.count, seen = seen + excluded.seen,
      failed = failed + excluded.failed, failed_behind_200 = failed_behind_200 + excluded.failed_behind_200,
      aborted = aborted + excluded.aborted, total_ms = total_ms + excluded.total_ms, sketch = excluded.sketch`
  db.run(write, {
    ...{ series: seriesId, hour: kept?.hour ?? hour, count: sum.count, seen: sum.seen, failed: sum.failed },
    ...{ behind: sum.failedBehind200, aborted: sum.aborted, total: sum.totalMs },
    sketch: sum.sketch.toBytes(),
  })
  touchSeries(db, tables, { seriesId, hour })
}

/** Takes what a segment added out of its row. */
export function removeFromSum(
  db: Connection,
  { sums }: SumTables,
  {
    seriesId,
    hour,
    segment,
  }: { readonly seriesId: number; readonly hour: number; readonly segment: CountedSegment },
): void {
  const sql = `SELECT hour, count, seen, failed, failed_behind_200 AS failedBehind200, aborted, total_ms AS totalMs, sketch
    FROM ${sums} WHERE series_id = :series AND hour <= :hour AND hour + hours > :hour ORDER BY hour DESC LIMIT 1`
  const row = db.get<SumRow>(sql, { series: seriesId, hour })
  if (row === undefined) return
  const sketch = new Sketch()
  sketch.merge(row.sketch)
  const sum: RequestSum = { ...row, sketch }
  removeCounted(sum, segment)
  const place = { series: seriesId, hour: row.hour }
  if (sum.seen <= 0) {
    db.run(`DELETE FROM ${sums} WHERE series_id = :series AND hour = :hour`, place)
    return
  }
  const write = `UPDATE ${sums} SET count = :count, seen = :seen, failed = :failed, failed_behind_200 = :behind,
    aborted = :aborted, total_ms = :total, sketch = :sketch WHERE series_id = :series AND hour = :hour`
  db.run(write, {
    ...{ ...place, count: sum.count, seen: sum.seen, failed: sum.failed, behind: sum.failedBehind200 },
    ...{ aborted: sum.aborted, total: sum.totalMs, sketch: sketch.toBytes() },
  })
}

type SumRow = Omit<RequestSum, 'sketch'> & { readonly hour: number; readonly sketch: Uint8Array }

/** What retention goes by. */
export function touchSeries(
  db: Connection,
  { series }: SumTables,
  { seriesId, hour }: { readonly seriesId: number; readonly hour: number },
): void {
  const touch = `UPDATE ${series} SET last_hour = :hour WHERE id = :series AND last_hour < :hour`
  db.run(touch, { series: seriesId, hour })
}

/** A request turned out to have failed behind a good status, or not to have: `weight` is below 0 then. */
export function addBehind(
  db: Connection,
  { sums }: SumTables,
  { seriesId, hour, weight }: { readonly seriesId: number; readonly hour: number; readonly weight: number },
): void {
  const sql = `UPDATE ${sums} SET failed = failed + :weight, failed_behind_200 = failed_behind_200 + :weight
    WHERE series_id = :series AND hour <= :hour AND hour + hours > :hour`
  db.run(sql, { series: seriesId, hour, weight })
}
