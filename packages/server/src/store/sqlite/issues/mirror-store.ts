/**
 * Both halves of failures, as a batch brings them: what is remembered of each, and whose halves are looked for again.
 * Most batches bring a row a failed trace, and where no mirror is known nothing is asked.
 */
import { dayOf } from '#base/ids.ts'
import { Memo } from '#base/memo.ts'
import { mirrorRoute } from '#issues/mirror-folding.ts'
import { max } from '#limits/limits.ts'
import { isMirror } from '#notices/rules/queueing.ts'
import type { GroupDelta, Sighting } from '#ports/ingest.ts'
import { MIRRORS_JOB } from '#ports/mirrors.ts'
import type { SegmentSeen } from '#ports/requests.ts'
import { eventKey } from '#requests/sums.ts'
import { BulkInsert } from '../bulk-insert.ts'
import type { Connection } from '../connection.ts'
import { scheduleJob } from '../jobs/jobs.ts'
import { hashPlace } from '../rows/place-key.ts'
import { traceIdKey } from '../rows/trace-key.ts'
import type { GroupMove } from './issue-merge.ts'
import { foldMirrors } from './mirror-folding.ts'
import { joinMirrorIssues } from './mirror-issues.ts'
import { endWaits } from './mirror-waits.ts'

interface SeenGroup {
  readonly groupId: number
  readonly isNew: boolean
  readonly delta: GroupDelta
}

const FAILURES_MAX = max('serverFailuresMax')
const SIGHTINGS_MAX = max('mirrorSightingsMax')
const WINDOW_MS = max('mirrorRouteWindowMs')

/** Lives as long as its connection; `forget` after a transaction that was undone. */
export class MirrorStore {
  readonly #db: Connection
  #seen: SeenGroup[] = []
  /** Mirrors that began to wait since waits were ended last. */
  #begun: number[] = []
  #rows: BulkInsert
  /** Failures kept of a project; counted once. */
  readonly #failures = new Map<number, number>()
  /** `null`: not known. */
  #hasMirrors: boolean | null = null

  constructor(db: Connection) {
    this.#db = db
    this.#rows = new BulkInsert(db, ADD_FAILURES)
  }

  /** Forgets what others changed. */
  discard(): void {
    this.#failures.clear()
    this.#hasMirrors = null
  }

  forget(): void {
    this.#seen = []
    this.#begun = []
    this.#rows = new BulkInsert(this.#db, ADD_FAILURES)
    this.discard()
  }

  add(seen: SeenGroup): void {
    if (seen.delta.sightings.length > 0 || seen.delta.digests.length > 0) this.#seen.push(seen)
    else if (isMirror(seen.delta)) this.#seen.push(seen)
  }

  /** When the rows of all groups are there; `joins` move with the folds. Answers whether an issue was changed. */
  fold(joins: readonly GroupMove[], nowMs: number): boolean {
    const seen = this.#seen
    this.#seen = []
    const asked = new Set<number>()
    this.#loadCounts(seen)
    for (const { groupId, delta } of seen) {
      if (!isMirror(delta)) for (const sighting of delta.sightings) this.#addFailure(groupId, delta, sighting)
      else asked.add(groupId)
    }
    this.#rows.flush()
    this.#addMirrors(
      seen.filter(({ delta }) => isMirror(delta)),
      nowMs,
    )
    if (this.#mirrorsKnown())
      for (const groupId of this.#mirrorsOf(seen.map(({ delta }) => delta).filter((one) => !isMirror(one))))
        asked.add(groupId)
    const groupIds = [...asked].sort((a, b) => a - b)
    const { moves, isChanged } = foldMirrors(this.#db, { groupIds, before: joins }, nowMs)
    joinMirrorIssues(this.#db, { joins, folds: moves }, nowMs)
    return isChanged || joins.length > 0
  }

  /** After the segments of the batch, those that are counted for the first time, and what is known of their failures. */
  endWaits(segments: readonly SegmentSeen[], nowMs: number): void {
    const begun = this.#begun
    this.#begun = []
    if (this.#mirrorsKnown()) endWaits(this.#db, { begun, segments }, nowMs)
  }

  #addFailure(groupId: number, { projectId }: GroupDelta, sighting: Sighting): void {
    const { traceId, eventId, route, kind, isHandled, isOfSpan, atMs, receivedMs } = sighting
    const count = this.#failures.get(projectId) ?? 0
    if (count >= FAILURES_MAX) return
    const trace = traceIdKey(traceId) ?? eventKey(eventId)
    this.#rows.add(
      trace,
      groupId,
      projectId,
      kind,
      isHandled ? 1 : 0,
      atMs,
      dayOf(receivedMs),
      mirrorPlace(route),
      isOfSpan === true ? 1 : 0,
    )
    this.#failures.set(projectId, count + 1)
  }

  #addMirrors(seen: readonly SeenGroup[], nowMs: number): void {
    if (seen.length === 0) return
    this.#hasMirrors = true
    const dueMs = Math.floor(nowMs) + max('mirrorWaitMs')
    this.#db.runEach(
      'INSERT OR IGNORE INTO mirrors (group_id, due_ms) VALUES (?, ?)',
      seen.map(({ groupId, isNew }) => [groupId, isNew ? dueMs : null]),
    )
    const begun = seen.filter(({ isNew }) => isNew)
    this.#begun.push(...begun.map(({ groupId }) => groupId))
    if (begun.length > 0) scheduleJob(this.#db, { kind: MIRRORS_JOB, key: '', dueMs, ifThere: 'sooner' })
    this.#addSightings(seen)
  }

  #addSightings(seen: readonly SeenGroup[]): void {
    const ids = [...new Set(seen.map(({ groupId }) => groupId))]
    const counts = this.#db.getEach<{ readonly count: number }>(
      'SELECT count(*) AS count FROM mirror_sightings WHERE group_id = ?',
      ids.map((id) => [id]),
    )
    const rooms = new Map(ids.map((id, at) => [id, SIGHTINGS_MAX - (counts[at]?.count ?? 0)]))
    const insert = `INSERT OR IGNORE INTO mirror_sightings (group_id, event, trace, route, kind, at_ms, place)
      VALUES (?, ?, ?, ?, ?, ?, ?)`
    const rows = seen.flatMap(({ groupId, delta }) => {
      const room = Math.max(0, rooms.get(groupId) ?? 0)
      const taken = delta.sightings.slice(0, room)
      rooms.set(groupId, room - taken.length)
      return taken.map(({ eventId, traceId, route, kind, atMs }) => {
        const spelt = route === null ? '' : ROUTES.of(route)
        return [groupId, eventKey(eventId), traceIdKey(traceId), spelt, kind, atMs, mirrorPlace(route)]
      })
    })
    this.#db.runEach(insert, rows)
  }

  /** Mirrors that may show a failure of the deltas. */
  #mirrorsOf(deltas: readonly GroupDelta[]): readonly number[] {
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
    const found = this.#db.allEach<{ id: number }>(sql, asked)
    return found.flat().map(({ id }) => id)
  }

  #mirrorsKnown(): boolean {
    this.#hasMirrors ??= this.#db.get('SELECT 1 FROM mirrors LIMIT 1') !== undefined
    return this.#hasMirrors
  }

  /** Counts the failures of projects of which the batch has more. */
  #loadCounts(seen: readonly SeenGroup[]): void {
    const projects = new Set<number>()
    for (const { delta } of seen) {
      const isCounted = this.#failures.has(delta.projectId) || delta.sightings.length === 0 || isMirror(delta)
      if (!isCounted) projects.add(delta.projectId)
    }
    if (projects.size === 0) return
    // server_failures_by_place
    const sql = `SELECT p.value AS project, (SELECT count(*) FROM server_failures WHERE project_id = p.value) AS count
      FROM json_each(?) p`
    const rows = this.#db.all<{ project: number; count: number }>(sql, [JSON.stringify([...projects])])
    for (const { project, count } of rows) this.#failures.set(project, count)
  }
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

function mirrorPlace(route: string | null): number {
  return route === null ? 0 : PLACES.of(route)
}

/** 64 bits of a trace's id. */
