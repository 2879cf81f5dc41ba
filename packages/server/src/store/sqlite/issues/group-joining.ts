/** Groups of one place, as it ran and as it was written: one issue owns both. */
import type { IssueId } from '#base/ids.ts'
import { whatFollowsKeeping } from '#issues/follows/assigning.ts'
import { whatFollowsBeingOne } from '#issues/follows/merging.ts'
import { whatFollowsJoining } from '#issues/follows/regressing.ts'
import { joiningOf, keptAssignee } from '#issues/issue-joining.ts'
import { refuseGroups } from '#issues/issue-merging.ts'
import { NO_SUMS } from '#issues/issue-sums.ts'
import type { GroupsJoined, GroupsToJoin } from '#ports/issues.ts'
import { changeIssues } from '../changes/change-issues.ts'
import type { Connection } from '../connection.ts'
import { sumsParams } from '../ingest/group-rows.ts'
import { writeIssueFacts } from '../ingest/issue-facts.ts'
import { countOf } from '../rows/account-rows.ts'
import { assigneeName } from '../rows/assignees.ts'
import { chosenIssue } from './chosen-issues.ts'
import { recountIssue, shareOut, takeInIssues } from './issue-merge.ts'

interface KnownGroup {
  readonly id: number
  readonly issueId: IssueId
}

export function joinGroups(db: Connection, groups: GroupsToJoin, atMs: number): GroupsJoined {
  const { projectId, hash, written } = groups
  const group = findKnownGroup(db, projectId, hash)
  if (group === null) return 'same'
  const other = written.hash === hash ? group : findKnownGroup(db, projectId, written.hash)
  // Who owns a mirror is decided by the failure that it shows.
  if (isOfMirrors(db, group) || (other !== null && isOfMirrors(db, other))) return 'same'
  if (other === null) return addGroupToJoin(db, group, groups)
  if (other.issueId === group.issueId) {
    nameGroup(db, group, groups)
    return 'same'
  }
  const into = mergeTwo(db, [group.issueId, other.issueId], atMs)
  if (into === null) return 'full'
  nameGroup(db, { ...group, issueId: into }, groups)
  return 'merged'
}

function findKnownGroup(db: Connection, project: number, hash: string): KnownGroup | null {
  // The unique index on (project_id, hash).
  const sql = 'SELECT id, issue_id AS issueId FROM groups WHERE project_id = ? AND hash = ?'
  return db.get<KnownGroup>(sql, [project, Buffer.from(hash, 'hex')]) ?? null
}

function isOfMirrors(db: Connection, { id }: KnownGroup): boolean {
  return db.get('SELECT 1 FROM mirrors WHERE group_id = ?', [id]) !== undefined
}

/** The issue owns a group without an event: what comes for it is the issue's. */
function addGroupToJoin(db: Connection, group: KnownGroup, { written }: GroupsToJoin): GroupsJoined {
  const { id, issueId } = group
  const owned = countOf(db, 'SELECT count(*) AS count FROM groups WHERE issue_id = ?', [issueId])
  if (refuseGroups(owned + 1) !== null) return 'full'
  shareOut(db, [issueId])
  // Seen when the other one last was: the issue's own times stay as they are.
  const { lastId } = db.run(
    `INSERT INTO groups (project_id, hash, kind, issue_id, event_count, mirror_count, first_seen_ms, last_seen_ms)
      SELECT project_id, ?, kind, issue_id, 0, 0, last_seen_ms, last_seen_ms FROM groups WHERE id = ?`,
    [Buffer.from(written.hash, 'hex'), id],
  )
  const share = `INSERT INTO group_shares (group_id, first_release, first_release_ms, last_release, last_release_ms, kinds,
      routes, facts, facts_ms)
    SELECT :id, :firstRelease, :firstReleaseMs, :lastRelease, :lastReleaseMs, :kinds, :routes, :facts, facts_ms
    FROM group_shares WHERE group_id = :of`
  db.run(share, { id: lastId, of: id, facts: JSON.stringify(written.facts), ...sumsParams(NO_SUMS) })
  setFacts(db, id, written.facts)
  recountIssue(db, issueId)
  return 'joined'
}

/** The group is called as it was written. */
function nameGroup(db: Connection, { id, issueId }: KnownGroup, { written }: GroupsToJoin): void {
  if (setFacts(db, id, written.facts)) {
    recountIssue(db, issueId)
    return
  }
  const alone = 'SELECT facts_ms AS atMs FROM issues WHERE id = ? AND group_count = 1'
  const issue = db.get<{ atMs: number }>(alone, [issueId])
  if (issue !== undefined) writeIssueFacts(db, issueId, { facts: written.facts, atMs: issue.atMs })
}

/** Sets the facts of a group of an issue that owns several; returns whether its name changed. */
function setFacts(db: Connection, id: number, facts: GroupsToJoin['written']['facts']): boolean {
  const json = JSON.stringify(facts)
  const sql = 'UPDATE group_shares SET facts = ?1 WHERE group_id = ?2 AND facts <> ?1'
  return db.run(sql, [json, id]).changes > 0
}

/** Answers the issue that is left; `null` where it would own too many groups. */
function mergeTwo(db: Connection, ids: readonly [IssueId, IssueId], atMs: number): IssueId | null {
  const joining = joiningOf(chosenIssue(db, ids[0]), chosenIssue(db, ids[1]))
  const { into, from } = joining
  const lastSeenMs = countOf(db, 'SELECT last_seen_ms AS count FROM issues WHERE id = ?', [from.id])
  const owned = `SELECT count(*) AS count FROM groups WHERE issue_id IN (?, ?)`
  if (refuseGroups(countOf(db, owned, [...ids])) !== null) return null
  takeInIssues(db, [from.id], into.id)
  const assignee = keptAssignee(joining)
  changeIssues(db, [
    whatFollowsBeingOne(into.id, from, atMs),
    ...whatFollowsJoining(joining, { lastSeenMs, atMs }),
    ...whatFollowsKeeping(into, { assignee, name: assigneeName(db, assignee) }, atMs),
  ])
  return into.id
}
