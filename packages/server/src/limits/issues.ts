/** Groups and issues, what is counted of them, and what of their events is kept. */
import { type Limit, limit } from './limit.ts'

export const ISSUE_LIMITS = {
  mergeUndoMs: limit(600_000, 'ms', 'How long whoever merged issues can take it back.'),
  groupsPerIssueMax: limit(500, 'count', 'Groups that merging may give one issue.'),
  digestsPerGroupMax: limit(1_000, 'count', 'Digests kept of one group, the newest.'),
  usersExactMax: limit(
    500,
    'count',
    'Distinct users counted exactly per group; above it a sketch, marked ≈.',
  ),
  facetValuesMax: limit(200, 'count', 'Values kept per group and tag key; others are counted as “other”.'),
  facetKeysMax: limit(
    60,
    'count',
    'Tag keys kept per group, beside those Errata derives; others are counted as one.',
  ),
  facetValuesNewPerBatchMax: limit(
    32,
    'count',
    'New values suggested with one batch of a key that has as many as are kept, the newest.',
  ),
  facetValuesRememberedMax: limit(
    200_000,
    'count',
    'Values of hot groups that the commit remembers, and as many that groups of one event name by number.',
  ),
  facetValuesNumberedMax: limit(
    200,
    'count',
    'Values of a tag key of a project that groups of one event name by number, the first.',
  ),
  tagKeysRememberedMax: limit(10_000, 'count', 'Tag keys that the commit remembers.'),
  groupsRememberedMax: limit(
    8_000,
    'count',
    'Groups, and as many issues, that the commit remembers, those used last: about 2 KB each.',
  ),
  issueCountsRememberedMax: limit(
    100_000,
    'count',
    'Issues whose events within a range the list remembers, 0.1 MB a thousand.',
  ),
  issuesPerChangeMax: limit(1_000, 'count', 'Issues that one bulk change may name.'),
  archivedDaysMax: limit(3_650, 'days', 'An issue is archived for at most so long, where a time is named.'),
  issuesForReviewMax: limit(
    100,
    'count',
    'Issues for review counted beside the list’s place; beyond it “99+”.',
  ),
  issueNewDays: limit(7, 'days', 'A new issue reads as ongoing after so long.'),
  routesPerGroupMax: limit(50, 'count', 'Routes counted apart per group; the rest are in the events.'),
  facetValuesPerProjectMax: limit(
    1_000,
    'count',
    'Values suggested per project and tag key (releases, environments, users too), the newest; “other” beyond.',
  ),
  facetKeysPerProjectMax: limit(
    300,
    'count',
    'Tag keys kept per project, beside those Errata derives; others are counted as one.',
  ),
  projectValuesRememberedMax: limit(
    250_000,
    'count',
    'Values of projects’ tag keys that the commit remembers, those used last: about 0.1 KB each.',
  ),
  projectsRememberedMax: limit(2_000, 'count', 'Projects of which the commit remembers tag keys and routes.'),
  projectCountsRememberedMax: limit(
    50_000,
    'count',
    'Projects of which the commit remembers each of its counts, such as of sessions: about 0.1 KB each.',
  ),
  trendBucketsMax: limit(2_160, 'count', 'Points of one trend: 90 days of hours.'),
  hourBucketsDaysMax: limit(90, 'days', 'Counts per hour are kept as long as events are.'),
  activitiesPerIssueMax: limit(
    500,
    'count',
    'Changes that the activity of an issue keeps beside comments; the oldest go.',
  ),
  commentsPerIssueMax: limit(500, 'count', 'Comments that people may write on one issue.'),
  reasonCharsMax: limit(500, 'chars', 'Why issues were merged, or groups taken out of one.'),
  similarIssuesRead: limit(
    2_000,
    'count',
    'Issues of a project, seen last, that similar ones are looked for among.',
  ),
  similarIssuesShown: limit(50, 'count', 'Similar issues that an issue names, the most alike.'),
  commentCharsMax: limit(10_000, 'chars', 'A comment on an issue.'),
  mentionsPerCommentMax: limit(50, 'count', 'People whom one comment may name, those of teams included.'),
  payloadsPerIssueHourDefault: limit(
    1_000,
    'count',
    'Payloads of one issue stored in an hour of receipt; beyond it they are sampled and rows stay exact.',
  ),
  payloadsPerIssueHourMax: limit(
    1_000_000,
    'count',
    'What a project may set; no cap at all is a choice of its own.',
  ),
  newIssuesPerHourMax: limit(
    25_000,
    'count',
    'Issues that may begin in an hour in a project with spike protection; events of further ones go to one “other” issue.',
  ),
  digestPayloadsMax: limit(
    100,
    'count',
    'Digests of a group whose first event keeps its payload whatever the cap: each must lead to something to read.',
  ),
  digestsSampledMax: limit(10_000, 'count', 'Digests of capped issues that a process thread remembers.'),
  mirrorWaitMs: limit(
    60_000,
    'ms',
    'A browser’s mirror of a server failure waits so long for the server’s half before it is an issue of its own.',
  ),
  mirrorGraceMs: limit(
    3_000,
    'ms',
    'The same where the server’s request of its trace came without an error: what is sent beside it may be so much later.',
  ),
  mirrorRouteWindowMs: limit(
    60_000,
    'ms',
    'A mirror without digest and trace may mirror a failure of its route that happened at most so long before or after.',
  ),
  mirrorSightingsMax: limit(
    20,
    'count',
    'Events of a mirror whose trace, route and time are kept, to find the server’s half by.',
  ),
  serverFailuresMax: limit(
    200_000,
    'count',
    'Failures of a project’s servers, one a trace and group, that mirrors are looked for; further ones find none by trace.',
  ),
  serverFailureDays: limit(7, 'days', 'For so long a failure of a server is found by a trace or a route.'),
  mirrorHalvesShown: limit(20, 'count', 'Folded mirrors that an issue names, those with the most events.'),
  cappedGroupsMax: limit(1_000, 'count', 'Groups past their cap of which process threads are told.'),
} satisfies Readonly<Record<string, Limit>>
