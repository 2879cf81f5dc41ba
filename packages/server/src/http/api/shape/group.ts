/** Groups of issues, and issues that are alike, as JSON. */
import type { MergedGroup, SimilarIssue } from '#ports/grouping.ts'
import { ISSUE_GROUP } from '../answers/event.ts'
import { SIMILAR_ISSUE } from '../answers/issue.ts'
import { picks } from '../pick.ts'
import { isoTimeText } from './times.ts'

const SEEN = {
  count: ({ eventCount }: SeenIssue) => String(eventCount),
  firstSeen: ({ firstSeenMs }: SeenIssue) => isoTimeText(firstSeenMs),
  lastSeen: ({ lastSeenMs }: SeenIssue) => isoTimeText(lastSeenMs),
}
type SeenIssue = Pick<MergedGroup, 'eventCount' | 'firstSeenMs' | 'lastSeenMs'>

export const groupShape = picks(ISSUE_GROUP).from<MergedGroup>({
  ...SEEN,
  project: ({ projectSlug }) => projectSlug,
  isMirror: ({ isFolded }) => isFolded,
  userCount: ({ users }) => users.count,
})

export const similarShape = picks(SIMILAR_ISSUE).from<SimilarIssue>({
  ...SEEN,
  id: ({ id }) => String(id),
  status: ({ status }) => (status === 'archived' ? 'ignored' : status),
  errata: ({ likeness }) => ({
    sameType: true,
    samePlace: likeness !== 'message',
    sameMessage: likeness !== 'place',
  }),
})
