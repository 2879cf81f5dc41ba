/** Events over time, from the groups' counts per hour (hour of the event's own time). */

import type { IssueId } from '#base/ids.ts'
import { HOUR_MS } from '#issues/release-seen.ts'
import { max } from '#limits/limits.ts'
import type { Series } from '#ports/issues.ts'
import type { Connection } from '../connection.ts'

const DAY_HOURS = 24

export interface TrendRange {
  readonly startMs: number
  readonly stepMs: number
  readonly buckets: number
}

/**
 * For a row of a list. Up to 24 hours: the 24 hours that end with the range. Longer: stretches of 24 hours, the last
 * of which ends with the range's last hour, so that no bar is a part of a day.
 */
export function listTrendRange(startMs: number, endMs: number): TrendRange {
  const endHour = Math.ceil(endMs / HOUR_MS)
  const hours = Math.ceil((endMs - startMs) / HOUR_MS)
  const stepHours = hours <= DAY_HOURS ? 1 : DAY_HOURS
  const buckets =
    hours <= DAY_HOURS ? DAY_HOURS : Math.min(Math.ceil(hours / DAY_HOURS), max('hourBucketsDaysMax'))
  return { startMs: (endHour - buckets * stepHours) * HOUR_MS, stepMs: stepHours * HOUR_MS, buckets }
}

/** Whole hours from the one that holds `startMs`; a step is at least an hour and a multiple of it. */
export function trendRange(range: {
  readonly startMs: number
  readonly endMs: number
  readonly stepMs: number
}): TrendRange {
  const startHour = Math.floor(range.startMs / HOUR_MS)
  const hours = Math.max(1, Math.ceil(range.endMs / HOUR_MS) - startHour)
  const least = Math.ceil(hours / max('trendBucketsMax'))
  const stepHours = Math.max(1, least, Math.round(range.stepMs / HOUR_MS))
  return {
    startMs: startHour * HOUR_MS,
    stepMs: stepHours * HOUR_MS,
    buckets: Math.ceil(hours / stepHours),
  }
}

/** A series for each of the issues, with zeros where nothing happened. */
export function trendsOf(
  db: Connection,
  issues: readonly IssueId[],
  range: TrendRange,
): ReadonlyMap<IssueId, Series> {
  const startHour = range.startMs / HOUR_MS
  const stepHours = range.stepMs / HOUR_MS
  // groups_by_issue, then the primary key of group_hours.
  const sql = `SELECT g.issue_id AS issueId, CAST((h.hour - :start) / :step AS INTEGER) AS bucket, sum(h.count) AS count
    FROM groups g CROSS JOIN group_hours h ON h.group_id = g.id
    WHERE g.issue_id IN (SELECT value FROM json_each(:ids)) AND h.hour >= :start AND h.hour < :end
    GROUP BY 1, 2`
  const rows = db.all<{ issueId: IssueId; bucket: number; count: number }>(sql, {
    ids: JSON.stringify(issues),
    start: startHour,
    end: startHour + range.buckets * stepHours,
    step: stepHours,
  })
  const counts = new Map(issues.map((id) => [id, new Array<number>(range.buckets).fill(0)]))
  for (const { issueId, bucket, count } of rows) {
    const series = counts.get(issueId)
    if (series !== undefined) series[bucket] = count
  }
  return new Map(
    [...counts].map(([id, series]) => [id, { startMs: range.startMs, stepMs: range.stepMs, counts: series }]),
  )
}
