/** Vitals of pages: each once, sums by series, vital and hour. */
import { hourOf } from '#base/durations.ts'
import type { Vital } from '#model/span.ts'
import type { VitalSeen } from '#ports/requests.ts'
import { addVital, countedKey, emptyVitalSum, keptSeries, type VitalSum } from '#requests/sums.ts'
import type { Connection } from '../connection.ts'
import { countOnce } from './counted-once.ts'
import { idOfPlace, type SeriesStore } from './series-store.ts'
import { type HourSum, roundsOf, type SumTables, touchSeries } from './sum-rows.ts'

type VitalHour = HourSum<VitalSum> & { readonly vital: Vital }

export class VitalStore {
  readonly #db: Connection
  readonly #series: SeriesStore
  readonly #tables: SumTables

  /** `tables`: those of routes. */
  constructor(db: Connection, series: SeriesStore, tables: SumTables) {
    this.#db = db
    this.#series = series
    this.#tables = tables
  }

  /** Counts each once, after the segments of their batch. */
  add(seen: readonly VitalSeen[]): void {
    const vitals = this.#ofTheirPages(seen)
    const places = vitals.map((one) => ({ series: keptSeries(one), hour: hourOf(one.atMs) }))
    this.#series.make(places)
    const rows = vitals.map((one, at) => ({
      of: { ...one, durationMs: 0 },
      key: countedKey(one.traceId, one.spanId, one.vital),
      ...{ seriesId: idOfPlace(this.#series, places[at]), ended: one.vital, tookMs: null },
    }))
    const isFirst = countOnce(this.#db, rows)
    const sums = new Map<string, VitalHour>()
    for (const [at, one] of vitals.entries()) {
      const seriesId = rows[at]?.seriesId
      if (isFirst[at] !== true || seriesId === undefined) continue
      const [vital, hour] = [one.vital, hourOf(one.atMs)]
      const name = `${seriesId}:${vital}:${hour}`
      const sum = sums.get(name) ?? { seriesId, hour, vital, sum: emptyVitalSum() }
      sums.set(name, sum)
      addVital(sum.sum, one)
    }
    this.write([...sums.values()])
  }

  /** Names the pages of vitals that came apart: an SDK that streams spans sends them when a page is left, without its name. */
  #ofTheirPages(seen: readonly VitalSeen[]): readonly VitalSeen[] {
    const apart = seen.flatMap((one) =>
      one.ofSegment === undefined ? [] : [{ one, segment: one.ofSegment }],
    )
    if (apart.length === 0) return seen
    const found = this.#db.getEach<{ readonly route: string }>(
      ROUTE_OF_SEGMENT,
      apart.map(({ one, segment }) => [one.projectId, ...countedKey(one.traceId, segment)]),
    )
    const routes = new Map(apart.map(({ one }, at) => [one, found[at]?.route]))
    return seen.map((one) => ({ ...one, route: routes.get(one) ?? one.route }))
  }

  write(sums: readonly VitalHour[]): void {
    this.#write(sums)
    touchSeries(this.#db, this.#tables, sums)
  }

  #write(sums: readonly VitalHour[]): void {
    const beside = ({ vital }: VitalHour) => ({ vital })
    for (const { rows, again } of roundsOf<VitalHour, KeptSketch>(this.#db, FIND, sums, beside)) {
      const params = rows.map(({ of: { seriesId, vital, hours = 1, sum }, kept, hour }) => {
        if (kept !== undefined) sum.sketch.merge(kept.sketch)
        this.#tables.changed?.add(hour)
        const { count, good, poor, sketch } = sum
        return { series: seriesId, hour, hours, vital, count, good, poor, sketch: sketch.toBytes() }
      })
      this.#db.runEach(WRITE, params)
      this.#write(again)
    }
  }
}

interface KeptSketch {
  readonly sketch: Uint8Array
}

/** By the table's key. */
const ROUTE_OF_SEGMENT = `SELECT s.route FROM counted_spans c JOIN request_series s ON s.id = c.series_id
  WHERE c.project_id = ? AND c.trace = ? AND c.span = ?`
const FIND = `SELECT hour, sketch FROM vital_sums WHERE series_id = :series AND vital = :vital AND hour <= :hour
  AND hour + hours > :hour ORDER BY hour DESC LIMIT 1`
const WRITE = `INSERT INTO vital_sums (series_id, vital, hour, hours, count, good, poor, sketch)
  VALUES (:series, :vital, :hour, :hours, :count, :good, :poor, :sketch)
  ON CONFLICT (series_id, vital, hour) DO UPDATE SET count = count + excluded.count, good = good + excluded.good,
    poor = poor + excluded.poor, sketch = excluded.sketch`
