/** Series of requests: made by sets, and remembered by their names. */

import { assert } from '#base/errors.ts'
import type { ProjectId } from '#base/ids.ts'
import { type KeptSeries, roomFor } from '#requests/sums.ts'
import type { Connection, SqlParams } from '../connection.ts'
import { forgetOldest } from '../rows/forget-oldest.ts'

/** Ids of series that are remembered: more than a busy installation has. */
const KNOWN_MAX = 50_000

/** A series, and the hour in which something of it came. */
export interface SeriesPlace {
  readonly series: KeptSeries
  readonly hour: number
}

export class SeriesStore {
  readonly #db: Connection
  readonly #ids = new Map<string, number>()
  /** Number of series of a project. */
  readonly #counts = new Map<ProjectId, number>()

  constructor(db: Connection) {
    this.#db = db
  }

  /** Forgets rows that may have changed. */
  discard(): void {
    this.#ids.clear()
    this.#counts.clear()
  }

  /** Finds or makes all of them, so that `idOf` asks for nothing. */
  make(places: readonly SeriesPlace[]): void {
    const missing = new Map<string, SeriesPlace>()
    for (const place of places) {
      const key = keptSeriesKey(place.series)
      if (!this.#ids.has(key)) missing.set(key, place)
    }
    const rows = this.#db.getEach<{ readonly id: number }>(
      FIND,
      [...missing.values()].map(({ series }) => seriesParams(series)),
    )
    for (const [at, key] of [...missing.keys()].entries()) {
      const row = rows[at]
      if (row === undefined) continue
      this.#remember(key, row.id)
      missing.delete(key)
    }
    this.#insert([...missing.values()].filter(({ series }) => this.#takesPlace(series)))
  }

  idOf(series: KeptSeries, hour: number): number {
    const key = keptSeriesKey(series)
    const known = this.#ids.get(key)
    if (known !== undefined) return known
    const id = this.#find(series) ?? this.#roomOf(series, hour)
    this.#remember(key, id)
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
      this.#remember(keptSeriesKey(series), made[at]?.lastId ?? 0)
  }

  #remember(key: string, id: number): void {
    forgetOldest(this.#ids, KNOWN_MAX)
    this.#ids.set(key, id)
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

  /** Counted once: a flood of new names would count all of them for each. */
  #countOf(project: ProjectId): number {
    const known = this.#counts.get(project)
    if (known !== undefined) return known
    forgetOldest(this.#counts, KNOWN_MAX)
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
