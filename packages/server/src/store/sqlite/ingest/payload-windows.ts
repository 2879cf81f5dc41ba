/** Answers what the commit asks before it stores a batch. */
import type { IssueId, ProjectId } from '#base/ids.ts'
import { Memo } from '#base/memo.ts'
import type { HourCount } from '#issues/issue-sums.ts'
import {
  type BoundedAsk,
  boundsOf,
  eventsPerIssue,
  isBounded,
  needsDigests,
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
import { findRememberedGroup, type KnownGroups, loadGroups } from './group-rows.ts'
import { type KnownIssues, loadIssues } from './known-issues.ts'

interface Asked extends BoundedAsk {
  readonly groupId: number | null
}

/** Groups and issues that are found are remembered for the batch that follows: nothing is read twice. */
export function payloadWindows(
  db: Connection,
  { groups, issues }: { readonly groups: KnownGroups; readonly issues: KnownIssues },
  asks: readonly WindowAsk[],
): readonly PayloadWindow[] {
  const ofProjects = readBounds(db, asks)
  const boundedAsks = asks.filter(({ projectId }) => isBounded(ofProjects.get(projectId) ?? UNBOUNDED))
  loadGroups(db, groups, boundedAsks)
  const asked = asks.map((ask): Asked => {
    const bounds = ofProjects.get(ask.projectId) ?? UNBOUNDED
    const group = isBounded(bounds) ? findRememberedGroup(groups, ask) : null
    return { ask, bounds, issueId: group?.issueId ?? null, groupId: group?.id ?? null }
  })
  loadIssues(
    db,
    issues,
    asked.flatMap(({ issueId }) => issueId ?? []),
  )
  const events = eventsPerIssue(asked)
  const known = asked.map((one) => {
    const { issueId } = one
    const ofIssue = issueId === null ? 0 : (events.get(issueId) ?? 0)
    return { one, ofIssue, window: readWindow(issues, issueId) }
  })
  const passing = known.filter(({ one, ofIssue, window }) => needsDigests(one, ofIssue, window))
  const digests = readDigestsOfGroups(
    db,
    passing.flatMap(({ one: { groupId } }) => groupId ?? []),
  )
  return known.map(({ one, ofIssue, window }) =>
    payloadWindow(one, ofIssue, { window, digests: digests.get(one.groupId ?? 0) ?? [] }),
  )
}

/** Returns the issue's newest hour of receipt, and its events in it. */
function readWindow(issues: KnownIssues, id: IssueId | null): HourCount {
  return (id === null ? undefined : issues.get(id)?.window) ?? NO_EVENTS
}

const NO_EVENTS = { hour: 0, events: 0 }

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

/** `digestPayloadsMax` of each group at most. */
function readDigestsOfGroups(
  db: Connection,
  groups: readonly number[],
): ReadonlyMap<number, readonly string[]> {
  if (groups.length === 0) return new Map()
  // The unique index on (group_id, digest, release).
  const sql = `SELECT g.value AS id, (SELECT json_group_array(digest) FROM
      (SELECT DISTINCT digest FROM digests WHERE group_id = g.value LIMIT ?)) AS digests
    FROM json_each(?) g`
  const rows = db.all<{ readonly id: number; readonly digests: string }>(sql, [
    max('digestPayloadsMax'),
    JSON.stringify(groups),
  ])
  return new Map(rows.map(({ id, digests }) => [id, readDigests(digests)]))
}

function readDigests(json: string): readonly string[] {
  return JSON.parse(json)
}
