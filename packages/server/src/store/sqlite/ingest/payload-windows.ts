/** Answers what the commit asks before it stores a batch. */
import type { ProjectId } from '#base/ids.ts'
import { Memo } from '#base/memo.ts'
import {
  type BoundedAsk,
  boundsOf,
  eventsPerIssue,
  isBounded,
  type PayloadBounds,
  payloadWindow,
  projectsAsked,
  UNBOUNDED,
  type WindowAsk,
} from '#issues/payload-bounds.ts'
import { max } from '#limits/limits.ts'
import type { PayloadWindow } from '#ports/ingest.ts'
import type { Connection } from '../connection.ts'
import { readOptions } from '../rows/project-rows.ts'
import type { GroupStore } from './group-store.ts'
import type { IssueStore } from './issue-store.ts'

interface Asked extends BoundedAsk {
  readonly groupId: number | null
}

/** Groups and issues that are found are remembered for the batch that follows: nothing is read twice. */
export function payloadWindows(
  db: Connection,
  { groups, issues }: { readonly groups: GroupStore; readonly issues: IssueStore },
  asks: readonly WindowAsk[],
): readonly PayloadWindow[] {
  const ofProjects = readBounds(db, asks)
  groups.load(asks.filter(({ projectId }) => isBounded(ofProjects.get(projectId) ?? UNBOUNDED)))
  const asked = asks.map((ask): Asked => {
    const bounds = ofProjects.get(ask.projectId) ?? UNBOUNDED
    const group = isBounded(bounds) ? groups.find(ask) : null
    return { ask, bounds, issueId: group?.issueId ?? null, groupId: group?.id ?? null }
  })
  issues.load(asked.flatMap(({ issueId }) => (issueId === null ? [] : [issueId])))
  const events = eventsPerIssue(asked)
  return asked.map((one) => {
    const ofIssue = one.issueId === null ? 0 : (events.get(one.issueId) ?? 0)
    return payloadWindow(one, ofIssue, {
      window: (issue) => issues.window(issue),
      digests: () => digestsOf(db, one.groupId),
    })
  })
}

/** Most projects have the options of most others, and each batch asks for those of all that it names. */
const optionsOf = new Memo(readOptions, { entriesMax: max('projectsRememberedMax'), charsMax: 4_000 })

function readBounds(db: Connection, asks: readonly WindowAsk[]): ReadonlyMap<ProjectId, PayloadBounds> {
  const sql = `SELECT id, options, new_issues_hour AS hour, new_issues AS events FROM projects
    WHERE id IN (SELECT value FROM json_each(?))`
  interface Row {
    readonly id: ProjectId
    readonly options: string
    readonly hour: number
    readonly events: number
  }
  const rows = db.all<Row>(sql, [JSON.stringify(projectsAsked(asks))])
  return new Map(rows.map(({ id, options, ...begun }) => [id, boundsOf(optionsOf.of(options), begun)]))
}

function digestsOf(db: Connection, groupId: number | null): readonly string[] {
  // The unique index on (group_id, digest, release).
  const sql = 'SELECT DISTINCT digest FROM digests WHERE group_id = ? LIMIT ?'
  const rows = db.all<{ readonly digest: string }>(sql, [groupId, max('digestPayloadsMax')])
  return rows.map(({ digest }) => digest)
}
