/** A mirror's group changes hands, and the numbers of both issues follow it. Within the caller's transaction. */
import type { GroupHash, IssueId, ProjectId } from '#base/ids.ts'
import { refuseGroups } from '#issues/issue-merging.ts'
import {
  type FailureBeside,
  type Fold,
  type FoldEvidence,
  foldOf,
  isAtLeastAsSure,
  type ServerGroup,
} from '#issues/mirror-folding.ts'
import { max } from '#limits/limits.ts'
import type { RequestKind } from '#model/event.ts'
import type { FoldMatch } from '#ports/mirrors.ts'
import type { Connection } from '../connection.ts'
import { countOf } from '../rows/account-rows.ts'
import { moveGroup, recountIssue, shareOut } from './issue-merge.ts'
import { newOwnIssue } from './mirror-issues.ts'

interface KnownMirror {
  readonly id: number
  readonly projectId: ProjectId
  readonly issueId: IssueId
  readonly orgId: number
  readonly foldedInto: number | null
  readonly match: FoldMatch | null
  readonly isKeptApart: number
}

/** Looks for the server's half with all that is known now. Answers whether an issue was changed. */
export function foldMirror(db: Connection, groupId: number, nowMs: number): boolean {
  const mirror = readMirror(db, groupId)
  if (mirror === undefined || mirror.isKeptApart === 1) return false
  const found = foldOf(evidenceOf(db, mirror))
  if (found === null) return false
  if (found === 'ambiguous') {
    if (mirror.match !== 'route') return false
    releaseMirror(db, groupId, nowMs)
    return true
  }
  if (mirror.match !== null && !isAtLeastAsSure(found.match, mirror.match)) return false
  return foldInto(db, mirror, found)
}

function foldInto(db: Connection, { id, issueId }: KnownMirror, { into, ...by }: Fold): boolean {
  if (into.issueId !== issueId) {
    const owned = countOf(db, 'SELECT count(*) AS count FROM groups WHERE issue_id = ?', [into.issueId])
    if (refuseGroups(owned + 1) !== null) {
      db.run('UPDATE mirrors SET is_full = 1 WHERE group_id = ?', [id])
      return false
    }
  }
  db.run('UPDATE groups SET folded_into = ? WHERE id = ?', [into.groupId, id])
  const sql = `UPDATE mirrors SET due_ms = NULL, family = NULL, is_full = 0, matched = :match, confidence = :confidence,
    distance_ms = :distanceMs WHERE group_id = :id`
  db.run(sql, { id, ...by })
  if (into.issueId === issueId) return true
  moveGroup(db, id, { from: issueId, into: into.issueId })
  return true
}

/** Back to an issue of its own, in its own project. Answers that issue. */
export function releaseMirror(db: Connection, groupId: number, nowMs: number): IssueId | null {
  const mirror = readMirror(db, groupId)
  if (mirror === undefined || mirror.foldedInto === null) return null
  db.run('UPDATE groups SET folded_into = NULL WHERE id = ?', [groupId])
  const sql = `UPDATE mirrors SET due_ms = NULL, matched = NULL, confidence = NULL, distance_ms = NULL WHERE group_id = ?`
  db.run(sql, [groupId])
  shareOut(db, JSON.stringify([mirror.issueId]))
  const own = newOwnIssue(db, mirror.projectId, nowMs)
  db.run('UPDATE groups SET issue_id = ? WHERE id = ?', [own, groupId])
  recountIssue(db, own)
  recountIssue(db, mirror.issueId)
  return own
}

/** Mirrors that the issue owns of projects that whoever deletes it may not read stand alone. */
export function releaseUnreadable(
  db: Connection,
  { issueId, projects }: { readonly issueId: IssueId; readonly projects: readonly ProjectId[] },
  nowMs: number,
): void {
  const sql = `SELECT id FROM groups WHERE issue_id = ? AND folded_into IS NOT NULL
    AND project_id NOT IN (SELECT value FROM json_each(?)) ORDER BY id`
  for (const { id } of db.all<{ id: number }>(sql, [issueId, JSON.stringify(projects)]))
    releaseMirror(db, id, nowMs)
}

/**
 * Before a project is deleted: mirrors of other projects that its issues own stand alone. Answers the issues of other
 * projects that lose mirrors with it, whose numbers must be taken anew.
 */
export function releaseOfProject(db: Connection, project: ProjectId, nowMs: number): readonly IssueId[] {
  const owned = `SELECT g.id FROM issues i JOIN groups g ON g.issue_id = i.id
    WHERE i.project_id = :project AND g.project_id <> :project ORDER BY g.id`
  for (const { id } of db.all<{ id: number }>(owned, { project })) releaseMirror(db, id, nowMs)
  const losing = `SELECT DISTINCT i.id FROM groups g JOIN issues i ON i.id = g.issue_id
    WHERE g.project_id = :project AND i.project_id <> :project ORDER BY i.id`
  return db.all<{ id: IssueId }>(losing, { project }).map(({ id }) => id)
}

function readMirror(db: Connection, groupId: number): KnownMirror | undefined {
  const sql = `SELECT g.id, g.project_id AS projectId, g.issue_id AS issueId, p.org_id AS orgId,
      g.folded_into AS foldedInto, m.matched AS match, m.kept_apart_ms IS NOT NULL AS isKeptApart
    FROM mirrors m JOIN groups g ON g.id = m.group_id JOIN projects p ON p.id = g.project_id WHERE m.group_id = ?`
  return db.get<KnownMirror>(sql, [groupId])
}

/** Groups of servers alone: no mirror is the server's half of another. */
const SERVER = `g.id, g.issue_id AS issueId, g.project_id AS projectId, lower(hex(g.hash)) AS hash`
const SERVER_TABLES = `JOIN projects p ON p.id = g.project_id AND p.org_id = :org
  LEFT JOIN mirrors m ON m.group_id = g.id`

interface ServerRow {
  readonly id: number
  readonly issueId: IssueId
  readonly projectId: ProjectId
  readonly hash: GroupHash
}

interface BesideRow extends ServerRow {
  readonly kind: RequestKind
  readonly isHandled: number
  readonly atMs: number
  readonly isSameRoute: number
  readonly mirrorKind: RequestKind
  readonly mirrorMs: number
}

/** Bounds what one trace, or one busy route, may bring. */
const BESIDE_MAX = 1_000

function evidenceOf(db: Connection, { id, projectId, orgId }: KnownMirror): FoldEvidence {
  const params = { id, org: orgId }
  // The unique index of digests on group_id, digests_by_digest.
  const digests = `SELECT DISTINCT ${SERVER} FROM digests own JOIN digests d ON d.digest = own.digest
      AND d.mirror_count < d.count
    JOIN groups g ON g.id = d.group_id ${SERVER_TABLES}
    WHERE own.group_id = :id AND m.group_id IS NULL ORDER BY g.project_id, g.hash LIMIT ${BESIDE_MAX}`
  const beside = `SELECT ${SERVER}, f.kind, f.is_handled AS isHandled, f.at_ms AS atMs,
      s.place <> 0 AND f.place = s.place AS isSameRoute, s.kind AS mirrorKind, s.at_ms AS mirrorMs FROM mirror_sightings s`
  const rest = `JOIN groups g ON g.id = f.group_id ${SERVER_TABLES}
    WHERE s.group_id = :id AND m.group_id IS NULL ORDER BY g.project_id, g.hash, f.at_ms LIMIT ${BESIDE_MAX}`
  const byTrace = `${beside} JOIN server_failures f ON f.trace = s.trace ${rest}`
  const byDigest = db.all<ServerRow>(digests, params).map(serverGroup)
  const traced = db.all<BesideRow>(byTrace, params).map(failureBeside)
  const isNamed = byDigest.length > 0 || traced.length > 0
  return {
    ...{ projectId, byDigest, byTrace: traced },
    byTime: isNamed || hasDigest(db, id) ? [] : besideInTime(db, { beside, rest }, params),
  }
}

function hasDigest(db: Connection, groupId: number): boolean {
  return db.get('SELECT 1 FROM digests WHERE group_id = ? LIMIT 1', [groupId]) !== undefined
}

function besideInTime(
  db: Connection,
  { beside, rest }: { readonly beside: string; readonly rest: string },
  params: { readonly id: number; readonly org: number },
): readonly FailureBeside[] {
  // server_failures_by_place, in each project of the organisation.
  const sql = `${beside} JOIN projects o ON o.org_id = :org
    JOIN server_failures f ON f.project_id = o.id AND f.place = s.place
      AND f.at_ms BETWEEN s.at_ms - :window AND s.at_ms + :window AND s.trace IS NULL AND s.place <> 0 ${rest}`
  return db.all<BesideRow>(sql, { ...params, window: max('mirrorRouteWindowMs') }).map(failureBeside)
}

function serverGroup({ id, issueId, projectId, hash }: ServerRow): ServerGroup {
  return { groupId: id, issueId, projectId, hash }
}

function failureBeside(row: BesideRow): FailureBeside {
  const { kind, atMs } = row
  return {
    ...serverGroup(row),
    ...{ kind, atMs, isHandled: row.isHandled === 1, isSameRoute: row.isSameRoute === 1 },
    mirror: { kind: row.mirrorKind, atMs: row.mirrorMs },
  }
}
