/** The pages of one issue and its events. */
import { featureTable } from '#wire/app-tables.ts'
import { deleteAttachment } from './attachments.server.ts'
import { archiveUntil, loadChangeIssue, resolveIn } from './change.server.ts'
import { eventFeature } from './feature.ts'
import { loadIssueMerged, loadIssueSimilar, mergeIssue, unmergeIssue } from './grouping.server.ts'
import { loadIssue, loadIssueActivity, loadIssueEvents } from './issue.server.ts'
import { loadSendIssue, sendIssue } from './send.server.ts'
import { splitIssue } from './split.server.ts'
import { createTrackerIssue, linkTrackerIssue, unlinkTrackerIssue } from './tracker-links.server.ts'

export const eventTable = featureTable({
  routes: eventFeature.routes,
  loaders: {
    issue: loadIssue,
    'issue-event': loadIssue,
    'issue-events': loadIssueEvents,
    'issue-activity': loadIssueActivity,
    'issue-change': loadChangeIssue,
    'issue-send': loadSendIssue,
    'issue-merged': loadIssueMerged,
    'issue-similar': loadIssueSimilar,
  },
  actions: [
    ...[mergeIssue, unmergeIssue, splitIssue, sendIssue],
    ...[resolveIn, archiveUntil],
    deleteAttachment,
    ...[createTrackerIssue, linkTrackerIssue, unlinkTrackerIssue],
  ],
  handlers: [],
})
