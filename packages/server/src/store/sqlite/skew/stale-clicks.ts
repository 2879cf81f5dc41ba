/** The stage of the commit that counts stale clicks, each once, whoever tells of it. */
import { dayOf, type OrgId, type ProjectId } from '#base/ids.ts'
import {
  decodeUsers,
  encodeUsers,
  NO_USERS,
  type UserSet,
  withoutUsers,
  withUsers,
} from '#issues/user-set.ts'
import { max } from '#limits/limits.ts'
import { hashUser } from '#model/user-hash.ts'
import type { StaleClickSeen, StaleExample, StaleSeries } from '#ports/skew.ts'
import {
  type ClickSlot,
  type ClickSums,
  countClicks,
  mayBeFull,
  roomsToAsk,
  type SeriesSum,
  type SumsThere,
  seriesToAsk,
  slotKey,
  slotsToAsk,
} from '#skew/click-sums.ts'
import { clickText, nearTimes, readClick } from '#skew/clicks.ts'
import { type JoinedHalves, joinHalves, type KeptClick } from '#skew/joined-halves.ts'
import type { AnsweredThere, CountedClick, CountedClicks } from '#skew/placing.ts'
import { type BatchProjects, orgsOf } from '../batch-projects.ts'
import type { Connection } from '../connection.ts'
import type { Stage } from '../stage.ts'
import { answeredThere } from './skew-runs.ts'

const NEAR_MAX = max('staleNearMax')

/** Halves of a batch, with the organisations of their projects. */
interface HalvesAtHand {
  readonly seen: readonly StaleClickSeen[]
  readonly orgs: ReadonlyMap<ProjectId, OrgId>
}

/** Parts of a batch that stale clicks look at. */
interface AtClicks {
  readonly stale: readonly StaleClickSeen[]
  readonly projects: BatchProjects
}

interface ClicksThere {
  readonly joined: JoinedHalves
  readonly sums: SumsThere & { readonly users: ReadonlyMap<string, UserSet> }
  readonly answered: AnsweredThere
}

interface ClickChanges {
  readonly joined: JoinedHalves
  readonly sums: ClickSums
  /** Users of each slot that changed. */
  readonly users: readonly UserSet[]
  /** Counted clicks for the next stages, in the order of the halves. */
  readonly counted: readonly CountedClick[]
  /** Before they counted. */
  readonly answered: AnsweredThere
}

export const STALE_CLICK_STAGE: Stage<
  HalvesAtHand,
  ClicksThere,
  ClickChanges,
  AtClicks,
  { readonly clicks: CountedClicks }
> = {
  name: 'stale clicks',
  pick: ({ stale: seen, projects }) => (seen.length === 0 ? null : { seen, orgs: orgsOf(projects) }),
  load(db, { seen, orgs }) {
    const stored = new Map(clicksNear(db, seen).flatMap((near) => near.map((kept) => [kept.id, kept])))
    const projects = [...new Set(seen.map(({ projectId }) => projectId))]
    const counts = countByProject(db, COUNT_CLICKS, projects)
    const joined = joinHalves(seen, { stored: [...stored.values()], counts, orgs })
    const answered = answeredThere(
      db,
      joined.steps.map(({ click }) => click),
    )
    return { joined, sums: sumsThere(db, joined), answered }
  },
  decide({ joined, sums: there, answered }) {
    const sums = countClicks(joined, there)
    const counted = joined.steps.flatMap(({ click }, at) => {
      const series = sums.counted[at]
      return series === undefined ? [] : [{ click, series }]
    })
    const users = sums.slots.map((slot) => {
      const before = slot.isAnew ? NO_USERS : (there.users.get(slotKey(slot)) ?? NO_USERS)
      return withUsers(before, slot.users)
    })
    return { joined, sums, users, counted, answered }
  },
  save(db, { joined, sums, users, counted, answered }) {
    const ids = saveSeries(db, sums)
    const now = <T extends ClickSlot>(place: T): T => ({
      ...place,
      seriesId: ids.get(place.seriesId) ?? place.seriesId,
    })
    db.runEach(
      'DELETE FROM stale_slots WHERE series_id = ? AND slot = ?',
      sums.emptied.map(({ seriesId, slot }) => [seriesId, slot]),
    )
    db.runEach(
      `INSERT INTO stale_slots (series_id, slot, count, users, users_exact)
        VALUES (:seriesId, :slot, :count, :users, :exact)
        ON CONFLICT (series_id, slot) DO UPDATE SET count = :count, users = :users, users_exact = :exact`,
      sums.slots.map(now).map(({ seriesId, slot, count }, at) => {
        const set = users[at] ?? NO_USERS
        return { seriesId, slot, count, users: encodeUsers(set), exact: set.isExact ? 1 : 0 }
      }),
    )
    saveClicks(db, joined, sums.places.map(now))
    return { clicks: { counted, answered } }
  },
}

const COUNT_CLICKS = 'SELECT count(*) AS count FROM stale_clicks WHERE project_id = ?'
const COUNT_SERIES = 'SELECT count(*) AS count FROM stale_series WHERE project_id = ?'

function countByProject(db: Connection, sql: string, projects: readonly ProjectId[]): Map<ProjectId, number> {
  const rows = db.getEach<{ readonly count: number }>(
    sql,
    projects.map((project) => [project]),
  )
  return new Map(projects.map((project, at) => [project, rows[at]?.count ?? 0]))
}

/**
 * Returns clicks of each half's trace in the whole organisation, and of about its time in the project. A click that is near
 * many is read once.
 */
export function clicksNear(
  db: Connection,
  seen: readonly StaleClickSeen[],
): readonly (readonly KeptClick[])[] {
  const asked = seen.map((half) => ({ project: half.projectId, trace: half.traceId, ...nearTimes(half) }))
  const keys = asked.map((key) => JSON.stringify(key))
  const alike = new Map(asked.map((key, at) => [keys[at], key]))
  const org = `SELECT o.id FROM projects p JOIN projects o ON o.org_id = p.org_id WHERE p.id = :project`
  // stale_clicks_by_trace, stale_clicks_by_time
  const sql = `SELECT id FROM (SELECT id FROM stale_clicks WHERE project_id IN (${org}) AND trace = :trace
      ORDER BY id DESC LIMIT ${NEAR_MAX})
    UNION SELECT id FROM (SELECT id FROM stale_clicks
      WHERE project_id = :project AND at_ms BETWEEN :from AND :until ORDER BY at_ms, id LIMIT ${NEAR_MAX})
    ORDER BY id`
  const rows = db.allEach<{ readonly id: number }>(sql, [...alike.values()])
  const clicks = clicksOfIds(db, new Set(rows.flatMap((near) => near.map(({ id }) => id))))
  const near = new Map(
    [...alike.keys()].map((key, at) => [key, (rows[at] ?? []).flatMap(({ id }) => clicks.get(id) ?? [])]),
  )
  return keys.map((key) => near.get(key) ?? [])
}

function clicksOfIds(db: Connection, ids: ReadonlySet<number>): ReadonlyMap<number, KeptClick> {
  if (ids.size === 0) return new Map()
  const sql = `SELECT c.id, p.org_id AS orgId, c.series_id AS seriesId, c.slot, c.click
    FROM json_each(?) i CROSS JOIN stale_clicks c ON c.id = i.value JOIN projects p ON p.id = c.project_id`
  type Row = Omit<KeptClick, 'click'> & { readonly click: string }
  const rows = db.all<Row>(sql, [JSON.stringify([...ids])])
  return new Map(rows.map(({ click, ...row }) => [row.id, { ...row, click: readClick(click) }]))
}

function sumsThere(db: Connection, joined: JoinedHalves): ClicksThere['sums'] {
  const asked = seriesToAsk(joined)
  const found = findStaleSeries(db, asked)
  const unknown = asked.filter((_, at) => found[at] === undefined)
  const byProject = Map.groupBy(unknown, ({ projectId }) => projectId)
  const seriesCounts = countByProject(db, COUNT_SERIES, [...byProject.keys()])
  const full = unknown.filter(({ projectId }) =>
    mayBeFull(seriesCounts.get(projectId) ?? 0, byProject.get(projectId)?.length ?? 0),
  )
  const series = [...found, ...findStaleSeries(db, roomsToAsk(full))].filter((sum) => sum !== undefined)
  return { series, seriesCounts, ...findSlots(db, slotsToAsk(joined, series)) }
}

function findStaleSeries(db: Connection, series: readonly StaleSeries[]): readonly (SeriesSum | undefined)[] {
  // The unique index of stale_series.
  const sql = `SELECT id, example, first_ms AS firstMs, last_ms AS lastMs FROM stale_series
    WHERE project_id = ? AND environment = ? AND release = ? AND from_release = ? AND failure = ? AND route = ?`
  type Row = Omit<SeriesSum, 'series' | 'example'> & { readonly example: string }
  const rows = db.getEach<Row>(
    sql,
    series.map(({ projectId, environment, release, fromRelease, failure, route }) => [
      ...[projectId, environment, release, fromRelease, failure, route],
    ]),
  )
  return series.map((one, at) => {
    const row = rows[at]
    if (row === undefined) return undefined
    const example: StaleExample = JSON.parse(row.example)
    return { ...row, example, series: one }
  })
}

function findSlots(
  db: Connection,
  places: readonly ClickSlot[],
): Pick<ClicksThere['sums'], 'slots' | 'users'> {
  type Row = { readonly count: number; readonly users: Uint8Array; readonly isExact: number }
  const rows = db.getEach<Row>(
    'SELECT count, users, users_exact AS isExact FROM stale_slots WHERE series_id = ? AND slot = ?',
    places.map(({ seriesId, slot }) => [seriesId, slot]),
  )
  const found = places.flatMap((place, at) => {
    const row = rows[at]
    return row === undefined ? [] : [{ place, row }]
  })
  return {
    slots: found.map(({ place, row: { count } }) => ({ ...place, count })),
    users: new Map(
      found.map(({ place, row }) => [slotKey(place), decodeUsers(row.isExact === 1, row.users)]),
    ),
  }
}

/** Answers the ids of those that begin. */
function saveSeries(db: Connection, { begun, changed }: ClickSums): ReadonlyMap<number, number> {
  const rows = db.runEach(
    `INSERT INTO stale_series (project_id, environment, release, from_release, failure, route, example,
        first_ms, last_ms)
      VALUES (:projectId, :environment, :release, :fromRelease, :failure, :route, :example, :firstMs, :lastMs)`,
    begun.map(({ series, example, firstMs, lastMs }) => {
      return { ...series, example: JSON.stringify(example), firstMs, lastMs }
    }),
  )
  db.runEach(
    'UPDATE stale_series SET example = :example, first_ms = :firstMs, last_ms = :lastMs WHERE id = :id',
    changed.map(({ id, example, firstMs, lastMs }) => {
      return { id, example: JSON.stringify(example), firstMs, lastMs }
    }),
  )
  return new Map(begun.map(({ id }, at) => [id, rows[at]?.lastId ?? id]))
}

function saveClicks(db: Connection, { touched }: JoinedHalves, places: readonly ClickSlot[]): void {
  const rows = touched.flatMap(({ stored, isKept, receivedMs, click }, at) => {
    const place = places[at]
    if (!isKept || place === undefined) return []
    const { projectId: project, atMs, traceId: trace } = click
    return [{ stored, receivedMs, row: { project, at: atMs, trace, ...place, click: clickText(click) } }]
  })
  db.runEach(
    `INSERT INTO stale_clicks (project_id, day, at_ms, trace, series_id, slot, click)
      VALUES (:project, :day, :at, :trace, :seriesId, :slot, :click)`,
    rows.flatMap(({ stored, receivedMs, row }) =>
      stored === null ? [{ ...row, day: dayOf(receivedMs) }] : [],
    ),
  )
  db.runEach(
    `UPDATE stale_clicks SET project_id = :project, at_ms = :at, trace = :trace, series_id = :seriesId, slot = :slot, click = :click
      WHERE id = :id`,
    rows.flatMap(({ stored, row }) => (stored === null ? [] : [{ ...row, id: stored.id }])),
  )
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
