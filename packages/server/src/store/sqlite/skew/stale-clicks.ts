import { dayOf, type IssueId, type ProjectId } from '#base/ids.ts'
import { decodeUsers, encodeUsers, NO_USERS, withoutUsers, withUsers } from '#issues/user-set.ts'
import { max } from '#limits/limits.ts'
import { hashUser } from '#model/user-hash.ts'
import type { StaleClickSeen, StaleExample, StaleSeries } from '#ports/skew.ts'
import {
  clickOf,
  clickText,
  exampleOf,
  firstHalf,
  nearTimes,
  newerExample,
  readClick,
  type StaleClick,
  seriesOf,
  seriesWhenFull,
  slotOf,
  withHalf,
} from '#skew/clicks.ts'
import type { MovedIssues } from '#skew/gathering.ts'
import type { Connection } from '../connection.ts'
import { countOf } from '../rows/account-rows.ts'
import { gatherClick } from './skew-issues.ts'

const NEAR_MAX = max('staleNearMax')

/** A click as it is remembered. */
type KeptClick = StaleClick & {
  readonly id: number
  /** Series that counts it. */
  readonly seriesId: number
  readonly slot: number
}

/** Answers the issues that became part of others. */
export function addStaleClicks(db: Connection, seen: readonly StaleClickSeen[], nowMs: number): MovedIssues {
  const moved = new Map<IssueId, IssueId>()
  for (const half of seen)
    for (const [from, into] of gatherClick(db, addHalf(db, half), nowMs)) moved.set(from, into)
  return moved
}

/** Returns the click with this half; `earlier`: halves of the same batch, not stored yet. */
export function clickWith(db: Connection, seen: StaleClickSeen, earlier: readonly StaleClick[]): StaleClick {
  const known = clickOf<StaleClick>(seen, [...earlier.toReversed(), ...clicksNear(db, seen)])
  return known === null ? firstHalf(seen) : withHalf(known, seen)
}

function addHalf(db: Connection, seen: StaleClickSeen): StaleClick {
  const known = clickOf(seen, clicksNear(db, seen))
  if (known !== null) {
    const click = withHalf(known, seen)
    changeClick(db, known, click)
    return click
  }
  const click = firstHalf(seen)
  const place = count(db, click)
  if (countOf(db, COUNT_CLICKS, [seen.projectId]) >= max('staleClicksPerProjectMax')) return click
  db.run(
    `INSERT INTO stale_clicks (project_id, day, at_ms, trace, series_id, slot, click)
      VALUES (:project, :day, :at, :trace, :seriesId, :slot, :click)`,
    {
      ...{ project: seen.projectId, day: dayOf(seen.receivedMs), at: click.atMs, trace: click.traceId },
      ...{ ...place, click: clickText(click) },
    },
  )
  return click
}

const COUNT_CLICKS = 'SELECT count(*) AS count FROM stale_clicks WHERE project_id = ?'
const CLICK = 'id, series_id AS seriesId, slot, click'

/** Returns clicks of the trace in the whole organisation, and of about the time in the project. */
function clicksNear(db: Connection, seen: StaleClickSeen): readonly KeptClick[] {
  const { projectId: project, traceId: trace } = seen
  const org = `SELECT o.id FROM projects p JOIN projects o ON o.org_id = p.org_id WHERE p.id = :project`
  type Row = Pick<KeptClick, 'id' | 'seriesId' | 'slot'> & { readonly click: string }
  // stale_clicks_by_trace, stale_clicks_by_time
  const rows = db.all<Row>(
    `SELECT ${CLICK} FROM (SELECT * FROM stale_clicks WHERE project_id IN (${org}) AND trace = :trace
        ORDER BY id DESC LIMIT ${NEAR_MAX})
      UNION SELECT ${CLICK} FROM (SELECT * FROM stale_clicks
        WHERE project_id = :project AND at_ms BETWEEN :from AND :until LIMIT ${NEAR_MAX})
      ORDER BY id`,
    { project, trace, ...nearTimes(seen) },
  )
  return rows.map(({ click, ...row }) => ({ ...readClick(click), ...row }))
}

function changeClick(db: Connection, before: KeptClick, after: StaleClick): void {
  const { id, seriesId, slot } = before
  const uncount = 'UPDATE stale_slots SET count = count - 1 WHERE series_id = ? AND slot = ?'
  db.run(uncount, [seriesId, slot])
  db.run('DELETE FROM stale_slots WHERE series_id = ? AND slot = ? AND count <= 0', [seriesId, slot])
  const place = count(db, after)
  db.run(
    `UPDATE stale_clicks SET project_id = :project, at_ms = :at, trace = :trace, series_id = :seriesId, slot = :slot, click = :click
      WHERE id = :id`,
    {
      ...{ id, project: after.projectId, at: after.atMs, trace: after.traceId },
      ...{ ...place, click: clickText(after) },
    },
  )
}

/** Into its series; answers where. */
function count(db: Connection, click: StaleClick): { readonly seriesId: number; readonly slot: number } {
  const slot = slotOf(click.atMs)
  const seriesId = seriesFor(db, click)
  addToSeries(db, seriesId, click)
  const sql = 'SELECT users, users_exact AS isExact FROM stale_slots WHERE series_id = ? AND slot = ?'
  const row = db.get<{ users: Uint8Array; isExact: number }>(sql, [seriesId, slot])
  const before = row === undefined ? NO_USERS : decodeUsers(row.isExact === 1, row.users)
  const users = click.user === null ? before : withUsers(before, [click.user])
  db.run(
    `INSERT INTO stale_slots (series_id, slot, count, users, users_exact)
      VALUES (:seriesId, :slot, 1, :users, :exact)
      ON CONFLICT (series_id, slot) DO UPDATE SET count = count + 1, users = :users, users_exact = :exact`,
    { seriesId, slot, users: encodeUsers(users), exact: users.isExact ? 1 : 0 },
  )
  return { seriesId, slot }
}

function addToSeries(db: Connection, seriesId: number, click: StaleClick): void {
  const row = db.get<{ example: string }>('SELECT example FROM stale_series WHERE id = ?', [seriesId])
  if (row === undefined) return
  const known: StaleExample = JSON.parse(row.example)
  db.run(
    `UPDATE stale_series SET example = :example, first_ms = min(first_ms, :at), last_ms = max(last_ms, :at)
      WHERE id = :id`,
    { id: seriesId, at: click.atMs, example: JSON.stringify(newerExample(known, click)) },
  )
}

function seriesFor(db: Connection, click: StaleClick): number {
  const series = seriesOf(click)
  const known = findSeries(db, series)
  if (known !== null) return known
  const sql = 'SELECT count(*) AS count FROM stale_series WHERE project_id = ?'
  if (countOf(db, sql, [series.projectId]) < max('staleSeriesPerProjectMax'))
    return insertSeries(db, series, click)
  const rooms = seriesWhenFull(series)
  for (const room of rooms) {
    const found = findSeries(db, room)
    if (found !== null) return found
  }
  return insertSeries(db, rooms.at(-1) ?? series, click)
}

function findSeries(db: Connection, series: StaleSeries): number | null {
  const { projectId: project, environment, release, fromRelease: from, failure, route } = series
  const sql = `SELECT id FROM stale_series WHERE project_id = :project AND environment = :environment
    AND release = :release AND from_release = :from AND failure = :failure AND route = :route`
  return db.get<{ id: number }>(sql, { project, environment, release, from, failure, route })?.id ?? null
}

function insertSeries(db: Connection, series: StaleSeries, click: StaleClick): number {
  const { projectId: project, environment, release, fromRelease: from, failure, route } = series
  const sql = `INSERT INTO stale_series (project_id, environment, release, from_release, failure, route,
      example, first_ms, last_ms)
    VALUES (:project, :environment, :release, :from, :failure, :route, :example, :at, :at)`
  const place = { project, environment, release, from, failure, route }
  return db.run(sql, { ...place, example: JSON.stringify(exampleOf(click)), at: click.atMs }).lastId
}

/** Names go, counts stay. */
export function forgetStaleUsers(db: Connection, project: ProjectId, names: readonly string[]): void {
  const gone = new Set(names.map(hashUser))
  type Row = {
    readonly series: number
    readonly slot: number
    readonly users: Uint8Array
    readonly isExact: number
  }
  const sql = `SELECT t.series_id AS series, t.slot, t.users, t.users_exact AS isExact
    FROM stale_series s JOIN stale_slots t ON t.series_id = s.id WHERE s.project_id = ?`
  for (const { series, slot, users, isExact } of db.all<Row>(sql, [project])) {
    const before = decodeUsers(isExact === 1, users)
    const after = withoutUsers(before, gone)
    const write = 'UPDATE stale_slots SET users = ? WHERE series_id = ? AND slot = ?'
    if (after !== before) db.run(write, [encodeUsers(after), series, slot])
  }
  const kept = 'SELECT id, click FROM stale_clicks WHERE project_id = ?'
  for (const { id, click } of db.all<{ id: number; click: string }>(kept, [project])) {
    const read = readClick(click)
    if (read.user === null || !gone.has(read.user)) continue
    db.run('UPDATE stale_clicks SET click = ? WHERE id = ?', [clickText({ ...read, user: null }), id])
  }
}
