/** Links of issues that are merged. */
import type { IssueId } from '#base/ids.ts'
import type { Tables } from '../tables.ts'

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
