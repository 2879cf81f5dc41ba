/** Groups get an issue of their own, or another one, and the numbers of both follow them. One transaction. */
import type { GroupHash, IssueId, ProjectId } from '#base/ids.ts'
import { ok, type Result } from '#base/result.ts'
import { partedDetail, partingOf, refuseNoGroup, refuseReason, refuseTaking } from '#issues/unmerging.ts'
import type { GroupsToPart } from '#ports/grouping.ts'
import type { Actor } from '#ports/scope.ts'
import type { Connection } from '../connection.ts'
import { writeActivity } from '../rows/activity.ts'
import { choose, chosenIssue } from './chosen-issues.ts'
import { recountIssue, shareOut } from './issue-merge.ts'
import { newOwnIssue } from './mirror-issues.ts'

export function unmerge(db: Connection, change: GroupsToPart, actor: Actor): Result<IssueId> {
  const refusal = refuseReason(change.reason)
  if (refusal !== null) return refusal
  const { into = null } = change
  const chosen = choose(db, { ...change, ids: [change.id, ...(into === null ? [] : [into])] })
  if (!chosen.ok) return chosen
  const issue = chosen.value.find(({ id }) => id === change.id)
  if (issue === undefined) return refuseNoGroup()
  const { projectId } = issue
  const parting = partingOf(ownedGroups(db, issue.id), { projectId, named: change.groups })
  if (!parting.ok) return parting
  if (into !== null) {
    const taker = chosen.value.find(({ id }) => id === into)
    const refused = refuseTaking(issue, taker, ownedGroups(db, into).length + parting.value.length)
    if (refused !== null) return refused
  }
  shareOut(db, JSON.stringify([issue.id, ...(into === null ? [] : [into])]))
  const own = into ?? newOwnIssue(db, projectId, actor.atMs)
  const move = 'UPDATE groups SET issue_id = ? WHERE id IN (SELECT value FROM json_each(?))'
  db.run(move, [own, JSON.stringify(parting.value)])
  recountIssue(db, own)
  recountIssue(db, issue.id)
  const of = { groups: parting.value.length, reason: change.reason }
  const note = { atMs: actor.atMs, actor }
  const parted = partedDetail(chosenIssue(db, own), of)
  writeActivity(db, issue.id, { ...note, kind: 'unmerged', detail: parted })
  writeActivity(db, own, { ...note, kind: 'split_off', detail: partedDetail(chosenIssue(db, issue.id), of) })
  return ok(own)
}

interface OwnedGroup {
  readonly id: number
  readonly projectId: ProjectId
  readonly hash: GroupHash
  readonly foldedInto: number | null
}

function ownedGroups(db: Connection, id: IssueId): readonly OwnedGroup[] {
  // groups_by_issue
  const sql = `SELECT id, project_id AS projectId, lower(hex(hash)) AS hash, folded_into AS foldedInto
    FROM groups WHERE issue_id = ? ORDER BY id`
  return db.all<OwnedGroup>(sql, [id])
}
