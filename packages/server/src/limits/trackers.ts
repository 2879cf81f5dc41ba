/** Issue trackers, and what is asked of them. */
import { type Limit, limit } from './limit.ts'

export const TRACKER_LIMITS = {
  trackersPerOrgMax: limit(20, 'count', 'Issue trackers of one organisation.'),
  trackerNameCharsMax: limit(80, 'chars', 'Name of an issue tracker.'),
  trackerValueCharsMax: limit(2_000, 'chars', 'One setting or secret of an issue tracker.'),
  trackerLinksPerIssueMax: limit(20, 'count', 'Links of one issue to issue trackers.'),
  trackerLinksOfOneMax: limit(
    10_000,
    'count',
    'Links to one issue of a tracker that its news is written to.',
  ),
  trackerTitleCharsMax: limit(200, 'chars', 'Title of an issue in a tracker, as it is created and shown.'),
  trackerBodyCharsMax: limit(30_000, 'chars', 'Text of a created issue; Jira takes 32,767.'),
  trackerAnswerBytesMax: limit(
    512 * 1_024,
    'bytes',
    'Read of the answer of an issue tracker, which has the whole issue.',
  ),
  trackerRefreshMs: limit(300_000, 'ms', 'A linked issue that is looked at is asked for at most so often.'),
  trackerCloseDelayMs: limit(
    15_000,
    'ms',
    'Between resolving and closing in the tracker: what is taken back at once closes nothing.',
  ),
  trackerCallsPerMinute: limit(30, 'count', 'Issues created and linked in one organisation in a minute.'),
  trackerCallsAtOnceMax: limit(120, 'count', 'The same of all organisations.'),
  trackerCallWindowMs: limit(60_000, 'ms', 'The minute of the two limits above.'),
  trackerWorkWaitingMax: limit(
    5_000,
    'count',
    'Calls that wait for one issue tracker; of more its log says that they were not made, and links are looked at later.',
  ),
  trackerWorkInAllMax: limit(50_000, 'count', 'The same of all organisations.'),
  trackerLogRows: limit(50, 'count', 'Newest entries shown of what was closed in a tracker.'),
  trackerLogDays: limit(90, 'days', 'That log is kept so long.'),
} as const satisfies Record<string, Limit>
