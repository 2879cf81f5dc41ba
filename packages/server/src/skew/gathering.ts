/** Which issue a stale click is of: one for each deploy, whatever was asked for in vain and in which project. */
import { hash } from 'node:crypto'
import { type GroupHash, groupHash, type IssueId } from '#base/ids.ts'
import type { FoldConfidence } from '#ports/mirrors.ts'
import type { StaleClick, ToldGroup } from './clicks.ts'
import { type KnownRuns, replacedBy } from './deploys.ts'

/** Deploy that replaced the tabs' build, and how sure that is. */
export interface ClickDeploy {
  readonly environment: string
  readonly release: string
  readonly confidence: FoldConfidence
}

/** Returns the deploy that replaced a click's build; `null`: nothing says it yet. `runs` are those of its project and environment, for where no server says what it runs. */
export function deployOfClick(click: StaleClick, runs: KnownRuns): ClickDeploy | null {
  const { environment, release, fromRelease } = click
  if (release !== '') return { environment, release, confidence: 'high' }
  if (fromRelease === '') return null
  const ran = replacedBy(click, runs)
  return ran === null ? null : { environment, release: ran, confidence: 'medium' }
}

export function groupsOfClick({ serverGroup, tabGroup }: StaleClick): readonly ToldGroup[] {
  return [serverGroup, tabGroup].filter((group) => group !== null)
}

/**
 * The group of events that tell of a click. `placed`: the deploy that their own group is of already. A tab may outlive
 * several deploys: what fails after each is a group, so that each deploy has its own issue.
 */
export function groupOfClick(
  own: GroupHash,
  placed: Pick<ClickDeploy, 'environment' | 'release'>,
  deploy: ClickDeploy | null,
): GroupHash {
  if (deploy === null) return own
  if (placed.environment === deploy.environment && placed.release === deploy.release) return own
  return groupOfDeploy(own, deploy)
}

/** Returns the group of failures in tabs of a build after a later deploy than the first they outlived. */
export function groupOfDeploy(
  own: GroupHash,
  { environment, release }: Pick<ClickDeploy, 'environment' | 'release'>,
): GroupHash {
  return groupHash(hash('md5', JSON.stringify([own, environment, release])))
}

/** Issues that became part of others within a batch. */
export type MovedIssues = ReadonlyMap<IssueId, IssueId>

export interface ChangedIssues {
  readonly newIssues: readonly { readonly issueId: IssueId }[]
  readonly returnedIssues: readonly IssueId[]
  readonly groups: readonly { readonly issueId: IssueId }[]
}

/** Returns a batch's changes without issues that are now part of others: nobody is told of those. */
export function afterMoves<T extends ChangedIssues>(changes: T, moved: MovedIssues): T {
  if (moved.size === 0) return changes
  const now = (id: IssueId): IssueId => {
    let issue = id
    for (let next = moved.get(issue); next !== undefined; next = moved.get(issue)) issue = next
    return issue
  }
  return {
    ...changes,
    newIssues: changes.newIssues.filter(({ issueId }) => !moved.has(issueId)),
    returnedIssues: [...new Set(changes.returnedIssues.map(now))],
    groups: changes.groups.map((group) => ({ ...group, issueId: now(group.issueId) })),
  }
}
