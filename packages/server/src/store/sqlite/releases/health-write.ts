/** Writes what the commit keeps of sessions. Rules of what counts: `sessionChanges`. */
import type { ProjectId } from '#base/ids.ts'
import { DAY_HOURS } from '#issues/health-groups.ts'
import {
  type ChangedSession,
  type HealthAddition,
  type HealthHour,
  type HealthPlace,
  hoursOfNew,
  type LeftOutSession,
  namedBySessions,
  type SessionName,
  type SessionsBefore,
  sessionChanges,
} from '#issues/session-changes.ts'
import { decodeUsers, encodeUsers, NO_USERS, withUsers } from '#issues/user-set.ts'
import type { SessionDelta } from '#ports/health.ts'
import type { Connection } from '../connection.ts'
import { countOf } from '../rows/account-rows.ts'

/** Lives as long as its connection. `discard` after a transaction that was undone, and when sessions were forgotten. */
export class SessionStore {
  readonly #db: Connection
  /** Sessions remembered, by project: counting them costs a walk over all. */
  readonly #remembered = new Map<ProjectId, number>()

  constructor(db: Connection) {
    this.#db = db
  }

  discard(): void {
    this.#remembered.clear()
  }

  /** Answers what is not counted. */
  add(deltas: readonly SessionDelta[]): readonly LeftOutSession[] {
    if (deltas.length === 0) return []
    const { additions, sessions, leftOut } = sessionChanges(deltas, this.#before(deltas))
    const series = new Map<string, number>()
    const seriesOf = (place: HealthPlace): number => {
      const key = JSON.stringify([place.projectId, place.release, place.environment])
      const id = series.get(key) ?? findSeries(this.#db, place) ?? insertSeries(this.#db, place)
      series.set(key, id)
      return id
    }
    for (const addition of additions) writeAddition(this.#db, seriesOf(addition.place), addition)
    for (const session of sessions) this.#put(seriesOf(session.place), session)
    return leftOut
  }

  #before(deltas: readonly SessionDelta[]): SessionsBefore {
    const named = namedBySessions(deltas)
    const places = knownPlaces(this.#db, named.places)
    return {
      sessions: knownSessions(this.#db, named.sessions),
      places,
      hours: placesInHours(this.#db, hoursOfNew(named.places, places)),
      remembered: new Map(named.projects.map((project) => [project, this.#count(project)])),
    }
  }

  #count(project: ProjectId): number {
    const sql = 'SELECT count(*) AS count FROM health_sessions WHERE project_id = ?'
    const count = this.#remembered.get(project) ?? countOf(this.#db, sql, [project])
    this.#remembered.set(project, count)
    return count
  }

  #put(series: number, { session, place, severity, people }: ChangedSession): void {
    const { projectId: project, hour } = place
    const [key, packed] = [sessionKey(session), packPeople(people)]
    const change = `UPDATE health_sessions SET series_id = ?, hour = ?, severity = ?, people = ?
      WHERE project_id = ? AND session = ?`
    if (this.#db.run(change, [series, hour, severity, packed, project, key]).changes > 0) return
    const insert = `INSERT INTO health_sessions (project_id, session, series_id, hour, severity, people)
      VALUES (?, ?, ?, ?, ?, ?)`
    const count = this.#count(project)
    this.#db.run(insert, [project, key, series, hour, severity, packed])
    this.#remembered.set(project, count + 1)
  }
}

function sessionKey(session: bigint): Uint8Array {
  const key = Buffer.alloc(8)
  key.writeBigUInt64BE(session)
  return key
}

function packPeople(people: readonly bigint[]): Uint8Array {
  return encodeUsers({ isExact: true, hashes: BigUint64Array.from(people) })
}

function knownSessions(db: Connection, named: readonly SessionName[]): readonly ChangedSession[] {
  if (named.length === 0) return []
  // By the key of health_sessions.
  const sql = `SELECT k.key AS at, s.hour, s.severity, s.people, r.release, r.environment
    FROM json_each(?) k
    CROSS JOIN health_sessions s ON s.project_id = k.value ->> 0 AND s.session = unhex(k.value ->> 1)
    JOIN health_series r ON r.id = s.series_id`
  type Row = Pick<HealthPlace, 'hour' | 'release' | 'environment'> & {
    readonly at: number
    readonly severity: number
    readonly people: Uint8Array
  }
  const keys = named.map(({ projectId, session }) => [
    projectId,
    Buffer.from(sessionKey(session)).toString('hex'),
  ])
  return db.all<Row>(sql, [JSON.stringify(keys)]).flatMap(({ at, severity, people, ...place }) => {
    const name = named[at]
    if (name === undefined) return []
    const { projectId, session } = name
    const packed = decodeUsers(true, people)
    return [
      { session, severity, place: { projectId, ...place }, people: packed.isExact ? [...packed.hashes] : [] },
    ]
  })
}

function knownPlaces(db: Connection, named: readonly HealthPlace[]): readonly HealthPlace[] {
  // By the keys of health_series and health_hours.
  const sql = `SELECT k.key AS at FROM json_each(?) k
    CROSS JOIN health_series s ON s.project_id = k.value ->> 0 AND s.release = k.value ->> 1 AND s.environment = k.value ->> 2
    CROSS JOIN health_hours h ON h.series_id = s.id AND h.hour = k.value ->> 3`
  const keys = named.map(({ projectId, release, environment, hour }) => [
    projectId,
    release,
    environment,
    hour,
  ])
  return db.all<{ at: number }>(sql, [JSON.stringify(keys)]).flatMap(({ at }) => named[at] ?? [])
}

function placesInHours(db: Connection, named: readonly HealthHour[]): SessionsBefore['hours'] {
  if (named.length === 0) return []
  // health_hours_by_hour
  const sql = `SELECT k.key AS at, count(*) AS places FROM json_each(?) k
    CROSS JOIN health_hours h ON h.hour = k.value ->> 1
    CROSS JOIN health_series s ON s.id = h.series_id AND s.project_id = k.value ->> 0 GROUP BY k.key`
  const keys = named.map(({ projectId, hour }) => [projectId, hour])
  return db.all<{ at: number; places: number }>(sql, [JSON.stringify(keys)]).flatMap(({ at, places }) => {
    const hour = named[at]
    return hour === undefined ? [] : [{ ...hour, places }]
  })
}

function findSeries(db: Connection, { projectId, release, environment }: HealthPlace): number | null {
  const sql = 'SELECT id FROM health_series WHERE project_id = ? AND release = ? AND environment = ?'
  return db.get<{ id: number }>(sql, [projectId, release, environment])?.id ?? null
}

function insertSeries(db: Connection, { projectId, release, environment }: HealthPlace): number {
  const sql = 'INSERT INTO health_series (project_id, release, environment) VALUES (?, ?, ?)'
  return db.run(sql, [projectId, release, environment]).lastId
}

const ADD = `INSERT INTO health_hours (series_id, hour, sessions, errored, unhandled, abnormal, crashed)
  VALUES (:series, :hour, :sessions, :errored, :unhandled, :abnormal, :crashed)
  ON CONFLICT (series_id, hour) DO UPDATE SET sessions = sessions + :sessions, errored = errored + :errored,
    unhandled = unhandled + :unhandled, abnormal = abnormal + :abnormal, crashed = crashed + :crashed`

function writeAddition(db: Connection, series: number, addition: HealthAddition): void {
  const { place, counts, people, crashedPeople } = addition
  db.run(ADD, { series, hour: place.hour, ...counts })
  for (const span of [1, DAY_HOURS]) {
    const hour = place.hour - (place.hour % span)
    addPeople(db, { series, span, hour, isCrashed: 0 }, people)
    addPeople(db, { series, span, hour, isCrashed: 1 }, crashedPeople)
  }
}

interface PeoplePlace {
  readonly series: number
  readonly span: number
  readonly hour: number
  readonly isCrashed: number
}

function addPeople(
  db: Connection,
  { series, span, hour, isCrashed }: PeoplePlace,
  added: ReadonlySet<bigint>,
): void {
  if (added.size === 0) return
  const at = [series, span, hour, isCrashed]
  const read = `SELECT is_exact AS isExact, state FROM health_people
    WHERE series_id = ? AND span = ? AND hour = ? AND is_crashed = ?`
  const row = db.get<{ readonly isExact: number; readonly state: Uint8Array }>(read, at)
  const before = row === undefined ? NO_USERS : decodeUsers(row.isExact === 1, row.state)
  const after = withUsers(before, added)
  if (after === before) return
  const write = `INSERT OR REPLACE INTO health_people (series_id, span, hour, is_crashed, is_exact, state)
    VALUES (?, ?, ?, ?, ?, ?)`
  db.run(write, [...at, after.isExact ? 1 : 0, encodeUsers(after)])
}
