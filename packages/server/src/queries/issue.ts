/** Reads one issue with everything its page shows. */

import { forecastSteps } from '#alerts/rules/forecast.ts'
import type { Clock } from '#base/clock.ts'
import { HOUR_MS } from '#base/durations.ts'
import type { IssueId } from '#base/ids.ts'
import { mentionNamesAmong } from '#issues/mentions.ts'
import { trendRange } from '#issues/trend-range.ts'
import { max } from '#limits/limits.ts'
import type { AccountsRead } from '#ports/accounts.ts'
import type { IssueMark } from '#ports/issue-people.ts'
import type { Issue, IssuesRead } from '#ports/issues.ts'
import type { ProjectsRead } from '#ports/projects.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { SkewRead } from '#ports/skew.ts'
import { assignable } from './assignable.ts'
import type { IssueEventReads } from './events/event-reads.ts'
import { inTime } from './search/in-time.ts'
import { issueShown, type RoutesOf, tagsShown } from './shown-routes.ts'
import { tagSpreads } from './tag-spread.ts'
import type { IssueView, TimeRange } from './types.ts'

export interface IssueParts {
  readonly accounts: Pick<AccountsRead, 'members' | 'teamNames'>
  readonly projects: Pick<ProjectsRead, 'project'>
  readonly issues: IssuesRead
  readonly events: Pick<IssueEventReads, 'countSince'>
  readonly skew: Pick<SkewRead, 'knownBuilds'>
  readonly routesOf: RoutesOf
  readonly clock: Clock
}

const NO_MIRRORS = { halves: [], total: 0, events: 0, eventsElsewhere: 0 } as const
const TAG_VALUES_SHOWN = 10
const DIGESTS_SHOWN = 50
export const ACTIVITIES_SHOWN = 100
/** Merging brings those of others along. */
export const COMMENTS_READ = 4 * max('commentsPerIssueMax')
const TEN_MINUTES_MS = 600_000

export async function issueView(
  { accounts, projects, issues, events, skew, routesOf, clock }: IssueParts,
  scope: ReadScope,
  asked: { readonly ref: string; readonly trend: TimeRange & { readonly stepMs: number } },
): Promise<IssueView | null> {
  const issue = await issues.issue(scope, asked.ref)
  if (issue === null) return null
  const project = await projects.project(scope, String(issue.projectId))
  if (project === null) return null
  const nowMs = clock.now()
  const lastDay = { startMs: nowMs - 24 * HOUR_MS, endMs: nowMs, stepMs: HOUR_MS }
  const [deploy, { folded: mirrors, lone }, forecast] = await Promise.all([
    deployOf(skew, scope, issue),
    issues.mirrorsOf(scope, issue.id),
    forecastOf(issues, scope, { issue, trend: asked.trend }),
  ])
  const [groups, trend, day, digests, tags, tagsBeyond, activity, members, marks, followers, teams] =
    await Promise.all([
      issues.groups(scope, issue.id),
      issues.trend(scope, issue.id, asked.trend),
      issues.trend(scope, issue.id, lastDay),
      issues.digestsOfIssue(scope, issue.id, DIGESTS_SHOWN),
      issues.tags(scope, issue.id, TAG_VALUES_SHOWN),
      issues.tagsBeyond(scope, issue.id),
      issues.activity(scope, issue.id, ACTIVITIES_SHOWN),
      accounts.members(scope),
      marksOfViewer(issues, scope, [issue.id]),
      issues.followers(scope, issue.id),
      accounts.teamNames(scope, { ids: project.teams }),
    ])
  const shownTags = tagsShown(tags, issue, routesOf)
  const mentionOf = mentionNamesAmong(members)
  return {
    issue: issueShown(issue, routesOf),
    project,
    trend,
    forecast,
    deploy,
    trendRange: { startMs: asked.trend.startMs, endMs: asked.trend.endMs },
    eventsLastDay: day.counts.reduce((sum, count) => sum + count, 0),
    // Beside the counts: where columns give up, it is left out.
    eventsLastTenMinutes: isRecent(issue, nowMs)
      ? ((await inTime(events.countSince(scope, groups, nowMs - TEN_MINUTES_MS))) ?? 0)
      : 0,
    groups,
    digests,
    tags: shownTags,
    tagSpreads: await tagSpreads(issues, { ...scope, projects: [issue.projectId] }, shownTags),
    tagBounds: { ...tagsBeyond, keysMax: max('facetKeysMax'), valuesMax: max('facetValuesMax') },
    mirrors: mirrors ?? NO_MIRRORS,
    lone,
    activity,
    members: assignable(members, project).map((member) => {
      const { userId, name, email } = member
      return { userId, name, email, mention: mentionOf(member) }
    }),
    teams: teams.map(({ id, slug, name }) => ({ id, slug, name })),
    mark:
      scope.userId === undefined
        ? null
        : (marks[0] ?? { issueId: issue.id, subscription: null, isBookmarked: false, isMuted: false }),
    followers,
  }
}

/** Returns the deploy: of several times the last before the newest event; one stated by a tool is surer. */
async function deployOf(
  skew: IssueParts['skew'],
  scope: ReadScope,
  { deploy: release, projectId, lastSeenMs }: Issue,
): Promise<IssueView['deploy']> {
  if (release === null) return null
  const builds = await skew.knownBuilds(scope, [projectId])
  const own = builds.filter(({ version, atMs }) => version === release && atMs <= lastSeenMs)
  const told = own.filter(({ isDeploy }) => isDeploy)
  const times = (told.length === 0 ? own : told).map(({ atMs }) => atMs)
  return times.length === 0 ? null : { release, atMs: Math.max(...times) }
}

/** A token of the organisation marks nothing. */
export async function marksOfViewer(
  issues: Pick<IssuesRead, 'marksOf'>,
  scope: ReadScope,
  ids: readonly IssueId[],
): Promise<readonly IssueMark[]> {
  return scope.userId === undefined ? [] : issues.marksOf(scope, scope.userId, ids)
}

/**
 * Returns how many events each step of the trend may have before the issue escalates; empty for ranges too
 * long for hours.
 */
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
