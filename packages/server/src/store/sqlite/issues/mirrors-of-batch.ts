/**
 * The stages of both halves of failures, as a batch brings them: what is kept of each, and whose halves are looked for
 * again. Most batches bring a row a failed trace, and where no mirror is known nothing is asked.
 */
import { dayOf, type ProjectId } from '#base/ids.ts'
import { Memo } from '#base/memo.ts'
import { mirrorRoute } from '#issues/mirror-folding.ts'
import { max } from '#limits/limits.ts'
import { isMirror } from '#notices/rules/queueing.ts'
import type { GroupDelta, Sighting } from '#ports/ingest.ts'
import { MIRRORS_JOB } from '#ports/mirrors.ts'
import { eventKey } from '#requests/sums.ts'
import type { MovedIssues } from '#skew/gathering.ts'
import { BulkInsert } from '../bulk-insert.ts'
import type { Connection, SqlValue } from '../connection.ts'
import type { CountedOfGroup, GroupsStory } from '../ingest/groups-of-batch.ts'
import { scheduleJob } from '../jobs/jobs.ts'
import type { Kept } from '../memory.ts'
import { hashPlace } from '../rows/place-key.ts'
import { traceIdKey } from '../rows/trace-key.ts'
import type { Stage, WritingStage } from '../stage.ts'
import { adoptedGroups } from './former-groups.ts'
import type { GroupMove } from './issue-merge.ts'
import { foldMirrors } from './mirror-folding.ts'
import { joinMirrorIssues } from './mirror-issues.ts'
import { endWaits, type MirrorWaits, mayEndWaits } from './mirror-waits.ts'

const FAILURES_MAX = max('serverFailuresMax')
const SIGHTINGS_MAX = max('mirrorSightingsMax')
const WINDOW_MS = max('mirrorRouteWindowMs')

/** Groups whose events another issue had before, and that go there with the folds. */
export const FORMER_GROUP_STAGE: Stage<
  GroupsStory['begun'],
  readonly GroupMove[],
  readonly GroupMove[],
  Pick<GroupsStory, 'begun'>,
  { readonly adopted: readonly GroupMove[]; readonly moved: MovedIssues }
> = {
  name: 'former groups',
  pick({ begun }) {
    const renamed = begun.filter(({ delta: { formerHashes } }) => (formerHashes ?? []).length > 0)
    return renamed.length === 0 ? null : renamed
  },
  load: adoptedGroups,
  decide: (adopted) => adopted,
  save(_, adopted) {
    return { adopted, moved: new Map(adopted.map(({ from, into }) => [from, into])) }
  },
}

/** Parts of a batch that mirrors look at. */
interface AtMirrors extends Pick<GroupsStory, 'countedGroups'> {
  readonly adopted: readonly GroupMove[]
  readonly before: { readonly hasMirrors: number }
  readonly remembered: { readonly failures: Kept<ProjectId, number> }
  readonly nowMs: number
}

/** Mirrors that began to wait, and whether an issue was changed. */
interface MirrorsStory {
  readonly begunMirrors: readonly number[]
  readonly isChanged: boolean
}

interface HalvesAtHand {
  /** Groups of the batch that tell of a half. */
  readonly seen: readonly CountedOfGroup[]
  readonly joins: readonly GroupMove[]
  readonly hasMirrors: boolean
  readonly counts: Kept<ProjectId, number>
  readonly nowMs: number
}

interface HalvesThere {
  /** Failures of servers. */
  readonly failures: readonly FailureRow[]
  /** Sightings that each mirror has. */
  readonly sightings: ReadonlyMap<number, number>
}

type HalfChanges = HalvesAtHand & HalvesThere

/** Both halves are noted; then the halves of mirrors are looked for again. Groups that change hands do so together. */
export const MIRROR_STAGE: Stage<HalvesAtHand, HalvesThere, HalfChanges, AtMirrors, MirrorsStory> = {
  name: 'mirrors',
  pick({ countedGroups, adopted: joins, before, remembered: { failures: counts }, nowMs }) {
    const seen = countedGroups.filter(({ delta }) => tellsOfHalf(delta))
    if (seen.length === 0 && joins.length === 0) return null
    const hasMirrors = before.hasMirrors === 1 || seen.some(({ delta }) => isMirror(delta))
    return { seen, joins, hasMirrors, counts, nowMs }
  },
  load(db, { seen, counts }) {
    const mirrors = seen.filter(({ delta }) => isMirror(delta)).map(({ groupId }) => groupId)
    loadCounts(db, seen, counts)
    return { failures: failuresToKeep(seen, counts), sightings: countSightings(db, [...new Set(mirrors)]) }
  },
  decide: (there, input) => ({ ...input, ...there }),
  save(db, { seen, joins, hasMirrors, failures, sightings, nowMs }) {
    const rows = new BulkInsert(db, ADD_FAILURES)
    for (const row of failures) rows.add(...row)
    rows.flush()
    const mirrors = seen.filter(({ delta }) => isMirror(delta))
    const begunMirrors = addMirrors(db, mirrors, nowMs)
    addSightings(db, mirrors, sightings)
    const asked = new Set(mirrors.map(({ groupId }) => groupId))
    if (hasMirrors)
      for (const id of mirrorsOf(
        db,
        seen.map(({ delta }) => delta).filter((one) => !isMirror(one)),
      ))
        asked.add(id)
    const groupIds = [...asked].sort((a, b) => a - b)
    const { moves, isChanged } = foldMirrors(db, { groupIds, before: joins }, nowMs)
    joinMirrorIssues(db, { joins, folds: moves }, nowMs)
    return { begunMirrors, isChanged: isChanged || joins.length > 0 }
  },
}

interface AtWaits extends Pick<AtMirrors, 'before' | 'nowMs'>, Pick<MirrorsStory, 'begunMirrors'> {
  readonly segments: MirrorWaits['segments']
}

interface WaitsAtHand extends MirrorWaits {
  readonly nowMs: number
}

/** After the segments of the batch, those that are counted for the first time, and what is known of their failures. */
export const MIRROR_WAIT_STAGE: WritingStage<WaitsAtHand, AtWaits> = {
  name: 'mirror waits',
  pick({ before, begunMirrors: begun, segments, nowMs }) {
    const hasMirrors = before.hasMirrors === 1 || begun.length > 0
    return hasMirrors && mayEndWaits({ begun, segments }) ? { begun, segments, nowMs } : null
  },
  save: (db, { nowMs, ...waits }) => endWaits(db, waits, nowMs),
}

function tellsOfHalf(delta: GroupDelta): boolean {
  return delta.sightings.length > 0 || delta.digests.length > 0 || isMirror(delta)
}

/** Values of a row, in the order of the columns. */
type FailureRow = readonly SqlValue[]

/** Returns failures of servers while their projects have room. */
function failuresToKeep(
  seen: readonly CountedOfGroup[],
  failures: Kept<ProjectId, number>,
): readonly FailureRow[] {
  return seen.flatMap(({ groupId, delta }) => {
    if (isMirror(delta)) return []
    return delta.sightings.flatMap((sighting): FailureRow[] => {
      const count = failures.get(delta.projectId) ?? 0
      if (count >= FAILURES_MAX) return []
      failures.set(delta.projectId, count + 1)
      return [failureRow(groupId, delta.projectId, sighting)]
    })
  })
}

function failureRow(groupId: number, projectId: ProjectId, sighting: Sighting): FailureRow {
  const { traceId, eventId, route, kind, isHandled, isOfSpan, atMs, receivedMs } = sighting
  const trace = traceIdKey(traceId) ?? eventKey(eventId)
  const place = [kind, isHandled ? 1 : 0, atMs, dayOf(receivedMs), routePlace(route)]
  return [trace, groupId, projectId, ...place, isOfSpan === true ? 1 : 0]
}

/** Returns those that begin to wait. */
function addMirrors(db: Connection, seen: readonly CountedOfGroup[], nowMs: number): readonly number[] {
  const dueMs = Math.floor(nowMs) + max('mirrorWaitMs')
  db.runEach(
    'INSERT OR IGNORE INTO mirrors (group_id, due_ms) VALUES (?, ?)',
    seen.map(({ groupId, isNew }) => [groupId, isNew ? dueMs : null]),
  )
  const begun = seen.filter(({ isNew }) => isNew)
  if (begun.length > 0) scheduleJob(db, { kind: MIRRORS_JOB, key: '', dueMs, ifThere: 'sooner' })
  return begun.map(({ groupId }) => groupId)
}

function countSightings(db: Connection, ids: readonly number[]): ReadonlyMap<number, number> {
  const counts = db.getEach<{ readonly count: number }>(
    'SELECT count(*) AS count FROM mirror_sightings WHERE group_id = ?',
    ids.map((id) => [id]),
  )
  return new Map(ids.map((id, at) => [id, counts[at]?.count ?? 0]))
}

function addSightings(
  db: Connection,
  seen: readonly CountedOfGroup[],
  counts: ReadonlyMap<number, number>,
): void {
  const rooms = new Map([...counts].map(([id, count]) => [id, SIGHTINGS_MAX - count]))
  const insert = `INSERT OR IGNORE INTO mirror_sightings (group_id, event, trace, route, kind, at_ms, place)
    VALUES (?, ?, ?, ?, ?, ?, ?)`
  const rows = seen.flatMap(({ groupId, delta }) => {
    const room = Math.max(0, rooms.get(groupId) ?? 0)
    const taken = delta.sightings.slice(0, room)
    rooms.set(groupId, room - taken.length)
    return taken.map(({ eventId, traceId, route, kind, atMs }) => {
      const spelt = route === null ? '' : ROUTES.of(route)
      return [groupId, eventKey(eventId), traceIdKey(traceId), spelt, kind, atMs, routePlace(route)]
    })
  })
  db.runEach(insert, rows)
}

/** Mirrors that may show a failure of the deltas. */
function mirrorsOf(db: Connection, deltas: readonly GroupDelta[]): readonly number[] {
  const sql = `SELECT g.id FROM groups g JOIN projects p ON p.id = g.project_id
      AND p.org_id = (SELECT org_id FROM projects WHERE id = :project)
    WHERE g.id IN (
      SELECT d.group_id FROM digests d JOIN mirrors m ON m.group_id = d.group_id
        WHERE d.digest IN (SELECT value FROM json_each(:digests))
      UNION SELECT s.group_id FROM mirror_sightings s
        WHERE s.trace IN (SELECT CAST(value AS INTEGER) FROM json_each(:traces))
      UNION SELECT s.group_id FROM json_each(:places) j
        JOIN mirror_sightings s ON s.trace IS NULL AND s.route = j.value ->> 0
          AND s.at_ms BETWEEN (j.value ->> 1) - :window AND (j.value ->> 1) + :window)`
  const asked = deltas.map(({ projectId, digests, sightings }) => {
    const own = digests.filter(({ count, mirrorCount }) => mirrorCount < count).map(({ digest }) => digest)
    const places = sightings.filter(({ route }) => route !== null)
    const traces = sightings.map(({ traceId }) => traceIdKey(traceId)).filter((key) => key !== null)
    return {
      ...{ project: projectId, digests: JSON.stringify(own), traces: JSON.stringify(traces.map(String)) },
      places: JSON.stringify(places.map(({ route, atMs }) => [ROUTES.of(route ?? ''), atMs])),
      window: WINDOW_MS,
    }
  })
  const found = db.allEach<{ id: number }>(sql, asked)
  return found.flat().map(({ id }) => id)
}

/** Counts the failures of projects of which the batch has more. */
function loadCounts(
  db: Connection,
  seen: readonly CountedOfGroup[],
  failures: Kept<ProjectId, number>,
): void {
  const projects = new Set<ProjectId>()
  for (const { delta } of seen) {
    if (delta.sightings.length === 0 || isMirror(delta)) continue
    if (failures.get(delta.projectId) === undefined) projects.add(delta.projectId)
  }
  if (projects.size === 0) return
  // server_failures_by_place
  const sql = `SELECT p.value AS project, (SELECT count(*) FROM server_failures WHERE project_id = p.value) AS count
    FROM json_each(?) p`
  const rows = db.all<{ project: ProjectId; count: number }>(sql, [JSON.stringify([...projects])])
  for (const { project, count } of rows) failures.set(project, count)
}

const ADD_FAILURES = {
  insert: `INSERT INTO server_failures (trace, group_id, project_id, kind, is_handled, at_ms, day, place, of_span)`,
  columns: 9,
  after: `ON CONFLICT (trace, group_id) DO UPDATE SET is_handled = min(is_handled, excluded.is_handled),
    at_ms = min(at_ms, excluded.at_ms), of_span = min(of_span, excluded.of_span)`,
}

const MEMO = { entriesMax: 1_000, charsMax: 300 }
const ROUTES = new Memo(mirrorRoute, MEMO)
const PLACES = new Memo((route) => hashPlace(mirrorRoute(route)), MEMO)

function routePlace(route: string | null): number {
  return route === null ? 0 : PLACES.of(route)
}
