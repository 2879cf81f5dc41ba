/** One issue in one glance. */

import type { Clock } from '#base/clock.ts'
import { HOUR_MS } from '#base/durations.ts'
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

const NO_MIRRORS = { halves: [], total: 0, events: 0, eventsElsewhere: 0 } as const
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
  const [groups, trend, day, digests, tags, tagsBeyond, activity, members, mirrors, lone] = await Promise.all(
    [
      issues.groups(scope, issue.id),
      issues.trend(scope, issue.id, asked.trend),
      issues.trend(scope, issue.id, lastDay),
      issues.digestsOfIssue(scope, issue.id, DIGESTS_SHOWN),
      issues.tags(scope, issue.id, TAG_VALUES_SHOWN),
      issues.tagsBeyond(scope, issue.id),
      issues.activity(scope, issue.id, ACTIVITIES_SHOWN),
      accounts.members(scope),
      issues.foldedHalves(scope, issue.id),
      issues.loneMirror(scope, issue.id),
    ],
  )
  return {
    issue,
    project,
    trend,
    trendRange: { startMs: asked.trend.startMs, endMs: asked.trend.endMs },
    eventsLastDay: day.counts.reduce((sum, count) => sum + count, 0),
    eventsLastTenMinutes: isRecent(issue, nowMs)
      ? await events.countSince(scope, groups, nowMs - TEN_MINUTES_MS)
      : 0,
    groups,
    digests,
    tags,
    tagBounds: { ...tagsBeyond, keysMax: max('facetKeysMax'), valuesMax: max('facetValuesMax') },
    mirrors: mirrors ?? NO_MIRRORS,
    lone,
    activity,
    members: assignable(members, project).map(({ userId, name, email }) => ({ userId, name, email })),
  }
}

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
