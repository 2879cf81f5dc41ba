/** Issue trackers of an organisation. */
import type { OrgId } from '#base/ids.ts'
import type { Tracker, TrackerKind, TrackersRead, TrackerTarget, TrackerValues } from '#ports/trackers.ts'
import type { Connection } from '../connection.ts'

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
      db.all<TrackerRow>(`${TRACKER} WHERE org_id = ? ORDER BY name, kind`, [orgId]).map(readTracker),
    tracker: async ({ orgId }, id) => {
      const row = trackerRow(db, orgId, id)
      return row === null ? null : readTracker(row)
    },
    trackerTarget: async (org, id) => {
      const row = trackerRow(db, org, id)
      return row === null ? null : trackerTarget(row)
    },
    trackerForCallback: async (id) => trackerTargetById(db, id),
  }
}

export function trackerTargetById(db: Connection, id: number): TrackerTarget | null {
  const row = db.get<TrackerRow>(`${TRACKER} WHERE id = ?`, [id])
  return row === undefined ? null : trackerTarget(row)
}

function trackerRow(db: Connection, org: OrgId, id: number): TrackerRow | null {
  return db.get<TrackerRow>(`${TRACKER} WHERE id = ? AND org_id = ?`, [id, org]) ?? null
}

function readTracker({ settings, secrets, orgId, resolvesHere, closesThere, ...row }: TrackerRow): Tracker {
  return {
    ...row,
    resolvesHere: resolvesHere === 1,
    closesThere: closesThere === 1,
    settings: readTrackerValues(settings),
    secretsSet: Object.keys(readTrackerValues(secrets)),
  }
}

function trackerTarget({ id, orgId, kind, name, settings, secrets }: TrackerRow): TrackerTarget {
  return { id, orgId, kind, name, values: { ...readTrackerValues(settings), ...readTrackerValues(secrets) } }
}

function readTrackerValues(text: string): TrackerValues {
  return JSON.parse(text)
}
