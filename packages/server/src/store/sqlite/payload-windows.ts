/** What the commit asks before it stores a batch: how many payloads the issues of its groups may still keep. */
import type { ProjectId } from '#base/ids.ts'
import { max } from '#base/limits.ts'
import { samplingOf } from '#base/payload-sampling.ts'
import type { ControlCommit, PayloadWindow } from '#ports/ingest.ts'
import { PROJECT_OPTIONS_DEFAULT, type ProjectOptions } from '#ports/projects.ts'
import type { Connection } from './connection.ts'
import type { GroupStore } from './group-store.ts'
import type { IssueStore } from './issue-store.ts'

export type WindowAsks = Parameters<ControlCommit['payloadWindows']>[0]

type Caps = ReadonlyMap<ProjectId, number | null>

/** Nothing is capped here, or nothing is stored yet. */
const EMPTY: Omit<PayloadWindow, 'cap'> = { issueId: null, hour: 0, events: 0, digests: null }

/** Groups and issues that are found are remembered for the batch that follows: nothing is read twice. */
export function payloadWindows(
  db: Connection,
  { groups, issues }: { readonly groups: GroupStore; readonly issues: IssueStore },
  asks: WindowAsks,
): readonly PayloadWindow[] {
  const caps = capsOf(db, asks)
  return asks.map((ask): PayloadWindow => {
    const cap = caps.get(ask.projectId) ?? null
    if (cap === null) return { ...EMPTY, cap }
    const group = groups.find(ask)
    if (group === null) {
      const digests = ask.events > cap ? new Set<string>() : null
      return { ...EMPTY, cap, digests }
    }
    const { windowHour: hour, windowEvents: events } = issues.window(group.issueId)
    const mayPass = samplingOf(events + ask.events, cap) > 1
    return { cap, issueId: group.issueId, hour, events, digests: mayPass ? digestsOf(db, group.id) : null }
  })
}

/** Projects that are gone have none: their events are left out later. */
function capsOf(db: Connection, asks: WindowAsks): Caps {
  const ids = JSON.stringify([...new Set(asks.map(({ projectId }) => projectId))])
  const sql = 'SELECT id, options FROM projects WHERE id IN (SELECT value FROM json_each(?))'
  const rows = db.all<{ readonly id: ProjectId; readonly options: string }>(sql, [ids])
  return new Map(
    rows.map(({ id, options }) => {
      const stored = JSON.parse(options) as Partial<ProjectOptions> // own column
      return [id, { ...PROJECT_OPTIONS_DEFAULT, ...stored }.payloadsPerIssueHour]
    }),
  )
}

/** `null` where there are so many that a new one is nothing special. */
function digestsOf(db: Connection, groupId: number): ReadonlySet<string> | null {
  const most = max('digestPayloadsMax')
  // The unique index on (group_id, digest, release).
  const sql = 'SELECT DISTINCT digest FROM digests WHERE group_id = ? LIMIT ?'
  const rows = db.all<{ readonly digest: string }>(sql, [groupId, most])
  return rows.length >= most ? null : new Set(rows.map(({ digest }) => digest))
}
