/** Groups of issues, and issues that are alike, as JSON. */
import type { MergedGroup, SimilarIssue } from '#ports/grouping.ts'
import { isoTimeText } from './times.ts'

export function groupShape({ title, culprit, projectSlug, isFolded, ...group }: MergedGroup) {
  return {
    ...{ title, culprit, project: projectSlug, isMirror: isFolded },
    count: String(group.eventCount),
    userCount: group.users.count,
    firstSeen: isoTimeText(group.firstSeenMs),
    lastSeen: isoTimeText(group.lastSeenMs),
  }
}

export function similarShape({ id, shortId, title, culprit, likeness, ...issue }: SimilarIssue) {
  return {
    ...{ id: String(id), shortId, title, culprit },
    status: issue.status === 'archived' ? 'ignored' : issue.status,
    count: String(issue.eventCount),
    firstSeen: isoTimeText(issue.firstSeenMs),
    lastSeen: isoTimeText(issue.lastSeenMs),
    errata: {
      sameType: true,
      samePlace: likeness !== 'message',
      sameMessage: likeness !== 'place',
    },
  }
}
