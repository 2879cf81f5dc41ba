/** Events over time, from the groups' counts per hour. */
import { HOUR_MS } from '#base/durations.ts'
import type { IssueId } from '#base/ids.ts'
import type { ListTrendRange, TrendRange } from '#issues/trend-range.ts'
import type { Series } from '#ports/issues.ts'
import type { Connection } from '../connection.ts'

/** A series for each of the issues, with zeros where nothing happened. */
export function issueTrends(
  db: Connection,
  issues: readonly IssueId[],
  range: TrendRange | ListTrendRange,
): ReadonlyMap<IssueId, Series> {
  const startHour = range.startMs / HOUR_MS
  const fromHour = 'fromMs' in range ? range.fromMs / HOUR_MS : startHour
  const stepHours = range.stepMs / HOUR_MS
  // groups_by_issue, then the primary key of group_hours.
  const sql = `SELECT g.issue_id AS issueId, max(0, CAST((h.hour - :start) / :step AS INTEGER)) AS bucket, sum(h.count) AS count
    FROM groups g CROSS JOIN group_hours h ON h.group_id = g.id
    WHERE g.issue_id IN (SELECT value FROM json_each(:ids)) AND h.hour >= :from AND h.hour < :end
    GROUP BY 1, 2`
  const rows = db.all<{ issueId: IssueId; bucket: number; count: number }>(sql, {
    ids: JSON.stringify(issues),
    start: startHour,
    from: fromHour,
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
