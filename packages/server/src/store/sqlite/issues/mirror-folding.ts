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
import { type GroupMove, groupsOwned, recountIssue, shareOut } from './issue-merge.ts'
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

export interface FoldedMirrors {
  /** Groups that change hands by it, in their order. */
  readonly moves: readonly GroupMove[]
  readonly isChanged: boolean
}

/** Looks for the server's halves with all that is known now. `before`: moves of groups that are not written yet. */
export function foldMirrors(
  db: Connection,
  { groupIds, before }: { readonly groupIds: readonly number[]; readonly before: readonly GroupMove[] },
  nowMs: number,
): FoldedMirrors {
  const moved = new Map(before.map(({ groupId, into }) => [groupId, into]))
  const mirrors = readMirrors(db, groupIds).filter(({ isKeptApart }) => isKeptApart === 0)
  const evidence = evidenceOf(db, mirrors, moved)
  const folds: FoldedMirror[] = []
  let isChanged = false
  for (const [at, mirror] of mirrors.entries()) {
    const found = evidence[at] === undefined ? null : foldOf(evidence[at])
    if (found === null) continue
    if (found === 'ambiguous') {
      if (mirror.match !== 'route') continue
      releaseMirror(db, mirror.id, nowMs)
      isChanged = true
    } else if (mirror.match === null || isAtLeastAsSure(found.match, mirror.match)) {
      folds.push({ mirror, fold: found })
    }
  }
  const { moves, isFolded } = foldAll(db, folds, before)
  return { moves, isChanged: isChanged || isFolded }
}

interface FoldedMirror {
  readonly mirror: KnownMirror
  readonly fold: Fold
}

/** Folds in order: each counts the groups that its issue has by then. */
function foldAll(
  db: Connection,
  folds: readonly FoldedMirror[],
  before: readonly GroupMove[],
): Pick<FoldedMirrors, 'moves'> & { readonly isFolded: boolean } {
  if (folds.length === 0) return { moves: [], isFolded: false }
  const owned = groupsOwned(db, [...new Set(folds.map(({ fold }) => fold.into.issueId))])
  for (const { from, into } of before) {
    for (const [id, more] of [
      [from, -1],
      [into, 1],
    ] as const) {
      const count = owned.get(id)
      if (count !== undefined) owned.set(id, count + more)
    }
  }
  const full: number[] = []
  const folded: FoldedMirror[] = []
  const moves: GroupMove[] = []
  for (const each of folds) {
    const { id, issueId } = each.mirror
    const into = each.fold.into.issueId
    const count = (owned.get(into) ?? 0) + 1
    if (into !== issueId && refuseGroups(count) !== null) {
      full.push(id)
      continue
    }
    folded.push(each)
    if (into === issueId) continue
    moves.push({ groupId: id, from: issueId, into })
    owned.set(into, count)
    const before = owned.get(issueId)
    if (before !== undefined) owned.set(issueId, before - 1)
  }
  writeFolds(db, { full, folded })
  return { moves, isFolded: folded.length > 0 }
}

function writeFolds(
  db: Connection,
  { full, folded }: { readonly full: readonly number[]; readonly folded: readonly FoldedMirror[] },
): void {
  db.runEach(
    'UPDATE mirrors SET is_full = 1 WHERE group_id = ?',
    full.map((id) => [id]),
  )
  db.runEach(
    'UPDATE groups SET folded_into = ? WHERE id = ?',
    folded.map(({ mirror, fold }) => [fold.into.groupId, mirror.id]),
  )
  const sql = `UPDATE mirrors SET due_ms = NULL, family = NULL, is_full = 0, matched = :match, confidence = :confidence,
    distance_ms = :distanceMs WHERE group_id = :id`
  db.runEach(
    sql,
    folded.map(({ mirror: { id }, fold: { into: _, ...by } }) => ({ id, ...by })),
  )
}

/** Back to an issue of its own, in its own project. Answers that issue. */
export function releaseMirror(db: Connection, groupId: number, nowMs: number): IssueId | null {
  const [mirror] = readMirrors(db, [groupId])
  if (mirror === undefined || mirror.foldedInto === null) return null
  db.run('UPDATE groups SET folded_into = NULL WHERE id = ?', [groupId])
  const sql = `UPDATE mirrors SET due_ms = NULL, matched = NULL, confidence = NULL, distance_ms = NULL WHERE group_id = ?`
  db.run(sql, [groupId])
  shareOut(db, [mirror.issueId])
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

/** Leaves out groups that are no mirrors. */
function readMirrors(db: Connection, groupIds: readonly number[]): readonly KnownMirror[] {
  const sql = `SELECT g.id, g.project_id AS projectId, g.issue_id AS issueId, p.org_id AS orgId,
      g.folded_into AS foldedInto, m.matched AS match, m.kept_apart_ms IS NOT NULL AS isKeptApart
    FROM mirrors m JOIN groups g ON g.id = m.group_id JOIN projects p ON p.id = g.project_id WHERE m.group_id = ?`
  const rows = db.getEach<KnownMirror>(
    sql,
    groupIds.map((id) => [id]),
  )
  return rows.filter((row) => row !== undefined)
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

// The unique index of digests on group_id, digests_by_digest.
const BY_DIGEST = `SELECT DISTINCT ${SERVER} FROM digests own JOIN digests d ON d.digest = own.digest
      AND d.mirror_count < d.count
    JOIN groups g ON g.id = d.group_id ${SERVER_TABLES}
    WHERE own.group_id = :id AND m.group_id IS NULL ORDER BY g.project_id, g.hash LIMIT ${BESIDE_MAX}`
const BESIDE = `SELECT ${SERVER}, f.kind, f.is_handled AS isHandled, f.at_ms AS atMs,
      s.place <> 0 AND f.place = s.place AS isSameRoute, s.kind AS mirrorKind, s.at_ms AS mirrorMs FROM mirror_sightings s`
const REST = `JOIN groups g ON g.id = f.group_id ${SERVER_TABLES}
    WHERE s.group_id = :id AND m.group_id IS NULL ORDER BY g.project_id, g.hash, f.at_ms LIMIT ${BESIDE_MAX}`
const BY_TRACE = `${BESIDE} JOIN server_failures f ON f.trace = s.trace ${REST}`
// server_failures_by_place, in each project of the organisation.
const BY_TIME = `${BESIDE} JOIN projects o ON o.org_id = :org
    JOIN server_failures f ON f.project_id = o.id AND f.place = s.place
      AND f.at_ms BETWEEN s.at_ms - :window AND s.at_ms + :window AND s.trace IS NULL AND s.place <> 0 ${REST}`

/** Returns what is known of each mirror, in their order. Time is asked where nothing else names the server's half. */
function evidenceOf(
  db: Connection,
  mirrors: readonly KnownMirror[],
  moved: ReadonlyMap<number, IssueId>,
): readonly FoldEvidence[] {
  const now = <T extends ServerRow>(rows: readonly T[] = []): readonly T[] =>
    moved.size === 0 ? rows : rows.map((row) => ({ ...row, issueId: moved.get(row.id) ?? row.issueId }))
  const params = mirrors.map(({ id, orgId: org }) => ({ id, org }))
  const byDigest = db.allEach<ServerRow>(BY_DIGEST, params)
  const byTrace = db.allEach<BesideRow>(BY_TRACE, params)
  const unnamed = params.filter((_, at) => byDigest[at]?.length === 0 && byTrace[at]?.length === 0)
  const digests = db.getEach(
    'SELECT 1 FROM digests WHERE group_id = ? LIMIT 1',
    unnamed.map(({ id }) => [id]),
  )
  const asked = unnamed.filter((_, at) => digests[at] === undefined)
  const window = max('mirrorRouteWindowMs')
  const inTime = db.allEach<BesideRow>(
    BY_TIME,
    asked.map((each) => ({ ...each, window })),
  )
  const byTime = new Map(asked.map(({ id }, at) => [id, inTime[at] ?? []]))
  return mirrors.map(({ id, projectId }, at) => ({
    projectId,
    byDigest: now(byDigest[at]).map(serverGroup),
    byTrace: now(byTrace[at]).map(failureBeside),
    byTime: now(byTime.get(id)).map(failureBeside),
  }))
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
