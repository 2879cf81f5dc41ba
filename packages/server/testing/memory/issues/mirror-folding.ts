/** Both halves of failures: what is remembered of each, and who owns the browser's. */
import { dayOf, type IssueId, issueId, type ProjectId } from '#base/ids.ts'
import { refuseGroups } from '#issues/issue-merging.ts'
import {
  type FailureBeside,
  type FoldEvidence,
  foldOf,
  isAtLeastAsSure,
  mirrorRoute,
  type ServerGroup,
} from '#issues/mirror-folding.ts'
import { newIssueState } from '#issues/new-issue.ts'
import { max } from '#limits/limits.ts'
import { isMirror } from '#notices/rules/queueing.ts'
import type { GroupDelta, Sighting } from '#ports/ingest.ts'
import { MIRRORS_JOB } from '#ports/mirrors.ts'
import { scheduleJob } from '../jobs/jobs.ts'
import { digestsOf } from '../rows/digests.ts'
import { findGroup } from '../rows/group-rows.ts'
import { UNCHOSEN, writeActivity } from '../rows/issue-rows.ts'
import { groupsOf } from '../rows/issue-view.ts'
import type { GroupRow, SightingRow, Tables } from '../tables.ts'
import { absorb } from './merging.ts'

/** After the groups of a batch are there: every mirror is asked again, which a map can afford. */
export function foldMirrors(to: Tables, deltas: readonly GroupDelta[], nowMs: number): void {
  for (const delta of deltas) {
    const group = findGroup(to, delta)
    if (group === undefined) continue
    if (isMirror(delta)) addMirror(to, group, nowMs)
    addSightings(to, group, delta)
  }
  const mirrors = to.mirrors.all().sort((a, b) => a.groupId - b.groupId)
  for (const { groupId } of mirrors) foldMirror(to, groupId, nowMs)
}

function addMirror(to: Tables, group: GroupRow, nowMs: number): void {
  if (to.mirrors.has(group.id)) return
  const waits = to.issues.get(group.issueId)?.substatus === 'waiting'
  const dueMs = waits ? Math.floor(nowMs) + max('mirrorWaitMs') : null
  const none = { by: null, keptApart: null, isFull: false, family: null }
  to.mirrors.put(group.id, { groupId: group.id, dueMs, ...none })
  if (dueMs !== null) scheduleJob(to, { kind: MIRRORS_JOB, key: '', dueMs, ifThere: 'sooner' })
}

function addSightings(to: Tables, group: GroupRow, delta: GroupDelta): void {
  const isOfMirror = isMirror(delta)
  for (const sighting of delta.sightings) {
    const key = `${group.id} ${isOfMirror ? sighting.eventId : (sighting.traceId ?? sighting.eventId)}`
    const known = to.sightings.get(key)
    if (known === undefined && !hasRoom(to, group, isOfMirror)) continue
    to.sightings.put(key, sightingRow(group, { sighting, isOfMirror, known }))
  }
}

function hasRoom(of: Tables, group: GroupRow, isOfMirror: boolean): boolean {
  const isAlike = (row: SightingRow) =>
    row.isMirror === isOfMirror && (isOfMirror ? row.groupId === group.id : row.projectId === group.projectId)
  return of.sightings.where(isAlike).length < max(isOfMirror ? 'mirrorSightingsMax' : 'serverFailuresMax')
}

function sightingRow(
  { id, projectId }: GroupRow,
  of: {
    readonly sighting: Sighting
    readonly isOfMirror: boolean
    readonly known: SightingRow | undefined
  },
): SightingRow {
  const { traceId, route, kind, isHandled, atMs, receivedMs } = of.sighting
  return {
    ...{ groupId: id, projectId, traceId, kind, isMirror: of.isOfMirror },
    route: route === null ? null : mirrorRoute(route),
    isHandled: isHandled && (of.known?.isHandled ?? true),
    atMs: Math.min(atMs, of.known?.atMs ?? atMs),
    day: of.known?.day ?? dayOf(receivedMs),
  }
}

function foldMirror(to: Tables, groupId: number, nowMs: number): void {
  const mirror = to.mirrors.get(groupId)
  const group = to.groups.get(groupId)
  if (mirror === undefined || group === undefined || mirror.keptApart !== null) return
  const found = foldOf(evidenceOf(to, group))
  if (found === null) return
  if (found === 'ambiguous') {
    if (mirror.by?.match === 'route') releaseMirror(to, groupId, nowMs)
    return
  }
  if (mirror.by !== null && !isAtLeastAsSure(found.match, mirror.by.match)) return
  const { into, ...by } = found
  const from = group.issueId
  if (into.issueId !== from && refuseGroups(groupsOf(to, into.issueId).length + 1) !== null) {
    to.mirrors.change(groupId, { isFull: true })
    return
  }
  to.groups.change(groupId, { foldedInto: into.groupId })
  to.mirrors.change(groupId, { dueMs: null, family: null, isFull: false, by })
  if (into.issueId !== from) moveGroup(to, groupId, { from, into: into.issueId })
}

/** The issue that is left without a group goes. */
export function moveGroup(
  to: Tables,
  groupId: number,
  { from, into }: { readonly from: IssueId; readonly into: IssueId },
): void {
  if (groupsOf(to, from).length > 1) to.groups.change(groupId, { issueId: into })
  else absorb(to, { from, into })
}

/** Back to an issue of its own, in its own project. */
export function releaseMirror(to: Tables, groupId: number, nowMs: number): IssueId | null {
  const group = to.groups.get(groupId)
  if (group === undefined || group.foldedInto === null) return null
  const id = newOwnIssue(to, group.projectId, nowMs)
  if (id === null) return null
  to.groups.change(groupId, { foldedInto: null, issueId: id })
  to.mirrors.change(groupId, { dueMs: null, by: null })
  return id
}

/** An issue for groups of its project that have none of their own. `null`: the project is gone. */
export function newOwnIssue(to: Tables, projectId: ProjectId, nowMs: number): IssueId | null {
  const project = to.projects.get(projectId)
  if (project === undefined) return null
  const number = project.issues.number + 1
  to.projects.change(projectId, { issues: { ...project.issues, number } })
  const id = issueId(to.issues.nextId())
  const place = { id, projectId, number, ...UNCHOSEN, window: { hour: 0, events: 0 } }
  to.issues.put(id, { ...place, ...newIssueState(Math.floor(nowMs)) })
  writeActivity(to, id, { kind: 'first_seen', atMs: Math.floor(nowMs), actor: null, detail: {} })
  return id
}

function evidenceOf(of: Tables, group: GroupRow): FoldEvidence {
  const { id, projectId } = group
  const digests = new Set(digestsOf(of, id).map(({ digest }) => digest))
  const own = of.sightings.where((row) => row.isMirror && row.groupId === id)
  const servers = serverGroups(of, group)
  const byDigest = of.digests
    .where(({ digest, count, mirrorCount }) => digests.has(digest) && mirrorCount < count)
    .flatMap(({ groupId }) => servers.get(groupId) ?? [])
  const failures = of.sightings.where((row) => !row.isMirror)
  const beside = (isBeside: (mirror: SightingRow, failure: SightingRow) => boolean) =>
    own.flatMap((mirror) =>
      failures
        .filter((failure) => isBeside(mirror, failure))
        .flatMap((failure): readonly FailureBeside[] => {
          const server = servers.get(failure.groupId)
          const isSameRoute = mirror.route !== null && failure.route === mirror.route
          return server === undefined ? [] : [{ ...failure, ...server, mirror, isSameRoute }]
        }),
    )
  const byTrace = beside((mirror, { traceId }) => traceId !== null && traceId === mirror.traceId)
  const isNamed = digests.size > 0 || byTrace.length > 0
  const byTime = isNamed ? [] : beside((mirror) => mirror.traceId === null)
  return { projectId, byDigest, byTrace, byTime }
}

/** Of the mirror's organisation; no mirror is the server's half of another. */
function serverGroups(of: Tables, { projectId: own }: GroupRow): ReadonlyMap<number, ServerGroup> {
  const org = of.projects.get(own)?.orgId
  const groups = of.groups.where(
    ({ id, projectId }) => of.projects.get(projectId)?.orgId === org && !of.mirrors.has(id),
  )
  return new Map(
    groups.map(({ id, issueId: issue, projectId, hash }) => [
      id,
      { groupId: id, issueId: issue, projectId, hash },
    ]),
  )
}

/** What has reached its age. */
export function pruneFailures(to: Tables, nowMs: number): void {
  const oldest = dayOf(nowMs) - max('serverFailureDays')
  to.sightings.deleteWhere(({ isMirror: isOfMirror, day }) => !isOfMirror && day < oldest)
}
