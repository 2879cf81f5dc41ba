/** Rows of links to issue trackers, as those who change issues write them. */
import type { IssueId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { Tables } from '../tables.ts'

/** What waits already waits no longer. */
export function queueClosing(to: Tables, issue: IssueId, atMs: number): void {
  const projectId = to.issues.get(issue)?.projectId
  if (projectId === undefined) return
  for (const { id: linkId, trackerId, ref, state } of to.trackerLinks.where((row) => row.issueId === issue)) {
    if (state !== 'open' || to.trackers.get(trackerId)?.closesThere !== true) continue
    const waits = to.trackerWork.find(
      (work) => work.linkId === linkId && work.what === 'close' && work.state === 'waiting',
    )
    if (waits !== undefined) continue
    const id = to.trackerWork.nextId()
    const now = Math.floor(atMs)
    to.trackerWork.put(id, {
      ...{
        id,
        trackerId,
        projectId,
        linkId,
        issueId: issue,
        what: 'close',
        ref,
        state: 'waiting',
        atMs: now,
      },
      ...{ tries: 0, dueMs: now + max('trackerCloseDelayMs'), lease: null, says: null, settledMs: null },
      tried: [],
    })
  }
}

/** Of an issue that another takes in. */
export function moveLinks(
  to: Tables,
  { from, into }: { readonly from: IssueId; readonly into: IssueId },
): void {
  const there = to.trackerLinks.where(({ issueId }) => issueId === into)
  for (const link of to.trackerLinks.where(({ issueId }) => issueId === from)) {
    const isKnown = there.some(({ trackerId, ref }) => trackerId === link.trackerId && ref === link.ref)
    if (isKnown) to.trackerLinks.delete(link.id)
    else to.trackerLinks.change(link.id, { issueId: into })
  }
  for (const { id } of to.trackerWork.where(({ issueId, dueMs }) => issueId === from && dueMs !== null))
    to.trackerWork.change(id, { issueId: into })
}
