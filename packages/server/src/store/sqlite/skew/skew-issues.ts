/** The stage of the commit that gives groups of stale clicks to the issue of their deploy. */
import type { IssueId } from '#base/ids.ts'
import { groupsOfClick, type MovedIssues } from '#skew/gathering.ts'
import {
  type CountedClick,
  type CountedClicks,
  type DeployHead,
  type DeployKey,
  deployKey,
  deploysOfGroups,
  type GroupsOfDeploy,
  type Placements,
  placeGroups,
  type SkewGroup,
  toldGroupKey,
  unplacedOf,
} from '#skew/placing.ts'
import type { Connection } from '../connection.ts'
import { groupsOwned } from '../issues/issue-merge.ts'
import { joinMirrorIssues } from '../issues/mirror-issues.ts'
import type { Stage } from '../stage.ts'
import { buildsThere } from './skew-runs.ts'

interface ClicksAtHand extends CountedClicks {
  readonly nowMs: number
}

interface PlacesThere {
  readonly told: readonly GroupsOfDeploy[]
  readonly heads: ReadonlyMap<string, DeployHead>
  readonly owned: ReadonlyMap<IssueId, number>
}

type PlacedGroups = Placements & { readonly nowMs: number }

export const SKEW_ISSUE_STAGE: Stage<
  ClicksAtHand,
  PlacesThere,
  PlacedGroups,
  { readonly clicks: CountedClicks; readonly nowMs: number },
  { readonly moved: MovedIssues }
> = {
  name: 'skew issues',
  pick({ clicks, nowMs }) {
    const isOfGroups = clicks.counted.some(({ click }) => groupsOfClick(click).length > 0)
    return isOfGroups ? { ...clicks, nowMs } : null
  },
  load(db, { counted, answered }) {
    const groups = findSkewGroups(db, counted)
    const alone = counted.filter(({ click }) => unplacedOf(click, groups).length > 0)
    const builds = buildsThere(
      db,
      alone.map(({ click }) => click),
    )
    const told = deploysOfGroups(counted, groups, { builds, answered })
    const keys = told.flatMap(({ groups: of, deploy }) => of.map(({ orgId }) => ({ ...deploy, orgId })))
    const heads = findHeads(db, keys)
    const issues = [...told.flatMap(({ groups: of }) => of), ...heads.values()].map(({ issueId }) => issueId)
    return { told, heads, owned: groupsOwned(db, [...new Set(issues)]) }
  },
  decide: ({ told, ...there }, { nowMs }) => ({ ...placeGroups(told, there), nowMs }),
  save(db, { placed, folded, moves, nowMs }) {
    db.runEach(
      'INSERT INTO skew_groups (group_id, org_id, environment, release) VALUES (?, ?, ?, ?)',
      placed.map(({ groupId, orgId, environment, release }) => [groupId, orgId, environment, release]),
    )
    db.runEach(
      'UPDATE groups SET folded_into = ? WHERE id = ?',
      folded.map(({ groupId, head }) => [head, groupId]),
    )
    db.runEach(
      `INSERT INTO mirrors (group_id, matched, confidence) VALUES (?, 'deploy', ?)`,
      folded.map(({ groupId, confidence }) => [groupId, confidence]),
    )
    joinMirrorIssues(db, { joins: moves }, nowMs)
    return { moved: new Map(moves.map(({ from, into }) => [from, into])) }
  },
}

function findSkewGroups(db: Connection, counted: readonly CountedClick[]): ReadonlyMap<string, SkewGroup> {
  const told = counted.flatMap(({ click }) => groupsOfClick(click))
  const asked = [...new Map(told.map((group) => [toldGroupKey(group), group]))]
  // The unique index on (project_id, hash).
  const sql = `SELECT g.id, g.issue_id AS issueId, p.org_id AS orgId,
      EXISTS (SELECT 1 FROM skew_groups s WHERE s.group_id = g.id) AS isPlaced,
      EXISTS (SELECT 1 FROM mirrors m WHERE m.group_id = g.id) AS isMirror
    FROM groups g JOIN projects p ON p.id = g.project_id WHERE g.project_id = ? AND g.hash = ?`
  type Row = Omit<SkewGroup, 'isPlaced' | 'isMirror'> & {
    readonly isPlaced: number
    readonly isMirror: number
  }
  const rows = db.getEach<Row>(
    sql,
    asked.map(([, { projectId, hash }]) => [projectId, Buffer.from(hash, 'hex')]),
  )
  return new Map(
    asked.flatMap(([key], at) => {
      const row = rows[at]
      if (row === undefined) return []
      return [[key, { ...row, isPlaced: row.isPlaced === 1, isMirror: row.isMirror === 1 }]]
    }),
  )
}

function findHeads(db: Connection, keys: readonly DeployKey[]): ReadonlyMap<string, DeployHead> {
  const asked = [...new Map(keys.map((key) => [deployKey(key), key]))]
  // skew_groups_by_deploy
  const sql = `SELECT g.id, g.issue_id AS issueId FROM skew_groups s JOIN groups g ON g.id = s.group_id
    WHERE s.org_id = ? AND s.environment = ? AND s.release = ?
      AND NOT EXISTS (SELECT 1 FROM mirrors m WHERE m.group_id = g.id)
    ORDER BY g.id LIMIT 1`
  const rows = db.getEach<DeployHead>(
    sql,
    asked.map(([, { orgId, environment, release }]) => [orgId, environment, release]),
  )
  return new Map(
    asked.flatMap(([key], at) => {
      const head = rows[at]
      return head === undefined ? [] : [[key, head]]
    }),
  )
}
