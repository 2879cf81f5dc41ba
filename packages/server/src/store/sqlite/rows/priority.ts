/** How urgent an issue is, in SQL. */
import { HOUR_MS } from '#base/durations.ts'
import { PRIORITY_POINTS } from '#issues/priority.ts'

/** `computedPriority` over `issues i`, unless a person chose. */
export const PRIORITY = `coalesce(i.priority, ${prioritySql()})`

function prioritySql(): string {
  const { level, unhandled, returned, users, fast, high, medium } = PRIORITY_POINTS
  const of = (condition: string, points: number) => `iif(${condition}, ${points}, 0)`
  const levels = Object.entries(level).map(([name, points]) => `WHEN '${name}' THEN ${points}`)
  const reached = users.map(({ from, points }) => `WHEN i.user_count >= ${from} THEN ${points}`)
  const hours = `max(1.0, (i.last_seen_ms - i.first_seen_ms) / ${HOUR_MS}.0)`
  const sum = [
    `CASE i.level ${levels.join(' ')} ELSE 0 END`,
    of('i.handled = 0', unhandled),
    of(`i.substatus IN ('regressed', 'escalating')`, returned),
    `CASE ${reached.join(' ')} ELSE 0 END`,
    of(`i.event_count >= ${fast.perHour} * ${hours}`, fast.points),
  ].join(' + ')
  return `CASE WHEN ${sum} >= ${high} THEN 'high' WHEN ${sum} >= ${medium} THEN 'medium' ELSE 'low' END`
}
