/** Groups of issues, and issues that are alike, as JSON. */
import type { MergedGroup, SimilarIssue } from '#ports/grouping.ts'
import { time } from './times.ts'

export function groupShape({ title, culprit, projectSlug, isFolded, ...group }: MergedGroup) {
  return {
    ...{ title, culprit, project: projectSlug, isMirror: isFolded },
    count: String(group.eventCount),
    userCount: group.users.count,
    firstSeen: time(group.firstSeenMs),
    lastSeen: time(group.lastSeenMs),
  }
}

export function similarShape({ id, shortId, title, culprit, likeness, ...issue }: SimilarIssue) {
  return {
    ...{ id: String(id), shortId, title, culprit },
    status: issue.status === 'archived' ? 'ignored' : issue.status,
    count: String(issue.eventCount),
    firstSeen: time(issue.firstSeenMs),
    lastSeen: time(issue.lastSeenMs),
    errata: {
      sameType: true,
      samePlace: likeness !== 'message',
      sameMessage: likeness !== 'place',
    },
  }
}
