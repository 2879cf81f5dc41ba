/** Sessions, and what is counted of them per release. */
import { type Limit, limit } from './limit.ts'

export const HEALTH_LIMITS = {
  sessionAgeDaysMax: limit(
    5,
    'days',
    'A session that began earlier is refused: what is remembered of sessions is older than that by then.',
  ),
  sessionFutureMsMax: limit(
    24 * 3_600_000,
    'ms',
    'A start that is further ahead is refused; one that is ahead at all counts when it was received.',
  ),
  sessionMemoryDays: limit(7, 'days', 'So long a session is remembered, so that no update counts it again.'),
  sessionsRememberedMax: limit(
    1_000_000,
    'count',
    'Sessions of a project that are remembered, about 60 MB; further ones are left out and counted as such.',
  ),
  sessionBucketsMax: limit(100, 'count', 'Entries of one item of counted sessions.'),
  sessionsPerEntryMax: limit(1_000_000, 'count', 'Sessions that one such entry can count.'),
  sessionPeopleMax: limit(4, 'count', 'People of one session, such as before and after a change of account.'),
  healthPlacesPerHourMax: limit(
    200,
    'count',
    'Releases times environments of a project whose sessions are counted in an hour; those of further ones are left out.',
  ),
  healthHourPeopleDays: limit(14, 'days', 'So long people of sessions are counted by the hour as well.'),
  healthDaysMin: limit(
    8,
    'days',
    'Health is kept for at least as long, whatever the project’s retention: longer than sessions are remembered.',
  ),
  healthReleasesMax: limit(100, 'count', 'Releases whose health one page asks for.'),
} satisfies Readonly<Record<string, Limit>>
