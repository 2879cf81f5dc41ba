/**
 * What late source maps mean for what is stored: groups that differ only by how their code was minified become one
 * issue. Every step may be done twice, so that a process may end between any two.
 */
import { ErrataError, type ErrorCode } from '#base/errors.ts'
import type { ProjectId } from '#base/ids.ts'
import type { Log } from '#base/log.ts'
import { max } from '#limits/limits.ts'
import type { IssuesWrite } from '#ports/issues.ts'
import type { LateBundle, LateMaps, LateProject } from '#ports/late-maps.ts'
import type { MissedGroup, MissedMapsRead, PayloadSegments } from '#ports/telemetry.ts'

export interface MendingParts {
  readonly maps: Pick<LateMaps, 'lateBundles' | 'mended' | 'regroup'>
  readonly telemetry: MissedMapsRead
  readonly payloads: Pick<PayloadSegments, 'read'>
  readonly issues: Pick<IssuesWrite, 'joinGroups'>
  /** `null` for a project that is gone. */
  readonly project: (id: ProjectId) => LateProject | null
  /** Resolves when events are stored that were read before now, without the maps that are ready now. */
  readonly settled: () => Promise<void>
  readonly now: () => number
  readonly log: Log
}

/** Looks at the events of every upload that nobody has looked at since its maps were ready. */
export async function mendLate(parts: MendingParts, stop: AbortSignal): Promise<void> {
  let isSettled = false
  for (;;) {
    const [late] = await parts.maps.lateBundles(1)
    if (late === undefined || stop.aborted) return
    if (!isSettled) await parts.settled()
    isSettled = true
    if (!(await mendBundle(parts, late, stop))) return
    await parts.maps.mended(late.mark)
  }
}

/** Answers false when it was stopped before the end. */
async function mendBundle(parts: MendingParts, late: LateBundle, stop: AbortSignal): Promise<boolean> {
  const { projects, debugIds, release } = late
  const wanted = { projects, debugIds, release, groupsMax: max('mendGroupsMax') }
  const groups = await parts.telemetry.groupsThatMissed(wanted)
  let joined = 0
  for (const group of groups) {
    if (stop.aborted) return false
    if (await mendGroup(parts, group)) joined++
  }
  if (groups.length > 0) parts.log.info('late source maps were read', { groups: groups.length, joined })
  return true
}

/** By its newest event that kept its payload: what one event of a group is, the others are. */
async function mendGroup(parts: MendingParts, group: MissedGroup): Promise<boolean> {
  const { projectId, hash } = group
  const project = parts.project(projectId)
  const payload = project === null ? null : await firstPayload(parts, group)
  if (project === null || payload === null) return false
  const written = await parts.maps.regroup(project, payload)
  if (written === null) return false
  const outcome = await parts.issues.joinGroups({ projectId, hash, written }, parts.now())
  if (outcome === 'full') parts.log.warn('an issue owns too many groups to join another', { group: hash })
  return outcome === 'joined' || outcome === 'merged'
}

/** What ends by itself: everything is tried again. */
const PASSING: ReadonlySet<ErrorCode> = new Set(['store_timeout', 'overloaded', 'stopping'])

async function firstPayload(
  { payloads, log }: MendingParts,
  { projectId, file, events }: MissedGroup,
): Promise<Uint8Array | null> {
  for (const id of events) {
    const payload = await payloads.read(file, projectId, id).catch((cause: unknown) => {
      if (cause instanceof ErrataError && PASSING.has(cause.code)) throw cause
      // One that is damaged is no reason to leave the others: it tells so where it is looked at.
      log.warn('an event cannot be read again', { event: id, reason: String(cause).slice(0, 200) })
      return null
    })
    if (payload !== null && payload.length > 0) return payload
  }
  return null
}
