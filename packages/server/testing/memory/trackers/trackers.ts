/** Issue trackers of an organisation. */
import type { OrgId } from '#base/ids.ts'
import { ok } from '#base/result.ts'
import { refuseUnseen } from '#model/project-rules.ts'
import type { Tracker, TrackersRead, TrackersWrite, TrackerTarget } from '#ports/trackers.ts'
import { refuseTrackers, TRACKER_REFUSALS } from '#trackers/rules/links.ts'
import { ascending, inOrder } from '../order.ts'
import { writeAudit } from '../rows/audit.ts'
import type { Tables } from '../tables.ts'
import type { TrackerRow } from '../tracker-tables.ts'

export function trackersOnlyRead(
  of: Tables,
): Pick<TrackersRead, 'trackers' | 'tracker' | 'trackerTarget' | 'trackerForCallback'> {
  return {
    trackers: async ({ orgId }) =>
      of.trackers
        .where((row) => row.orgId === orgId)
        .sort(
          inOrder(
            ascending(({ name }) => name),
            ascending(({ kind }) => kind),
          ),
        )
        .map(shown),
    tracker: async ({ orgId }, id) => {
      const row = trackerOf(of, orgId, id)
      return row === null ? null : shown(row)
    },
    trackerTarget: async (org, id) => {
      const row = trackerOf(of, org, id)
      return row === null ? null : targetOf(row)
    },
    trackerForCallback: async (id) => {
      const row = of.trackers.get(id)
      return row === undefined ? null : targetOf(row)
    },
  }
}

export function trackersOnlyWrite(
  to: Tables,
): Pick<TrackersWrite, 'createTracker' | 'changeTracker' | 'deleteTracker'> {
  return {
    createTracker: async (org, tracker, actor) =>
      to.transaction(() => {
        const refused = refuseTrackers(to.trackers.where(({ orgId }) => orgId === org).length)
        if (refused !== null) return refused
        const { kind, name } = tracker
        if (isTaken(to, { orgId: org, kind, name, id: 0 })) return TRACKER_REFUSALS.nameTaken()
        const id = to.trackers.nextId()
        const made = { createdBy: actor.label, createdMs: actor.atMs, changedMs: actor.atMs, heardMs: null }
        to.trackers.put(id, { id, orgId: org, ...tracker, ...made })
        writeAudit(to, org, actor, { action: 'tracker.created', target: name, detail: { kind } })
        return ok({ id })
      }),
    changeTracker: async (org, id, { seen, ...change }, actor) =>
      to.transaction(() => {
        const before = trackerOf(to, org, id)
        if (before === null) return TRACKER_REFUSALS.noTracker()
        const unseen = refuseUnseen(before, seen)
        if (unseen !== null) return unseen
        const { kind } = before
        const name = change.name ?? before.name
        if (isTaken(to, { orgId: org, kind, name, id })) return TRACKER_REFUSALS.nameTaken()
        const secrets = { ...before.secrets, ...change.secrets }
        to.trackers.change(id, { ...change, secrets, changedMs: actor.atMs })
        const detail = { kind, changed: Object.keys(change).join(', ') }
        writeAudit(to, org, actor, { action: 'tracker.changed', target: name, detail })
        return ok(null)
      }),
    deleteTracker: async (org, id, actor) =>
      to.transaction(() => {
        const before = trackerOf(to, org, id)
        if (before === null) return TRACKER_REFUSALS.noTracker()
        to.trackers.delete(id)
        to.trackerLinks.deleteWhere(({ trackerId }) => trackerId === id)
        to.trackerWork.deleteWhere(({ trackerId }) => trackerId === id)
        const { name, kind } = before
        writeAudit(to, org, actor, { action: 'tracker.deleted', target: name, detail: { kind } })
        return ok(null)
      }),
  }
}

export function targetOf({ id, orgId, kind, name, settings, secrets }: TrackerRow): TrackerTarget {
  return { id, orgId, kind, name, values: { ...settings, ...secrets } }
}

export function trackerOf(of: Tables, org: OrgId, id: number): TrackerRow | null {
  const row = of.trackers.get(id)
  return row === undefined || row.orgId !== org ? null : row
}

function isTaken(of: Tables, one: Pick<TrackerRow, 'orgId' | 'kind' | 'name' | 'id'>): boolean {
  const isSame = ({ orgId, kind, name, id }: TrackerRow) =>
    orgId === one.orgId && kind === one.kind && name === one.name && id !== one.id
  return of.trackers.find(isSame) !== undefined
}

function shown({ orgId: _, secrets, ...row }: TrackerRow): Tracker {
  return { ...row, secretsSet: Object.keys(secrets) }
}
