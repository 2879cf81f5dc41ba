/** An issue as it reads: its own row, and the sums and unions over its groups. */
import type { IssueId } from '#base/ids.ts'
import { mostFrequent } from '#issues/counts.ts'
import { usersOf } from '#issues/group-users.ts'
import { ownGroups } from '#issues/issue-merging.ts'
import { archivedUsersLeft, shortId, substatusOf } from '#issues/issue-names.ts'
import { addedBy, NO_SUMS, withSums } from '#issues/issue-sums.ts'
import { computedPriority } from '#issues/priority.ts'
import { countUsers, type UserSet } from '#issues/user-set.ts'
import type { RequestKind } from '#model/event.ts'
import type { Issue } from '#ports/issues.ts'
import type { IssueRow } from '../issue-tables.ts'
import type { GroupRow, Tables } from '../tables.ts'

export function sumOver<Row>(rows: readonly Row[], of: (row: Row) => number): number {
  return rows.reduce((sum, row) => sum + of(row), 0)
}

export type GroupsByIssue = ReadonlyMap<IssueId, readonly GroupRow[]>

/** One look at all groups, for reads of many issues. */
export function groupsByIssue(of: Tables): GroupsByIssue {
  const groups = new Map<IssueId, GroupRow[]>()
  for (const group of of.groups.all()) {
    const known = groups.get(group.issueId)
    if (known === undefined) groups.set(group.issueId, [group])
    else known.push(group)
  }
  return groups
}

export function groupsOf(of: Tables, id: IssueId): readonly GroupRow[] {
  return of.groups.where(({ issueId }) => issueId === id)
}

export function usersOfIssue(of: Tables, id: IssueId): UserSet {
  return usersOf(groupsOf(of, id).map(({ users }) => users))
}

/** `groups`: all of the issue, at least one. */
export function issueView(
  of: Tables,
  issue: IssueRow,
  { groups, newSinceMs }: { readonly groups: readonly GroupRow[]; readonly newSinceMs: number },
): Issue {
  const inOrder = ownGroupsOf(groups)
  const [newest] = inOrder
  const project = of.projects.get(issue.projectId)
  if (newest === undefined || project === undefined) throw new Error(`issue ${issue.id} owns no group`)
  const { kinds, routes, firstRelease, lastRelease } = withSums(NO_SUMS, inOrder)
  const { firstMs: firstSeenMs, lastMs: lastSeenMs, ...counts } = addedBy(groups)
  const users = usersOf(groups.map((group) => group.users))
  const { number, window: _, assigneeId, assigneeTeamId, priorityChosen, archivedUsersAt, ...state } = issue
  const view = {
    ...state,
    ...newest.facts,
    ...{ firstSeenMs, lastSeenMs },
    ...{ eventCount: counts.eventCount, mirrorCount: counts.mirrorCount, payloadCount: counts.payloadCount },
    projectSlug: project.slug,
    shortId: shortId(project.slug, number),
    substatus: substatusOf({ substatus: issue.substatus, firstSeenMs }, newSinceMs),
    archivedUsersLeft: archivedUsersLeft(archivedUsersAt, countUsers(users)),
    assignee: assigneeOf(of, assigneeId),
    assigneeTeam: teamOf(of, assigneeTeamId),
    firstRelease: firstRelease?.release ?? null,
    lastRelease: lastRelease?.release ?? null,
    users: { count: countUsers(users), isExact: users.isExact },
    kinds: mostFrequent(kinds).map(([kind, count]) => ({
      kind: kind as RequestKind, // counted from EventRow.requestKind
      count,
    })),
    route: mostFrequent(routes)[0]?.[0] ?? null,
    deploy: null,
    commentCount: of.activities.where(({ issueId, kind }) => issueId === issue.id && kind === 'commented')
      .length,
  }
  return { ...view, priority: priorityChosen ?? computedPriority(view) }
}

function teamOf(of: Tables, id: IssueRow['assigneeTeamId']): Issue['assigneeTeam'] {
  const team = id === null ? undefined : of.teams.get(id)
  return team === undefined ? null : { teamId: team.id, slug: team.slug, name: team.name }
}

/** Those that say what the issue is called, newest first. */
export function ownGroupsOf(groups: readonly GroupRow[]): readonly GroupRow[] {
  return ownGroups(groups.map((group) => ({ ...group, isFolded: group.foldedInto !== null })))
}

function assigneeOf(of: Tables, id: IssueRow['assigneeId']): Issue['assignee'] {
  const user = id === null ? undefined : of.users.get(id)
  return user === undefined ? null : { userId: user.id, name: user.name, email: user.email }
}
