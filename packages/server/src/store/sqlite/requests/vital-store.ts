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
import { type HourSum, roundsOf, type SumTables, touchSeries } from './sum-rows.ts'
import { type MovedVital, type WaitingVital, WaitingVitals } from './waiting-vitals.ts'

type VitalHour = HourSum<VitalSum> & { readonly vital: Vital }

export class VitalStore {
  readonly #db: Connection
  readonly #series: SeriesStore
  readonly #waiting: WaitingVitals
  readonly #tables: SumTables

  /** `waiting`: how many a project has; `tables`: those of routes. */
  constructor(
    db: Connection,
    series: SeriesStore,
    { waiting, tables }: { readonly waiting: Kept<ProjectId, number>; readonly tables: SumTables },
  ) {
    this.#db = db
    this.#series = series
    this.#waiting = new WaitingVitals(db, waiting)
    this.#tables = tables
  }

  /** Moves vitals that came before their page, which was counted just now. */
  pagesCame(counted: readonly SegmentSeen[]): void {
    const moved = this.#waiting.take(counted)
    if (moved.length === 0) return
    this.#series.make(moved.map(({ to, hour }) => ({ series: to, hour })))
    const added = new Map<string, VitalHour>()
    const rows = moved.map((one) => {
      const { to, hour, vital, key } = one
      const seriesId = this.#series.idOf(to, hour)
      addVital(sumAt(added, { seriesId, hour, vital }), one)
      return [seriesId, ...key]
    })
    const gone = Map.groupBy(moved, ({ fromId, vital, hour }) => `${fromId}:${vital}:${hour}`)
    for (const [first, ...others] of gone.values())
      if (first !== undefined) this.#remove(first, [first, ...others])
    this.#db.runEach(
      'UPDATE counted_spans SET series_id = ? WHERE project_id = ? AND trace = ? AND span = ?',
      rows,
    )
    this.write([...added.values()])
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
      addVital(sumAt(sums, { seriesId, hour: hourOf(one.atMs), vital: one.vital }), one)
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

  /** Takes vitals out of the row that all of them are in. */
  #remove({ fromId: series, hour, vital }: MovedVital, all: readonly MovedVital[]): void {
    const row = this.#db.get<VitalRow>(READ, { series, hour, vital })
    if (row === undefined) return
    this.#tables.changed?.add(row.hour)
    const sum = { ...row, sketch: new DurationSketch() }
    sum.sketch.merge(row.sketch)
    for (const one of all) removeVital(sum, one)
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

function sumAt(sums: Map<string, VitalHour>, place: Omit<VitalHour, 'sum'>): VitalSum {
  const name = `${place.seriesId}:${place.vital}:${place.hour}`
  const found = sums.get(name) ?? { ...place, sum: emptyVitalSum() }
  sums.set(name, found)
  return found.sum
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
