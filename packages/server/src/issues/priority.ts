/**
 * How urgent an issue looks by itself: points for how bad it is, whom it meets and how often. Computed when it is read,
 * so that nothing has to be brought up to date; what a person chose stands instead. A store in SQL makes its expression
 * of the same table.
 */
import { HOUR_MS } from '#base/durations.ts'
import type { Level } from '#model/event.ts'
import type { Priority } from '#model/priority.ts'
import type { Issue } from '#ports/issues.ts'

export const PRIORITY_POINTS = {
  level: { fatal: 5, error: 3, warning: 1, info: 0, debug: 0 } satisfies Readonly<Record<Level, number>>,
  unhandled: 1,
  /** Came back, or is growing beyond its past. */
  returned: 1,
  /** The first that is reached counts. */
  users: [
    { from: 100, points: 2 },
    { from: 10, points: 1 },
  ],
  /** Events an hour, over all of its life. */
  fast: { perHour: 100, points: 1 },
  high: 5,
  medium: 3,
} as const

type Facts = Pick<
  Issue,
  'level' | 'handled' | 'substatus' | 'eventCount' | 'firstSeenMs' | 'lastSeenMs' | 'users'
>

export function computedPriority(issue: Facts): Priority {
  const { level, unhandled, returned, users, fast, high, medium } = PRIORITY_POINTS
  const hours = Math.max(1, (issue.lastSeenMs - issue.firstSeenMs) / HOUR_MS)
  const points =
    level[issue.level] +
    (issue.handled === false ? unhandled : 0) +
    (issue.substatus === 'regressed' || issue.substatus === 'escalating' ? returned : 0) +
    (users.find(({ from }) => issue.users.count >= from)?.points ?? 0) +
    (issue.eventCount >= fast.perHour * hours ? fast.points : 0)
  return points >= high ? 'high' : points >= medium ? 'medium' : 'low'
}
