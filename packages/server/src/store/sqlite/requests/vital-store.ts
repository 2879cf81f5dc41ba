/** Vitals of pages: each once, sums by series, vital and hour. */
import { hourOf } from '#base/durations.ts'
import type { ProjectId } from '#base/ids.ts'
import type { Vital } from '#model/span.ts'
import type { SegmentSeen, VitalSeen } from '#ports/requests.ts'
import { DurationSketch } from '#requests/sketch.ts'
import {
  addVital,
  countedKey,
  emptyVitalSum,
  keptSeries,
  removeVital,
  type VitalSum,
} from '#requests/sums.ts'
import type { Connection } from '../connection.ts'
import type { Kept } from '../memory.ts'
import { countOnce } from './counted-once.ts'
import { idOfPlace, type SeriesStore } from './series-store.ts'
import { type HourSum, OF_ROUTES, roundsOf, touchSeries } from './sum-rows.ts'
import { type WaitingVital, WaitingVitals } from './waiting-vitals.ts'

type VitalHour = HourSum<VitalSum> & { readonly vital: Vital }

export class VitalStore {
  readonly #db: Connection
  readonly #series: SeriesStore
  readonly #waiting: WaitingVitals

  constructor(db: Connection, series: SeriesStore, waiting: Kept<ProjectId, number>) {
    this.#db = db
    this.#series = series
    this.#waiting = new WaitingVitals(db, waiting)
  }

  /** Moves vitals that came before their page, which was counted just now. */
  pagesCame(counted: readonly SegmentSeen[]): void {
    const moved = this.#waiting.take(counted)
    const added: VitalHour[] = []
    for (const { fromId, to, hour, key, ...one } of moved) {
      const seriesId = this.#series.idOf(to, hour)
      this.#remove({ seriesId: fromId, hour, ...one })
      const sum = emptyVitalSum()
      addVital(sum, one)
      added.push({ seriesId, hour, vital: one.vital, sum })
      const sql = 'UPDATE counted_spans SET series_id = ? WHERE project_id = ? AND trace = ? AND span = ?'
      this.#db.run(sql, [seriesId, ...key])
    }
    this.write(added)
  }

  /** Counts each once, after the segments of their batch. */
  add(seen: readonly VitalSeen[]): void {
    const vitals = this.#ofTheirPages(seen)
    const waiting: WaitingVital[] = []
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
      if (one.ofSegment !== undefined) waiting.push({ seen: one, segment: one.ofSegment, seriesId })
    }
    this.write([...sums.values()])
    this.#waiting.keep(waiting)
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
    return seen.map((one) => {
      const route = routes.get(one)
      if (route === undefined) return one
      const { ofSegment: _, ...of } = one
      return { ...of, route }
    })
  }

  /** Takes a vital out of its row. */
  #remove(of: Omit<HourSum<VitalSum>, 'sum'> & Pick<VitalSeen, 'vital' | 'value' | 'weight'>): void {
    const { seriesId: series, hour, vital } = of
    const row = this.#db.get<VitalRow>(READ, { series, hour, vital })
    if (row === undefined) return
    const sum = { ...row, sketch: new DurationSketch() }
    sum.sketch.merge(row.sketch)
    removeVital(sum, of)
    const { count, good, poor, sketch } = sum
    const place = { series, hour: row.hour, vital }
    if (sketch.count > 0) this.#db.run(UPDATE, { ...place, count, good, poor, sketch: sketch.toBytes() })
    else
      this.#db.run(
        'DELETE FROM vital_sums WHERE series_id = :series AND vital = :vital AND hour = :hour',
        place,
      )
  }

  write(sums: readonly VitalHour[]): void {
    this.#write(sums)
    touchSeries(this.#db, OF_ROUTES, sums)
  }

  #write(sums: readonly VitalHour[]): void {
    const beside = ({ vital }: VitalHour) => ({ vital })
    for (const { rows, again } of roundsOf<VitalHour, KeptSketch>(this.#db, FIND, sums, beside)) {
      const params = rows.map(({ of: { seriesId, vital, hours = 1, sum }, kept, hour }) => {
        if (kept !== undefined) sum.sketch.merge(kept.sketch)
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

interface VitalRow extends Omit<VitalSum, 'sketch'>, KeptSketch {
  readonly hour: number
}

/** By the table's key. */
const ROUTE_OF_SEGMENT = `SELECT s.route FROM counted_spans c JOIN request_series s ON s.id = c.series_id
  WHERE c.project_id = ? AND c.trace = ? AND c.span = ?`
const OF_HOUR = `FROM vital_sums WHERE series_id = :series AND vital = :vital AND hour <= :hour
  AND hour + hours > :hour ORDER BY hour DESC LIMIT 1`
const FIND = `SELECT hour, sketch ${OF_HOUR}`
const READ = `SELECT hour, count, good, poor, sketch ${OF_HOUR}`
const UPDATE = `UPDATE vital_sums SET count = :count, good = :good, poor = :poor, sketch = :sketch
  WHERE series_id = :series AND vital = :vital AND hour = :hour`
const WRITE = `INSERT INTO vital_sums (series_id, vital, hour, hours, count, good, poor, sketch)
  VALUES (:series, :vital, :hour, :hours, :count, :good, :poor, :sketch)
  ON CONFLICT (series_id, vital, hour) DO UPDATE SET count = count + excluded.count, good = good + excluded.good,
    poor = poor + excluded.poor, sketch = excluded.sketch`
