/** Groups of stale clicks get to the issue of their deploy. */
import type { GroupHash, IssueId } from '#base/ids.ts'
import { refuseGroups } from '#issues/issue-merging.ts'
import type { ToldClick } from '#ports/skew.ts'
import type { StaleClick } from '#skew/clicks.ts'
import type { KnownRuns } from '#skew/deploys.ts'
import { type ClickDeploy, deployOfClick, groupOfClick, groupsOfClick } from '#skew/gathering.ts'
import { joinIssue } from '../issues/mirrors-write.ts'
import { findGroup } from '../rows/group-rows.ts'
import { groupsOf } from '../rows/issue-view.ts'
import type { GroupRow, Tables } from '../tables.ts'
import { allBuilds } from './skew-read.ts'

/** Answers which issues became part of which. */
export function gatherClick(
  to: Tables,
  click: StaleClick,
  nowMs: number,
): readonly (readonly [from: IssueId, into: IssueId])[] {
  const deploy = deployOfClick(click, () => runsOf(to, click))
  if (deploy === null) return []
  return groupsOfClick(click)
    .flatMap((told) => findGroup(to, told) ?? [])
    .sort((a, b) => a.id - b.id)
    .flatMap(({ id, issueId: from }) => {
      const group = to.groups.get(id)
      if (group === undefined || to.skewGroups.has(id)) return []
      const into = place(to, { group, deploy }, nowMs)
      return into === null ? [] : [[from, into] as const]
    })
}

function runsOf(to: Tables, click: StaleClick): KnownRuns {
  return {
    builds: allBuilds(to).filter(({ projectId }) => projectId === click.projectId),
    answered: to.staleSeries.where(
      ({ projectId, environment, release }) =>
        projectId === click.projectId && environment === click.environment && release !== '',
    ),
  }
}

/** The group of events that tell of a click: one of their own for each deploy that a tab outlived. */
export function groupFor(to: Tables, { projectId, group: hash }: ToldClick, click: StaleClick): GroupHash {
  const row = findGroup(to, { projectId, hash })
  const key = row === undefined ? undefined : to.skewGroups.get(row.id)?.key
  if (key === undefined) return hash
  const [, environment, release]: readonly [unknown, string, string] = JSON.parse(key)
  return groupOfClick(
    hash,
    { environment, release },
    deployOfClick(click, () => runsOf(to, click)),
  )
}

function place(
  to: Tables,
  { group, deploy }: { readonly group: GroupRow; readonly deploy: ClickDeploy },
  nowMs: number,
): IssueId | null {
  const { environment, release, confidence } = deploy
  const orgId = to.projects.get(group.projectId)?.orgId
  if (orgId === undefined) return null
  const key = JSON.stringify([orgId, environment, release])
  to.skewGroups.put(group.id, { key })
  const [head] = to.groups
    .where(({ id }) => id !== group.id && to.skewGroups.get(id)?.key === key && !to.mirrors.has(id))
    .sort((a, b) => a.id - b.id)
  if (head === undefined || head.issueId === group.issueId) return null
  if (groupsOf(to, group.issueId).length > 1) return null
  if (refuseGroups(groupsOf(to, head.issueId).length + 1) !== null) return null
  to.groups.change(group.id, { foldedInto: head.id })
  const by = { match: 'deploy', confidence, distanceMs: null } as const
  to.mirrors.put(group.id, {
    groupId: group.id,
    dueMs: null,
    by,
    keptApart: null,
    isFull: false,
    family: null,
  })
  joinIssue(to, group, { into: head.issueId, nowMs })
  return head.issueId
}
