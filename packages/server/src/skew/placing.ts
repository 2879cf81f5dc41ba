/** Groups of stale clicks get to the issue of their deploy, in the order in which the halves of a batch tell of them. */
import type { IssueId, OrgId, ProjectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { FoldConfidence } from '#ports/mirrors.ts'
import type { KnownBuild, StaleSeries } from '#ports/skew.ts'
import type { StaleClick, ToldGroup } from './clicks.ts'
import type { KnownRuns } from './deploys.ts'
import { type ClickDeploy, deployOfClick, groupsOfClick } from './gathering.ts'

/** A group that tells of stale clicks. */
export interface SkewGroup {
  readonly id: number
  readonly issueId: IssueId
  readonly orgId: OrgId
  /** A deploy has it already. */
  readonly isPlaced: boolean
  /** The failure that it shows decides whose it is. */
  readonly isMirror: boolean
}

/** A half's click, and the series that counts it. */
export interface CountedClick {
  readonly click: StaleClick
  readonly series: StaleSeries
}

/** Clicks of a batch, as they were counted. */
export interface CountedClicks {
  readonly counted: readonly CountedClick[]
  readonly answered: AnsweredThere
}

/** The groups of a click that no deploy has, and the deploy that they are of. */
export interface GroupsOfDeploy {
  readonly groups: readonly SkewGroup[]
  readonly deploy: ClickDeploy
}

export interface DeployKey {
  readonly orgId: OrgId
  readonly environment: string
  readonly release: string
}

/** Group whose issue is the deploy's. */
export interface DeployHead {
  readonly id: number
  readonly issueId: IssueId
}

export interface Placements {
  readonly placed: readonly (DeployKey & { readonly groupId: number })[]
  readonly folded: readonly {
    readonly groupId: number
    readonly head: number
    readonly confidence: FoldConfidence
  }[]
  readonly moves: readonly { readonly groupId: number; readonly from: IssueId; readonly into: IssueId }[]
}

export function toldGroupKey({ projectId, hash }: ToldGroup): string {
  return `${projectId} ${hash}`
}

/** True if other clicks have to say which release answered this one. */
export function asksForRuns({ release, fromRelease }: Pick<StaleClick, 'release' | 'fromRelease'>): boolean {
  return release === '' && fromRelease !== ''
}

type Runs = KnownRuns['answered'][number]

/** Releases that answered stale clicks before, and when first, by `placeKey`. */
export type AnsweredThere = ReadonlyMap<string, readonly Runs[]>

/** Deploys as they were known before the batch's clicks counted. */
export interface RunsThere {
  readonly builds: ReadonlyMap<ProjectId, readonly KnownBuild[]>
  readonly answered: AnsweredThere
}

export function stalePlaceKey({
  projectId,
  environment,
}: Pick<StaleSeries, 'projectId' | 'environment'>): string {
  return `${projectId} ${environment}`
}

/** Returns what each click's groups without a deploy are of, as far as it is known once that half has counted. */
export function deploysOfGroups(
  clicks: readonly CountedClick[],
  groups: ReadonlyMap<string, SkewGroup>,
  runs: RunsThere,
): readonly GroupsOfDeploy[] {
  const answered = new Map<string, Map<string, number>>()
  const answeredIn = (key: string): Map<string, number> => {
    const known =
      answered.get(key) ??
      new Map((runs.answered.get(key) ?? []).map(({ release, firstMs }) => [release, firstMs]))
    answered.set(key, known)
    return known
  }
  return clicks.flatMap(({ click, series }) => {
    if (series.release !== '') {
      const known = answeredIn(stalePlaceKey(series))
      known.set(series.release, Math.min(known.get(series.release) ?? click.atMs, click.atMs))
    }
    const unplaced = unplacedOf(click, groups)
    if (unplaced.length === 0) return []
    const deploy = deployOfClick(click, {
      builds: runs.builds.get(click.projectId) ?? [],
      answered: [...answeredIn(stalePlaceKey(click))]
        .map(([release, firstMs]) => ({ release, firstMs }))
        .sort((a, b) => (a.release < b.release ? -1 : 1)),
    })
    return deploy === null ? [] : [{ groups: unplaced, deploy }]
  })
}

/** The issue that people know already is the one that stays: groups in the order of their beginning. */
export function unplacedOf(click: StaleClick, groups: ReadonlyMap<string, SkewGroup>): readonly SkewGroup[] {
  const found = groupsOfClick(click).flatMap((told) => groups.get(toldGroupKey(told)) ?? [])
  return [...new Set(found)].filter(({ isPlaced }) => !isPlaced).sort((a, b) => a.id - b.id)
}

/**
 * Places groups in issues. A group that a person merged, or that is more than an issue may own, stays where it is.
 * `heads` by `deployKey`; `owned`: groups of issues.
 */
export function placeGroups(
  told: readonly GroupsOfDeploy[],
  {
    heads,
    owned: before,
  }: { readonly heads: ReadonlyMap<string, DeployHead>; readonly owned: ReadonlyMap<IssueId, number> },
): Placements {
  const owned = new Map(before)
  const ownedBy = (issue: IssueId) => owned.get(issue) ?? 0
  const first = new Map(heads)
  const placed = new Map<number, Placements['placed'][number]>()
  const folded: Placements['folded'][number][] = []
  const moves: Placements['moves'][number][] = []
  for (const { groups, deploy } of told) {
    for (const { id, orgId, issueId, isMirror } of groups) {
      if (placed.has(id)) continue
      const { environment, release, confidence } = deploy
      const place = { groupId: id, orgId, environment, release }
      placed.set(id, place)
      const key = deployKey(place)
      const head = first.get(key)
      if (isMirror) continue
      const staysAlone = head === undefined || ownedBy(issueId) > 1 || head.issueId === issueId
      if (staysAlone || ownedBy(head.issueId) >= max('groupsPerIssueMax')) {
        if (head === undefined || id < head.id) first.set(key, { id, issueId })
        continue
      }
      owned.set(issueId, ownedBy(issueId) - 1)
      owned.set(head.issueId, ownedBy(head.issueId) + 1)
      folded.push({ groupId: id, head: head.id, confidence })
      moves.push({ groupId: id, from: issueId, into: head.issueId })
    }
  }
  return { placed: [...placed.values()], folded, moves }
}

export function deployKey({ orgId, environment, release }: DeployKey): string {
  return JSON.stringify([orgId, environment, release])
}
