/** Series of requests: made by sets, and remembered by their names. */

import { assert } from '#base/errors.ts'
import type { ProjectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import { type KeptSeries, roomFor } from '#requests/sums.ts'
import type { Connection, SqlParams } from '../connection.ts'
import type { Memory } from '../memory.ts'

/** A series, and the hour in which something of it came. */
export interface SeriesPlace {
  readonly series: KeptSeries
  readonly hour: number
}

type SeriesMemory = ReturnType<typeof rememberSeries>

export function rememberSeries(memory: Memory) {
  return {
    ids: memory.keep<string, number>({ most: max('seriesRememberedMax') }),
    /** Number of series of a project: a flood of new names would count all of them for each. */
    counts: memory.keep<ProjectId, number>({ most: max('projectCountsRememberedMax') }),
  }
}

export class SeriesStore {
  readonly #db: Connection
  readonly #ids: SeriesMemory['ids']
  readonly #counts: SeriesMemory['counts']

  constructor(db: Connection, { ids, counts }: SeriesMemory) {
    this.#db = db
    this.#ids = ids
    this.#counts = counts
  }

  /** Finds or makes all of them, so that `idOf` asks for nothing. */
  make(places: readonly SeriesPlace[]): void {
    const missing = new Map<string, SeriesPlace>()
    for (const place of places) {
      const key = keptSeriesKey(place.series)
      if (this.#ids.get(key) === undefined) missing.set(key, place)
    }
    const rows = this.#db.getEach<{ readonly id: number }>(
      FIND,
      [...missing.values()].map(({ series }) => seriesParams(series)),
    )
    for (const [at, key] of [...missing.keys()].entries()) {
      const row = rows[at]
      if (row === undefined) continue
      this.#ids.set(key, row.id)
      missing.delete(key)
    }
    this.#insert([...missing.values()].filter(({ series }) => this.#takesPlace(series)))
  }

  idOf(series: KeptSeries, hour: number): number {
    const key = keptSeriesKey(series)
    const known = this.#ids.get(key)
    if (known !== undefined) return known
    const id = this.#find(series) ?? this.#roomOf(series, hour)
    this.#ids.set(key, id)
    return id
  }

  /** True, and counted, while the project has room for a series of its own. */
  #takesPlace(series: KeptSeries): boolean {
    const count = this.#countOf(series.projectId)
    if (roomFor(series, { count, has: () => false }) !== series) return false
    this.#counts.set(series.projectId, count + 1)
    return true
  }

  #insert(places: readonly SeriesPlace[]): void {
    const made = this.#db.runEach(
      INSERT,
      places.map(({ series, hour }) => [...seriesParams(series), hour]),
    )
    for (const [at, { series }] of places.entries())
      this.#ids.set(keptSeriesKey(series), made[at]?.lastId ?? 0)
  }

  #find(series: KeptSeries): number | null {
    return this.#db.get<{ readonly id: number }>(FIND, seriesParams(series))?.id ?? null
  }

  #roomOf(series: KeptSeries, hour: number): number {
    const count = this.#countOf(series.projectId)
    const room = roomFor(series, { count, has: (other) => this.#find(other) !== null })
    const found = room === series ? null : this.#find(room)
    if (found !== null) return found
    this.#counts.set(room.projectId, count + 1)
    return this.#db.run(INSERT, [...seriesParams(room), hour]).lastId
  }

  #countOf(project: ProjectId): number {
    const known = this.#counts.get(project)
    if (known !== undefined) return known
    const sql = 'SELECT count(*) AS count FROM request_series WHERE project_id = ?'
    const count = this.#db.get<{ readonly count: number }>(sql, [project])?.count ?? 0
    this.#counts.set(project, count)
    return count
  }
}

/** Returns the id of a place that was made, or finds room for it. */
export function idOfPlace(store: SeriesStore, place: SeriesPlace | undefined): number {
  assert(place !== undefined, 'each row has a place')
  return store.idOf(place.series, place.hour)
}

const FIND = `SELECT id FROM request_series
  WHERE project_id = ? AND kind = ? AND route = ? AND environment = ? AND release = ?`
const INSERT = `INSERT INTO request_series (project_id, kind, route, environment, release, last_hour)
  VALUES (?, ?, ?, ?, ?, ?)`

function seriesParams({ projectId, kind, route, environment, release }: KeptSeries) {
  return [projectId, kind, route, environment, release] as const satisfies SqlParams
}

function keptSeriesKey(series: KeptSeries): string {
  return JSON.stringify(seriesParams(series))
}
