/** Issue trackers of an organisation. */
import type { OrgId } from '#base/ids.ts'
import { ok, type Result, refuse } from '#base/result.ts'
import { refuseUnseen } from '#model/project-rules.ts'
import type { Actor } from '#ports/scope.ts'
import type {
  NewTracker,
  Tracker,
  TrackerChange,
  TrackerKind,
  TrackersRead,
  TrackersWrite,
  TrackerTarget,
  TrackerValues,
} from '#ports/trackers.ts'
import { refuseTrackers, TRACKER_REFUSALS } from '#trackers/rules/links.ts'
import type { Connection } from '../connection.ts'
import { writeAudit } from '../rows/audit.ts'

interface TrackerRow {
  readonly id: number
  readonly orgId: OrgId
  readonly kind: TrackerKind
  readonly name: string
  readonly settings: string
  readonly secrets: string
  readonly resolvesHere: number
  readonly closesThere: number
  readonly createdBy: string
  readonly createdMs: number
  readonly changedMs: number
  readonly heardMs: number | null
}

const TRACKER = `SELECT id, org_id AS orgId, kind, name, settings, secrets, resolves_here AS resolvesHere,
  closes_there AS closesThere, created_by AS createdBy, created_ms AS createdMs, changed_ms AS changedMs,
  heard_ms AS heardMs FROM trackers`

export function trackersOnlyRead(
  db: Connection,
): Pick<TrackersRead, 'trackers' | 'tracker' | 'trackerTarget' | 'trackerForCallback'> {
  return {
    trackers: async ({ orgId }) =>
      db.all<TrackerRow>(`${TRACKER} WHERE org_id = ? ORDER BY name, kind`, [orgId]).map(shown),
    tracker: async ({ orgId }, id) => {
      const row = trackerRow(db, orgId, id)
      return row === null ? null : shown(row)
    },
    trackerTarget: async (org, id) => {
      const row = trackerRow(db, org, id)
      return row === null ? null : targetOf(row)
    },
    trackerForCallback: async (id) => trackerTargetById(db, id),
  }
}

export function trackersOnlyWrite(
  db: Connection,
): Pick<TrackersWrite, 'createTracker' | 'changeTracker' | 'deleteTracker'> {
  return {
    createTracker: async (org, tracker, actor) => db.transaction(() => create(db, { org, tracker }, actor)),
    changeTracker: async (org, id, change, actor) =>
      db.transaction(() => changeTracker(db, { org, id, change }, actor)),
    deleteTracker: async (org, id, actor) => db.transaction(() => remove(db, { org, id }, actor)),
  }
}

export function trackerTargetById(db: Connection, id: number): TrackerTarget | null {
  const row = db.get<TrackerRow>(`${TRACKER} WHERE id = ?`, [id])
  return row === undefined ? null : targetOf(row)
}

export function trackerRow(db: Connection, org: OrgId, id: number): TrackerRow | null {
  return db.get<TrackerRow>(`${TRACKER} WHERE id = ? AND org_id = ?`, [id, org]) ?? null
}

function shown({ settings, secrets, orgId, resolvesHere, closesThere, ...row }: TrackerRow): Tracker {
  return {
    ...row,
    resolvesHere: resolvesHere === 1,
    closesThere: closesThere === 1,
    settings: readValues(settings),
    secretsSet: Object.keys(readValues(secrets)),
  }
}

function targetOf({ id, orgId, kind, name, settings, secrets }: TrackerRow): TrackerTarget {
  return { id, orgId, kind, name, values: { ...readValues(settings), ...readValues(secrets) } }
}

function readValues(text: string): TrackerValues {
  return JSON.parse(text)
}

function isTaken(
  db: Connection,
  org: OrgId,
  { kind, name, id }: Pick<TrackerRow, 'kind' | 'name' | 'id'>,
): boolean {
  const sql = 'SELECT 1 FROM trackers WHERE org_id = ? AND kind = ? AND name = ? AND id != ?'
  return db.get(sql, [org, kind, name, id]) !== undefined
}

function create(
  db: Connection,
  { org, tracker }: { readonly org: OrgId; readonly tracker: NewTracker },
  actor: Actor,
): Result<{ readonly id: number }> {
  const sum = db.get<{ count: number }>('SELECT count(*) AS count FROM trackers WHERE org_id = ?', [org])
  const refused = refuseTrackers(sum?.count ?? 0)
  if (refused !== null) return refused
  const { kind, name, settings, secrets, resolvesHere, closesThere } = tracker
  if (isTaken(db, org, { kind, name, id: 0 })) return TRACKER_REFUSALS.nameTaken()
  const sql = `INSERT INTO trackers (org_id, kind, name, settings, secrets, resolves_here, closes_there, created_by,
      created_ms, changed_ms)
    VALUES (:org, :kind, :name, :settings, :secrets, :resolves, :closes, :by, :now, :now) RETURNING id`
  const row = db.get<{ id: number }>(sql, {
    ...{ org, kind, name, settings: JSON.stringify(settings), secrets: JSON.stringify(secrets) },
    ...{ resolves: resolvesHere ? 1 : 0, closes: closesThere ? 1 : 0, by: actor.label, now: actor.atMs },
  })
  if (row === undefined) return refuse('conflict', 'The issue tracker could not be created.')
  writeAudit(db, org, actor, { action: 'tracker.created', target: name, detail: { kind } })
  return ok(row)
}

function changeTracker(
  db: Connection,
  { org, id, change: given }: { readonly org: OrgId; readonly id: number; readonly change: TrackerChange },
  actor: Actor,
): Result<null> {
  const { seen, ...change } = given
  const before = trackerRow(db, org, id)
  if (before === null) return TRACKER_REFUSALS.noTracker()
  const unseen = refuseUnseen(shown(before), seen)
  if (unseen !== null) return unseen
  const name = change.name ?? before.name
  if (isTaken(db, org, { kind: before.kind, name, id })) return TRACKER_REFUSALS.nameTaken()
  const sql = `UPDATE trackers SET name = :name, settings = :settings, secrets = :secrets, resolves_here = :resolves,
    closes_there = :closes, changed_ms = :now WHERE id = :id`
  db.run(sql, {
    ...{ id, name, now: actor.atMs },
    settings: JSON.stringify(change.settings ?? readValues(before.settings)),
    secrets: JSON.stringify({ ...readValues(before.secrets), ...change.secrets }),
    resolves: (change.resolvesHere ?? before.resolvesHere === 1) ? 1 : 0,
    closes: (change.closesThere ?? before.closesThere === 1) ? 1 : 0,
  })
  const detail = { kind: before.kind, changed: Object.keys(change).join(', ') }
  writeAudit(db, org, actor, { action: 'tracker.changed', target: name, detail })
  return ok(null)
}

/** Its links and its work go along. */
function remove(
  db: Connection,
  { org, id }: { readonly org: OrgId; readonly id: number },
  actor: Actor,
): Result<null> {
  const before = trackerRow(db, org, id)
  if (before === null) return TRACKER_REFUSALS.noTracker()
  db.run('DELETE FROM trackers WHERE id = ?', [id])
  const detail = { kind: before.kind }
  writeAudit(db, org, actor, { action: 'tracker.deleted', target: before.name, detail })
  return ok(null)
}
