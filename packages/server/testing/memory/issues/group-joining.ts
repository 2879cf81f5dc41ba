/** Groups of one place, as it ran and as it was written: one issue owns both. */
import { assert } from '#base/errors.ts'
import type { IssueId } from '#base/ids.ts'
import { NOBODY } from '#issues/group-users.ts'
import { assign } from '#issues/issue-changes.ts'
import { joinedDetail, joiningOf, keptAssignee, stateOnceJoined } from '#issues/issue-joining.ts'
import { refuseGroups } from '#issues/issue-merging.ts'
import { NO_SUMS } from '#issues/issue-sums.ts'
import type { GroupsJoined, GroupsToJoin } from '#ports/issues.ts'
import { assigneeName, writeAssignee } from '../rows/assignees.ts'
import { NO_TAGS } from '../rows/batch-tags.ts'
import { findGroup } from '../rows/group-rows.ts'
import { writeActivity } from '../rows/issue-rows.ts'
import { groupsOf } from '../rows/issue-view.ts'
import type { GroupRow, Tables } from '../tables.ts'
import { absorb, chosenIssue } from './merging.ts'

export function joinGroups(
  to: Tables,
  { projectId, hash, written }: GroupsToJoin,
  atMs: number,
): GroupsJoined {
  const group = findGroup(to, { projectId, hash })
  if (group === undefined) return 'same'
  const other = findGroup(to, { projectId, hash: written.hash })
  if (to.mirrors.has(group.id) || (other !== undefined && to.mirrors.has(other.id))) return 'same'
  if (other === undefined) {
    if (refuseGroups(groupsOf(to, group.issueId).length + 1) !== null) return 'full'
    const id = to.groups.nextId()
    to.groups.put(id, { ...withoutEvents(group), id, hash: written.hash, facts: written.facts })
  } else if (other.issueId !== group.issueId && !merge(to, [group.issueId, other.issueId], atMs))
    return 'full'
  to.groups.change(group.id, { facts: written.facts })
  if (other === undefined) return 'joined'
  return other.issueId === group.issueId ? 'same' : 'merged'
}

/** Seen when the group last was: the issue's own times stay as they are. */
function withoutEvents(group: GroupRow): GroupRow {
  return {
    ...group,
    ...NO_SUMS,
    ...{ eventCount: 0, mirrorCount: 0, payloadCount: 0, firstMs: group.lastMs },
    ...{ newestPayload: null, users: NOBODY, hours: new Map(), files: [], tags: NO_TAGS },
  }
}

/** Answers false where the issue would own too many groups. */
function merge(to: Tables, ids: readonly [IssueId, IssueId], atMs: number): boolean {
  if (refuseGroups(ids.flatMap((id) => groupsOf(to, id)).length) !== null) return false
  const joining = joiningOf(chosen(to, ids[0]), chosen(to, ids[1]))
  const { into, from } = joining
  const lastSeenMs = Math.max(...groupsOf(to, from.id).map(({ lastMs }) => lastMs))
  absorb(to, { from: from.id, into: into.id })
  writeActivity(to, into.id, { kind: 'merged', atMs, actor: null, detail: joinedDetail(from) })
  const step = stateOnceJoined(joining, { lastSeenMs, atMs })
  if (step !== null) {
    to.issues.change(into.id, step.state)
    writeActivity(to, into.id, { kind: step.kind, atMs, actor: null, detail: step.detail })
  }
  const assignee = keptAssignee(joining)
  const assigned = assign(into, { assignee, name: assigneeName(to, assignee) })
  if (assigned === null) return true
  writeAssignee(to, into.id, assignee)
  writeActivity(to, into.id, { ...assigned, atMs, actor: null })
  return true
}

function chosen(of: Tables, id: IssueId): ReturnType<typeof chosenIssue> {
  const issue = of.issues.get(id)
  assert(issue !== undefined, `no issue ${id}: a group names an issue that does not exist`)
  return chosenIssue(of, issue)
}
