/** The groups of an issue one by one, other issues of its type, and groups that get an issue of their own. */
import type { IssueId } from '#base/ids.ts'
import { ok, type Result } from '#base/result.ts'
import { usersOf } from '#issues/group-users.ts'
import { shortId } from '#issues/issue-names.ts'
import { partedDetail, partingOf, refuseNoGroup, refuseReason, refuseTaking } from '#issues/unmerging.ts'
import { countUsers } from '#issues/user-set.ts'
import { max } from '#limits/limits.ts'
import type { AlikeIssue, GroupingRead, GroupingWrite, GroupsToPart, MergedGroup } from '#ports/grouping.ts'
import type { Actor, ReadScope } from '#ports/scope.ts'
import { ascending, byId, descending, inOrder } from '../order.ts'
import { writeActivity } from '../rows/issue-rows.ts'
import { groupsOf, issueView } from '../rows/issue-view.ts'
import { readableProjects } from '../rows/readable.ts'
import { isReadable } from '../rows/readable-issues.ts'
import type { Tables } from '../tables.ts'
import { choose } from './chosen-issues.ts'
import { undoMerges } from './merge-undo.ts'
import { chosenIssue } from './merging.ts'
import { newOwnIssue } from './mirror-folding.ts'

export function groupingRead(of: Tables): GroupingRead {
  return {
    mergedGroups: async (scope, id) => (isReadable(of, scope, id) ? mergedGroups(of, scope, id) : null),
    issuesOfType: async (scope, id) => (isReadable(of, scope, id) ? issuesOfType(of, id) : null),
  }
}

export function groupingWrite(to: Tables): GroupingWrite {
  return {
    unmerge: async (change, actor) => to.transaction(() => unmerge(to, change, actor)),
    undoMerge: async (change, actor) => to.transaction(() => undoMerges(to, change, actor)),
  }
}

function mergedGroups(of: Tables, scope: ReadScope, id: IssueId): readonly MergedGroup[] {
  const readable = readableProjects(of, scope)
  const order = inOrder<{ readonly eventCount: number; readonly id: number }>(
    descending(({ eventCount }) => eventCount),
    ascending((group) => group.id),
  )
  return groupsOf(of, id)
    .filter(({ projectId }) => readable.has(projectId))
    .toSorted(order)
    .map(({ projectId, hash, foldedInto, facts, eventCount, users, firstMs, lastMs }) => ({
      ...{ projectId, hash, eventCount, firstSeenMs: firstMs, lastSeenMs: lastMs },
      projectSlug: of.projects.get(projectId)?.slug ?? '',
      isFolded: foldedInto !== null,
      title: facts.title,
      culprit: facts.culprit,
      users: { count: countUsers(usersOf([users])), isExact: users.users.isExact },
    }))
}

function issuesOfType(of: Tables, id: IssueId): readonly AlikeIssue[] {
  const views = of.issues
    .where(
      ({ projectId, substatus }) => projectId === of.issues.get(id)?.projectId && substatus !== 'waiting',
    )
    .map((issue) => ({
      ...issueView(of, issue, { groups: groupsOf(of, issue.id), newSinceMs: 0 }),
      shortId: shortId(of.projects.get(issue.projectId)?.slug ?? '', issue.number),
    }))
    .sort((a, b) => b.lastSeenMs - a.lastSeenMs || b.id - a.id)
  const own = of.issues.get(id)
  const type = own === undefined ? null : issueView(of, own, { groups: groupsOf(of, id), newSinceMs: 0 }).type
  return views
    .slice(0, max('similarIssuesRead'))
    .filter((view) => view.type === type && view.id !== id)
    .map((view) => ({
      ...{ id: view.id, shortId: view.shortId, title: view.title, type: view.type, value: view.value },
      ...{ culprit: view.culprit, filename: view.filename, function: view.function, status: view.status },
      ...{ eventCount: view.eventCount, firstSeenMs: view.firstSeenMs, lastSeenMs: view.lastSeenMs },
    }))
}

function unmerge(to: Tables, change: GroupsToPart, actor: Actor): Result<IssueId> {
  const { into = null } = change
  const ids = [change.id, ...(into === null ? [] : [into])]
  const chosen = refuseReason(change.reason) ?? choose(to, { ...change, ids })
  if (!chosen.ok) return chosen
  const issue = chosen.value.find(({ id }) => id === change.id)
  if (issue === undefined) return refuseNoGroup()
  const owned = groupsOf(to, issue.id).toSorted(byId)
  const parting = partingOf(owned, { projectId: issue.projectId, named: change.groups })
  if (!parting.ok) return parting
  if (into !== null) {
    const taker = chosen.value.find(({ id }) => id === into)
    const refused = refuseTaking(issue, taker, groupsOf(to, into).length + parting.value.length)
    if (refused !== null) return refused
  }
  const own = into ?? newOwnIssue(to, issue.projectId, actor.atMs)
  if (own === null) return refuseNoGroup()
  for (const group of parting.value) to.groups.change(group, { issueId: own })
  const note = { atMs: actor.atMs, actor }
  const of = { groups: parting.value.length, reason: change.reason }
  const about = (id: IssueId) => {
    const row = to.issues.get(id)
    return partedDetail(row === undefined ? issue : chosenIssue(to, row), of)
  }
  writeActivity(to, issue.id, { ...note, kind: 'unmerged', detail: about(own) })
  writeActivity(to, own, { ...note, kind: 'split_off', detail: about(issue.id) })
  return ok(own)
}
