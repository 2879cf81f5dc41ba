/** Issues of stale clicks: found by the group that their events are of. */
import type { IssueId, ProjectId } from '#base/ids.ts'
import { groupRecognised } from '#group/recognised.ts'
import { skewParts } from '#model/recognised.ts'
import type { IssuesRead } from '#ports/issues.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { StaleSum } from '#ports/skew.ts'

export interface LinkedIssue {
  readonly id: IssueId
  readonly shortId: string
}

type Named = Pick<StaleSum, 'projectId' | 'release' | 'fromRelease'>

/** Tabs’ events are of the old build’s group, servers’ of the new one’s. */
export async function issueOf(
  issues: Pick<IssuesRead, 'issueOfGroup'>,
  scope: ReadScope,
  sums: readonly Named[],
): Promise<LinkedIssue | null> {
  for (const { projectId, hash } of groupsOf(sums)) {
    const issue = await issues.issueOfGroup(scope, projectId, hash)
    if (issue !== null) return { id: issue.id, shortId: issue.shortId }
  }
  return null
}

const TRIED_MAX = 8

function groupsOf(sums: readonly Named[]) {
  const named = new Map<
    string,
    { readonly projectId: ProjectId; readonly hash: NonNullable<ReturnType<typeof groupRecognised>>['hash'] }
  >()
  for (const { projectId, release, fromRelease } of sums) {
    const told = [
      { side: 'browser', of: fromRelease },
      { side: 'server', of: release },
    ] as const
    for (const { side, of } of told) {
      if (of === '' && fromRelease !== release) continue
      const group = groupRecognised(skewParts(side, of === '' ? null : of))
      if (group !== null) named.set(`${projectId} ${group.hash}`, { projectId, hash: group.hash })
    }
  }
  return [...named.values()].slice(0, TRIED_MAX)
}
