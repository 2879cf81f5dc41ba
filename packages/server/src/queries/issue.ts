/** One issue in one glance. */

import { forecastSteps } from '#alerts/rules/forecast.ts'
import type { Clock } from '#base/clock.ts'
import { HOUR_MS } from '#base/durations.ts'
import { trendRange } from '#issues/trend-range.ts'
import { max } from '#limits/limits.ts'
import type { AccountsRead, Member } from '#ports/accounts.ts'
import type { Issue, IssuesRead } from '#ports/issues.ts'
import type { Project, ProjectsRead } from '#ports/projects.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { EventReads } from './events/event-reads.ts'
import type { IssueView, TimeRange } from './types.ts'

export interface IssueParts {
  readonly accounts: Pick<AccountsRead, 'members'>
  readonly projects: Pick<ProjectsRead, 'project'>
  readonly issues: IssuesRead
  readonly events: Pick<EventReads, 'countSince'>
  readonly clock: Clock
}

const TAG_VALUES_SHOWN = 10
const DIGESTS_SHOWN = 50
export const ACTIVITIES_SHOWN = 100
const TEN_MINUTES_MS = 600_000

export async function issueView(
  { accounts, projects, issues, events, clock }: IssueParts,
  scope: ReadScope,
  asked: { readonly ref: string; readonly trend: TimeRange & { readonly stepMs: number } },
): Promise<IssueView | null> {
  const issue = await issues.issue(scope, asked.ref)
  if (issue === null) return null
  const project = await projects.project(scope, String(issue.projectId))
  if (project === null) return null
  const nowMs = clock.now()
  const lastDay = { startMs: nowMs - 24 * HOUR_MS, endMs: nowMs, stepMs: HOUR_MS }
  const [groups, trend, forecast, day, digests, tags, tagsBeyond, activity, members] = await Promise.all([
    issues.groups(scope, issue.id),
    issues.trend(scope, issue.id, asked.trend),
    forecastOf(issues, scope, { issue, trend: asked.trend }),
    issues.trend(scope, issue.id, lastDay),
    issues.digestsOfIssue(scope, issue.id, DIGESTS_SHOWN),
    issues.tags(scope, issue.id, TAG_VALUES_SHOWN),
    issues.tagsBeyond(scope, issue.id),
    issues.activity(scope, issue.id, ACTIVITIES_SHOWN),
    accounts.members(scope),
  ])
  return {
    issue,
    project,
    trend,
    forecast,
    trendRange: { startMs: asked.trend.startMs, endMs: asked.trend.endMs },
    eventsLastDay: day.counts.reduce((sum, count) => sum + count, 0),
    eventsLastTenMinutes: isRecent(issue, nowMs)
      ? await events.countSince(scope, groups, nowMs - TEN_MINUTES_MS)
      : 0,
    groups,
    digests,
    tags,
    tagBounds: { ...tagsBeyond, keysMax: max('facetKeysMax'), valuesMax: max('facetValuesMax') },
    activity,
    members: assignable(members, project).map(({ userId, name, email }) => ({ userId, name, email })),
  }
}

/** What it may do in each step of the trend before it escalates; empty for ranges that are too long to say it by the hour. */
async function forecastOf(
  issues: IssuesRead,
  scope: ReadScope,
  asked: { readonly issue: Issue; readonly trend: TimeRange & { readonly stepMs: number } },
): Promise<readonly (number | null)[]> {
  const { startMs, stepMs, buckets } = trendRange(asked.trend)
  const endMs = startMs + buckets * stepMs
  const past = { startMs: startMs - FORECAST_PAST_MS, endMs, stepMs: HOUR_MS }
  const series = await issues.trend(scope, asked.issue.id, past)
  // So long a range is not kept by the hour.
  if (series.stepMs !== HOUR_MS) return []
  const first = Math.floor(series.startMs / HOUR_MS)
  const counts = new Map(series.counts.map((count, index) => [first + index, count]))
  const firstHour = Math.floor(asked.issue.firstSeenMs / HOUR_MS)
  return forecastSteps(counts, { firstHour, startMs, endMs, stepMs })
}

const FORECAST_PAST_MS = 168 * HOUR_MS

function isRecent(issue: Issue, nowMs: number): boolean {
  return issue.lastSeenMs >= nowMs - TEN_MINUTES_MS
}

/** Members who can read the project: owners and managers read all, others what their teams open. */
function assignable(members: readonly Member[], project: Project): readonly Member[] {
  return members.filter(
    ({ role, teams }) =>
      role === 'owner' || role === 'manager' || teams.some((team) => project.teams.includes(team)),
  )
}
