/** Groups of stale clicks get to the issue of their deploy. Within the caller's transaction. */
import type { IssueId } from '#base/ids.ts'
import { refuseGroups } from '#issues/issue-merging.ts'
import type { StaleClick, ToldGroup } from '#skew/clicks.ts'
import type { KnownRuns } from '#skew/deploys.ts'
import { type ClickDeploy, deployOfClick, groupsOfClick } from '#skew/gathering.ts'
import type { Connection } from '../connection.ts'
import { joinIssue } from '../issues/mirror-issues.ts'
import { countOf } from '../rows/account-rows.ts'
import { knownBuilds } from './skew-read.ts'

interface KnownGroup {
  readonly id: number
  readonly issueId: IssueId
  readonly orgId: number
  /** Groups of its issue. */
  readonly siblings: number
  readonly isPlaced: number
}

/** Answers which issues became part of which. */
export function gatherClick(
  db: Connection,
  click: StaleClick,
  nowMs: number,
): readonly (readonly [from: IssueId, into: IssueId])[] {
  const unplaced = groupsOfClick(click)
    .flatMap((told) => findGroup(db, told) ?? [])
    .filter(({ isPlaced }) => isPlaced === 0)
    // The issue that people know already is the one that stays.
    .toSorted((a, b) => a.id - b.id)
  if (unplaced.length === 0) return []
  const deploy = deployOfClick(click, () => runsOf(db, click))
  if (deploy === null) return []
  return unplaced.flatMap((group) => {
    const into = place(db, { group, deploy }, nowMs)
    return into === null ? [] : [[group.issueId, into] as const]
  })
}

export function runsOf(db: Connection, { projectId, environment }: StaleClick): KnownRuns {
  const org = countOf(db, 'SELECT org_id AS count FROM projects WHERE id = ?', [projectId])
  // The unique index of stale_series.
  const sql = `SELECT release, min(first_ms) AS firstMs FROM stale_series
    WHERE project_id = ? AND environment = ? AND release <> '' GROUP BY release`
  return {
    builds: knownBuilds(db, { org, readable: JSON.stringify([projectId]) }),
    answered: db.all<KnownRuns['answered'][number]>(sql, [projectId, environment]),
  }
}

function findGroup(db: Connection, { projectId, hash }: ToldGroup): KnownGroup | undefined {
  // The unique index on (project_id, hash), groups_by_issue.
  const sql = `SELECT g.id, g.issue_id AS issueId, p.org_id AS orgId,
      (SELECT count(*) FROM groups o WHERE o.issue_id = g.issue_id) AS siblings,
      EXISTS (SELECT 1 FROM skew_groups s WHERE s.group_id = g.id) AS isPlaced
    FROM groups g JOIN projects p ON p.id = g.project_id WHERE g.project_id = ? AND g.hash = ?`
  return db.get<KnownGroup>(sql, [projectId, Buffer.from(hash, 'hex')])
}

/** Answers the issue that it joined. What a person merged, or more than an issue may own, stays where it is. */
function place(
  db: Connection,
  { group, deploy }: { readonly group: KnownGroup; readonly deploy: ClickDeploy },
  nowMs: number,
): IssueId | null {
  const { id, orgId, issueId: from } = group
  const { environment, release, confidence } = deploy
  const key = { org: orgId, environment, release }
  const add = `INSERT INTO skew_groups (group_id, org_id, environment, release) VALUES (:id, :org, :environment, :release)`
  db.run(add, { id, ...key })
  const head = headOf(db, { id, ...key })
  if (head === undefined || group.siblings > 1 || head.issueId === from) return null
  if (refuseGroups(head.siblings + 1) !== null) return null
  db.run('UPDATE groups SET folded_into = ? WHERE id = ?', [head.id, id])
  const fold = `INSERT INTO mirrors (group_id, matched, confidence) VALUES (?, 'deploy', ?)`
  db.run(fold, [id, confidence])
  joinIssue(db, { groupId: id, from, into: head.issueId }, nowMs)
  return head.issueId
}

function headOf(
  db: Connection,
  params: {
    readonly id: number
    readonly org: number
    readonly environment: string
    readonly release: string
  },
): Pick<KnownGroup, 'id' | 'issueId' | 'siblings'> | undefined {
  // skew_groups_by_deploy
  const sql = `SELECT g.id, g.issue_id AS issueId,
      (SELECT count(*) FROM groups o WHERE o.issue_id = g.issue_id) AS siblings
    FROM skew_groups s JOIN groups g ON g.id = s.group_id
    WHERE s.org_id = :org AND s.environment = :environment AND s.release = :release AND g.id <> :id
      AND NOT EXISTS (SELECT 1 FROM mirrors m WHERE m.group_id = g.id)
    ORDER BY g.id LIMIT 1`
  return db.get(sql, params)
}
