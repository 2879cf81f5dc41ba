/** Rows of sums, of routes and of actions alike. */
import type { RequestSeries } from '#ports/requests.ts'
import { DurationSketch } from '#requests/sketch.ts'
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
  /** Takes the first hours of rows that change. */
  readonly changed?: Set<number>
}

export const OF_ROUTES: SumTables = { series: 'request_series', sums: 'request_sums' }
export const OF_ACTIONS: SumTables = { series: 'action_series', sums: 'action_sums' }

/** Adds to the row of the hour, or of the day that it was joined to. */
export function writeSum(db: Connection, tables: SumTables, sum: HourSum<RequestSum>): void {
  writeSums(db, tables, [sum])
}

/** Adds to rows by sets, as `writeSum` does. */
export function writeSums(db: Connection, tables: SumTables, sums: readonly HourSum<RequestSum>[]): void {
  const find = `SELECT hour, sketch, failed_sketch AS failedSketch FROM ${tables.sums} WHERE series_id = :series AND hour <= :hour
    AND hour + hours > :hour ORDER BY hour DESC LIMIT 1`
  const write = `INSERT INTO ${tables.sums}
      (series_id, hour, hours, count, seen, failed, failed_behind_200, aborted, total_ms, sketch, failed_sketch)
    VALUES (:series, :hour, :hours, :count, :seen, :failed, :behind, :aborted, :total, :sketch, :failedSketch)
    ON CONFLICT (series_id, hour) DO UPDATE SET count = count + excluded.count, seen = seen + excluded.seen,
      failed = failed + excluded.failed, failed_behind_200 = failed_behind_200 + excluded.failed_behind_200,
      aborted = aborted + excluded.aborted, total_ms = total_ms + excluded.total_ms, sketch = excluded.sketch,
      failed_sketch = excluded.failed_sketch`
  for (const { rows, again } of roundsOf<HourSum<RequestSum>, KeptSketches>(db, find, sums)) {
    const params = rows.map(({ of: { seriesId, hours = 1, sum }, kept, hour }) => {
      if (kept !== undefined) mergeSketches(sum, kept)
      tables.changed?.add(hour)
      return {
        ...{ series: seriesId, hour, hours, count: sum.count, seen: sum.seen, failed: sum.failed },
        ...{ behind: sum.failedBehind200, aborted: sum.aborted, total: sum.totalMs },
        ...sketchesOf(sum),
      }
    })
    db.runEach(write, params)
    writeSums(db, tables, again)
  }
  touchSeries(db, tables, sums)
}

interface PlacedSum<Of, Kept> {
  readonly of: Of
  readonly kept: (Kept & { readonly hour: number }) | undefined
  /** First hour of its row. */
  readonly hour: number
}

/**
 * Finds the rows of sums. Hours of one day that were joined share a row: the second of them comes `again`, once the first
 * is written.
 */
export function* roundsOf<Of extends HourSum<unknown>, Kept>(
  db: Connection,
  find: string,
  sums: readonly Of[],
  beside: (sum: Of) => Readonly<Record<string, string>> = () => ({}),
): Generator<{ readonly rows: readonly PlacedSum<Of, Kept>[]; readonly again: readonly Of[] }> {
  if (sums.length === 0) return
  const found = db.getEach<Kept & { readonly hour: number }>(
    find,
    sums.map((sum) => ({ series: sum.seriesId, hour: sum.hour, ...beside(sum) })),
  )
  const taken = new Set<string>()
  const rows: PlacedSum<Of, Kept>[] = []
  const again: Of[] = []
  for (const [at, of] of sums.entries()) {
    const kept = found[at]
    const hour = kept?.hour ?? of.hour
    const place = JSON.stringify([of.seriesId, hour, beside(of)])
    if (taken.has(place)) again.push(of)
    else rows.push({ of, kept, hour })
    taken.add(place)
  }
  yield { rows, again }
}

/** Takes what a segment added out of its row. */
export function removeFromSum(
  db: Connection,
  { sums, changed }: SumTables,
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
  changed?.add(row.hour)
  const sum: RequestSum = { ...row, sketch: new DurationSketch(), failedSketch: null }
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
  sum.failedSketch ??= new DurationSketch()
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
  touched: readonly { readonly seriesId: number; readonly hour: number }[],
): void {
  const hours = new Map<number, number>()
  for (const { seriesId, hour } of touched) hours.set(seriesId, Math.max(hour, hours.get(seriesId) ?? hour))
  db.runEach(
    `UPDATE ${series} SET last_hour = :hour WHERE id = :series AND last_hour < :hour`,
    [...hours].map(([id, hour]) => ({ series: id, hour })),
  )
}

/** Adds requests that turned out to have failed behind a good status, or not to have: `weight` is below 0 then. */
export function addBehind(
  db: Connection,
  { sums, changed: hours }: SumTables,
  changed: readonly BehindSegment[],
): void {
  const find = `SELECT hour, failed_sketch AS kept FROM ${sums}
    WHERE series_id = :series AND hour <= :hour AND hour + hours > :hour ORDER BY hour DESC LIMIT 1`
  const found = db.getEach<{ readonly hour: number; readonly kept: Uint8Array | null }>(
    find,
    changed.map(({ seriesId, hour }) => ({ series: seriesId, hour })),
  )
  const rows = new Map<
    string,
    { readonly series: number; readonly hour: number; weight: number; sketch: DurationSketch }
  >()
  for (const [at, { seriesId: series, weight, durationMs }] of changed.entries()) {
    const row = found[at]
    if (row === undefined) continue
    hours?.add(row.hour)
    const place = `${series}:${row.hour}`
    const of = rows.get(place) ?? { series, hour: row.hour, weight: 0, sketch: sketchOf(row.kept) }
    rows.set(place, of)
    of.weight += weight
    if (weight > 0) of.sketch.add(durationMs, weight)
    else of.sketch.remove(durationMs, -weight)
  }
  const write = `UPDATE ${sums} SET failed = failed + :weight, failed_behind_200 = failed_behind_200 + :weight,
    failed_sketch = :sketch WHERE series_id = :series AND hour = :hour`
  db.runEach(
    write,
    [...rows.values()].map(({ sketch, ...of }) => ({
      ...of,
      sketch: sketch.count > 0 ? sketch.toBytes() : null,
    })),
  )
}

function sketchOf(kept: Uint8Array | null): DurationSketch {
  const sketch = new DurationSketch()
  if (kept !== null) sketch.merge(kept)
  return sketch
}

interface BehindSegment {
  readonly seriesId: number
  readonly hour: number
  readonly weight: number
  readonly durationMs: number
}
