/** Handles what trackers say of their issues, and what follows here: by their webhooks, and with answers to calls. */
import type { IssueId } from '#base/ids.ts'
import { whatFollowsSteps } from '#issues/follows/steps.ts'
import { resolve } from '#issues/issue-changes.ts'
import { max } from '#limits/limits.ts'
import { TRACKER_LINKS, TRACKER_WORK, TRACKERS } from '#model/tables/trackers.ts'
import { maySettle, settleDelivery } from '#notices/rules/deliveries.ts'
import { withTry } from '#notices/rules/messages.ts'
import type { Tx } from '#ports/control.ts'
import type { ChosenIssue } from '#ports/issue-rows.ts'
import type { ClaimedTrackerWork, RemoteIssue, TrackerSettlement } from '#ports/trackers.ts'
import { afterNews } from '#trackers/rules/links.ts'
import { nameOfTracker, readTrackerKind } from '#trackers/rules/names.ts'

interface News {
  readonly tracker: number
  readonly news: RemoteIssue
  readonly nowMs: number
}

/**
 * Writes a tracker's news to every link of its issue; news older than what is known change nothing. Returns
 * the issues that this resolves.
 */
export async function takeNews(tx: Tx, { tracker, news, nowMs }: News): Promise<readonly IssueId[]> {
  await tx.rows(TRACKERS).update([{ id: tracker, heardMs: nowMs }])
  const links = await tx
    .rows(TRACKER_LINKS)
    .find({ trackerId: tracker, ref: news.ref }, max('trackerLinksOfOneMax'))
  const resolved: IssueId[] = []
  for (const { id } of links) resolved.push(...(await noteRemote(tx, id, { news, nowMs })))
  return resolved
}

interface Settling {
  readonly work: Pick<ClaimedTrackerWork, 'id' | 'lease'>
  readonly settlement: TrackerSettlement
  readonly nowMs: number
}

/** False, and nothing changed, when the lease is another's by now, or it was cancelled meanwhile. */
export async function settleTrackerWork(tx: Tx, { work, settlement, nowMs }: Settling): Promise<boolean> {
  const { id, lease } = work
  const rows = tx.rows(TRACKER_WORK)
  const row = await rows.one({ id })
  if (row === null || !maySettle(row, lease)) return false
  const after = settleDelivery(settlement, nowMs)
  const tried = withTry(Array.isArray(row.tried) ? row.tried : [], {
    atMs: nowMs,
    says: after.says,
    tookMs: settlement.tookMs,
  })
  if (after.dueMs === null && row.what === 'refresh') await rows.remove({ id })
  else await rows.update([{ id, ...after, tried }])
  if (settlement.remote !== undefined) await noteRemote(tx, row.linkId, { news: settlement.remote, nowMs })
  return true
}

/**
 * Writes what a tracker says of a link, and what follows. The link is written first: what resolves the issue
 * then finds it closed, and closes nothing. Returns the issue that is resolved by it.
 */
async function noteRemote(
  tx: Tx,
  id: number,
  { news, nowMs }: { readonly news: RemoteIssue | 'missing'; readonly nowMs: number },
): Promise<readonly IssueId[]> {
  const links = tx.rows(TRACKER_LINKS)
  const before = await links.one({ id })
  const after = before === null ? null : afterNews(before, news)
  if (before === null || after === null) return []
  await links.update([{ id, ...after.link, checkedMs: nowMs }])
  if (!after.isClosed) return []
  const tracker = await tx.rows(TRACKERS).one({ id: before.trackerId })
  if (tracker === null || !tracker.resolvesHere) return []
  const actor = { ...NOBODY, label: nameOfTracker(readTrackerKind(tracker.kind), before.ref), atMs: nowMs }
  const step = (issue: ChosenIssue) =>
    issue.status === 'resolved' ? null : resolve(issue, { atMs: nowMs, resolvedIn: null })
  const changes = whatFollowsSteps(await tx.issues.named([before.issueId]), step, actor)
  await tx.issues.save(changes)
  return changes.map((change) => change.id)
}

const NOBODY = { userId: null, tokenId: null, address: null } as const
