/** What trackers are asked to do: queued with its reason, claimed under a lease, settled. */
import type { IssueId } from '#base/ids.ts'
import { shortId } from '#issues/issue-names.ts'
import { claimed, isLost, lost, maySettle, settled } from '#notices/rules/deliveries.ts'
import { anyOf, withTry } from '#notices/rules/messages.ts'
import type { ClaimedTrackerWork, TrackerQueue, TrackerSettlement, TrackersRead } from '#ports/trackers.ts'
import { isRefreshDue, oldestWorkMs, reasonNotToClose } from '#trackers/rules/links.ts'
import { ascending, byId, earliest, inOrder } from '../order.ts'
import type { Tables } from '../tables.ts'
import type { TrackerWorkRow } from '../tracker-tables.ts'
import { noteRemote } from './tracker-links.ts'
import { targetOf } from './trackers.ts'

export function trackerQueue(to: Tables): TrackerQueue {
  return {
    refreshLinks: async (issue, nowMs) => to.transaction(() => refresh(to, issue, nowMs)),
    claimTrackerWork: async (claim) => to.transaction(() => claimDue(to, claim)),
    settleTrackerWork: async (work, settlement, nowMs) =>
      to.transaction(() => settle(to, work, { settlement, nowMs })),
    waitingTrackerWork: async () =>
      earliest(to.trackerWork.all(), ({ trackerId }) => {
        const orgId = to.trackers.get(trackerId)?.orgId ?? null
        return { receiver: `tracker:${trackerId}`, orgId, isPager: false }
      }),
  }
}

function refresh(to: Tables, issueId: IssueId, nowMs: number): number {
  const projectId = to.issues.get(issueId)?.projectId
  const links = to.trackerLinks.where(
    (link) => link.issueId === issueId && isRefreshDue(link.checkedMs, nowMs),
  )
  if (projectId === undefined) return 0
  for (const { id: linkId, trackerId, ref } of links) {
    const id = to.trackerWork.nextId()
    to.trackerWork.put(id, {
      ...{ id, trackerId, projectId, linkId, issueId, what: 'refresh', ref, state: 'waiting', atMs: nowMs },
      ...{ tries: 0, dueMs: nowMs, lease: null, says: null, settledMs: null, tried: [] },
    })
    to.trackerLinks.change(linkId, { checkedMs: nowMs })
  }
  return links.length
}

type Claiming = Parameters<TrackerQueue['claimTrackerWork']>[0]

function claimDue(to: Tables, claim: Claiming): readonly ClaimedTrackerWork[] {
  const { nowMs, triesMax } = claim
  const isDue = ({ dueMs }: TrackerWorkRow) => dueMs !== null && dueMs <= nowMs
  for (const work of to.trackerWork.where(isDue))
    if (isLost(work, { kind: 'new', triesMax })) end(to, work, { ...lost(nowMs), nowMs })
  const due = () => {
    const order = inOrder(
      ascending((work: TrackerWorkRow) => work.dueMs ?? 0),
      byId,
    )
    return to.trackerWork.where(isDue).sort(order)
  }
  const taken: ClaimedTrackerWork[] = []
  for (const receiver of claim.only ?? anyOf(claim.limit))
    for (let one: ClaimedTrackerWork | null = null; one === null; ) {
      const next = due().find(({ trackerId }) => receiver === null || `tracker:${trackerId}` === receiver)
      if (next === undefined) break
      one = claimOne(to, next, claim)
      if (one !== null) taken.push(one)
    }
  return taken
}

function end(
  to: Tables,
  { id, what }: TrackerWorkRow,
  { state, says, nowMs }: Pick<TrackerWorkRow, 'state'> & { readonly says: string; readonly nowMs: number },
): void {
  if (what === 'refresh') to.trackerWork.delete(id)
  else to.trackerWork.change(id, { state, says, dueMs: null, lease: null, settledMs: nowMs })
}

function claimOne(to: Tables, work: TrackerWorkRow, claim: Claiming): ClaimedTrackerWork | null {
  const { id, what, ref } = work
  const link = to.trackerLinks.get(work.linkId)?.state ?? null
  const isResolved = what === 'refresh' || to.issues.get(work.issueId)?.status === 'resolved'
  const says = what === 'refresh' && link !== null ? null : reasonNotToClose({ isResolved, link })
  const tracker = to.trackers.get(work.trackerId)
  if (says !== null || tracker === undefined) {
    end(to, work, { state: 'cancelled', says: says ?? '', nowMs: claim.nowMs })
    return null
  }
  const progress = claimed(work.tries, claim)
  to.trackerWork.change(id, { ...progress, state: 'sending' })
  const receiver = `tracker:${work.trackerId}`
  return { id, lease: claim.lease, receiver, tries: progress.tries, what, tracker: targetOf(tracker), ref }
}

function settle(
  to: Tables,
  { id, lease }: Pick<ClaimedTrackerWork, 'id' | 'lease'>,
  { settlement, nowMs }: { readonly settlement: TrackerSettlement; readonly nowMs: number },
): boolean {
  const work = to.trackerWork.get(id)
  if (work === undefined || !maySettle(work, lease)) return false
  const after = settled(settlement, nowMs)
  const tried = withTry(work.tried, { atMs: nowMs, says: after.says, tookMs: settlement.tookMs })
  if (after.dueMs === null && work.what === 'refresh') to.trackerWork.delete(id)
  else to.trackerWork.change(id, { ...after, tried })
  if (settlement.remote !== undefined && to.trackerLinks.has(work.linkId))
    noteRemote(to, work.linkId, { news: settlement.remote, nowMs })
  return true
}

export function trackerLogRead(of: Tables): Pick<TrackersRead, 'trackerLog'> {
  return {
    trackerLog: async (scope, { trackerId, limit }) =>
      of.trackerWork
        .where((work) => work.trackerId === trackerId && work.what === 'close')
        .filter(({ projectId }) => scope.projects.includes(projectId))
        .filter(({ projectId }) => of.projects.get(projectId)?.orgId === scope.orgId)
        .sort((a, b) => b.id - a.id)
        .slice(0, limit)
        .map(({ id, atMs, ref, issueId, projectId, state, says, dueMs, settledMs, tried }) => {
          const number = of.issues.get(issueId)?.number
          const issue = number === undefined ? null : shortId(of.projects.get(projectId)?.slug ?? '', number)
          const nextMs = state === 'waiting' ? dueMs : null
          return { id, atMs, ref, issue, state, says, nextMs, settledMs, tries: tried }
        }),
  }
}

/** What has reached its age, once a day. */
export function pruneTrackerWork(to: Tables, nowMs: number): void {
  to.trackerWork.deleteWhere(({ atMs, dueMs }) => atMs < oldestWorkMs(nowMs) && dueMs === null)
}
