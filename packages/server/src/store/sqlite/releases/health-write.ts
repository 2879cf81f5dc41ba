/** The stage of the commit that counts sessions. Rules of what counts: `sessionChanges`. */
import type { ProjectId } from '#base/ids.ts'
import { DAY_HOURS } from '#issues/health-groups.ts'
import {
  type HealthAddition,
  type HealthPlace,
  healthPlaceKey,
  hourKey,
  type KnownSession,
  placesToAsk,
  type SessionChanges,
  sessionChanges,
  sessionsToAsk,
} from '#issues/session-changes.ts'
import { decodeUsers, encodeUsers, NO_USERS, type UserSet, withUsers } from '#issues/user-set.ts'
import type { SessionDelta } from '#ports/health.ts'
import type { Connection } from '../connection.ts'
import type { Kept } from '../memory.ts'
import type { Stage } from '../stage.ts'

interface SessionsAtHand {
  readonly deltas: readonly SessionDelta[]
  /** Sessions of projects that may still change, as remembered: counting them costs a walk over all. */
  readonly remembered: Kept<ProjectId, number>
}

/** Parts of a batch that sessions look at. */
interface AtSessions {
  readonly sessions: readonly SessionDelta[]
  readonly remembered: { readonly sessions: Kept<ProjectId, number> }
}

interface HealthThere {
  readonly changes: SessionChanges
  /** Ids by `healthSeriesKey`. */
  readonly series: ReadonlyMap<string, number>
  /** By `peopleKey`. */
  readonly people: ReadonlyMap<string, UserSet>
}

interface HealthChanges extends SessionChanges {
  readonly series: HealthThere['series']
  readonly people: readonly (PeoplePlace & { readonly users: UserSet })[]
  readonly remembered: Kept<ProjectId, number>
}

export const SESSION_STAGE: Stage<
  SessionsAtHand,
  HealthThere,
  HealthChanges,
  AtSessions,
  Pick<SessionChanges, 'leftOut'>
> = {
  name: 'sessions',
  pick({ sessions: deltas, remembered: { sessions: remembered } }) {
    return deltas.length === 0 ? null : { deltas, remembered }
  },
  load(db, { deltas, remembered }) {
    const known = findSessions(db, deltas)
    const asked = placesToAsk(deltas)
    const series = findHealthSeries(db, [...asked, ...[...known.values()].map(({ place }) => place)])
    const places = findPlaces(db, asked, series)
    const changes = sessionChanges(deltas, {
      ...{ sessions: known, places },
      placesInHour: countHealthPlaces(
        db,
        asked.filter((place) => !places.has(healthPlaceKey(place))),
      ),
      remembered: countSessions(db, sessionsToAsk(deltas), remembered),
    })
    return { changes, series, people: findPeople(db, [...addedPeople(changes.additions).values()], series) }
  },
  decide({ changes, series, people: before }, { remembered }) {
    const people = [...addedPeople(changes.additions)].flatMap(([key, { added, ...place }]) => {
      const known = before.get(key) ?? NO_USERS
      const users = withUsers(known, added)
      return users === known ? [] : [{ ...place, users }]
    })
    const { additions, sessions, leftOut } = changes
    return { additions, sessions, leftOut, series, people, remembered }
  },
  save(db, { additions, sessions, leftOut, series: known, people, remembered }) {
    const places = [...additions, ...sessions].map(({ place }) => place)
    const series = new Map([...known, ...insertSeries(db, places, known)])
    const idOf = (place: SeriesName) => series.get(healthSeriesKey(place)) ?? 0
    db.runEach(
      ADD,
      additions.map(({ place, counts }) => ({ series: idOf(place), hour: place.hour, ...counts })),
    )
    db.runEach(
      `INSERT OR REPLACE INTO health_people (series_id, span, hour, is_crashed, is_exact, state)
        VALUES (?, ?, ?, ?, ?, ?)`,
      people.map(({ of, span, hour, isCrashed, users }) => {
        return [idOf(of), span, hour, isCrashed, users.isExact ? 1 : 0, encodeUsers(users)]
      }),
    )
    const rows = sessions.map(({ session, place, severity, people: seen }) => {
      const { projectId: project, hour } = place
      const row = { series: idOf(place), hour, severity, people: packPeople(seen) }
      return { ...row, project, session: sessionBytes(session) }
    })
    const changed = db.runEach(CHANGE, rows)
    const fresh = rows.filter((_, at) => changed[at]?.changes === 0)
    db.runEach(INSERT, fresh)
    for (const { project } of fresh) remembered.set(project, (remembered.get(project) ?? 0) + 1)
    return { leftOut }
  },
}

const CHANGE = `UPDATE health_sessions SET series_id = :series, hour = :hour, severity = :severity, people = :people
  WHERE project_id = :project AND session = :session`
const INSERT = `INSERT INTO health_sessions (project_id, session, series_id, hour, severity, people)
  VALUES (:project, :session, :series, :hour, :severity, :people)`

function sessionBytes(session: bigint): Uint8Array {
  const key = Buffer.alloc(8)
  key.writeBigUInt64BE(session)
  return key
}

function packPeople(people: readonly bigint[]): Uint8Array {
  return encodeUsers({ isExact: true, hashes: BigUint64Array.from(people) })
}

function findSessions(db: Connection, deltas: readonly SessionDelta[]): ReadonlyMap<string, KnownSession> {
  const asked = sessionsToAsk(deltas)
  const sql = `SELECT s.hour, s.severity, s.people, r.release, r.environment
    FROM health_sessions s JOIN health_series r ON r.id = s.series_id WHERE s.project_id = ? AND s.session = ?`
  type Row = Pick<HealthPlace, 'hour' | 'release' | 'environment'> & {
    readonly severity: number
    readonly people: Uint8Array
  }
  const rows = db.getEach<Row>(
    sql,
    asked.map(({ projectId, session }) => [projectId, sessionBytes(session)]),
  )
  return new Map(
    asked.flatMap(({ key, projectId }, at): [string, KnownSession][] => {
      const row = rows[at]
      if (row === undefined) return []
      const { hour, release, environment, severity } = row
      const people = decodeUsers(true, row.people)
      const place = { projectId, release, environment, hour }
      return [[key, { place, severity, people: people.isExact ? [...people.hashes] : [] }]]
    }),
  )
}

type SeriesName = Pick<HealthPlace, 'projectId' | 'release' | 'environment'>

function healthSeriesKey({ projectId, release, environment }: SeriesName): string {
  return JSON.stringify([projectId, release, environment])
}

function distinctSeries(places: readonly SeriesName[]): readonly (readonly [string, SeriesName])[] {
  return [...new Map(places.map((place) => [healthSeriesKey(place), place]))]
}

function findHealthSeries(db: Connection, places: readonly SeriesName[]): ReadonlyMap<string, number> {
  const asked = distinctSeries(places)
  const sql = 'SELECT id FROM health_series WHERE project_id = ? AND release = ? AND environment = ?'
  const rows = db.getEach<{ readonly id: number }>(
    sql,
    asked.map(([, { projectId, release, environment }]) => [projectId, release, environment]),
  )
  return new Map(
    asked.flatMap(([key], at) => {
      const row = rows[at]
      return row === undefined ? [] : [[key, row.id]]
    }),
  )
}

/** Answers the ids of those that begin. */
function insertSeries(
  db: Connection,
  places: readonly SeriesName[],
  known: ReadonlyMap<string, number>,
): readonly (readonly [string, number])[] {
  const fresh = distinctSeries(places).filter(([key]) => !known.has(key))
  const rows = db.runEach(
    'INSERT INTO health_series (project_id, release, environment) VALUES (?, ?, ?)',
    fresh.map(([, { projectId, release, environment }]) => [projectId, release, environment]),
  )
  return fresh.map(([key], at) => [key, rows[at]?.lastId ?? 0])
}

/** Returns those that are counted already. */
function findPlaces(
  db: Connection,
  places: readonly HealthPlace[],
  series: ReadonlyMap<string, number>,
): ReadonlySet<string> {
  const asked = places.flatMap((place) => {
    const id = series.get(healthSeriesKey(place))
    return id === undefined ? [] : [{ place, id }]
  })
  const rows = db.getEach(
    'SELECT 1 AS one FROM health_hours WHERE series_id = ? AND hour = ?',
    asked.map(({ id, place: { hour } }) => [id, hour]),
  )
  return new Set(asked.filter((_, at) => rows[at] !== undefined).map(({ place }) => healthPlaceKey(place)))
}

function countHealthPlaces(db: Connection, places: readonly HealthPlace[]): ReadonlyMap<string, number> {
  const asked = [...new Map(places.map((place) => [hourKey(place), place]))]
  // health_hours_by_hour
  const sql = `SELECT count(*) AS count FROM health_hours h JOIN health_series s ON s.id = h.series_id
    WHERE h.hour = ? AND s.project_id = ?`
  const rows = db.getEach<{ readonly count: number }>(
    sql,
    asked.map(([, { hour, projectId }]) => [hour, projectId]),
  )
  return new Map(asked.map(([key], at) => [key, rows[at]?.count ?? 0]))
}

function countSessions(
  db: Connection,
  sessions: readonly { readonly projectId: ProjectId }[],
  remembered: Kept<ProjectId, number>,
): Kept<ProjectId, number> {
  const named = [...new Set(sessions.map(({ projectId }) => projectId))]
  const asked = named.filter((project) => remembered.get(project) === undefined)
  const rows = db.getEach<{ readonly count: number }>(
    'SELECT count(*) AS count FROM health_sessions WHERE project_id = ?',
    asked.map((project) => [project]),
  )
  for (const [at, project] of asked.entries()) remembered.set(project, rows[at]?.count ?? 0)
  return remembered
}

const ADD = `INSERT INTO health_hours (series_id, hour, sessions, errored, unhandled, abnormal, crashed)
  VALUES (:series, :hour, :sessions, :errored, :unhandled, :abnormal, :crashed)
  ON CONFLICT (series_id, hour) DO UPDATE SET sessions = sessions + :sessions, errored = errored + :errored,
    unhandled = unhandled + :unhandled, abnormal = abnormal + :abnormal, crashed = crashed + :crashed`

interface PeoplePlace {
  readonly of: SeriesName
  readonly span: number
  readonly hour: number
  readonly isCrashed: 0 | 1
}

function peopleKey({ of, span, hour, isCrashed }: PeoplePlace): string {
  return `${span} ${hour} ${isCrashed} ${healthSeriesKey(of)}`
}

/** People by the hour and by the day: hours of one day add to the same. */
function addedPeople(
  additions: readonly HealthAddition[],
): ReadonlyMap<string, PeoplePlace & { readonly added: Set<bigint> }> {
  const found = new Map<string, PeoplePlace & { readonly added: Set<bigint> }>()
  for (const { place: of, people, crashedPeople } of additions) {
    for (const span of [1, DAY_HOURS]) {
      for (const [isCrashed, seen] of [
        [0, people],
        [1, crashedPeople],
      ] as const) {
        if (seen.size === 0) continue
        const place: PeoplePlace = { of, span, hour: of.hour - (of.hour % span), isCrashed }
        const key = peopleKey(place)
        const known = found.get(key) ?? { ...place, added: new Set() }
        found.set(key, known)
        for (const one of seen) known.added.add(one)
      }
    }
  }
  return found
}

function findPeople(
  db: Connection,
  places: readonly PeoplePlace[],
  series: ReadonlyMap<string, number>,
): ReadonlyMap<string, UserSet> {
  const asked = places.flatMap((place) => {
    const id = series.get(healthSeriesKey(place.of))
    return id === undefined ? [] : [{ place, id }]
  })
  const sql = `SELECT is_exact AS isExact, state FROM health_people
    WHERE series_id = ? AND span = ? AND hour = ? AND is_crashed = ?`
  const rows = db.getEach<{ readonly isExact: number; readonly state: Uint8Array }>(
    sql,
    asked.map(({ place: { span, hour, isCrashed }, id }) => [id, span, hour, isCrashed]),
  )
  return new Map(
    asked.flatMap(({ place }, at) => {
      const row = rows[at]
      return row === undefined ? [] : [[peopleKey(place), decodeUsers(row.isExact === 1, row.state)]]
    }),
  )
}
