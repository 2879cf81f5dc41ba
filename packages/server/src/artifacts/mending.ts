/**
 * Applies late source maps to stored events: groups that differ only by how their code was minified become
 * one issue; then the events are rewritten (`rewriting.ts`). Every step may be done twice, so that a process
 * may end between any two; an upload is late until all are done.
 */
import { max } from '#limits/limits.ts'
import type { GroupsJoined, GroupsToJoin } from '#ports/issues.ts'
import type { LateBundle } from '#ports/late-maps.ts'
import type { MissedGroup } from '#ports/telemetry.ts'
import type { LateMaps } from './late-maps.ts'
import { payloadOf, type RewritingParts, rewriteLate } from './rewriting.ts'

export interface MendingParts extends RewritingParts {
  readonly maps: Pick<LateMaps, 'lateBundles' | 'mended' | 'regroup' | 'rewrite'>
  readonly joinGroups: (groups: GroupsToJoin, atMs: number) => Promise<GroupsJoined>
  /** Resolves when events are stored that were read before now, without the maps that are ready now. */
  readonly settled: () => Promise<void>
}

/** `later`: some events wait for the end of their day, or of a backup. */
export type MendingEnd = 'done' | 'later'

/**
 * Looks at the events of every upload that nobody has looked at since its maps were ready. `joined`: marks of uploads
 * whose groups were looked at before, and are not again.
 */
export async function mendLate(
  parts: MendingParts,
  joined: Set<number>,
  stop: AbortSignal,
): Promise<MendingEnd> {
  let isSettled = false
  for (;;) {
    const lates = await parts.maps.lateBundles(max('mendUploadsMax'))
    if (lates.length === 0 || stop.aborted) return 'done'
    const fresh = lates.filter(({ mark }) => !joined.has(mark))
    if (fresh.length > 0 && !isSettled) {
      await parts.settled()
      isSettled = true
    }
    for (const late of fresh) {
      if (!(await mendBundle(parts, late, stop))) return 'done'
      joined.add(late.mark)
    }
    const end = await rewriteLate(parts, lates, stop)
    if (end === 'later') return 'later'
    if (end === 'stopped') return 'done'
    for (const { mark } of lates) {
      await parts.maps.mended(mark)
      joined.delete(mark)
    }
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
  // Every upload of a build that failed before ends here; only issues that became one are news.
  if (joined > 0) parts.log.info('late source maps joined issues', { groups: groups.length, joined })
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
  const outcome = await parts.joinGroups({ projectId, hash, written }, parts.now())
  if (outcome === 'full') parts.log.warn('an issue owns too many groups to join another', { group: hash })
  return outcome === 'joined' || outcome === 'merged'
}

async function firstPayload(
  parts: MendingParts,
  { projectId, file, events }: MissedGroup,
): Promise<Uint8Array | null> {
  for (const eventId of events) {
    const payload = await payloadOf(parts, file, { projectId, eventId })
    if (payload !== null) return payload
  }
  return null
}
