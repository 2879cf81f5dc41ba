/** What an issue says of its mirrors, and a mirror of the half that is missing. */
import type { IssueId } from '#base/ids.ts'
import { missingHalf } from '#issues/mirror-folding.ts'
import { max } from '#limits/limits.ts'
import type { FoldedHalf, FoldedHalves, LoneMirror, MirrorsRead } from '#ports/mirrors.ts'
import type { ReadScope } from '#ports/scope.ts'
import { ascending, byId, descending, inOrder } from '../order.ts'
import { digestsOf } from '../rows/digests.ts'
import { groupsOf, sumOver } from '../rows/issue-view.ts'
import { readableProjects } from '../rows/readable.ts'
import { isReadable } from '../rows/readable-issues.ts'
import type { GroupRow, Tables } from '../tables.ts'

export function mirrorsRead(of: Tables): MirrorsRead {
  return {
    foldedHalves: async (scope, id) => foldedHalves(of, scope, id),
    loneMirror: async (scope, id) => loneMirror(of, scope, id),
  }
}

function foldedHalves(of: Tables, scope: ReadScope, id: IssueId): FoldedHalves | null {
  if (!isReadable(of, scope, id)) return null
  const readable = readableProjects(of, scope)
  const folded = groupsOf(of, id).filter(({ foldedInto }) => foldedInto !== null)
  const [own, elsewhere] = [true, false].map((wanted) =>
    folded.filter(({ projectId }) => readable.has(projectId) === wanted),
  )
  const events = (groups: readonly GroupRow[] = []) => sumOver(groups, ({ eventCount }) => eventCount)
  const shown = (own ?? []).toSorted(
    inOrder(
      descending(({ eventCount }) => eventCount),
      ascending((group) => group.id),
    ),
  )
  return {
    halves: shown.slice(0, max('mirrorHalvesShown')).flatMap((group) => halfOf(of, group)),
    ...{ total: shown.length, events: events(own), eventsElsewhere: events(elsewhere) },
  }
}

function halfOf(of: Tables, group: GroupRow): readonly FoldedHalf[] {
  const { id, projectId, hash, facts, eventCount, firstMs: firstSeenMs, lastMs: lastSeenMs } = group
  const by = of.mirrors.get(id)?.by ?? null
  const projectSlug = of.projects.get(projectId)?.slug ?? ''
  if (by === null) return []
  return [{ projectId, projectSlug, hash, title: facts.title, eventCount, firstSeenMs, lastSeenMs, ...by }]
}

function loneMirror(of: Tables, scope: ReadScope, id: IssueId): LoneMirror | null {
  if (!isReadable(of, scope, id)) return null
  const groups = groupsOf(of, id).toSorted(byId)
  const group = groups.find((one) => one.foldedInto === null && of.mirrors.has(one.id))
  const mirror = group === undefined ? undefined : of.mirrors.get(group.id)
  if (group === undefined || mirror === undefined || groups.some((one) => one.mirrorCount < one.eventCount))
    return null
  const { keptApart, isFull, dueMs: waitsUntilMs } = mirror
  const missing = missingHalf({
    ...{ isKeptApart: keptApart !== null, isFull, value: group.facts.value },
    hasDigest: digestsOf(of, mirror.groupId).length > 0,
    hasTrace: of.sightings.where((row) => row.groupId === mirror.groupId && row.traceId !== null).length > 0,
    isSilent: () => isSilent(of, scope),
  })
  return { waitsUntilMs, missing, keptApart }
}

function isSilent(of: Tables, { orgId }: ReadScope): boolean {
  const isOfOrg = (project: GroupRow['projectId']) => of.projects.get(project)?.orgId === orgId
  return of.sightings.find((row) => !row.isMirror && isOfOrg(row.projectId)) === undefined
}
