/** What the commit asks before it stores a batch: how many payloads its issues may still keep, how many may begin. */
import type { IssueId, ProjectId } from '#base/ids.ts'
import { samplingOf } from '#issues/payload-sampling.ts'
import { max } from '#limits/limits.ts'
import type { ControlCommit, PayloadWindow } from '#ports/ingest.ts'
import type { Connection } from '../connection.ts'
import { readOptions } from '../projects/project-rows.ts'
import type { GroupStore, StoredGroup } from './group-store.ts'
import type { IssueStore } from './issue-store.ts'

export type WindowAsks = Parameters<ControlCommit['payloadWindows']>[0]

/** What a project bounds. */
interface Bounds {
  readonly cap: number | null
  /** `null`: any number of issues may begin. */
  readonly begins: PayloadWindow['begins']
}

const UNBOUNDED: Bounds = { cap: null, begins: null }
/** Nothing is bounded here, or nothing is stored yet. */
const EMPTY: Omit<PayloadWindow, 'cap' | 'begins'> = { issueId: null, hour: 0, events: 0, digests: null }

/** Groups and issues that are found are remembered for the batch that follows: nothing is read twice. */
export function payloadWindows(
  db: Connection,
  { groups, issues }: { readonly groups: GroupStore; readonly issues: IssueStore },
  asks: WindowAsks,
): readonly PayloadWindow[] {
  const bounds = boundsOf(db, asks)
  const found = asks.map((ask) => {
    const { cap, begins } = bounds.get(ask.projectId) ?? UNBOUNDED
    const isBounded = cap !== null || begins !== null
    return { ask, cap, begins, group: isBounded ? groups.find(ask) : null }
  })
  const eventsAsked = eventsPerIssue(found)
  return found.map(({ ask, cap, begins, group }): PayloadWindow => {
    if (group === null) {
      const digests = cap !== null && ask.events > cap ? new Set<string>() : null
      return { ...EMPTY, cap, begins, digests }
    }
    const { id, issueId } = group
    if (cap === null) return { ...EMPTY, cap, begins: null, issueId }
    const { windowHour: hour, windowEvents: events } = issues.window(issueId)
    const mayPass = samplingOf(events + (eventsAsked.get(issueId) ?? 0), cap) > 1
    return { cap, begins: null, issueId, hour, events, digests: mayPass ? digestsOf(db, id) : null }
  })
}

/** The groups of an issue share its hour: each may pass the cap because of the others. */
function eventsPerIssue(
  found: readonly { readonly ask: WindowAsks[number]; readonly group: Pick<StoredGroup, 'issueId'> | null }[],
): ReadonlyMap<IssueId, number> {
  const events = new Map<IssueId, number>()
  for (const { ask, group } of found) {
    if (group !== null) events.set(group.issueId, (events.get(group.issueId) ?? 0) + ask.events)
  }
  return events
}

/** Projects that are gone have none: their events are left out later. */
function boundsOf(db: Connection, asks: WindowAsks): ReadonlyMap<ProjectId, Bounds> {
  const ids = JSON.stringify([...new Set(asks.map(({ projectId }) => projectId))])
  const sql = `SELECT id, options, new_issues_hour AS hour, new_issues AS count FROM projects
    WHERE id IN (SELECT value FROM json_each(?))`
  interface Row {
    readonly id: ProjectId
    readonly options: string
    readonly hour: number
    readonly count: number
  }
  return new Map(
    db.all<Row>(sql, [ids]).map(({ id, options, hour, count }) => {
      const { payloadsPerIssueHour: cap, spikeProtection } = readOptions(options)
      return [id, { cap, begins: spikeProtection ? { hour, count } : null }]
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
