/** The commit's side of the figures of actions: each within its route, by its name, else by its id. */
import { hourOf } from '#base/durations.ts'
import { dayOf, type ProjectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import { isActionId } from '#model/action-name.ts'
import type { ActionNamed, RequestSeries, SegmentSeen } from '#ports/requests.ts'
import {
  addCounted,
  addRequestSums,
  type CountedSegment,
  countedKey,
  emptyRequestSum,
  hasRoomForId,
  type KeptAction,
  keptAction,
  keptBeyondIds,
  keptSeries,
  type RequestSum,
} from '#requests/sums.ts'
import type { Connection, SqlParams } from '../connection.ts'
import type { Memory } from '../memory.ts'
import { IS_ID } from './action-rows.ts'
import {
  type HourSum,
  OF_ACTIONS,
  removeFromSum,
  type SampleActionSum,
  writeSum,
  writeSums,
} from './sum-rows.ts'

const SERIES_MAX = max('actionSeriesPerProjectMax')
const NAMES_MAX = max('actionNamesPerProjectMax')

interface KnownName {
  readonly name: string
  readonly day: number
}

interface ToldName extends KnownName {
  readonly projectId: ProjectId
  readonly id: string
  /** It is not stored yet. */
  readonly isNew: boolean
}

type ActionMemory = ReturnType<typeof rememberActions>

export function rememberActions(memory: Memory) {
  const perProject = { most: max('projectCountsRememberedMax') }
  return {
    /** By project and id; `null`: nobody told. */
    names: memory.keep<string, KnownName | null>({ most: max('seriesRememberedMax') }),
    /** `null`: there is no room for it. */
    series: memory.keep<string, number | null>({ most: max('seriesRememberedMax') }),
    /** Series of a project that have an id: a flood of ids would count all of them for each. */
    ids: memory.keep<ProjectId, number>(perProject),
    /** Series of a project. */
    counts: memory.keep<ProjectId, number>(perProject),
  }
}

export class ActionStore {
  readonly #db: Connection
  readonly #names: ActionMemory['names']
  readonly #series: ActionMemory['series']
  readonly #ids: ActionMemory['ids']
  readonly #counts: ActionMemory['counts']

  constructor(db: Connection, { names, series, ids, counts }: ActionMemory) {
    this.#db = db
    this.#names = names
    this.#series = series
    this.#ids = ids
    this.#counts = counts
  }

  /** The one told last holds; of more than a project may keep, the newest do. */
  named(told: readonly ActionNamed[]): void {
    this.#loadNames(told)
    const rows = new Map<string, ToldName>()
    for (const { projectId, id, name, receivedMs } of told) {
      const day = dayOf(receivedMs)
      const known = this.#known(projectId, id)
      if (known !== null && known.name === name && known.day >= day) continue
      const key = nameKey(projectId, id)
      const isNew = rows.get(key)?.isNew ?? known === null
      // The one told last comes last.
      rows.delete(key)
      rows.set(key, { projectId, id, name, day, isNew })
      this.#names.set(key, { name, day })
      if (known?.name !== name) this.#series.clear()
    }
    const kept = this.#newestOf([...rows.values()])
    this.#makeRoom(kept)
    const sql = `INSERT INTO action_names (project_id, action_id, name, day) VALUES (?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET name = excluded.name, day = excluded.day`
    this.#db.runEach(
      sql,
      kept.flatMap((names) => names.map(({ projectId, id, name, day }) => [projectId, id, name, day])),
    )
  }

  /** Answers as many of each project as it may keep, and forgets the others. */
  #newestOf(told: readonly ToldName[]): readonly (readonly ToldName[])[] {
    return [...Map.groupBy(told, ({ projectId }) => projectId).values()].map((names) => {
      if (names.length <= NAMES_MAX) return names
      const byDay = names.toSorted((a, b) => a.day - b.day)
      for (const { projectId, id } of byDay.slice(0, -NAMES_MAX)) this.#names.delete(nameKey(projectId, id))
      return byDay.slice(-NAMES_MAX)
    })
  }

  /** Adds sums of a sample, which has no segments. */
  addSums(rows: readonly SampleActionSum[]): void {
    for (const { series, action, ...row } of rows) {
      const kept = keptAction({ ...series, action })
      const seriesId = kept === null ? null : this.#seriesOf(kept, row.hour)
      if (seriesId !== null) writeSum(this.#db, OF_ACTIONS, { ...row, seriesId })
    }
  }

  /** Adds segments that are counted for the first time, after their routes. */
  add(segments: readonly SegmentSeen[]): void {
    const sums = new Map<string, HourSum<RequestSum>>()
    const notes: SqlParams[] = []
    const actions = segments.map(keptAction)
    this.#load(
      segments.flatMap((segment, at) => {
        const series = actions[at] ?? null
        return series === null ? [] : [{ series, hour: hourOf(segment.atMs) }]
      }),
    )
    for (const [at, segment] of segments.entries()) {
      const action = actions[at] ?? null
      const hour = hourOf(segment.atMs)
      const seriesId = action === null ? null : this.#seriesOf(action, hour)
      if (seriesId === null) continue
      const key = `${seriesId}:${hour}`
      const sum = sums.get(key) ?? { seriesId, hour, sum: emptyRequestSum() }
      sums.set(key, sum)
      addRequestSums(sum.sum, segment)
      notes.push([seriesId, segment.projectId, ...countedKey(segment.traceId, segment.segmentId)])
    }
    const note =
      'UPDATE counted_spans SET action_series_id = ? WHERE project_id = ? AND trace = ? AND span = ?'
    this.#db.runEach(note, notes)
    writeSums(this.#db, OF_ACTIONS, [...sums.values()])
  }

  /** Finds or makes series, so that `#seriesOf` asks only where there is no room for one of its own. */
  #load(places: readonly { readonly series: KeptAction; readonly hour: number }[]): void {
    const missing = new Map<string, (typeof places)[number]>()
    for (const place of places) {
      const key = actionSeriesKey(place.series)
      if (this.#series.get(key) === undefined) missing.set(key, place)
    }
    const asked = [...missing]
    const rows = this.#db.getEach<{ readonly id: number }>(
      FIND,
      asked.map(([, { series }]) => findParams(series)),
    )
    for (const [at, [key]] of asked.entries()) {
      const row = rows[at]
      if (row !== undefined) this.#series.set(key, row.id)
    }
    const fresh = asked.filter(([, { series }], at) => rows[at] === undefined && this.#takesPlace(series))
    const made = this.#db.runEach(
      INSERT,
      fresh.map(([, { series, hour }]) => [...findParams(series), hour]),
    )
    for (const [at, [key]] of fresh.entries()) this.#series.set(key, made[at]?.lastId ?? null)
  }

  /** True, and counted, while the project has room for a series of its own. */
  #takesPlace(series: KeptAction): boolean {
    const { projectId, action } = series
    const isOwn = !isActionId(action) || this.#roomOf(series) === series
    const count = this.#countOf(projectId)
    if (!isOwn || count >= SERIES_MAX) return false
    this.#counted(series, count)
    return true
  }

  #roomOf(series: KeptAction): KeptAction {
    const { projectId, action } = series
    if (!isActionId(action) || hasRoomForId(this.#idsOf(projectId))) return series
    return keptBeyondIds(series, this.#known(projectId, action)?.name ?? null)
  }

  #counted({ projectId, action }: KeptAction, count: number): void {
    if (isActionId(action)) this.#ids.set(projectId, this.#idsOf(projectId) + 1)
    this.#counts.set(projectId, count + 1)
  }

  /**
   * Moves a segment whose kind or route turned out to be another. Returns where it is counted now; `null` if
   * it is not an action.
   */
  moved(
    from: number | null,
    {
      segment,
      hour,
      was,
      is,
    }: {
      readonly segment: RequestSeries & Pick<SegmentSeen, 'action'>
      readonly hour: number
      readonly was: CountedSegment
      readonly is: CountedSegment
    },
  ): number | null {
    const find = 'SELECT action FROM action_series WHERE id = ?'
    const known = from === null ? undefined : this.#db.get<{ action: string }>(find, [from])
    if (from !== null) removeFromSum(this.#db, OF_ACTIONS, { seriesId: from, hour, segment: was })
    if (segment.kind !== 'action') return null
    const told = keptAction(segment)
    const action = known === undefined ? told : { ...keptSeries(segment), action: known.action }
    const seriesId = action === null ? null : this.#seriesOf(action, hour)
    if (seriesId === null) return null
    const sum = emptyRequestSum()
    addCounted(sum, is)
    writeSum(this.#db, OF_ACTIONS, { seriesId, hour, sum })
    return seriesId
  }

  #known(projectId: ProjectId, id: string): KnownName | null {
    const key = nameKey(projectId, id)
    const known = this.#names.get(key)
    if (known !== undefined) return known
    const found = this.#db.get<KnownName>(FIND_NAME, [projectId, id]) ?? null
    this.#names.set(key, found)
    return found
  }

  /** Reads what is not remembered, so that `#known` asks for nothing. */
  #loadNames(told: readonly ActionNamed[]): void {
    const unknown = told.filter(({ projectId, id }) => this.#names.get(nameKey(projectId, id)) === undefined)
    const asked = [...new Map(unknown.map((named) => [nameKey(named.projectId, named.id), named]))]
    const rows = this.#db.getEach<KnownName>(
      FIND_NAME,
      asked.map(([, { projectId, id }]) => [projectId, id]),
    )
    for (const [at, [key]] of asked.entries()) {
      this.#names.set(key, rows[at] ?? null)
    }
  }

  /** Makes room in each project for names that begin; those that are told are no part of it. */
  #makeRoom(told: readonly (readonly ToldName[])[]): void {
    const begun = told.flatMap((names) => {
      const [first] = names
      const more = names.filter(({ isNew }) => isNew).length
      return first === undefined || more === 0 ? [] : [{ project: first.projectId, more, names }]
    })
    const counts = this.#db.getEach<{ readonly count: number }>(
      'SELECT count(*) AS count FROM action_names WHERE project_id = ?',
      begun.map(({ project }) => [project]),
    )
    const full = begun.flatMap(({ project, more, names }, at) => {
      const over = (counts[at]?.count ?? 0) + more - NAMES_MAX
      return over > 0 ? [{ project, over, told: JSON.stringify(names.map(({ id }) => id)) }] : []
    })
    const gone = this.#db.allEach<{ readonly project: ProjectId; readonly id: string }>(
      `DELETE FROM action_names WHERE (project_id, action_id) IN (SELECT project_id, action_id FROM action_names
        WHERE project_id = :project AND action_id NOT IN (SELECT value FROM json_each(:told))
        ORDER BY day, action_id LIMIT :over) RETURNING project_id AS project, action_id AS id`,
      full,
    )
    for (const { project, id } of gone.flat()) this.#names.delete(nameKey(project, id))
  }

  #seriesOf(series: KeptAction, hour: number): number | null {
    const key = actionSeriesKey(series)
    const known = this.#series.get(key)
    if (known !== undefined) return known
    const id = this.#findSeries(series) ?? this.#newSeries(series, hour)
    this.#series.set(key, id)
    return id
  }

  #findSeries(series: KeptAction): number | null {
    return this.#db.get<{ id: number }>(FIND, findParams(series))?.id ?? null
  }

  #newSeries(series: KeptAction, hour: number): number | null {
    const room = this.#roomOf(series)
    const found = room === series ? null : this.#findSeries(room)
    if (found !== null) return found
    const count = this.#countOf(room.projectId)
    if (count >= SERIES_MAX) return null
    this.#counted(room, count)
    return this.#db.run(INSERT, [...findParams(room), hour]).lastId
  }

  #countOf(projectId: ProjectId): number {
    const sql = 'SELECT count(*) AS count FROM action_series WHERE project_id = ?'
    const count = this.#counts.get(projectId) ?? this.#db.get<{ count: number }>(sql, [projectId])?.count ?? 0
    this.#counts.set(projectId, count)
    return count
  }

  #idsOf(projectId: ProjectId): number {
    const known = this.#ids.get(projectId)
    if (known !== undefined) return known
    const sql = `SELECT count(*) AS count FROM action_series AS s WHERE s.project_id = ? AND ${IS_ID}`
    const count = this.#db.get<{ count: number }>(sql, [projectId])?.count ?? 0
    this.#ids.set(projectId, count)
    return count
  }
}

function nameKey(projectId: ProjectId, id: string): string {
  return `${projectId}:${id}`
}

const FIND_NAME = 'SELECT name, day FROM action_names WHERE project_id = ? AND action_id = ?'

const FIND = `SELECT id FROM action_series
  WHERE project_id = ? AND route = ? AND action = ? AND environment = ? AND release = ?`

const INSERT = `INSERT INTO action_series (project_id, route, action, environment, release, last_hour)
  VALUES (?, ?, ?, ?, ?, ?)`

function findParams({ projectId, route, action, environment, release }: KeptAction) {
  return [projectId, route, action, environment, release] as const satisfies SqlParams
}

function actionSeriesKey(series: KeptAction): string {
  return JSON.stringify(findParams(series))
}
