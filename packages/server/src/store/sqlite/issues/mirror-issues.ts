/** Issues of mirrors that stand alone. Within the caller's transaction. */
import { assert } from '#base/errors.ts'
import { type IssueId, issueId, type ProjectId } from '#base/ids.ts'
import { whatFollowsJoining } from '#issues/follows/regressing.ts'
import { refuseGroups } from '#issues/issue-merging.ts'
import { mirrorFamily } from '#issues/mirror-folding.ts'
import type { IssueRows } from '#ports/issue-rows.ts'
import { changeIssues } from '../changes/change-issues.ts'
import type { Connection } from '../connection.ts'
import { countOf } from '../rows/account-rows.ts'
import { writeActivity } from '../rows/activity.ts'
import { addText } from '../rows/issue-texts.ts'
import { namedIssues } from './chosen-issues.ts'
import { type GroupMove, moveGroups } from './issue-merge.ts'

/** An issue for groups of its project that have none of their own; `recountIssue` fills it in. */
export function newOwnIssue(db: Connection, projectId: ProjectId, nowMs: number): IssueId {
  const sql = `INSERT INTO issues (project_id, number, status, substatus, status_changed_ms, level, first_seen_ms,
      last_seen_ms, event_count, mirror_count, user_count, users_exact, group_count, facts_ms, own_title, type, value,
      culprit, platform, kinds, routes, category)
    VALUES (?, ?, 'unresolved', 'new', ?, 'error', 0, 0, 0, 0, 0, 1, 1, 0, '', '', '', '', '', '{}', '{}', 'other')`
  const { lastId } = db.run(sql, [projectId, nextNumber(db, projectId), Math.floor(nowMs)])
  const id = issueId(lastId)
  addText(db, id, { title: '', culprit: '' })
  writeActivity(db, id, { kind: 'first_seen', atMs: Math.floor(nowMs), actor: null })
  return id
}

interface DueMirror {
  readonly groupId: number
  readonly projectId: ProjectId
  readonly issueId: IssueId
  readonly title: string
  readonly culprit: string
  readonly hasDigest: number
}

/** Mirrors whose server's half did not come in time. */
export function standAlone(db: Connection, nowMs: number): Awaited<ReturnType<IssueRows['standAlone']>> {
  // mirrors_due
  const sql = `SELECT g.id AS groupId, g.project_id AS projectId, i.id AS issueId, i.title, i.culprit,
      EXISTS (SELECT 1 FROM digests d WHERE d.group_id = g.id) AS hasDigest
    FROM mirrors m JOIN groups g ON g.id = m.group_id JOIN issues i ON i.id = g.issue_id
    WHERE m.due_ms <= ? ORDER BY g.id`
  const begun = db.all<DueMirror>(sql, [nowMs]).filter((mirror) => standOne(db, mirror, nowMs))
  const next = db.get<{ nextMs: number | null }>(
    'SELECT min(due_ms) AS nextMs FROM mirrors WHERE due_ms IS NOT NULL',
  )
  return { issues: begun.length, nextMs: next?.nextMs ?? null }
}

/** Answers whether an issue of its own began. */
function standOne(db: Connection, mirror: DueMirror, nowMs: number): boolean {
  const { groupId, projectId, issueId: id } = mirror
  const family = mirror.hasDigest === 1 ? null : mirrorFamily(mirror)
  const sibling = family === null ? null : issueOfFamily(db, projectId, family)
  db.run('UPDATE mirrors SET due_ms = NULL, family = ? WHERE group_id = ?', [family, groupId])
  const sql = `UPDATE issues SET number = ?, substatus = 'new' WHERE id = ? AND substatus = 'waiting'`
  if (sibling === null) {
    db.run(sql, [nextNumber(db, projectId), id])
    addText(db, id, mirror)
    return true
  }
  joinMirrorIssues(db, { joins: [{ groupId, from: id, into: sibling }] }, nowMs)
  return false
}

function issueOfFamily(db: Connection, projectId: ProjectId, family: bigint): IssueId | null {
  // mirrors_by_family
  const sql = `SELECT g.issue_id AS id FROM mirrors m JOIN groups g ON g.id = m.group_id
    WHERE m.family = ? AND g.project_id = ? ORDER BY g.issue_id DESC LIMIT 1`
  const id = db.get<{ id: IssueId }>(sql, [family, projectId])?.id ?? null
  if (id === null) return null
  const owned = countOf(db, 'SELECT count(*) AS count FROM groups WHERE issue_id = ?', [id])
  return refuseGroups(owned + 1) === null ? id : null
}

interface Moves {
  /** Moves of which the issue that takes over hears: one that was resolved before is open again. */
  readonly joins: readonly GroupMove[]
  /** After those, without a word. */
  readonly folds?: readonly GroupMove[]
}

/** Gives groups to other issues, in their order. */
export function joinMirrorIssues(db: Connection, { joins, folds = [] }: Moves, nowMs: number): void {
  const ids = [...new Set(joins.flatMap(({ from, into }) => [from, into]))]
  const named = ids.length === 0 ? [] : namedIssues(db, ids)
  const issues = new Map(named.map((issue) => [issue.id, issue]))
  const seen = db.getEach<{ readonly lastSeenMs: number }>(
    'SELECT last_seen_ms AS lastSeenMs FROM issues WHERE id = ?',
    joins.map(({ from }) => [from]),
  )
  moveGroups(db, [...joins, ...folds])
  const follows = joins.flatMap((move, at) => {
    const [into, from] = [issues.get(move.into), issues.get(move.from)]
    assert(into !== undefined && from !== undefined, 'a group names an issue that exists')
    const changes = whatFollowsJoining({ into, from }, { lastSeenMs: seen[at]?.lastSeenMs ?? 0, atMs: nowMs })
    for (const { state } of changes) if (state !== undefined) issues.set(into.id, { ...into, ...state })
    return changes
  })
  if (follows.length > 0) changeIssues(db, follows)
}

function nextNumber(db: Connection, projectId: ProjectId): number {
  db.run('UPDATE projects SET issue_counter = issue_counter + 1 WHERE id = ?', [projectId])
  return countOf(db, 'SELECT issue_counter AS count FROM projects WHERE id = ?', [projectId])
}
