/** Rows of sums, of routes and of actions alike. */
import type { RequestSeries } from '#ports/requests.ts'
import { Sketch } from '#requests/sketch.ts'
import { type CountedSegment, type RequestSum, removeCounted } from '#requests/sums.ts'
import type { Connection } from '../connection.ts'

export interface HourSum<S> {
  readonly seriesId: number
  readonly hour: number
  /** That a new row is of, from `hour` on; 1 unless it is said. */
  readonly hours?: number
  readonly sum: S
}

/** Sum of a sample, which has no segments. */
export interface SampleSum<S> extends Omit<HourSum<S>, 'seriesId'> {
  readonly series: RequestSeries
}

export interface SampleActionSum extends SampleSum<RequestSum> {
  readonly action: string
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
  { seriesId, hour, hours = 1, sum }: HourSum<RequestSum>,
): void {
  const find = `SELECT hour, sketch, failed_sketch AS failedSketch FROM ${tables.sums} WHERE series_id = :series AND hour <= :hour
    AND hour + hours > :hour ORDER BY hour DESC LIMIT 1`
  const kept = db.get<KeptSketches & { hour: number }>(find, { series: seriesId, hour })
  if (kept !== undefined) mergeSketches(sum, kept)
  const write = `INSERT INTO ${tables.sums}
      (series_id, hour, hours, count, seen, failed, failed_behind_200, aborted, total_ms, sketch, failed_sketch)
    VALUES (:series, :hour, :hours, :count, :seen, :failed, :behind, :aborted, :total, :sketch, :failedSketch)
    ON CONFLICT (series_id, hour) DO UPDATE SET count = count + excluded.count, seen = seen + excluded.seen,
      failed = failed + excluded.failed, failed_behind_200 = failed_behind_200 + excluded.failed_behind_200,
      aborted = aborted + excluded.aborted, total_ms = total_ms + excluded.total_ms, sketch = excluded.sketch,
      failed_sketch = excluded.failed_sketch`
  db.run(write, {
    ...{ series: seriesId, hour: kept?.hour ?? hour, hours },
    ...{ count: sum.count, seen: sum.seen, failed: sum.failed },
    ...{ behind: sum.failedBehind200, aborted: sum.aborted, total: sum.totalMs },
    ...sketchesOf(sum),
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
  const sql = `SELECT hour, count, seen, failed, failed_behind_200 AS failedBehind200, aborted, total_ms AS totalMs, sketch,
      failed_sketch AS failedSketch
    FROM ${sums} WHERE series_id = :series AND hour <= :hour AND hour + hours > :hour ORDER BY hour DESC LIMIT 1`
  const row = db.get<SumRow>(sql, { series: seriesId, hour })
  if (row === undefined) return
  const sum: RequestSum = { ...row, sketch: new Sketch(), failedSketch: null }
  mergeSketches(sum, row)
  removeCounted(sum, segment)
  const place = { series: seriesId, hour: row.hour }
  if (sum.seen <= 0) {
    db.run(`DELETE FROM ${sums} WHERE series_id = :series AND hour = :hour`, place)
    return
  }
  const write = `UPDATE ${sums} SET count = :count, seen = :seen, failed = :failed, failed_behind_200 = :behind,
    aborted = :aborted, total_ms = :total, sketch = :sketch, failed_sketch = :failedSketch
    WHERE series_id = :series AND hour = :hour`
  db.run(write, {
    ...{ ...place, count: sum.count, seen: sum.seen, failed: sum.failed, behind: sum.failedBehind200 },
    ...{ aborted: sum.aborted, total: sum.totalMs, ...sketchesOf(sum) },
  })
}

/** Sketches as kept: none of failed requests while there are none. */
interface KeptSketches {
  readonly sketch: Uint8Array
  readonly failedSketch: Uint8Array | null
}

interface SumRow extends Omit<RequestSum, keyof KeptSketches>, KeptSketches {
  readonly hour: number
}

function mergeSketches(sum: RequestSum, kept: KeptSketches): void {
  sum.sketch.merge(kept.sketch)
  if (kept.failedSketch === null) return
  sum.failedSketch ??= new Sketch()
  sum.failedSketch.merge(kept.failedSketch)
}

function sketchesOf({ sketch, failedSketch }: RequestSum): KeptSketches {
  const hasFailed = failedSketch !== null && failedSketch.count > 0
  return { sketch: sketch.toBytes(), failedSketch: hasFailed ? failedSketch.toBytes() : null }
}

/** Touches series, by which retention goes. */
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
  { seriesId, hour, weight, durationMs }: BehindSegment,
): void {
  const place = 'WHERE series_id = :series AND hour <= :hour AND hour + hours > :hour'
  const find = `SELECT failed_sketch AS kept FROM ${sums} ${place}`
  const kept = db.get<{ kept: Uint8Array | null }>(find, { series: seriesId, hour })?.kept
  const sketch = new Sketch()
  if (kept) sketch.merge(kept)
  if (weight > 0) sketch.add(durationMs, weight)
  else sketch.remove(durationMs, -weight)
  const write = `UPDATE ${sums} SET failed = failed + :weight, failed_behind_200 = failed_behind_200 + :weight,
    failed_sketch = :sketch ${place}`
  db.run(write, { series: seriesId, hour, weight, sketch: sketch.count > 0 ? sketch.toBytes() : null })
}

interface BehindSegment {
  readonly seriesId: number
  readonly hour: number
  readonly weight: number
  readonly durationMs: number
}
