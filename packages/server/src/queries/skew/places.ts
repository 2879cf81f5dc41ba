/** Issues of stale clicks: found by the group that their events are of. */
import type { IssueId } from '#base/ids.ts'
import { groupRecognised } from '#group/recognised.ts'
import { skewParts } from '#model/recognised.ts'
import type { IssuesRead } from '#ports/issues.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { StaleSum } from '#ports/skew.ts'
import type { ToldGroup } from '#skew/clicks.ts'
import type { SkewedDeploy } from '#skew/deploys.ts'
import { groupOfDeploy } from '#skew/gathering.ts'

export interface LinkedIssue {
  readonly id: IssueId
  readonly shortId: string
}

type Named = Pick<StaleSum, 'projectId' | 'release' | 'fromRelease'>

/** Deploy whose issue is wanted. */
type Deploy = Pick<SkewedDeploy, 'environment' | 'release'>

/**
 * Returns the issue that holds events of a deploy’s skew; `null` for none. Tabs’ events are of the old build’s group,
 * or of what fails in its tabs after this deploy; servers’ of the new one’s.
 */
export async function readSkewIssue(
  issues: Pick<IssuesRead, 'issueOfGroup'>,
  scope: ReadScope,
  { deploy, sums }: { readonly deploy: Deploy; readonly sums: readonly Named[] },
): Promise<LinkedIssue | null> {
  for (const { projectId, hash } of toldGroups(deploy, sums)) {
    const issue = await issues.issueOfGroup(scope, projectId, hash)
    if (issue !== null) return { id: issue.id, shortId: issue.shortId }
  }
  return null
}

const TRIED_MAX = 8

function toldGroups(
  { environment, release: deployed }: Deploy,
  sums: readonly Named[],
): readonly ToldGroup[] {
  const named = new Map<string, ToldGroup>()
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
  const own = [...named.values()].slice(0, TRIED_MAX)
  if (deployed === null) return own
  const later = own.map(({ projectId, hash }) => ({
    projectId,
    hash: groupOfDeploy(hash, { environment, release: deployed }),
  }))
  return [...later, ...own]
}
